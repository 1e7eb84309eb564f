import { Arg, Ctx, Field, ID, InputType, Mutation, ObjectType, Resolver } from 'type-graphql';
import { encodeNodeId } from '../../domain/node-id.js';
import { createWebhook } from '../../operations/pipelines/create-webhook.js';
import { deleteWebhook } from '../../operations/pipelines/delete-webhook.js';
import { setWebhookSecret } from '../../operations/pipelines/set-webhook-secret.js';
import { createProviderConnection } from '../../operations/provider-connections/create.js';
import { deleteProviderConnection } from '../../operations/provider-connections/delete.js';
import type { GraphqlContext } from '../context.js';
import { uuidOf } from '../ids.js';
import { IdInput, MutationInput, MutationPayload, payload } from '../mutation-input.js';
import { optional } from '../options.js';
import { Organization } from '../organizations/organization.js';
import { Pipeline } from '../pipelines/pipeline.js';
import { RepositoryProviderWebhook, webhookValue } from '../repository-providers/webhook.js';
import { ProviderConnection } from './provider-connection.js';

@InputType({ description: 'A pipeline that is to get a webhook at its provider.' })
class PipelineCreateWebhookInput extends IdInput {}

@InputType({ description: 'A pipeline whose webhook at its provider is to go.' })
class PipelineDeleteWebhookInput extends IdInput {
  @Field(() => String, { ...optional, description: 'The repository that the webhook is of.' })
  repository?: string | null;
}

@InputType({ description: 'The secret that deliveries to a pipeline must show.' })
class PipelineSetWebhookSecretInput extends IdInput {
  @Field(() => String, { ...optional, description: 'Null: the URL alone is the secret.' })
  secret?: string | null;
}

@InputType({ description: 'Access to a source provider.' })
class ProviderConnectionCreateInput extends MutationInput {
  @Field(() => ID)
  organizationId!: string;

  @Field(() => String, { description: 'github or github_enterprise.' })
  provider!: string;

  @Field(() => String, { ...optional, description: 'The root of the provider\'s API; of the hosted provider where it is not said.' })
  apiUrl?: string | null;

  @Field(() => String, { ...optional, description: 'The host that repositories are on; that of the API where it is not said.' })
  host?: string | null;

  @Field(() => String)
  token!: string;
}

@InputType({ description: 'A connection that is to end.' })
class ProviderConnectionDeleteInput extends IdInput {}

@ObjectType({ description: 'The webhook that was made.' })
class PipelineCreateWebhookPayload extends MutationPayload {
  @Field(() => Pipeline)
  pipeline!: unknown;

  @Field(() => ID, { deprecationReason: 'Use pipeline.' })
  pipelineID!: string;

  @Field(() => RepositoryProviderWebhook)
  webhook!: unknown;
}

@ObjectType({ description: 'The webhook that is gone.' })
class PipelineDeleteWebhookPayload extends MutationPayload {
  @Field(() => String)
  deletedWebhookExternalId!: string;

  @Field(() => Pipeline)
  pipeline!: unknown;
}

@ObjectType({ description: 'The pipeline whose deliveries are checked with another secret now.' })
class PipelineSetWebhookSecretPayload extends MutationPayload {
  @Field(() => Pipeline)
  pipeline!: unknown;
}

@ObjectType({ description: 'The connection that was made.' })
class ProviderConnectionCreatePayload extends MutationPayload {
  @Field(() => Organization)
  organization!: unknown;

  @Field(() => ProviderConnection)
  providerConnection!: unknown;
}

@ObjectType({ description: 'The connection that has ended.' })
class ProviderConnectionDeletePayload extends MutationPayload {
  @Field(() => ID)
  deletedProviderConnectionUuid!: string;

  @Field(() => Organization)
  organization!: unknown;
}

const addressOf = (id: string) => ({ pipeline: { id: uuidOf(id, ['Pipeline']) } });

@Resolver()
export class WebhookMutations {
  @Mutation(() => PipelineCreateWebhookPayload, { ...optional, description: 'Makes a webhook at the provider of a pipeline.' })
  async pipelineCreateWebhook(@Arg('input', () => PipelineCreateWebhookInput) input: PipelineCreateWebhookInput, @Ctx() context: GraphqlContext) {
    const { pipeline, webhook } = await context.command(createWebhook, addressOf(input.id));
    return payload(input, { pipeline, pipelineID: encodeNodeId('Pipeline', pipeline.id), webhook: webhookValue(context, pipeline, webhook.externalId) });
  }

  @Mutation(() => PipelineDeleteWebhookPayload, { ...optional, description: 'Deletes the webhook that was made for a pipeline.' })
  async pipelineDeleteWebhook(@Arg('input', () => PipelineDeleteWebhookInput) input: PipelineDeleteWebhookInput, @Ctx() context: GraphqlContext) {
    const { pipeline, webhook } = await context.command(deleteWebhook, { ...addressOf(input.id), repository: input.repository });
    return payload(input, { pipeline, deletedWebhookExternalId: webhook.externalId });
  }

  @Mutation(() => PipelineSetWebhookSecretPayload, { ...optional, description: 'Sets the secret that deliveries to a pipeline must show.' })
  async pipelineSetWebhookSecret(@Arg('input', () => PipelineSetWebhookSecretInput) input: PipelineSetWebhookSecretInput, @Ctx() context: GraphqlContext) {
    const { pipeline } = await context.command(setWebhookSecret, { ...addressOf(input.id), secret: input.secret });
    return payload(input, { pipeline });
  }

  @Mutation(() => ProviderConnectionCreatePayload, { ...optional, description: 'Connects an organization to a source provider.' })
  async providerConnectionCreate(@Arg('input', () => ProviderConnectionCreateInput) input: ProviderConnectionCreateInput, @Ctx() context: GraphqlContext) {
    const { organizationId, provider, apiUrl, host, token } = input;
    const { organization, connection } = await context.command(createProviderConnection, { organization: { id: uuidOf(organizationId, ['Organization']) }, provider, apiUrl, host, token });
    return payload(input, { organization, providerConnection: connection });
  }

  @Mutation(() => ProviderConnectionDeletePayload, { ...optional, description: 'Ends a connection to a source provider.' })
  async providerConnectionDelete(@Arg('input', () => ProviderConnectionDeleteInput) input: ProviderConnectionDeleteInput, @Ctx() context: GraphqlContext) {
    const { organization, connection } = await context.command(deleteProviderConnection, { connection: { id: input.id } });
    return payload(input, { organization, deletedProviderConnectionUuid: connection.id });
  }
}
