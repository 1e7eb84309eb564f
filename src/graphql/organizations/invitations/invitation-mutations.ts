import { Arg, Ctx, Field, ID, InputType, Mutation, ObjectType, Resolver } from 'type-graphql';
import { createInvitations } from '../../../operations/organizations/invitations/create.js';
import { resendInvitation } from '../../../operations/organizations/invitations/resend.js';
import { revokeInvitation } from '../../../operations/organizations/invitations/revoke.js';
import { newEdge } from '../../connections/edge.js';
import type { GraphqlContext } from '../../context.js';
import { OrganizationMemberRole, OrganizationMemberSSOModeEnum, TeamMemberRole } from '../../enums.js';
import { IdInput, MutationInput, MutationPayload, payload } from '../../mutation-input.js';
import { uuidOf } from '../../nodes/ids.js';
import { looseList, optional } from '../../server/options.js';
import { Organization } from '../organization.js';
import { OrganizationInvitation, OrganizationInvitationEdge } from './organization-invitation.js';

@InputType({ description: 'Single sign-on of the invited.' })
class OrganizationInvitationSSOInput {
  @Field(() => OrganizationMemberSSOModeEnum, {
    description: 'Whether only sessions that began with single sign-on will reach the organization.',
  })
  mode!: string;
}

@InputType({ description: 'Team that the invited join.' })
class OrganizationInvitationTeamAssignmentInput {
  @Field(() => ID, { description: 'GraphQL ID or UUID of the team.' })
  id!: string;

  @Field(() => TeamMemberRole, { description: 'Role of the invited in the team.' })
  role!: string;
}

@InputType({ description: 'People to invite, and what they will be.' })
class OrganizationInvitationCreateInput extends MutationInput {
  @Field(() => [String], { description: 'Email addresses to invite; all of them or none.' })
  emails!: string[];

  @Field(() => ID, { description: 'GraphQL ID or UUID of the organization.' })
  organizationID!: string;

  @Field(() => OrganizationMemberRole, {
    ...optional,
    description: 'Role that the invited will have; `MEMBER` by default.',
  })
  role?: string | null;

  @Field(() => OrganizationInvitationSSOInput, { ...optional, description: 'Single sign-on of the invited.' })
  sso?: OrganizationInvitationSSOInput | null;

  @Field(() => [OrganizationInvitationTeamAssignmentInput], {
    ...optional,
    description: 'Teams that the invited join, beside the default ones.',
  })
  teams?: OrganizationInvitationTeamAssignmentInput[] | null;
}

@InputType({ description: 'Invitation to give a new address.' })
class OrganizationInvitationResendInput extends IdInput {}

@InputType({ description: 'Invitation to revoke.' })
class OrganizationInvitationRevokeInput extends IdInput {}

@ObjectType({ description: 'The new invitations.' })
class OrganizationInvitationCreatePayload extends MutationPayload {
  @Field(() => [OrganizationInvitationEdge], { ...looseList, description: 'The invitations, each with its address.' })
  invitationEdges!: unknown[];

  @Field(() => Organization, { ...optional, description: 'The organization.' })
  organization!: unknown;
}

@ObjectType({ description: 'The invitation with its new address.' })
class OrganizationInvitationResendPayload extends MutationPayload {
  @Field(() => OrganizationInvitation, { description: 'The invitation with its new address.' })
  organizationInvitation!: unknown;
}

@ObjectType({ description: 'The revoked invitation.' })
class OrganizationInvitationRevokePayload extends MutationPayload {
  @Field(() => Organization, { description: 'The organization.' })
  organization!: unknown;

  @Field(() => OrganizationInvitation, { description: 'The revoked invitation.' })
  organizationInvitation!: unknown;

  @Field(() => OrganizationInvitationEdge, { description: 'The revoked invitation as the item of a list.' })
  organizationInvitationEdge!: unknown;
}

const addressOf = (id: string) => ({ organizationInvitation: { id: uuidOf(id, ['OrganizationInvitation']) } });

@Resolver()
export class InvitationMutations {
  @Mutation(() => OrganizationInvitationCreatePayload, {
    ...optional,
    description:
      'Invites people to join an organization. Nothing is sent: hand each of them the `acceptUrl` of theirs.',
  })
  async organizationInvitationCreate(
    @Arg('input', () => OrganizationInvitationCreateInput, { description: 'Addresses, roles and teams.' })
    input: OrganizationInvitationCreateInput,
    @Ctx() context: GraphqlContext,
  ) {
    const { emails, organizationID, role, sso, teams } = input;
    const { invitations, organization } = await context.command(
      createInvitations,
      {
        organization: { id: uuidOf(organizationID, ['Organization']) },
        emails,
        role,
        ssoMode: sso?.mode,
        teams: teams?.map((team) => ({ id: team.id, role: team.role })),
      },
      { ssoMode: 'sso', organization: 'organizationID' },
    );
    return payload(input, { organization, invitationEdges: invitations.map((each) => newEdge(each)) });
  }

  @Mutation(() => OrganizationInvitationResendPayload, {
    ...optional,
    description: 'Gives an invitation a new address in place of the one before.',
  })
  async organizationInvitationResend(
    @Arg('input', () => OrganizationInvitationResendInput, { description: 'The invitation.' })
    input: OrganizationInvitationResendInput,
    @Ctx() context: GraphqlContext,
  ) {
    const { organizationInvitation } = await context.command(resendInvitation, addressOf(input.id));
    return payload(input, { organizationInvitation });
  }

  @Mutation(() => OrganizationInvitationRevokePayload, {
    ...optional,
    description: 'Revokes a pending invitation, so that it can no longer be accepted.',
  })
  async organizationInvitationRevoke(
    @Arg('input', () => OrganizationInvitationRevokeInput, { description: 'The invitation.' })
    input: OrganizationInvitationRevokeInput,
    @Ctx() context: GraphqlContext,
  ) {
    const { organization, organizationInvitation } = await context.command(revokeInvitation, addressOf(input.id));
    const organizationInvitationEdge = newEdge(organizationInvitation);
    return payload(input, { organization, organizationInvitation, organizationInvitationEdge });
  }
}
