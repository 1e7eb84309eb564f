import { Arg, Ctx, Field, FieldResolver, ID, InputType, Int, Mutation, ObjectType, Resolver, Root } from 'type-graphql';
import { Problem } from '../../domain/problem.js';
import type { OrganizationRow } from '../../entities/database.js';
import { getApiSettings } from '../../operations/organizations/get-api-settings.js';
import { updateApiSettings } from '../../operations/organizations/update-api-settings.js';
import type { GraphqlContext } from '../context.js';
import { RevokeInactiveTokenPeriod } from '../enums.js';
import { MutationInput, MutationPayload, payload } from '../mutation-input.js';
import { uuidOf } from '../nodes/ids.js';
import { optional } from '../server/options.js';
import { Organization } from './organization.js';
import { ReadBy } from '../execution/on-the-way.js';

@ObjectType({ description: 'Conditions of an organization for the API tokens that have access to it.' })
export class OrganizationApiSettings {
  @Field(() => String, {
    ...optional,
    name: 'allowedIpAddresses',
    description: 'IP addresses and CIDR ranges from which API tokens may be used, separated by spaces; null for any.',
  })
  allowedApiIpAddresses!: string | null;

  @Field(() => Boolean, {
    description: 'Whether only administrators may make API tokens with access to the organization.',
  })
  restrictUserApiTokenCreation!: boolean;

  @Field(() => Int, {
    ...optional,
    description: 'Days without a use after which API tokens lose their access; null for never.',
  })
  revokeInactiveTokensAfterDays!: number | null;
}

@InputType({ description: 'API settings of an organization; absent fields stay unchanged.' })
class OrganizationApiSettingsUpdateInput extends MutationInput {
  @Field(() => String, {
    ...optional,
    description: 'IP addresses and CIDR ranges from which API tokens may be used, separated by spaces; null for any.',
  })
  allowedIpAddresses?: string | null;

  @Field(() => ID, { description: 'GraphQL ID or UUID of the organization.' })
  organizationId!: string;

  @Field(() => Boolean, {
    ...optional,
    description: 'Whether only administrators may make API tokens with access to the organization.',
  })
  restrictUserApiTokenCreation?: boolean | null;

  @Field(() => Int, {
    ...optional,
    description: 'Days without a use after which API tokens lose their access: 30, 60, 90, 180 or 365; null for never.',
  })
  revokeInactiveTokensAfterDays?: number | null;
}

@InputType({ description: 'Addresses from which API tokens of an organization may be used.' })
class OrganizationAPIIPAllowlistUpdateMutationInput extends MutationInput {
  @Field(() => String, { description: 'IP addresses and CIDR ranges, separated by spaces; blank for any.' })
  ipAddresses!: string;

  @Field(() => ID, { description: 'GraphQL ID or UUID of the organization.' })
  organizationID!: string;
}

@InputType({ description: 'Time without a use after which API tokens lose their access to an organization.' })
class OrganizationRevokeInactiveTokensAfterUpdateMutationInput extends MutationInput {
  @Field(() => ID, { description: 'GraphQL ID or UUID of the organization.' })
  organizationId!: string;

  @Field(() => RevokeInactiveTokenPeriod, { description: 'Time without a use.' })
  revokeInactiveTokensAfter!: string;
}

/** Declares a payload that holds the organization; the public schema has one for each mutation. */
function organizationPayload(name: string) {
  @ObjectType(name, { description: 'The organization after the mutation.' })
  class OrganizationPayload extends MutationPayload {
    @Field(() => Organization, { ...optional, description: 'The organization after the mutation.' })
    organization!: unknown;
  }
  return OrganizationPayload;
}

const OrganizationApiSettingsUpdatePayload = organizationPayload('OrganizationApiSettingsUpdatePayload');
const IpAllowlistPayload = organizationPayload('OrganizationAPIIPAllowlistUpdateMutationPayload');
const InactiveTokensPayload = organizationPayload('OrganizationRevokeInactiveTokensAfterUpdateMutationPayload');

/** Reads the settings; null if the viewer is not permitted to see them. */
async function settingsOf(context: GraphqlContext, id: string): Promise<OrganizationRow | null> {
  try {
    return (await context.performInBatch(getApiSettings, { organization: { id } })).organization;
  } catch (error) {
    if (error instanceof Problem && (error.code === 'forbidden' || error.code === 'scope_missing')) return null;
    throw error;
  }
}

const addressOf = (id: string) => ({ organization: { id: uuidOf(id, ['Organization']) } });

@Resolver(() => Organization)
export class OrganizationApiSettingsResolver {
  @ReadBy(getApiSettings)
  @FieldResolver(() => OrganizationApiSettings, {
    ...optional,
    description: 'Conditions for API tokens; only administrators see them.',
  })
  async apiSettings(@Root() { id }: OrganizationRow, @Ctx() context: GraphqlContext) {
    return (await context.performInBatch(getApiSettings, { organization: { id } })).organization;
  }

  @ReadBy(getApiSettings)
  @FieldResolver(() => String, {
    ...optional,
    description:
      'IP addresses and CIDR ranges from which API tokens may be used, separated by spaces; null for any, and ' +
      'for viewers who are no administrators.',
  })
  async allowedApiIpAddresses(@Root() { id }: OrganizationRow, @Ctx() context: GraphqlContext): Promise<string | null> {
    return (await settingsOf(context, id))?.allowedApiIpAddresses ?? null;
  }

  @ReadBy(getApiSettings)
  @FieldResolver(() => RevokeInactiveTokenPeriod, {
    ...optional,
    description:
      'Time without a use after which API tokens lose their access; null for viewers who are no administrators.',
  })
  async revokeInactiveTokensAfter(
    @Root() { id }: OrganizationRow,
    @Ctx() context: GraphqlContext,
  ): Promise<string | null> {
    const settings = await settingsOf(context, id);
    if (!settings) return null;
    const days = settings.revokeInactiveTokensAfterDays;
    return days === null ? RevokeInactiveTokenPeriod.NEVER : `days_${days}`;
  }

  @Mutation(() => OrganizationApiSettingsUpdatePayload, {
    ...optional,
    description: 'Updates the conditions of an organization for API tokens.',
  })
  async organizationApiSettingsUpdate(
    @Arg('input', () => OrganizationApiSettingsUpdateInput, { description: 'Organization with its new API settings.' })
    input: OrganizationApiSettingsUpdateInput,
    @Ctx() context: GraphqlContext,
  ) {
    const { organizationId, clientMutationId: _, ...settings } = input;
    return payload(input, await context.command(updateApiSettings, { ...settings, ...addressOf(organizationId) }));
  }

  @Mutation(() => IpAllowlistPayload, {
    ...optional,
    description: 'Sets the addresses from which API tokens of an organization may be used.',
  })
  async organizationApiIpAllowlistUpdate(
    @Arg('input', () => OrganizationAPIIPAllowlistUpdateMutationInput, { description: 'Organization and addresses.' })
    input: OrganizationAPIIPAllowlistUpdateMutationInput,
    @Ctx() context: GraphqlContext,
  ) {
    const { ipAddresses: allowedIpAddresses, organizationID } = input;
    const renamed = { allowedIpAddresses: 'ipAddresses' };
    return payload(
      input,
      await context.command(updateApiSettings, { allowedIpAddresses, ...addressOf(organizationID) }, renamed),
    );
  }

  @Mutation(() => InactiveTokensPayload, {
    ...optional,
    description: 'Sets the time without a use after which API tokens lose their access to an organization.',
  })
  async organizationRevokeInactiveTokensAfterUpdate(
    @Arg('input', () => OrganizationRevokeInactiveTokensAfterUpdateMutationInput, {
      description: 'Organization and time.',
    })
    input: OrganizationRevokeInactiveTokensAfterUpdateMutationInput,
    @Ctx() context: GraphqlContext,
  ) {
    const { organizationId, revokeInactiveTokensAfter: word } = input;
    const days = word === RevokeInactiveTokenPeriod.NEVER ? null : Number(word.replace('days_', ''));
    return payload(
      input,
      await context.command(updateApiSettings, { revokeInactiveTokensAfterDays: days, ...addressOf(organizationId) }),
    );
  }
}
