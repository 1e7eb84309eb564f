import { Args, ArgsType, Ctx, Field, FieldResolver, ObjectType, Query, Resolver, Root } from 'type-graphql';
import { listBuilds } from '../../operations/builds/list.js';
import { listOrganizations } from '../../operations/organizations/list.js';
import { getViewer } from '../../operations/users/viewer.js';
import { BuildConnection } from '../builds/build.js';
import { metaDataFilter } from '../builds/meta-data-filter.js';
import { SizeArguments, stretchOf } from '../connections/arguments.js';
import { connectionValue } from '../connections/connection.js';
import type { GraphqlContext } from '../context.js';
import { BuildStates } from '../enums.js';
import { Node } from '../node.js';
import { optional } from '../options.js';
import { OrganizationConnection } from './organization.js';
import { User } from './user.js';

@ObjectType({ implements: Node, description: 'The person behind the token of this request.' })
export class Viewer {}

@ArgsType()
class ViewerBuildsArguments extends SizeArguments {
  @Field(() => String, optional)
  branch?: string | null;

  @Field(() => [String], { ...optional, description: 'Pairs of `key=value` that a build must have.' })
  metaData?: string[] | null;

  @Field(() => [BuildStates], optional)
  state?: string[] | null;
}

interface ViewerValue {
  id: string;
}

/** The value behind `Viewer`, or null where no person is behind the request. */
export function viewerOf({ actor }: GraphqlContext): ViewerValue | null {
  return actor.kind === 'user' ? { id: actor.userId } : null;
}

@Resolver(() => Viewer)
export class ViewerResolver {
  @Query(() => Viewer, { ...optional, description: 'The person behind the token of this request.' })
  viewer(@Ctx() context: GraphqlContext): ViewerValue | null {
    return viewerOf(context);
  }

  @FieldResolver(() => User, optional)
  user(@Ctx() context: GraphqlContext) {
    return context.find(getViewer, {});
  }

  @FieldResolver(() => OrganizationConnection, optional)
  async organizations(@Ctx() context: GraphqlContext, @Args(() => SizeArguments) given: SizeArguments) {
    return connectionValue(await context.perform(listOrganizations, { paging: stretchOf(given) }));
  }

  @FieldResolver(() => BuildConnection, { ...optional, description: 'Builds the viewer created, newest first.' })
  async builds(@Root() viewer: ViewerValue, @Ctx() context: GraphqlContext, @Args(() => ViewerBuildsArguments) given: ViewerBuildsArguments) {
    const branch = given.branch == null ? null : [given.branch];
    return connectionValue(
      await context.perform(listBuilds, { within: { creatorId: viewer.id }, branch, state: given.state, metaData: metaDataFilter(given.metaData), paging: stretchOf(given) }),
    );
  }
}
