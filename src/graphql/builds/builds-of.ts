import type { GraphQLResolveInfo } from 'graphql';
import { Args, ArgsType, Ctx, Field, FieldResolver, Info, Resolver, Root } from 'type-graphql';
import type { ShownPipelineRow, UserRow } from '../../entities/database.js';
import { listBuildsOfPipelines } from '../../operations/builds/list-of-pipelines.js';
import { listBuilds } from '../../operations/builds/list.js';
import { SizeArguments, stretchOf } from '../connections/arguments.js';
import { connectionValue } from '../connections/connection.js';
import type { GraphqlContext } from '../context.js';
import { columnsOfNodes } from '../execution/look-ahead.js';
import { BuildStates } from '../enums.js';
import { User } from '../organizations/user.js';
import { Viewer, type ViewerValue } from '../organizations/viewer.js';
import { Pipeline } from '../pipelines/pipeline.js';
import { optional } from '../server/options.js';
import { BuildArguments, buildFilterInput } from './build-arguments.js';
import { BuildConnection } from './build.js';
import { metaDataFilter } from './meta-data-filter.js';
import { ReadBy } from '../execution/on-the-way.js';

@Resolver(() => Pipeline)
export class BuildsOfPipelineResolver {
  @ReadBy(listBuildsOfPipelines)
  @FieldResolver(() => BuildConnection, { ...optional, description: 'Builds of the pipeline, newest first.' })
  async builds(
    @Root() pipeline: ShownPipelineRow,
    @Ctx() context: GraphqlContext,
    @Args(() => BuildArguments) args: BuildArguments,
    @Info() info: GraphQLResolveInfo,
  ) {
    const input = { ...buildFilterInput(args), columns: columnsOfNodes(info) };
    return connectionValue(await context.performInBatch(listBuildsOfPipelines, { pipelineIds: pipeline.id }, input));
  }
}

/** Filters of the builds that a user created. */
@ArgsType()
abstract class CreatedBuildsArguments extends SizeArguments {
  @Field(() => [String], {
    ...optional,
    description: 'Pairs of `key=value`; only builds with all of these meta-data values.',
  })
  metaData?: string[] | null;

  @Field(() => [BuildStates], { ...optional, description: 'States; only builds in one of them.' })
  state?: string[] | null;
}

@ArgsType()
class UserBuildsArguments extends CreatedBuildsArguments {
  @Field(() => [String], { ...optional, description: 'Branches; only builds of one of them. `*` stands for any text.' })
  branch?: string[] | null;
}

@ArgsType()
class ViewerBuildsArguments extends CreatedBuildsArguments {
  @Field(() => String, { ...optional, description: 'Branch; only builds of this branch. `*` stands for any text.' })
  branch?: string | null;
}

/** The builds that the user of `creatorId` created, newest first; `branch` lists the branches to include. */
async function createdBuilds(
  context: GraphqlContext,
  creatorId: string,
  branch: string[] | null | undefined,
  args: CreatedBuildsArguments,
) {
  return connectionValue(
    await context.performInBatch(
      listBuilds,
      { within: { creatorId } },
      { branch, state: args.state, metaData: metaDataFilter(args.metaData), paging: stretchOf(args) },
    ),
  );
}

@Resolver(() => User)
export class BuildsOfUserResolver {
  @ReadBy(listBuilds)
  @FieldResolver(() => BuildConnection, { ...optional, description: 'Builds that the user created, newest first.' })
  async builds(
    @Root() user: UserRow,
    @Ctx() context: GraphqlContext,
    @Args(() => UserBuildsArguments) args: UserBuildsArguments,
  ) {
    return createdBuilds(context, user.id, args.branch, args);
  }
}

@Resolver(() => Viewer)
export class BuildsOfViewerResolver {
  @FieldResolver(() => BuildConnection, { ...optional, description: 'Builds that the viewer created, newest first.' })
  async builds(
    @Root() viewer: ViewerValue,
    @Ctx() context: GraphqlContext,
    @Args(() => ViewerBuildsArguments) args: ViewerBuildsArguments,
  ) {
    return createdBuilds(context, viewer.id, args.branch == null ? null : [args.branch], args);
  }
}
