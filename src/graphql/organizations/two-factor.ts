import { Arg, Ctx, Field, ID, InputType, Mutation, ObjectType, Resolver } from 'type-graphql';
import { setTwoFactor } from '../../operations/organizations/set-two-factor.js';
import type { GraphqlContext } from '../context.js';
import { MutationInput, MutationPayload, payload } from '../mutation-input.js';
import { uuidOf } from '../nodes/ids.js';
import { optional } from '../server/options.js';
import { Organization } from './organization.js';

@InputType({ description: 'Whether members of an organization must use two-factor authentication.' })
class OrganizationEnforceTwoFactorAuthenticationForMembersUpdateMutationInput extends MutationInput {
  @Field(() => Boolean, { description: 'Must be false: no account of Slipway has a second factor of its own.' })
  membersRequireTwoFactorAuthentication!: boolean;

  @Field(() => ID, { description: 'GraphQL ID or UUID of the organization.' })
  organizationId!: string;
}

@ObjectType({ description: 'The organization after the mutation.' })
class OrganizationEnforceTwoFactorAuthenticationForMembersUpdateMutationPayload extends MutationPayload {
  @Field(() => Organization, { description: 'The organization after the mutation.' })
  organization!: unknown;
}

@Resolver()
export class TwoFactorMutations {
  @Mutation(() => OrganizationEnforceTwoFactorAuthenticationForMembersUpdateMutationPayload, {
    ...optional,
    description:
      'Says that members need not use two-factor authentication, for clients that send this with other ' +
      'settings; requiring it is refused.',
  })
  async organizationEnforceTwoFactorAuthenticationForMembersUpdate(
    @Arg('input', () => OrganizationEnforceTwoFactorAuthenticationForMembersUpdateMutationInput, {
      description: 'Organization and whether its members must.',
    })
    input: OrganizationEnforceTwoFactorAuthenticationForMembersUpdateMutationInput,
    @Ctx() context: GraphqlContext,
  ) {
    const { organization } = await context.command(setTwoFactor, {
      organization: { id: uuidOf(input.organizationId, ['Organization']) },
      membersRequireTwoFactorAuthentication: input.membersRequireTwoFactorAuthentication,
    });
    return payload(input, { organization });
  }
}
