import { Args, Ctx, FieldResolver, ObjectType, Query, Resolver } from 'type-graphql';
import { listOrganizations } from '../../operations/organizations/list.js';
import { getViewer } from '../../operations/organizations/users/viewer.js';
import { SizeArguments, stretchOf } from '../connections/arguments.js';
import { connectionValue } from '../connections/connection.js';
import type { GraphqlContext } from '../context.js';
import { Node } from '../nodes/node.js';
import { optional } from '../server/options.js';
import { OrganizationConnection } from './organization.js';
import { User } from './user.js';

@ObjectType({
  implements: Node,
  description: 'The user of this request: who owns its API token, or is signed in to the console.',
})
export class Viewer {}

/** The user behind a request. */
export interface ViewerValue {
  id: string;
}

/** The value of `Viewer`; null if the caller is not a user. */
export function viewerOf({ actor }: GraphqlContext): ViewerValue | null {
  return actor.kind === 'user' ? { id: actor.userId } : null;
}

@Resolver(() => Viewer)
export class ViewerResolver {
  @Query(() => Viewer, {
    ...optional,
    description:
      'The user who owns the API token of this request, or is signed in to the console; null if no user does.',
  })
  viewer(@Ctx() context: GraphqlContext): ViewerValue | null {
    return viewerOf(context);
  }

  @FieldResolver(() => User, { ...optional, description: 'User account of the viewer.' })
  user(@Ctx() context: GraphqlContext) {
    return context.find(getViewer, {});
  }

  @FieldResolver(() => OrganizationConnection, {
    ...optional,
    description: 'Organizations of the viewer that the token may access.',
  })
  async organizations(@Ctx() context: GraphqlContext, @Args(() => SizeArguments) args: SizeArguments) {
    return connectionValue(await context.perform(listOrganizations, { paging: stretchOf(args) }));
  }
}
