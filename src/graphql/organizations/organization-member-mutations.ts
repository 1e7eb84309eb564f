import { Arg, Ctx, Field, ID, InputType, Mutation, ObjectType, Resolver } from 'type-graphql';
import { encodeNodeId } from '../../domain/node-id.js';
import { deleteOrganizationMember } from '../../operations/organizations/delete-member.js';
import { updateOrganizationMember } from '../../operations/organizations/update-member.js';
import type { GraphqlContext } from '../context.js';
import { OrganizationMemberRole, OrganizationMemberSSOModeEnum } from '../enums.js';
import { uuidOf } from '../ids.js';
import { IdInput, MutationPayload, payload } from '../mutation-input.js';
import { optional } from '../options.js';
import { OrganizationMember } from './organization-member.js';
import { Organization } from './organization.js';
import { User } from './user.js';

@InputType({ description: 'How a member has to sign in.' })
class OrganizationMemberSSOInput {
  @Field(() => OrganizationMemberSSOModeEnum)
  mode!: string;
}

@InputType({ description: 'Another role, or way to sign in, for a member of an organization.' })
class OrganizationMemberUpdateInput extends IdInput {
  @Field(() => OrganizationMemberRole, optional)
  role?: string | null;

  @Field(() => OrganizationMemberSSOInput, optional)
  sso?: OrganizationMemberSSOInput | null;
}

@InputType({ description: 'A member to be taken out of an organization.' })
class OrganizationMemberDeleteInput extends IdInput {}

@ObjectType({ description: 'The membership as it is now.' })
class OrganizationMemberUpdatePayload extends MutationPayload {
  @Field(() => OrganizationMember, optional)
  organizationMember!: unknown;
}

@ObjectType({ description: 'Who was taken out of which organization.' })
class OrganizationMemberDeletePayload extends MutationPayload {
  @Field(() => ID)
  deletedOrganizationMemberID!: string;

  @Field(() => Organization, optional)
  organization!: unknown;

  @Field(() => User, optional)
  user!: unknown;
}

const addressOf = (id: string) => ({ organizationMember: { id: uuidOf(id, ['OrganizationMember']) } });

@Resolver()
export class OrganizationMemberMutations {
  @Mutation(() => OrganizationMemberUpdatePayload, { ...optional, description: 'Changes what a member of an organization may do, or how they sign in.' })
  async organizationMemberUpdate(@Arg('input', () => OrganizationMemberUpdateInput) input: OrganizationMemberUpdateInput, @Ctx() context: GraphqlContext) {
    const { organizationMember } = await context.command(updateOrganizationMember, { ...addressOf(input.id), role: input.role, ssoMode: input.sso?.mode });
    return payload(input, { organizationMember });
  }

  @Mutation(() => OrganizationMemberDeletePayload, { ...optional, description: 'Takes a member out of an organization and its teams; the account stays.' })
  async organizationMemberDelete(@Arg('input', () => OrganizationMemberDeleteInput) input: OrganizationMemberDeleteInput, @Ctx() context: GraphqlContext) {
    const { organization, organizationMember: member } = await context.command(deleteOrganizationMember, addressOf(input.id));
    const user = await context.load.user.load(member.userId);
    return payload(input, { organization, user, deletedOrganizationMemberID: encodeNodeId('OrganizationMember', member.id) });
  }
}
