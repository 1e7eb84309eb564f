import type { GraphQLResolveInfo } from 'graphql';
import { Ctx, Field, FieldResolver, Info, Int, ObjectType, Resolver, Root } from 'type-graphql';
import type { SuiteRunRow } from '../../entities/database.js';
import { webUrls } from '../../services/web-urls.js';
import { Build } from '../builds/build.js';
import { connectionOf } from '../connections/connection.js';
import type { GraphqlContext } from '../context.js';
import { SuiteRunResults, SuiteRunStates } from '../enums.js';
import { Node } from '../nodes/node.js';
import { optional } from '../server/options.js';
import { DateTime } from '../scalars/date-time.js';
import { Suite } from './suite.js';

@ObjectType({ implements: Node, description: 'Run of a test suite: all uploads with the same key.' })
export class SuiteRun {
  @Field(() => String, { name: 'uuid', description: 'UUID of the run; `id` in the REST API.' })
  id!: string;

  @Field(() => String, { description: 'Key that the uploads of the run share.' })
  key!: string;

  @Field(() => SuiteRunStates, { description: 'State of the run.' })
  state!: string;

  @Field(() => SuiteRunResults, { description: 'Result of the run.' })
  result!: string;

  @Field(() => String, { ...optional, description: 'Message of the commit; null when no upload has one.' })
  message!: string | null;

  @Field(() => Int, { description: 'Number of executions that passed.' })
  passedCount!: number;

  @Field(() => Int, { description: 'Number of executions that failed.' })
  failedCount!: number;

  @Field(() => Int, { description: 'Number of executions that were skipped.' })
  skippedCount!: number;

  @Field(() => Int, { description: 'Number of executions without a known result.' })
  unknownCount!: number;

  @Field(() => DateTime, { description: 'Time of the first upload.' })
  createdAt!: Date;

  @Field(() => DateTime, { ...optional, description: 'Time the run finished; null before.' })
  finishedAt!: Date | null;
}

export const { Connection: SuiteRunConnection } = connectionOf('SuiteRun', () => SuiteRun);

@Resolver(() => SuiteRun)
export class SuiteRunResolver {
  @FieldResolver(() => String, { description: 'Branch of the run; empty when no upload has one.' })
  branch(@Root() run: SuiteRunRow): string {
    return run.branch ?? '';
  }

  @FieldResolver(() => String, { description: 'Commit of the run; empty when no upload has one.' })
  commit(@Root() run: SuiteRunRow): string {
    return run.commitSha ?? '';
  }

  @FieldResolver(() => Build, {
    ...optional,
    description: 'Build that uploaded the run; null without one or when the build is hidden.',
  })
  build(@Root() run: SuiteRunRow, @Ctx() context: GraphqlContext, @Info() info: GraphQLResolveInfo) {
    return context.loadReference('read_builds', context.references.build, run.buildId, info);
  }

  @FieldResolver(() => String, {
    ...optional,
    description: 'URL of the source of the uploads; null without one or when the source is a hidden build.',
  })
  async sourceUrl(@Root() run: SuiteRunRow, @Ctx() context: GraphqlContext): Promise<string | null> {
    const hidden = run.buildId !== null && (await context.references.build.load(run.buildId)) === null;
    return hidden ? null : run.sourceUrl;
  }

  @FieldResolver(() => Suite, { description: 'Test suite of the run.' })
  suite(@Root() run: SuiteRunRow, @Ctx() context: GraphqlContext) {
    return context.load.suite.load(run.suiteId);
  }

  @FieldResolver(() => String, { description: "URL of the run's page in the console." })
  async url(@Root() run: SuiteRunRow, @Ctx() context: GraphqlContext): Promise<string> {
    const [organization, suite] = await Promise.all([
      context.load.organization.load(run.organizationId),
      context.load.suite.load(run.suiteId),
    ]);
    return webUrls.suiteRun(context.baseUrl, organization?.slug ?? '', suite?.slug ?? '', run.id);
  }
}
