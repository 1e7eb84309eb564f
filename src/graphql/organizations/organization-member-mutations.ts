import { Arg, Ctx, Field, ID, InputType, Mutation, ObjectType, Resolver } from 'type-graphql';
import { encodeNodeId } from '../../domain/node-id.js';
import { deleteOrganizationMember } from '../../operations/organizations/members/delete.js';
import { updateOrganizationMember } from '../../operations/organizations/members/update.js';
import type { GraphqlContext } from '../context.js';
import { OrganizationMemberSSOInput } from './organization-member-inputs.js';
import { OrganizationMemberRole } from '../enums.js';
import { uuidOf } from '../nodes/ids.js';
import { IdInput, MutationPayload, payload } from '../mutation-input.js';
import { optional } from '../server/options.js';
import { OrganizationMember } from './organization-member.js';
import { Organization } from './organization.js';
import { User } from './user.js';

@InputType({ description: 'Membership to update; at least one of `role` and `sso`.' })
class OrganizationMemberUpdateInput extends IdInput {
  @Field(() => OrganizationMemberRole, { ...optional, description: 'New role of the member.' })
  role?: string | null;

  @Field(() => OrganizationMemberSSOInput, { ...optional, description: 'New single sign-on setting of the member.' })
  sso?: OrganizationMemberSSOInput | null;
}

@InputType({ description: 'Membership to delete.' })
class OrganizationMemberDeleteInput extends IdInput {}

@ObjectType({ description: 'The membership after the mutation.' })
class OrganizationMemberUpdatePayload extends MutationPayload {
  @Field(() => OrganizationMember, { ...optional, description: 'The membership after the mutation.' })
  organizationMember!: unknown;
}

@ObjectType({ description: 'The deleted membership with its user and organization.' })
class OrganizationMemberDeletePayload extends MutationPayload {
  @Field(() => ID, { description: 'GraphQL ID of the deleted membership.' })
  deletedOrganizationMemberID!: string;

  @Field(() => Organization, { ...optional, description: 'Organization that the user was removed from.' })
  organization!: unknown;

  @Field(() => User, { ...optional, description: 'User who was removed.' })
  user!: unknown;
}

const addressOf = (id: string) => ({ organizationMember: { id: uuidOf(id, ['OrganizationMember']) } });

@Resolver()
export class OrganizationMemberMutations {
  @Mutation(() => OrganizationMemberUpdatePayload, {
    ...optional,
    description: 'Updates the role or the single sign-on setting of a member.',
  })
  async organizationMemberUpdate(
    @Arg('input', () => OrganizationMemberUpdateInput, { description: 'Membership to update, with its new fields.' })
    input: OrganizationMemberUpdateInput,
    @Ctx() context: GraphqlContext,
  ) {
    const { organizationMember } = await context.command(updateOrganizationMember, {
      ...addressOf(input.id),
      role: input.role,
      ssoMode: input.sso?.mode,
    });
    return payload(input, { organizationMember });
  }

  @Mutation(() => OrganizationMemberDeletePayload, {
    ...optional,
    description: 'Removes a member from an organization and its teams; the account remains.',
  })
  async organizationMemberDelete(
    @Arg('input', () => OrganizationMemberDeleteInput, { description: 'Membership to delete.' })
    input: OrganizationMemberDeleteInput,
    @Ctx() context: GraphqlContext,
  ) {
    const { organization, organizationMember: member } = await context.command(
      deleteOrganizationMember,
      addressOf(input.id),
    );
    const user = await context.load.user.load(member.userId);
    return payload(input, {
      organization,
      user,
      deletedOrganizationMemberID: encodeNodeId('OrganizationMember', member.id),
    });
  }
}
