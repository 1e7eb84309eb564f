import { Args, Ctx, Field, FieldResolver, Int, ObjectType, Resolver, Root } from 'type-graphql';
import type { SuiteRunRow } from '../../entities/database.js';
import { listExecutions } from '../../operations/executions/list.js';
import { pipelineLevels } from '../../operations/pipelines/levels.js';
import { webUrls } from '../../web-urls.js';
import { Build } from '../builds/build.js';
import { stretchOf } from '../connections/arguments.js';
import { connectionOf, connectionValue } from '../connections/connection.js';
import type { GraphqlContext } from '../context.js';
import { SuiteRunResults, SuiteRunStates } from '../enums.js';
import { Node } from '../node.js';
import { optional } from '../options.js';
import { DateTime } from '../scalars/date-time.js';
import { SuiteExecutionsArguments } from './suite-arguments.js';
import { SuiteExecutionConnection } from './suite-execution.js';
import { Suite } from './suite.js';

@ObjectType({ implements: Node, description: 'One run of a test suite: all uploads with the same key.' })
export class SuiteRun {
  @Field(() => String, { name: 'uuid' })
  id!: string;

  @Field(() => String, { description: 'What joins uploads to this run.' })
  key!: string;

  @Field(() => SuiteRunStates)
  state!: string;

  @Field(() => SuiteRunResults)
  result!: string;

  @Field(() => String, optional)
  message!: string | null;

  @Field(() => String, { ...optional, description: 'Where the uploads say they come from.' })
  sourceUrl!: string | null;

  @Field(() => Int, { description: 'Executions that passed.' })
  passedCount!: number;

  @Field(() => Int, { description: 'Executions that failed.' })
  failedCount!: number;

  @Field(() => Int, { description: 'Executions that were skipped.' })
  skippedCount!: number;

  @Field(() => Int, { description: 'Executions of which the runner said nothing else.' })
  unknownCount!: number;

  @Field(() => DateTime)
  createdAt!: Date;

  @Field(() => DateTime, optional)
  finishedAt!: Date | null;
}

export const { Connection: SuiteRunConnection } = connectionOf('SuiteRun', () => SuiteRun);

@Resolver(() => SuiteRun)
export class SuiteRunResolver {
  @FieldResolver(() => String, { description: 'Empty where no upload named it.' })
  branch(@Root() run: SuiteRunRow): string {
    return run.branch ?? '';
  }

  @FieldResolver(() => String, { description: 'Empty where no upload named it.' })
  commit(@Root() run: SuiteRunRow): string {
    return run.commitSha ?? '';
  }

  @FieldResolver(() => Build, { ...optional, description: 'The build it belongs to, if the viewer may see that one.' })
  async build(@Root() run: SuiteRunRow, @Ctx() context: GraphqlContext) {
    const build = await context.follow('read_builds', context.load.build, run.buildId);
    return build && (await context.among(pipelineLevels, 'pipelineIds', build.pipelineId)) ? build : null;
  }

  @FieldResolver(() => SuiteExecutionConnection, { ...optional, description: 'Executions in the order they were uploaded.' })
  async executions(@Root() run: SuiteRunRow, @Ctx() context: GraphqlContext, @Args(() => SuiteExecutionsArguments) given: SuiteExecutionsArguments) {
    return connectionValue(await context.perform(listExecutions, { of: { run: { id: run.id } }, result: given.result, paging: stretchOf(given) }));
  }

  @FieldResolver(() => Suite)
  suite(@Root() run: SuiteRunRow, @Ctx() context: GraphqlContext) {
    return context.load.suite.load(run.suiteId);
  }

  @FieldResolver(() => String, { description: 'Its page.' })
  async url(@Root() run: SuiteRunRow, @Ctx() context: GraphqlContext): Promise<string> {
    const [organization, suite] = await Promise.all([context.load.organization.load(run.organizationId), context.load.suite.load(run.suiteId)]);
    return webUrls.suiteRun(context.baseUrl, organization?.slug ?? '', suite?.slug ?? '', run.id);
  }
}
