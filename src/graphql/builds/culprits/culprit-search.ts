import { Args, Ctx, Field, FieldResolver, ID, Int, ObjectType, Resolver, Root } from 'type-graphql';
import type { ShownBuildRow, ShownPipelineRow } from '../../../entities/database.js';
import type { CulpritTest as CulpritTestRow } from '../../../loaders/culprit-tests.js';
import { getCulpritSearch } from '../../../operations/builds/culprit-searches/get.js';
import { listCulpritSearchesOfBuild } from '../../../operations/builds/culprit-searches/list-of-build.js';
import { listCulpritSearches } from '../../../operations/builds/culprit-searches/list.js';
import type { ShownSearch } from '../../../resources/builds/culprits/shown-search.js';
import { PageArguments, stretchOf } from '../../connections/arguments.js';
import { connectionOf, connectionValue } from '../../connections/connection.js';
import type { GraphqlContext } from '../../context.js';
import { CulpritCommitSources, CulpritSearchStates, CulpritVerdicts } from '../../enums.js';
import { ReadBy } from '../../execution/on-the-way.js';
import { Reads } from '../../execution/reads.js';
import { Node } from '../../nodes/node.js';
import { User } from '../../organizations/user.js';
import { Pipeline } from '../../pipelines/pipeline.js';
import { DateTime } from '../../scalars/date-time.js';
import { optional } from '../../server/options.js';
import { Build } from '../build.js';

@ObjectType({ description: 'Failed step that a search for a culprit looks at.' })
class CulpritStep {
  @Field(() => ID, { name: 'uuid', description: 'UUID of the step in the failed build.' })
  id!: string;

  @Field(() => String, { ...optional, description: 'Key of the step.' })
  key!: string | null;

  @Field(() => String, { ...optional, description: 'Label of the step.' })
  label!: string | null;
}

@ObjectType({ description: 'Commit that a search for a culprit has tested.' })
export class CulpritTest {
  @Field(() => String, { description: 'SHA of the commit.' })
  commit!: string;

  @Field(() => Int, { description: 'Place of the commit among those of the search, from 1, the oldest.' })
  position!: number;

  @Field(() => ID, { name: 'buildUuid', description: 'UUID of the build of the commit.' })
  buildId!: string;

  @Field(() => Int, { ...optional, description: 'Number of that build; null if it was deleted.' })
  buildNumber!: number | null;

  @Field(() => CulpritVerdicts, { ...optional, description: 'Verdict on the commit; null while the build runs.' })
  verdict!: string | null;

  @Field(() => String, { ...optional, description: 'Reason why the commit could not be judged.' })
  reason!: string | null;

  @Field(() => DateTime, { description: 'Time the build was created.' })
  createdAt!: Date;

  @Field(() => DateTime, { ...optional, description: 'Time of the verdict.' })
  judgedAt!: Date | null;
}

@Resolver(() => CulpritTest)
export class CulpritTestResolver {
  @FieldResolver(() => Build, { ...optional, description: 'Build of the commit; null if it was deleted.' })
  build(@Root() { buildId }: CulpritTestRow, @Ctx() context: GraphqlContext) {
    return context.references.build.load(buildId);
  }
}

@ObjectType({ implements: Node, description: 'Search for the commit that turned the branch of a failed build red.' })
export class CulpritSearch {
  @Field(() => ID, { name: 'uuid', description: 'UUID of the search; `id` in the REST API.' })
  id!: string;

  @Field(() => CulpritSearchStates, { description: 'State of the search.' })
  state!: string;

  @Field(() => String, { description: 'Branch that turned red.' })
  branch!: string;

  @Field(() => [CulpritStep], { description: 'Failed steps that are looked at.' })
  steps!: CulpritStep[];

  @Field(() => String, { description: 'SHA of the last commit that passed.' })
  goodCommit!: string;

  @Field(() => String, { description: 'SHA of the first commit that is known to fail.' })
  badCommit!: string;

  @Field(() => Int, {
    description: 'Number of commits after the last that passed, up to the one that failed; 0 until they are listed.',
  })
  commitsCount!: number;

  @Field(() => CulpritCommitSources, { ...optional, description: 'Source of the commits; null until they are listed.' })
  commitsFrom!: string | null;

  @Field(() => Int, { description: 'Number of commits that may be the culprit.' })
  suspectsCount!: number;

  @Field(() => [String], { description: 'First 50 of the commits that may be the culprit, oldest first.' })
  suspects!: string[];

  @Field(() => String, {
    ...optional,
    description: 'SHA of the commit that turned the branch red; null until it is found, or where only suspects are.',
  })
  culpritCommit!: string | null;

  @Field(() => String, { ...optional, description: 'Reason why there is no culprit, or more than one suspect.' })
  reason!: string | null;

  @Field(() => DateTime, { description: 'Time the search began.' })
  createdAt!: Date;

  @Field(() => DateTime, { description: 'Time at which it ends with what it knows.' })
  deadlineAt!: Date;

  @Field(() => DateTime, { ...optional, description: 'Time the search ended.' })
  finishedAt!: Date | null;
}

export const { Connection: CulpritSearchConnection } = connectionOf('CulpritSearch', () => CulpritSearch);

@Resolver(() => CulpritSearch)
export class CulpritSearchResolver {
  @FieldResolver(() => Build, { ...optional, description: 'Failed build whose culprit is looked for.' })
  build(@Root() { buildId }: ShownSearch, @Ctx() context: GraphqlContext) {
    return context.references.build.load(buildId);
  }

  @FieldResolver(() => Build, {
    ...optional,
    description: 'Build in which the last commit passed; null if the caller named the commit, or it was deleted.',
  })
  goodBuild(@Root() { goodBuildId }: ShownSearch, @Ctx() context: GraphqlContext) {
    return context.loadReference(null, context.references.build, goodBuildId);
  }

  @FieldResolver(() => Build, {
    ...optional,
    description: 'Build in which the first commit failed; null if it was deleted.',
  })
  badBuild(@Root() { badBuildId }: ShownSearch, @Ctx() context: GraphqlContext) {
    return context.references.build.load(badBuildId);
  }

  @FieldResolver(() => [CulpritTest], { description: 'Commits that were tested, oldest first.' })
  tests(@Root() { id }: ShownSearch, @Ctx() context: GraphqlContext) {
    return context.load.testsOfCulpritSearch.load(id);
  }

  @FieldResolver(() => User, { ...optional, description: 'User who asked for the search; null when unknown.' })
  createdBy(@Root() { createdById }: ShownSearch, @Ctx() context: GraphqlContext) {
    return context.loadReference(null, context.load.user, createdById);
  }
}

@Resolver(() => Build)
export class CulpritSearchesOfBuildResolver {
  @FieldResolver(() => CulpritSearchConnection, {
    ...optional,
    description: 'Searches for the commit since which the build fails, newest first.',
  })
  async culpritSearches(
    @Root() build: ShownBuildRow,
    @Ctx() context: GraphqlContext,
    @Args(() => PageArguments) args: PageArguments,
  ) {
    const parent = { build: { id: build.id } };
    return connectionValue(
      await context.performInBatch(listCulpritSearchesOfBuild, parent, { paging: stretchOf(args) }),
    );
  }

  @Reads<ShownBuildRow>('culpritSearchId')
  @FieldResolver(() => CulpritSearch, {
    ...optional,
    description: 'Search for a culprit that the build tests a commit for; null for any other build.',
  })
  async culpritSearch(@Root() { culpritSearchId }: ShownBuildRow, @Ctx() context: GraphqlContext) {
    if (culpritSearchId === null) return null;
    return (await context.findInBatch(getCulpritSearch, { search: { id: culpritSearchId } }))?.search ?? null;
  }
}

@Resolver(() => Pipeline)
export class CulpritSearchesOfPipelineResolver {
  @ReadBy(listCulpritSearches)
  @FieldResolver(() => CulpritSearchConnection, {
    ...optional,
    description: 'Searches for commits that turned branches of the pipeline red, newest first.',
  })
  async culpritSearches(
    @Root() pipeline: ShownPipelineRow,
    @Ctx() context: GraphqlContext,
    @Args(() => PageArguments) args: PageArguments,
  ) {
    const parent = { pipeline: { id: pipeline.id } };
    return connectionValue(await context.performInBatch(listCulpritSearches, parent, { paging: stretchOf(args) }));
  }
}
