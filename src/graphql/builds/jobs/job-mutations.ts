import { Arg, Ctx, Field, InputType, Int, Mutation, ObjectType, Resolver, ID } from 'type-graphql';
import type { JobType } from '../../../domain/builds/job-state.js';
import { cancelJob } from '../../../operations/builds/jobs/cancel.js';
import { deleteJobLog } from '../../../operations/builds/logs/delete.js';
import { reprioritizeJob } from '../../../operations/builds/jobs/reprioritize.js';
import { retryJob } from '../../../operations/builds/jobs/retry.js';
import { unblockJob } from '../../../operations/builds/jobs/unblock.js';
import type { GraphqlContext } from '../../context.js';
import { uuidOf } from '../../nodes/ids.js';
import { IdInput, MutationPayload, payload } from '../../mutation-input.js';
import { optional } from '../../server/options.js';
import { JsonText } from '../../scalars/json.js';
import { JobTypeBlock } from './job-type-block.js';
import { JobTypeCommand } from './job-type-command.js';

@InputType({ description: 'Input of `jobTypeCommandCancel`.' })
class JobTypeCommandCancelInput extends IdInput {}

@InputType({ description: 'Input of `jobTypeCommandRetry`.' })
class JobTypeCommandRetryInput extends IdInput {}

@InputType({ description: 'Input of `jobTypeCommandReprioritize`.' })
class JobTypeCommandReprioritizeInput extends IdInput {
  @Field(() => Int, { description: 'New priority; jobs with a higher priority run first.' })
  priority!: number;
}

@InputType({ description: 'Input of `jobLogDelete`.' })
class JobLogDeleteInput extends IdInput {}

@InputType({ description: 'Input of `jobTypeBlockUnblock`.' })
class JobTypeBlockUnblockInput extends IdInput {
  @Field(() => JsonText, { ...optional, description: 'Values of the fields of the step, by key.' })
  fields?: unknown;

  @Field(() => ID, {
    ...optional,
    description: 'GraphQL ID or UUID of the user on whose behalf the job is unblocked. Default: the viewer.',
  })
  unblockerId?: string | null;
}

@ObjectType({ description: 'Result of `jobTypeCommandCancel`.' })
class JobTypeCommandCancelPayload extends MutationPayload {
  @Field(() => JobTypeCommand, { description: 'Job that was canceled.' })
  jobTypeCommand!: unknown;
}

@ObjectType({ description: 'Result of `jobTypeCommandRetry`.' })
class JobTypeCommandRetryPayload extends MutationPayload {
  @Field(() => JobTypeCommand, { description: 'Job that was retried.' })
  jobTypeCommand!: unknown;

  @Field(() => JobTypeCommand, { description: 'New job that replaces the retried job.' })
  retriedInJobTypeCommand!: unknown;
}

@ObjectType({ description: 'Result of `jobTypeCommandReprioritize`.' })
class JobTypeCommandReprioritizePayload extends MutationPayload {
  @Field(() => JobTypeCommand, { description: 'Job with its new priority.' })
  jobTypeCommand!: unknown;
}

@ObjectType({ description: 'Result of `jobLogDelete`.' })
class JobLogDeletePayload extends MutationPayload {
  @Field(() => JobTypeCommand, { description: 'Job whose log was deleted.' })
  jobTypeCommand!: unknown;
}

@ObjectType({ description: 'Result of `jobTypeBlockUnblock`.' })
class JobTypeBlockUnblockPayload extends MutationPayload {
  @Field(() => JobTypeBlock, { description: 'Job that was unblocked.' })
  jobTypeBlock!: unknown;
}

/**
 * Address of a job. With `types` a job of another type is treated as absent: the payload could not show it. Without
 * them the operation itself refuses every other type, with its reason.
 */
const addressOf = (id: string, ...types: JobType[]) => ({
  job: { id: uuidOf(id, ['Job']), ...(types.length > 0 && { types }) },
});

@Resolver()
export class JobMutations {
  @Mutation(() => JobTypeCommandCancelPayload, { ...optional, description: 'Cancels a command job.' })
  async jobTypeCommandCancel(
    @Arg('input', () => JobTypeCommandCancelInput, { description: 'Job to cancel.' }) input: JobTypeCommandCancelInput,
    @Ctx() context: GraphqlContext,
  ) {
    const { job } = await context.command(cancelJob, addressOf(input.id, 'command'));
    return payload(input, { jobTypeCommand: job });
  }

  @Mutation(() => JobTypeCommandRetryPayload, {
    ...optional,
    description: 'Retries a command job that has ended: a new job replaces the job.',
  })
  async jobTypeCommandRetry(
    @Arg('input', () => JobTypeCommandRetryInput, { description: 'Job to retry.' }) input: JobTypeCommandRetryInput,
    @Ctx() context: GraphqlContext,
  ) {
    const { job, retriedJob } = await context.command(
      retryJob,
      addressOf(input.id, 'command', 'block', 'input', 'wait'),
    );
    return payload(input, { jobTypeCommand: retriedJob, retriedInJobTypeCommand: job });
  }

  @Mutation(() => JobTypeCommandReprioritizePayload, {
    ...optional,
    description: 'Changes the priority of a command job that has not started.',
  })
  async jobTypeCommandReprioritize(
    @Arg('input', () => JobTypeCommandReprioritizeInput, { description: 'Job with its new priority.' })
    input: JobTypeCommandReprioritizeInput,
    @Ctx() context: GraphqlContext,
  ) {
    const { job } = await context.command(reprioritizeJob, {
      ...addressOf(input.id),
      priority: input.priority,
    });
    return payload(input, { jobTypeCommand: job });
  }

  @Mutation(() => JobTypeBlockUnblockPayload, { ...optional, description: 'Unblocks a block or input job.' })
  async jobTypeBlockUnblock(
    @Arg('input', () => JobTypeBlockUnblockInput, { description: 'Job to unblock, with the values of its fields.' })
    input: JobTypeBlockUnblockInput,
    @Ctx() context: GraphqlContext,
  ) {
    const { fields, unblockerId } = input;
    const { job } = await context.command(
      unblockJob,
      {
        ...addressOf(input.id),
        fields,
        unblocker: unblockerId ? uuidOf(unblockerId, ['User']) : null,
      },
      { unblocker: 'unblockerId' },
    );
    return payload(input, { jobTypeBlock: job });
  }

  @Mutation(() => JobLogDeletePayload, { ...optional, description: 'Deletes the log of a command job that has ended.' })
  async jobLogDelete(
    @Arg('input', () => JobLogDeleteInput, { description: 'Job whose log to delete.' }) input: JobLogDeleteInput,
    @Ctx() context: GraphqlContext,
  ) {
    const { job } = await context.command(deleteJobLog, addressOf(input.id, 'command'));
    return payload(input, { jobTypeCommand: job });
  }
}
