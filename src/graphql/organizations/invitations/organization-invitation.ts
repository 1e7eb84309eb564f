import type { GraphQLResolveInfo } from 'graphql';
import {
  Arg,
  Args,
  ArgsType,
  Ctx,
  Field,
  FieldResolver,
  ID,
  Info,
  Int,
  ObjectType,
  Query,
  Resolver,
  Root,
} from 'type-graphql';
import { v5 as namedUuid } from 'uuid';
import { standing } from '../../../auth/authorize.js';
import { invitationState } from '../../../domain/organizations/invitation.js';
import type { OrganizationRow } from '../../../entities/database.js';
import type { InvitedTeam } from '../../../entities/organizations/organization-invitation.js';
import { getInvitation } from '../../../operations/organizations/invitations/get.js';
import { listInvitations } from '../../../operations/organizations/invitations/list.js';
import type { AddressedInvitation, Invitation } from '../../../resources/organizations/invitations/invitation.js';
import { PageArguments, stretchOf } from '../../connections/arguments.js';
import { connectionOf, connectionOfList, connectionValue } from '../../connections/connection.js';
import type { GraphqlContext } from '../../context.js';
import {
  OrganizationInvitationOrders,
  OrganizationInvitationStates,
  OrganizationMemberRole,
  OrganizationMemberSSOModeEnum,
  TeamMemberRole,
} from '../../enums.js';
import { slugParts } from '../../nodes/ids.js';
import { Node } from '../../nodes/node.js';
import { Permission, permission } from '../../permission.js';
import { DateTime } from '../../scalars/date-time.js';
import { optional } from '../../server/options.js';
import { Organization } from '../organization.js';
import { Team } from '../teams/team.js';
import { User } from '../user.js';
import { ReadBy } from '../../execution/on-the-way.js';

@ObjectType({ description: 'Actions that the viewer may take on an invitation.' })
export class OrganizationInvitationPermissions {
  @Field(() => Permission, { ...optional, description: 'Whether the viewer may give the invitation a new address.' })
  organizationInvitationResend!: Permission;

  @Field(() => Permission, { ...optional, description: 'Whether the viewer may revoke the invitation.' })
  organizationInvitationRevoke!: Permission;
}

@ObjectType({ description: 'Single sign-on of somebody who is invited.' })
export class OrganizationInvitationSSOType {
  @Field(() => OrganizationMemberSSOModeEnum, {
    ...optional,
    description: 'Whether only sessions that began with single sign-on will reach the organization.',
  })
  mode!: string;
}

@ObjectType({ description: 'Team that somebody joins with an invitation.' })
export class OrganizationInvitationTeamAssignment {
  @Field(() => ID, { description: 'ID of the assignment.' })
  id!: string;

  @Field(() => TeamMemberRole, { description: 'Role of the invited in the team.' })
  role!: string;
}

const { Connection: AssignmentConnection } = connectionOf(
  'OrganizationInvitationTeamAssignment',
  () => OrganizationInvitationTeamAssignment,
);

@ObjectType({ implements: Node, description: 'Invitation to join an organization.' })
export class OrganizationInvitation {
  @Field(() => String, { name: 'uuid', description: 'UUID of the invitation.' })
  id!: string;

  @Field(() => String, { description: 'Invited email address.' })
  email!: string;

  @Field(() => OrganizationMemberRole, { description: 'Role that the invited will have in the organization.' })
  role!: string;

  @Field(() => DateTime, { ...optional, description: 'Time the invitation was created.' })
  createdAt!: Date;

  @Field(() => DateTime, { ...optional, description: 'Time the invitation was accepted; null before.' })
  acceptedAt!: Date | null;

  @Field(() => DateTime, { ...optional, description: 'Time the invitation was revoked; null before.' })
  revokedAt!: Date | null;

  @Field(() => DateTime, { description: 'Time until which the address of the invitation counts.' })
  expiresAt!: Date;
}

export const { Connection: OrganizationInvitationConnection, Edge: OrganizationInvitationEdge } = connectionOf(
  'OrganizationInvitation',
  () => OrganizationInvitation,
);

@ArgsType()
class AssignmentsArguments {
  @Field(() => Int, { ...optional, description: 'Maximum number of items, counted from the start of the list.' })
  first?: number | null;
}

@ArgsType()
class InvitationsArguments extends PageArguments {
  @Field(() => OrganizationInvitationOrders, {
    ...optional,
    defaultValue: OrganizationInvitationOrders.RECENTLY_CREATED,
    description: 'Order of the invitations.',
  })
  order?: string | null;

  @Field(() => [OrganizationInvitationStates], { ...optional, description: 'Only invitations in these states.' })
  state?: string[] | null;
}

@Resolver(() => OrganizationInvitation)
export class OrganizationInvitationResolver {
  @Query(() => OrganizationInvitation, {
    ...optional,
    description: 'An invitation by its slug (`organization/invitation uuid`); null if absent or hidden.',
  })
  async organizationInvitation(
    @Ctx() context: GraphqlContext,
    @Arg('slug', () => ID, { description: 'Slug of the invitation: `organization/invitation uuid`.' }) slug: string,
  ): Promise<Invitation | null> {
    const [organization, id] = slugParts(slug, 2) ?? [];
    const subject =
      organization && id ? await context.find(getInvitation, { organizationInvitation: { organization, id } }) : null;
    return subject?.organizationInvitation ?? null;
  }

  @FieldResolver(() => String, {
    ...optional,
    description:
      'Address at which the invitation is accepted; hand it to the invited. Only in the payload that made the ' +
      'address, else null.',
  })
  acceptUrl(@Root() invitation: Invitation | AddressedInvitation): string | null {
    return 'acceptUrl' in invitation ? invitation.acceptUrl : null;
  }

  @FieldResolver(() => User, { ...optional, description: 'User who accepted the invitation; null before.' })
  acceptedBy(@Root() { acceptedById }: Invitation, @Ctx() context: GraphqlContext) {
    return context.loadReference(null, context.load.user, acceptedById);
  }

  @FieldResolver(() => User, { ...optional, description: 'User who made the invitation; null if no user did.' })
  createdBy(@Root() { createdById }: Invitation, @Ctx() context: GraphqlContext) {
    return context.loadReference(null, context.load.user, createdById);
  }

  @FieldResolver(() => DateTime, {
    ...optional,
    description: 'Time the invitation expired; null for one that did not.',
  })
  expiredAt(@Root() invitation: Invitation, @Ctx() context: GraphqlContext): Date | null {
    return invitationState(invitation, context.now) === 'expired' ? invitation.expiresAt : null;
  }

  @FieldResolver(() => Organization, { ...optional, description: 'Organization of the invitation.' })
  organization(@Root() { organizationId }: Invitation, @Ctx() context: GraphqlContext) {
    return context.load.organization.load(organizationId);
  }

  @FieldResolver(() => OrganizationInvitationPermissions, {
    description: 'Actions that the viewer may take on the invitation.',
  })
  permissions(@Root() invitation: Invitation, @Ctx() context: GraphqlContext): OrganizationInvitationPermissions {
    const isAdmin = standing(context.actor, invitation.organizationId) === 'admin';
    const state = invitationState(invitation, context.now);
    return {
      organizationInvitationResend: permission(isAdmin && (state === 'pending' || state === 'expired')),
      organizationInvitationRevoke: permission(isAdmin && state === 'pending'),
    };
  }

  @FieldResolver(() => User, { ...optional, description: 'User who revoked the invitation; null before.' })
  revokedBy(@Root() { revokedById }: Invitation, @Ctx() context: GraphqlContext) {
    return context.loadReference(null, context.load.user, revokedById);
  }

  @FieldResolver(() => String, { description: 'Slug of the invitation, with which `organizationInvitation` finds it.' })
  async slug(@Root() { id, organizationId }: Invitation, @Ctx() context: GraphqlContext): Promise<string> {
    const organization = await context.load.organization.load(organizationId);
    return `${organization?.slug ?? ''}/${id}`;
  }

  @FieldResolver(() => OrganizationInvitationSSOType, { description: 'Single sign-on of the invited.' })
  sso(@Root() { ssoMode }: Invitation): OrganizationInvitationSSOType {
    return { mode: ssoMode };
  }

  @FieldResolver(() => OrganizationInvitationStates, { description: 'State of the invitation.' })
  state(@Root() invitation: Invitation, @Ctx() context: GraphqlContext): string {
    return invitationState(invitation, context.now);
  }

  @FieldResolver(() => AssignmentConnection, {
    ...optional,
    description: 'Teams that the invited will join, beside the default ones.',
  })
  async teams(
    @Root() invitation: Invitation,
    @Ctx() context: GraphqlContext,
    @Args(() => AssignmentsArguments) args: AssignmentsArguments,
  ) {
    const assigned = await Promise.all(invitation.teams.map((team) => assignmentOf(context, invitation, team)));
    return connectionOfList(
      assigned.filter((each) => each !== null),
      stretchOf(args),
    );
  }
}

/** Null for a team that is no longer there. */
async function assignmentOf(context: GraphqlContext, invitation: Invitation, { id, role }: InvitedTeam) {
  return (await context.load.team.load(id)) && { id: namedUuid(id, invitation.id), role, teamId: id };
}

@Resolver(() => OrganizationInvitationTeamAssignment)
export class OrganizationInvitationTeamAssignmentResolver {
  @FieldResolver(() => Team, { description: 'The team.' })
  team(@Root() { teamId }: { teamId: string }, @Ctx() context: GraphqlContext, @Info() info: GraphQLResolveInfo) {
    return context.loadReference('read_teams', context.load.team, teamId, info);
  }
}

@Resolver(() => Organization)
export class InvitationsOfOrganizationResolver {
  @ReadBy(listInvitations)
  @FieldResolver(() => OrganizationInvitationConnection, {
    ...optional,
    description: 'Invitations to join the organization, for administrators.',
  })
  async invitations(
    @Root() { id }: OrganizationRow,
    @Ctx() context: GraphqlContext,
    @Args(() => InvitationsArguments) args: InvitationsArguments,
  ) {
    return connectionValue(
      await context.performInBatch(
        listInvitations,
        { organization: { id } },
        { states: args.state, order: args.order ?? undefined, paging: stretchOf(args) },
      ),
    );
  }
}
