import { Arg, Ctx, Field, ID, InputType, Mutation, ObjectType, Resolver } from 'type-graphql';
import { archivePipeline } from '../../operations/pipelines/archive.js';
import { createPipeline } from '../../operations/pipelines/create.js';
import { deletePipeline } from '../../operations/pipelines/delete.js';
import { favoritePipeline } from '../../operations/pipelines/favorite.js';
import { rotateWebhookUrl } from '../../operations/pipelines/webhooks/rotate-url.js';
import { unarchivePipeline } from '../../operations/pipelines/unarchive.js';
import { updatePipeline } from '../../operations/pipelines/update.js';
import { encodeNodeId } from '../../domain/node-id.js';
import { loadOrNull } from '../../loaders/batch-loader.js';
import { templateIsVisible } from '../../resources/pipelines/templates/find-template.js';
import { Cluster } from '../agents/clusters/cluster.js';
import { newEdge } from '../connections/edge.js';
import type { GraphqlContext } from '../context.js';
import { uuidOf } from '../nodes/ids.js';
import { IdInput, MutationPayload, payload } from '../mutation-input.js';
import { optional } from '../server/options.js';
import { Organization } from '../organizations/organization.js';
import { PipelineTemplate } from './templates/pipeline-template.js';
import { fieldNames, pipelineFields } from './pipeline-fields.js';
import { PipelineCreateInput, PipelineUpdateInput } from './pipeline-inputs.js';
import { Pipeline, PipelineEdge } from './pipeline.js';

@InputType({ description: 'Input of `pipelineArchive`.' })
class PipelineArchiveInput extends IdInput {}

@InputType({ description: 'Input of `pipelineUnarchive`.' })
class PipelineUnarchiveInput extends IdInput {}

@InputType({ description: 'Input of `pipelineDelete`.' })
class PipelineDeleteInput extends IdInput {}

@InputType({ description: 'Input of `pipelineRotateWebhookURL`.' })
class PipelineRotateWebhookURLInput extends IdInput {}

@InputType({ description: 'Input of `pipelineFavorite`.' })
class PipelineFavoriteInput extends IdInput {
  @Field(() => Boolean, { description: 'Whether the pipeline is a favorite of the viewer.' })
  favorite!: boolean;
}

@ObjectType({ description: 'Result of `pipelineCreate`.' })
class PipelineCreatePayload extends MutationPayload {
  @Field(() => Cluster, { ...optional, description: 'Cluster of the pipeline; null without one.' })
  cluster!: unknown;

  @Field(() => Organization, { description: 'Organization of the pipeline.' })
  organization!: unknown;

  @Field(() => Pipeline, { description: 'Pipeline that was created.' })
  pipeline!: unknown;

  @Field(() => PipelineEdge, { description: 'Pipeline as an edge, to append to a list of pipelines.' })
  pipelineEdge!: unknown;

  @Field(() => PipelineTemplate, {
    ...optional,
    description: 'Template of the pipeline; null without one or when the template is hidden.',
  })
  pipelineTemplate!: unknown;
}

@ObjectType({ description: 'Result of `pipelineDelete`.' })
class PipelineDeletePayload extends MutationPayload {
  @Field(() => ID, { description: 'GraphQL ID of the deleted pipeline.' })
  deletedPipelineID!: string;

  @Field(() => Organization, { description: 'Organization of the deleted pipeline.' })
  organization!: unknown;
}

/** Declares a payload that has only the pipeline. */
function pipelinePayload(mutation: string, options: { nullable?: boolean } = {}) {
  @ObjectType(`${mutation.charAt(0).toUpperCase()}${mutation.slice(1)}Payload`, {
    description: `Result of \`${mutation}\`.`,
  })
  class PipelinePayload extends MutationPayload {
    @Field(() => Pipeline, { ...options, description: 'Pipeline after the change.' })
    pipeline!: unknown;
  }
  return PipelinePayload;
}

const PipelineUpdatePayload = pipelinePayload('pipelineUpdate');
const PipelineArchivePayload = pipelinePayload('pipelineArchive');
const PipelineUnarchivePayload = pipelinePayload('pipelineUnarchive');
const PipelineRotateWebhookURLPayload = pipelinePayload('pipelineRotateWebhookURL');
const PipelineFavoritePayload = pipelinePayload('pipelineFavorite', optional);

const addressOf = (id: string) => ({ pipeline: { id: uuidOf(id, ['Pipeline']) } });

@Resolver()
export class PipelineMutations {
  @Mutation(() => PipelineCreatePayload, { ...optional, description: 'Creates a pipeline.' })
  async pipelineCreate(
    @Arg('input', () => PipelineCreateInput, { description: 'Organization and fields of the new pipeline.' })
    input: PipelineCreateInput,
    @Ctx() context: GraphqlContext,
  ) {
    const teams =
      input.teams &&
      Object.fromEntries(input.teams.map(({ id, accessLevel }) => [id, accessLevel ?? 'manage_build_and_read']));
    const newPipeline = {
      organization: { id: uuidOf(input.organizationId, ['Organization']) },
      name: input.name,
      teams,
      ...pipelineFields(input),
    };
    const { organization, pipeline } = await context.command(createPipeline, newPipeline, fieldNames);
    const cluster = pipeline.clusterId === null ? null : await context.load.cluster.load(pipeline.clusterId);
    const template = await loadOrNull(context.load.pipelineTemplate, pipeline.pipelineTemplateId);
    const pipelineTemplate = template && templateIsVisible(context.actor, template) ? template : null;
    return payload(input, { cluster, organization, pipeline, pipelineTemplate, pipelineEdge: newEdge(pipeline) });
  }

  @Mutation(() => PipelineUpdatePayload, { ...optional, description: 'Updates a pipeline.' })
  async pipelineUpdate(
    @Arg('input', () => PipelineUpdateInput, { description: 'Pipeline and its new values.' })
    input: PipelineUpdateInput,
    @Ctx() context: GraphqlContext,
  ) {
    const changes = {
      ...addressOf(input.id),
      ...pipelineFields(input),
      name: input.name ?? undefined,
      archived: input.archived,
    };
    return payload(input, { pipeline: (await context.command(updatePipeline, changes, fieldNames)).pipeline });
  }

  @Mutation(() => PipelineArchivePayload, {
    ...optional,
    description: 'Archives a pipeline; an archived pipeline keeps its builds and creates no new ones.',
  })
  async pipelineArchive(
    @Arg('input', () => PipelineArchiveInput, { description: 'Pipeline to archive.' }) input: PipelineArchiveInput,
    @Ctx() context: GraphqlContext,
  ) {
    return payload(input, { pipeline: (await context.command(archivePipeline, addressOf(input.id))).pipeline });
  }

  @Mutation(() => PipelineUnarchivePayload, { ...optional, description: 'Restores an archived pipeline.' })
  async pipelineUnarchive(
    @Arg('input', () => PipelineUnarchiveInput, { description: 'Pipeline to restore.' }) input: PipelineUnarchiveInput,
    @Ctx() context: GraphqlContext,
  ) {
    return payload(input, { pipeline: (await context.command(unarchivePipeline, addressOf(input.id))).pipeline });
  }

  @Mutation(() => PipelineDeletePayload, { ...optional, description: 'Deletes a pipeline and all its builds.' })
  async pipelineDelete(
    @Arg('input', () => PipelineDeleteInput, { description: 'Pipeline to delete.' }) input: PipelineDeleteInput,
    @Ctx() context: GraphqlContext,
  ) {
    const { organization, pipeline } = await context.command(deletePipeline, addressOf(input.id));
    return payload(input, { organization, deletedPipelineID: encodeNodeId('Pipeline', pipeline.id) });
  }

  @Mutation(() => PipelineFavoritePayload, {
    ...optional,
    description: 'Adds a pipeline to the favorites of the viewer, or removes the pipeline from the favorites.',
  })
  async pipelineFavorite(
    @Arg('input', () => PipelineFavoriteInput, { description: 'Pipeline to add or remove.' })
    input: PipelineFavoriteInput,
    @Ctx() context: GraphqlContext,
  ) {
    const { pipeline } = await context.command(favoritePipeline, { ...addressOf(input.id), favorite: input.favorite });
    return payload(input, { pipeline });
  }

  @Mutation(() => PipelineRotateWebhookURLPayload, {
    ...optional,
    description: 'Replaces the webhook URL of a pipeline; the old URL stops working.',
  })
  async pipelineRotateWebhookURL(
    @Arg('input', () => PipelineRotateWebhookURLInput, { description: 'Pipeline whose webhook URL to replace.' })
    input: PipelineRotateWebhookURLInput,
    @Ctx() context: GraphqlContext,
  ) {
    return payload(input, { pipeline: (await context.command(rotateWebhookUrl, addressOf(input.id))).pipeline });
  }
}
