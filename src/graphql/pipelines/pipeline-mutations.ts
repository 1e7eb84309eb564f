import { Arg, Ctx, Field, ID, InputType, Mutation, ObjectType, Resolver } from 'type-graphql';
import { archivePipeline } from '../../operations/pipelines/archive.js';
import { createPipeline } from '../../operations/pipelines/create.js';
import { deletePipeline } from '../../operations/pipelines/delete.js';
import { favoritePipeline } from '../../operations/pipelines/favorite.js';
import { rotateWebhookUrl } from '../../operations/pipelines/rotate-webhook-url.js';
import { unarchivePipeline } from '../../operations/pipelines/unarchive.js';
import { updatePipeline } from '../../operations/pipelines/update.js';
import { encodeNodeId } from '../../domain/node-id.js';
import { Cluster } from '../clusters/cluster.js';
import { edgeCursor } from '../connections/connection.js';
import type { GraphqlContext } from '../context.js';
import { uuidOf } from '../ids.js';
import { IdInput, MutationPayload, payload } from '../mutation-input.js';
import { optional } from '../options.js';
import { Organization } from '../organizations/organization.js';
import { fieldNames, pipelineFields } from './pipeline-fields.js';
import { PipelineCreateInput, PipelineUpdateInput } from './pipeline-inputs.js';
import { Pipeline, PipelineEdge } from './pipeline.js';

@InputType({ description: 'A pipeline to be archived.' })
class PipelineArchiveInput extends IdInput {}

@InputType({ description: 'A pipeline to be taken out of the archive.' })
class PipelineUnarchiveInput extends IdInput {}

@InputType({ description: 'A pipeline to be deleted.' })
class PipelineDeleteInput extends IdInput {}

@InputType({ description: 'A pipeline that is to get another URL for deliveries.' })
class PipelineRotateWebhookURLInput extends IdInput {}

@InputType({ description: 'A pipeline to be marked, or not any more.' })
class PipelineFavoriteInput extends IdInput {
  @Field(() => Boolean)
  favorite!: boolean;
}

@ObjectType({ description: 'The pipeline that was made.' })
class PipelineCreatePayload extends MutationPayload {
  @Field(() => Cluster, optional)
  cluster!: unknown;

  @Field(() => Organization)
  organization!: unknown;

  @Field(() => Pipeline)
  pipeline!: unknown;

  @Field(() => PipelineEdge)
  pipelineEdge!: unknown;
}

@ObjectType({ description: 'What was deleted, and where.' })
class PipelineDeletePayload extends MutationPayload {
  @Field(() => ID)
  deletedPipelineID!: string;

  @Field(() => Organization)
  organization!: unknown;
}

/** A payload with nothing but the pipeline. */
function pipelinePayload(name: string, options: { nullable?: boolean } = {}) {
  @ObjectType(name, { description: 'The pipeline as it is now.' })
  class PipelinePayload extends MutationPayload {
    @Field(() => Pipeline, options)
    pipeline!: unknown;
  }
  return PipelinePayload;
}

const PipelineUpdatePayload = pipelinePayload('PipelineUpdatePayload');
const PipelineArchivePayload = pipelinePayload('PipelineArchivePayload');
const PipelineUnarchivePayload = pipelinePayload('PipelineUnarchivePayload');
const PipelineRotateWebhookURLPayload = pipelinePayload('PipelineRotateWebhookURLPayload');
const PipelineFavoritePayload = pipelinePayload('PipelineFavoritePayload', optional);

const addressOf = (id: string) => ({ pipeline: { id: uuidOf(id, ['Pipeline']) } });

@Resolver()
export class PipelineMutations {
  @Mutation(() => PipelineCreatePayload, { ...optional, description: 'Makes a pipeline.' })
  async pipelineCreate(@Arg('input', () => PipelineCreateInput) input: PipelineCreateInput, @Ctx() context: GraphqlContext) {
    const teams = input.teams && Object.fromEntries(input.teams.map(({ id, accessLevel }) => [id, accessLevel ?? 'manage_build_and_read']));
    const given = { organization: { id: uuidOf(input.organizationId, ['Organization']) }, name: input.name, teams, ...pipelineFields(input) };
    const { organization, pipeline } = await context.command(createPipeline, given, fieldNames);
    const cluster = pipeline.clusterId === null ? null : await context.load.cluster.load(pipeline.clusterId);
    return payload(input, { cluster, organization, pipeline, pipelineEdge: { cursor: edgeCursor(pipeline.id), node: pipeline } });
  }

  @Mutation(() => PipelineUpdatePayload, { ...optional, description: 'Changes a pipeline.' })
  async pipelineUpdate(@Arg('input', () => PipelineUpdateInput) input: PipelineUpdateInput, @Ctx() context: GraphqlContext) {
    const given = { ...addressOf(input.id), ...pipelineFields(input), name: input.name ?? undefined, archived: input.archived };
    return payload(input, { pipeline: (await context.command(updatePipeline, given, fieldNames)).pipeline });
  }

  @Mutation(() => PipelineArchivePayload, { ...optional, description: 'Archives a pipeline: it is kept, and builds no more.' })
  async pipelineArchive(@Arg('input', () => PipelineArchiveInput) input: PipelineArchiveInput, @Ctx() context: GraphqlContext) {
    return payload(input, { pipeline: (await context.command(archivePipeline, addressOf(input.id))).pipeline });
  }

  @Mutation(() => PipelineUnarchivePayload, { ...optional, description: 'Takes a pipeline out of the archive.' })
  async pipelineUnarchive(@Arg('input', () => PipelineUnarchiveInput) input: PipelineUnarchiveInput, @Ctx() context: GraphqlContext) {
    return payload(input, { pipeline: (await context.command(unarchivePipeline, addressOf(input.id))).pipeline });
  }

  @Mutation(() => PipelineDeletePayload, { ...optional, description: 'Deletes a pipeline with all its builds.' })
  async pipelineDelete(@Arg('input', () => PipelineDeleteInput) input: PipelineDeleteInput, @Ctx() context: GraphqlContext) {
    const { organization, pipeline } = await context.command(deletePipeline, addressOf(input.id));
    return payload(input, { organization, deletedPipelineID: encodeNodeId('Pipeline', pipeline.id) });
  }

  @Mutation(() => PipelineFavoritePayload, { ...optional, description: 'Marks a pipeline for the viewer.' })
  async pipelineFavorite(@Arg('input', () => PipelineFavoriteInput) input: PipelineFavoriteInput, @Ctx() context: GraphqlContext) {
    const { pipeline } = await context.command(favoritePipeline, { ...addressOf(input.id), favorite: input.favorite });
    return payload(input, { pipeline });
  }

  @Mutation(() => PipelineRotateWebhookURLPayload, { ...optional, description: 'Gives a pipeline another URL for deliveries; the old one stops working.' })
  async pipelineRotateWebhookURL(@Arg('input', () => PipelineRotateWebhookURLInput) input: PipelineRotateWebhookURLInput, @Ctx() context: GraphqlContext) {
    return payload(input, { pipeline: (await context.command(rotateWebhookUrl, addressOf(input.id))).pipeline });
  }
}
