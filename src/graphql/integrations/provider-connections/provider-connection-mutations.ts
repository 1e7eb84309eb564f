import { Arg, Ctx, Field, ID, InputType, Mutation, ObjectType, Resolver } from 'type-graphql';
import {
  type ConnectionCheck,
  checkProviderConnection,
} from '../../../operations/integrations/provider-connections/check.js';
import { createProviderConnection } from '../../../operations/integrations/provider-connections/create.js';
import { deleteProviderConnection } from '../../../operations/integrations/provider-connections/delete.js';
import { updateProviderConnection } from '../../../operations/integrations/provider-connections/update.js';
import type { GraphqlContext } from '../../context.js';
import { uuidOf } from '../../nodes/ids.js';
import { IdInput, MutationInput, MutationPayload, payload } from '../../mutation-input.js';
import { optional } from '../../server/options.js';
import { Organization } from '../../organizations/organization.js';
import { DateTime } from '../../scalars/date-time.js';
import {
  ProviderConnection,
  ProviderConnectionFieldsResolver,
  ProviderConnectionResolver,
} from './provider-connection.js';

@InputType({ description: 'Fields of a new connection to a source provider.' })
class ProviderConnectionCreateInput extends MutationInput {
  @Field(() => ID, { description: 'GraphQL ID or UUID of the organization.' })
  organizationId!: string;

  @Field(() => String, {
    description:
      'Kind of the connection: `github_app`, `github`, `github_enterprise`, `gitlab`, `bitbucket`, ' +
      '`bitbucket_server` or `gitea` (also for Forgejo).',
  })
  provider!: string;

  @Field(() => String, { ...optional, description: 'Name of the connection; the host of the repositories if absent.' })
  name?: string | null;

  @Field(() => String, {
    ...optional,
    description: "Root URL of the provider's API; that of the hosted provider if absent.",
  })
  apiUrl?: string | null;

  @Field(() => String, {
    ...optional,
    description: 'Host of the repositories; that of the API if absent.',
  })
  host?: string | null;

  @Field(() => String, {
    ...optional,
    description: "Access token for the provider's API, of any kind but `github_app`; never shown again.",
  })
  token?: string | null;

  @Field(() => String, { ...optional, description: 'Account of the token, for Bitbucket.' })
  username?: string | null;

  @Field(() => ID, { ...optional, description: 'ID of the App, for `github_app`.' })
  appId?: string | null;

  @Field(() => String, {
    ...optional,
    description: 'Private key of the App in PEM form, for `github_app`; never shown again.',
  })
  privateKey?: string | null;

  @Field(() => String, {
    ...optional,
    description: 'Secret that webhooks made through the connection are signed with; each has its own if absent.',
  })
  webhookSecret?: string | null;
}

@InputType({ description: 'Connection with the fields to change.' })
class ProviderConnectionUpdateInput extends IdInput {
  @Field(() => String, { ...optional, description: 'Name of the connection.' })
  name?: string | null;

  @Field(() => String, { ...optional, description: "Root URL of the provider's API." })
  apiUrl?: string | null;

  @Field(() => String, { ...optional, description: 'Host of the repositories.' })
  host?: string | null;

  @Field(() => String, { ...optional, description: "Access token for the provider's API; never shown again." })
  token?: string | null;

  @Field(() => String, { ...optional, description: 'Account of the token, for Bitbucket.' })
  username?: string | null;

  @Field(() => ID, { ...optional, description: 'ID of the App.' })
  appId?: string | null;

  @Field(() => String, { ...optional, description: 'Private key of the App in PEM form; never shown again.' })
  privateKey?: string | null;

  @Field(() => String, {
    ...optional,
    description: 'Secret that webhooks made through the connection are signed with; null for one each.',
  })
  webhookSecret?: string | null;
}

@InputType({ description: 'Connection to check.' })
class ProviderConnectionCheckInput extends IdInput {}

@InputType({ description: 'Connection to delete.' })
class ProviderConnectionDeleteInput extends IdInput {}

@ObjectType({ description: 'Result of the check of a connection.' })
class ProviderAccessCheck {
  @Field(() => Boolean, { description: 'Whether the provider accepts the credential.' })
  works!: boolean;

  @Field(() => String, {
    ...optional,
    description: 'Account that the credential belongs to; null if the provider does not tell.',
  })
  account!: string | null;

  @Field(() => [String], {
    ...optional,
    description: 'Scopes or permissions of the credential, in the words of the provider; null if it does not tell.',
  })
  permissions!: string[] | null;

  @Field(() => Boolean, {
    ...optional,
    description: 'Whether commit statuses may be published; null if only trying shows.',
  })
  mayPublishStatuses!: boolean | null;

  @Field(() => Boolean, { ...optional, description: 'Whether webhooks may be created; null if only trying shows.' })
  mayManageWebhooks!: boolean | null;

  @Field(() => Boolean, { ...optional, description: 'Whether repositories may be read; null if only trying shows.' })
  mayReadRepositories!: boolean | null;

  @Field(() => DateTime, {
    ...optional,
    description: 'Time at which the credential expires; null if never, or if the provider does not tell.',
  })
  expiresAt!: Date | null;

  @Field(() => [String], {
    description: 'Problems, each a sentence that says what to do; empty if there are none.',
  })
  problems!: string[];
}

@ObjectType({ description: 'The new connection and its organization.' })
class ProviderConnectionCreatePayload extends MutationPayload {
  @Field(() => Organization, { description: 'Organization of the connection.' })
  organization!: unknown;

  @Field(() => ProviderConnection, { description: 'The new connection.' })
  providerConnection!: unknown;
}

@ObjectType({ description: 'The connection after the mutation.' })
class ProviderConnectionUpdatePayload extends MutationPayload {
  @Field(() => ProviderConnection, { description: 'The connection after the mutation.' })
  providerConnection!: unknown;
}

@ObjectType({ description: 'The connection and the result of its check.' })
class ProviderConnectionCheckPayload extends MutationPayload {
  @Field(() => ProviderConnection, { description: 'The checked connection.' })
  providerConnection!: unknown;

  @Field(() => ProviderAccessCheck, { description: 'Result of the check.' })
  check!: ProviderAccessCheck;
}

@ObjectType({ description: 'The deleted connection and its organization.' })
class ProviderConnectionDeletePayload extends MutationPayload {
  @Field(() => ID, { description: 'UUID of the deleted connection.' })
  deletedProviderConnectionUuid!: string;

  @Field(() => Organization, { description: 'Organization of the deleted connection.' })
  organization!: unknown;
}

const checkValue = ({ report, problems }: ConnectionCheck): ProviderAccessCheck => ({
  works: report !== null,
  account: report?.account ?? null,
  permissions: report?.permissions ?? null,
  mayPublishStatuses: report?.may.publishStatuses ?? null,
  mayManageWebhooks: report?.may.manageWebhooks ?? null,
  mayReadRepositories: report?.may.readRepositories ?? null,
  expiresAt: report?.expiresAt ?? null,
  problems,
});

@Resolver()
class ProviderConnectionMutations {
  @Mutation(() => ProviderConnectionCreatePayload, {
    ...optional,
    description: 'Connects an organization to a source provider.',
  })
  async providerConnectionCreate(
    @Arg('input', () => ProviderConnectionCreateInput, { description: 'Fields of the new connection.' })
    input: ProviderConnectionCreateInput,
    @Ctx() context: GraphqlContext,
  ) {
    const { organizationId, clientMutationId: _, ...fields } = input;
    const { organization, connection } = await context.command(createProviderConnection, {
      ...fields,
      organization: { id: uuidOf(organizationId, ['Organization']) },
    });
    return payload(input, { organization, providerConnection: connection });
  }

  @Mutation(() => ProviderConnectionUpdatePayload, {
    ...optional,
    description: 'Changes a connection to a source provider.',
  })
  async providerConnectionUpdate(
    @Arg('input', () => ProviderConnectionUpdateInput, { description: 'Connection with the fields to change.' })
    input: ProviderConnectionUpdateInput,
    @Ctx() context: GraphqlContext,
  ) {
    const { id, clientMutationId: _, ...fields } = input;
    const { connection } = await context.command(updateProviderConnection, { ...fields, connection: { id } });
    return payload(input, { providerConnection: connection });
  }

  @Mutation(() => ProviderConnectionCheckPayload, {
    ...optional,
    description: 'Checks whether a connection to a source provider works, and what it may do.',
  })
  async providerConnectionCheck(
    @Arg('input', () => ProviderConnectionCheckInput, { description: 'Connection to check.' })
    input: ProviderConnectionCheckInput,
    @Ctx() context: GraphqlContext,
  ) {
    const check = await context.command(checkProviderConnection, { connection: { id: input.id } });
    return payload(input, { providerConnection: check.connection, check: checkValue(check) });
  }

  @Mutation(() => ProviderConnectionDeletePayload, {
    ...optional,
    description: 'Deletes a connection to a source provider.',
  })
  async providerConnectionDelete(
    @Arg('input', () => ProviderConnectionDeleteInput, { description: 'Connection to delete.' })
    input: ProviderConnectionDeleteInput,
    @Ctx() context: GraphqlContext,
  ) {
    const { organization, connection } = await context.command(deleteProviderConnection, {
      connection: { id: input.id },
    });
    return payload(input, { organization, deletedProviderConnectionUuid: connection.id });
  }
}

export const providerConnectionResolvers = [
  ProviderConnectionFieldsResolver,
  ProviderConnectionMutations,
  ProviderConnectionResolver,
];
