import { Arg, Ctx, Field, ID, InputType, Mutation, ObjectType, Resolver } from 'type-graphql';
import { encodeNodeId } from '../../domain/node-id.js';
import { createSchedule } from '../../operations/pipeline-schedules/create.js';
import { deleteSchedule } from '../../operations/pipeline-schedules/delete.js';
import { updateSchedule } from '../../operations/pipeline-schedules/update.js';
import { envFromList } from '../builds/env.js';
import type { GraphqlContext } from '../context.js';
import { uuidOf } from '../ids.js';
import { IdInput, MutationInput, MutationPayload, payload } from '../mutation-input.js';
import { optional } from '../options.js';
import { Pipeline } from '../pipelines/pipeline.js';
import { PipelineSchedule, PipelineScheduleEdge } from './pipeline-schedule.js';

@InputType({ description: 'A schedule to be made.' })
class PipelineScheduleCreateInput extends MutationInput {
  @Field(() => String, optional)
  branch?: string | null;

  @Field(() => String, optional)
  commit?: string | null;

  @Field(() => String, optional)
  cronline?: string | null;

  @Field(() => Boolean, optional)
  enabled?: boolean | null;

  @Field(() => String, { ...optional, description: 'Environment of its builds, a `KEY=value` on each line.' })
  env?: string | null;

  @Field(() => String, optional)
  label?: string | null;

  @Field(() => String, optional)
  message?: string | null;

  @Field(() => ID)
  pipelineID!: string;
}

@InputType({ description: 'Changes to a schedule; what is absent stays as it is.' })
class PipelineScheduleUpdateInput extends IdInput {
  @Field(() => String, optional)
  branch?: string | null;

  @Field(() => String, optional)
  commit?: string | null;

  @Field(() => String, optional)
  cronline?: string | null;

  @Field(() => Boolean, optional)
  enabled?: boolean | null;

  @Field(() => String, { ...optional, description: 'Environment of its builds, a `KEY=value` on each line.' })
  env?: string | null;

  @Field(() => String, optional)
  label?: string | null;

  @Field(() => String, optional)
  message?: string | null;
}

@InputType({ description: 'A schedule to be deleted.' })
class PipelineScheduleDeleteInput extends IdInput {}

@ObjectType({ description: 'The schedule that was made, and where.' })
class PipelineScheduleCreatePayload extends MutationPayload {
  @Field(() => Pipeline)
  pipeline!: unknown;

  @Field(() => PipelineScheduleEdge)
  pipelineScheduleEdge!: unknown;
}

@ObjectType({ description: 'The schedule as it is now.' })
class PipelineScheduleUpdatePayload extends MutationPayload {
  @Field(() => PipelineSchedule)
  pipelineSchedule!: unknown;
}

@ObjectType({ description: 'What was deleted, and where.' })
class PipelineScheduleDeletePayload extends MutationPayload {
  @Field(() => ID)
  deletedPipelineScheduleID!: string;

  @Field(() => Pipeline, optional)
  pipeline!: unknown;
}

type Given = Omit<PipelineScheduleUpdateInput, 'id' | 'clientMutationId' | 'cronline'>;

/** What a schedule and its builds are called; absent stays absent. */
function fieldsOf({ branch, commit, enabled, env, label, message }: Given) {
  const lines = env?.split(/\r?\n/).filter((line) => line.trim() !== '');
  return { branch, commit, enabled, label, message, env: env === null ? null : envFromList(lines) };
}

const addressOf = (id: string) => ({ pipelineSchedule: { id: uuidOf(id, ['PipelineSchedule']) } });

@Resolver()
export class PipelineScheduleMutations {
  @Mutation(() => PipelineScheduleCreatePayload, { ...optional, description: 'Makes a schedule of a pipeline.' })
  async pipelineScheduleCreate(@Arg('input', () => PipelineScheduleCreateInput) input: PipelineScheduleCreateInput, @Ctx() context: GraphqlContext) {
    const given = { pipeline: { id: uuidOf(input.pipelineID, ['Pipeline']) }, cronline: input.cronline ?? undefined, ...fieldsOf(input) };
    const { pipeline, pipelineSchedule } = await context.command(createSchedule, given);
    const cursor = Buffer.from(JSON.stringify([pipelineSchedule.id, pipelineSchedule.id])).toString('base64url');
    return payload(input, { pipeline, pipelineScheduleEdge: { cursor, node: pipelineSchedule } });
  }

  @Mutation(() => PipelineScheduleUpdatePayload, { ...optional, description: 'Changes a schedule.' })
  async pipelineScheduleUpdate(@Arg('input', () => PipelineScheduleUpdateInput) input: PipelineScheduleUpdateInput, @Ctx() context: GraphqlContext) {
    const given = { ...addressOf(input.id), cronline: input.cronline ?? undefined, ...fieldsOf(input) };
    return payload(input, { pipelineSchedule: (await context.command(updateSchedule, given)).pipelineSchedule });
  }

  @Mutation(() => PipelineScheduleDeletePayload, { ...optional, description: 'Deletes a schedule.' })
  async pipelineScheduleDelete(@Arg('input', () => PipelineScheduleDeleteInput) input: PipelineScheduleDeleteInput, @Ctx() context: GraphqlContext) {
    const { pipeline, pipelineSchedule } = await context.command(deleteSchedule, addressOf(input.id));
    return payload(input, { pipeline, deletedPipelineScheduleID: encodeNodeId('PipelineSchedule', pipelineSchedule.id) });
  }
}
