import type { GraphQLResolveInfo } from 'graphql';
import { Args, ArgsType, Ctx, Field, FieldResolver, Info, ObjectType, Query, Resolver } from 'type-graphql';
import { listOrganizations } from '../../operations/organizations/list.js';
import { getViewer } from '../../operations/organizations/users/viewer.js';
import { PageArguments, SizeArguments, stretchOf } from '../connections/arguments.js';
import { connectionOfList, connectionValue } from '../connections/connection.js';
import type { GraphqlContext } from '../context.js';
import { Node } from '../nodes/node.js';
import { BuildMailChoices } from '../enums/organizations.js';
import { optional } from '../server/options.js';
import { EmailConnection, emailOf } from './email.js';
import { OrganizationConnection } from './organization.js';
import { Permission, permission } from '../permission.js';
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

@ArgsType()
class EmailsArguments extends PageArguments {
  @Field(() => Boolean, { ...optional, description: 'Only verified addresses, or only others.' })
  verified?: boolean | null;
}

@ObjectType({ description: 'Actions that the viewer may take on their own account.' })
export class ViewerPermissions {
  @Field(() => Permission, {
    description:
      'Whether the viewer may set up two-factor authentication: never, because no account of Slipway has a ' +
      'second factor.',
  })
  totpConfigure!: Permission;
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
  user(@Ctx() context: GraphqlContext, @Info() info: GraphQLResolveInfo) {
    return context.reach(getViewer, {}, info);
  }

  @FieldResolver(() => OrganizationConnection, {
    ...optional,
    description: 'Organizations of the viewer that the token may access.',
  })
  async organizations(
    @Ctx() context: GraphqlContext,
    @Args(() => SizeArguments) args: SizeArguments,
    @Info() info: GraphQLResolveInfo,
  ) {
    const list = context.passing(listOrganizations, info);
    return connectionValue(await context.perform(list, { paging: stretchOf(args) }));
  }

  @FieldResolver(() => EmailConnection, { ...optional, description: 'E-mail addresses of the viewer: one.' })
  async emails(@Ctx() context: GraphqlContext, @Args(() => EmailsArguments) args: EmailsArguments) {
    const user = await context.find(getViewer, {});
    return connectionOfList(user && args.verified !== false ? [emailOf(user)] : [], stretchOf(args));
  }

  @FieldResolver(() => BuildMailChoices, {
    ...optional,
    description:
      'Builds whose end is mailed to the viewer, of those that they created. The server needs a mail server for that.',
  })
  async buildMail(@Ctx() context: GraphqlContext) {
    return (await context.find(getViewer, {}))?.buildMail ?? null;
  }

  @FieldResolver(() => ViewerPermissions, { description: 'Actions that the viewer may take on their own account.' })
  permissions(): ViewerPermissions {
    return { totpConfigure: permission(false) };
  }
}
