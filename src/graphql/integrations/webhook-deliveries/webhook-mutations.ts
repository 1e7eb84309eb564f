import { Arg, Ctx, Field, ID, InputType, Mutation, ObjectType, Resolver } from 'type-graphql';
import { encodeNodeId } from '../../../domain/node-id.js';
import { createWebhook } from '../../../operations/pipelines/webhooks/create.js';
import { deleteWebhook } from '../../../operations/pipelines/webhooks/delete.js';
import { setWebhookSecret } from '../../../operations/pipelines/webhooks/set-secret.js';
import type { GraphqlContext } from '../../context.js';
import { uuidOf } from '../../nodes/ids.js';
import { IdInput, MutationPayload, payload } from '../../mutation-input.js';
import { optional } from '../../server/options.js';
import { Pipeline } from '../../pipelines/pipeline.js';
import { RepositoryProviderWebhook, webhookValue } from '../repository-providers/webhook.js';

@InputType({ description: 'Pipeline to create a webhook for.' })
class PipelineCreateWebhookInput extends IdInput {}

@InputType({ description: 'Pipeline whose webhook to delete.' })
class PipelineDeleteWebhookInput extends IdInput {
  @Field(() => String, { ...optional, description: "Repository of the webhook; the pipeline's repository if absent." })
  repository?: string | null;
}

@InputType({ description: 'Pipeline with the secret of its webhook.' })
class PipelineSetWebhookSecretInput extends IdInput {
  @Field(() => String, {
    ...optional,
    description: 'Secret that authenticates deliveries; null if the URL alone does.',
  })
  secret?: string | null;
}

@ObjectType({ description: 'The new webhook and its pipeline.' })
class PipelineCreateWebhookPayload extends MutationPayload {
  @Field(() => Pipeline, { description: 'Pipeline that the webhook delivers to.' })
  pipeline!: unknown;

  @Field(() => ID, { deprecationReason: 'Use pipeline.', description: 'GraphQL ID of the pipeline.' })
  pipelineID!: string;

  @Field(() => RepositoryProviderWebhook, { description: 'The new webhook.' })
  webhook!: unknown;
}

@ObjectType({ description: 'The deleted webhook and its pipeline.' })
class PipelineDeleteWebhookPayload extends MutationPayload {
  @Field(() => String, { description: 'ID of the deleted webhook at the provider.' })
  deletedWebhookExternalId!: string;

  @Field(() => Pipeline, { description: 'Pipeline that the webhook delivered to.' })
  pipeline!: unknown;
}

@ObjectType({ description: 'The pipeline after the mutation.' })
class PipelineSetWebhookSecretPayload extends MutationPayload {
  @Field(() => Pipeline, { description: 'The pipeline after the mutation.' })
  pipeline!: unknown;
}

const addressOf = (id: string) => ({ pipeline: { id: uuidOf(id, ['Pipeline']) } });

@Resolver()
export class WebhookMutations {
  @Mutation(() => PipelineCreateWebhookPayload, {
    ...optional,
    description: 'Creates a webhook at the source provider of a pipeline.',
  })
  async pipelineCreateWebhook(
    @Arg('input', () => PipelineCreateWebhookInput, { description: 'Pipeline to create a webhook for.' })
    input: PipelineCreateWebhookInput,
    @Ctx() context: GraphqlContext,
  ) {
    const { pipeline, webhook } = await context.command(createWebhook, addressOf(input.id));
    return payload(input, {
      pipeline,
      pipelineID: encodeNodeId('Pipeline', pipeline.id),
      webhook: webhookValue(context, pipeline, webhook.externalId),
    });
  }

  @Mutation(() => PipelineDeleteWebhookPayload, {
    ...optional,
    description: 'Deletes the webhook of a pipeline at its source provider.',
  })
  async pipelineDeleteWebhook(
    @Arg('input', () => PipelineDeleteWebhookInput, { description: 'Pipeline whose webhook to delete.' })
    input: PipelineDeleteWebhookInput,
    @Ctx() context: GraphqlContext,
  ) {
    const { pipeline, webhook } = await context.command(deleteWebhook, {
      ...addressOf(input.id),
      repository: input.repository,
    });
    return payload(input, { pipeline, deletedWebhookExternalId: webhook.externalId });
  }

  @Mutation(() => PipelineSetWebhookSecretPayload, {
    ...optional,
    description: 'Sets the secret that authenticates deliveries to a pipeline.',
  })
  async pipelineSetWebhookSecret(
    @Arg('input', () => PipelineSetWebhookSecretInput, { description: 'Pipeline with its new secret.' })
    input: PipelineSetWebhookSecretInput,
    @Ctx() context: GraphqlContext,
  ) {
    const { pipeline } = await context.command(setWebhookSecret, { ...addressOf(input.id), secret: input.secret });
    return payload(input, { pipeline });
  }
}
