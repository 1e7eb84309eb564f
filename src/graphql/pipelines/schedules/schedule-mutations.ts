import { Arg, Ctx, Field, ID, InputType, Mutation, ObjectType, Resolver } from 'type-graphql';
import { encodeNodeId } from '../../../domain/node-id.js';
import { readEnvLines } from '../../../domain/pipelines/env-lines.js';
import { createSchedule } from '../../../operations/pipelines/schedules/create.js';
import { deleteSchedule } from '../../../operations/pipelines/schedules/delete.js';
import { updateSchedule } from '../../../operations/pipelines/schedules/update.js';
import { envFromList } from '../../builds/env.js';
import { newEdge } from '../../connections/edge.js';
import type { GraphqlContext } from '../../context.js';
import { uuidOf } from '../../nodes/ids.js';
import { IdInput, MutationInput, MutationPayload, payload } from '../../mutation-input.js';
import { optional } from '../../server/options.js';
import { Pipeline } from '../pipeline.js';
import { PipelineSchedule, PipelineScheduleEdge } from './pipeline-schedule.js';

/** Fields that creating and updating a schedule share; an absent field keeps its value on update. */
@InputType('PipelineScheduleFieldsInput')
abstract class PipelineScheduleFieldsInput extends MutationInput {
  @Field(() => String, {
    ...optional,
    description: 'Branch of the builds. Default: the default branch of the pipeline.',
  })
  branch?: string | null;

  @Field(() => String, { ...optional, description: 'Commit of the builds. Default: `HEAD`.' })
  commit?: string | null;

  @Field(() => String, {
    ...optional,
    description:
      'Cron expression: five fields and an optional time zone, or a name such as `@daily`. Required on creation.',
  })
  cronline?: string | null;

  @Field(() => Boolean, { ...optional, description: 'Whether the schedule creates builds.' })
  enabled?: boolean | null;

  @Field(() => String, {
    ...optional,
    description:
      'Environment of the builds, with a `KEY=value` on each line; in double quotes a value can have escapes ' +
      'such as `\\n`.',
  })
  env?: string | null;

  @Field(() => String, { ...optional, description: 'Label of the schedule.' })
  label?: string | null;

  @Field(() => String, { ...optional, description: 'Message of the builds.' })
  message?: string | null;
}

@InputType({ description: 'Input of `pipelineScheduleCreate`.' })
class PipelineScheduleCreateInput extends PipelineScheduleFieldsInput {
  @Field(() => ID, { description: 'GraphQL ID or UUID of the pipeline.' })
  pipelineID!: string;
}

@InputType({ description: 'Input of `pipelineScheduleUpdate`; absent fields keep their values.' })
class PipelineScheduleUpdateInput extends PipelineScheduleFieldsInput {
  @Field(() => ID, { description: 'GraphQL ID or UUID of the schedule.' })
  id!: string;
}

@InputType({ description: 'Input of `pipelineScheduleDelete`.' })
class PipelineScheduleDeleteInput extends IdInput {}

@ObjectType({ description: 'Result of `pipelineScheduleCreate`.' })
class PipelineScheduleCreatePayload extends MutationPayload {
  @Field(() => Pipeline, { description: 'Pipeline of the schedule.' })
  pipeline!: unknown;

  @Field(() => PipelineScheduleEdge, { description: 'Schedule as an edge, to append to a list of schedules.' })
  pipelineScheduleEdge!: unknown;
}

@ObjectType({ description: 'Result of `pipelineScheduleUpdate`.' })
class PipelineScheduleUpdatePayload extends MutationPayload {
  @Field(() => PipelineSchedule, { description: 'Schedule after the change.' })
  pipelineSchedule!: unknown;
}

@ObjectType({ description: 'Result of `pipelineScheduleDelete`.' })
class PipelineScheduleDeletePayload extends MutationPayload {
  @Field(() => ID, { description: 'GraphQL ID of the deleted schedule.' })
  deletedPipelineScheduleID!: string;

  @Field(() => Pipeline, { ...optional, description: 'Pipeline of the deleted schedule.' })
  pipeline!: unknown;
}

/** The operation's input for the shared fields; absent stays absent. */
function scheduleFields({ branch, commit, cronline, enabled, env, label, message }: PipelineScheduleFieldsInput) {
  return {
    cronline: cronline ?? undefined,
    branch,
    commit,
    enabled,
    label,
    message,
    env: env == null ? env : envFromList(readEnvLines(env)),
  };
}

const addressOf = (id: string) => ({ pipelineSchedule: { id: uuidOf(id, ['PipelineSchedule']) } });

@Resolver()
export class PipelineScheduleMutations {
  @Mutation(() => PipelineScheduleCreatePayload, { ...optional, description: 'Creates a schedule of a pipeline.' })
  async pipelineScheduleCreate(
    @Arg('input', () => PipelineScheduleCreateInput, { description: 'Pipeline and fields of the new schedule.' })
    input: PipelineScheduleCreateInput,
    @Ctx() context: GraphqlContext,
  ) {
    const { pipeline, pipelineSchedule } = await context.command(createSchedule, {
      pipeline: { id: uuidOf(input.pipelineID, ['Pipeline']) },
      ...scheduleFields(input),
    });
    return payload(input, { pipeline, pipelineScheduleEdge: newEdge(pipelineSchedule) });
  }

  @Mutation(() => PipelineScheduleUpdatePayload, { ...optional, description: 'Updates a schedule.' })
  async pipelineScheduleUpdate(
    @Arg('input', () => PipelineScheduleUpdateInput, { description: 'Schedule and its new values.' })
    input: PipelineScheduleUpdateInput,
    @Ctx() context: GraphqlContext,
  ) {
    const fields = { ...addressOf(input.id), ...scheduleFields(input) };
    return payload(input, { pipelineSchedule: (await context.command(updateSchedule, fields)).pipelineSchedule });
  }

  @Mutation(() => PipelineScheduleDeletePayload, { ...optional, description: 'Deletes a schedule.' })
  async pipelineScheduleDelete(
    @Arg('input', () => PipelineScheduleDeleteInput, { description: 'Schedule to delete.' })
    input: PipelineScheduleDeleteInput,
    @Ctx() context: GraphqlContext,
  ) {
    const { pipeline, pipelineSchedule } = await context.command(deleteSchedule, addressOf(input.id));
    return payload(input, {
      pipeline,
      deletedPipelineScheduleID: encodeNodeId('PipelineSchedule', pipelineSchedule.id),
    });
  }
}
