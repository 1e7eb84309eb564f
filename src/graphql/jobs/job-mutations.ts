import { Arg, Ctx, Field, InputType, Int, Mutation, ObjectType, Resolver, ID } from 'type-graphql';
import type { JobType } from '../../domain/job-state.js';
import { cancelJob } from '../../operations/jobs/cancel.js';
import { deleteJobLog } from '../../operations/jobs/delete-log.js';
import { reprioritizeJob } from '../../operations/jobs/reprioritize.js';
import { retryJob } from '../../operations/jobs/retry.js';
import { unblockJob } from '../../operations/jobs/unblock.js';
import type { GraphqlContext } from '../context.js';
import { uuidOf } from '../ids.js';
import { IdInput, MutationPayload, payload } from '../mutation-input.js';
import { optional } from '../options.js';
import { JsonText } from '../scalars/json.js';
import { JobTypeBlock } from './job-type-block.js';
import { JobTypeCommand } from './job-type-command.js';

@InputType({ description: 'A job to be canceled.' })
class JobTypeCommandCancelInput extends IdInput {}

@InputType({ description: 'A job to be retried.' })
class JobTypeCommandRetryInput extends IdInput {}

@InputType({ description: 'A job that is to run sooner or later than others.' })
class JobTypeCommandReprioritizeInput extends IdInput {
  @Field(() => Int, { description: 'Jobs of higher priority run first.' })
  priority!: number;
}

@InputType({ description: 'A job whose log is to be deleted.' })
class JobLogDeleteInput extends IdInput {}

@InputType({ description: 'A block to be released.' })
class JobTypeBlockUnblockInput extends IdInput {
  @Field(() => JsonText, { ...optional, description: 'Values of its fields, by key.' })
  fields?: unknown;

  @Field(() => ID, { ...optional, description: 'The id or uuid of the person on whose behalf it is released.' })
  unblockerId?: string | null;
}

@ObjectType({ description: 'The job as it is now.' })
class JobTypeCommandCancelPayload extends MutationPayload {
  @Field(() => JobTypeCommand)
  jobTypeCommand!: unknown;
}

@ObjectType({ description: 'The job, and the one that took its place.' })
class JobTypeCommandRetryPayload extends MutationPayload {
  @Field(() => JobTypeCommand)
  jobTypeCommand!: unknown;

  @Field(() => JobTypeCommand)
  retriedInJobTypeCommand!: unknown;
}

@ObjectType({ description: 'The job with its new priority.' })
class JobTypeCommandReprioritizePayload extends MutationPayload {
  @Field(() => JobTypeCommand)
  jobTypeCommand!: unknown;
}

@ObjectType({ description: 'The job whose log is empty now.' })
class JobLogDeletePayload extends MutationPayload {
  @Field(() => JobTypeCommand)
  jobTypeCommand!: unknown;
}

@ObjectType({ description: 'The block as it is now.' })
class JobTypeBlockUnblockPayload extends MutationPayload {
  @Field(() => JobTypeBlock)
  jobTypeBlock!: unknown;
}

/** The address of a job of the kind that a mutation is for; any other is not there. */
const addressOf = (id: string, ...types: JobType[]) => ({ job: { id: uuidOf(id, ['Job']), types } });

@Resolver()
export class JobMutations {
  @Mutation(() => JobTypeCommandCancelPayload, { ...optional, description: 'Cancels a job.' })
  async jobTypeCommandCancel(@Arg('input', () => JobTypeCommandCancelInput) input: JobTypeCommandCancelInput, @Ctx() context: GraphqlContext) {
    const { job } = await context.command(cancelJob, addressOf(input.id, 'command'));
    return payload(input, { jobTypeCommand: job });
  }

  @Mutation(() => JobTypeCommandRetryPayload, { ...optional, description: 'Puts a new job in the place of one that has ended.' })
  async jobTypeCommandRetry(@Arg('input', () => JobTypeCommandRetryInput) input: JobTypeCommandRetryInput, @Ctx() context: GraphqlContext) {
    const { job, retriedJob } = await context.command(retryJob, addressOf(input.id, 'command'));
    return payload(input, { jobTypeCommand: retriedJob, retriedInJobTypeCommand: job });
  }

  @Mutation(() => JobTypeCommandReprioritizePayload, { ...optional, description: 'Changes the priority of a job that has not started.' })
  async jobTypeCommandReprioritize(@Arg('input', () => JobTypeCommandReprioritizeInput) input: JobTypeCommandReprioritizeInput, @Ctx() context: GraphqlContext) {
    const { job } = await context.command(reprioritizeJob, { ...addressOf(input.id, 'command'), priority: input.priority });
    return payload(input, { jobTypeCommand: job });
  }

  @Mutation(() => JobTypeBlockUnblockPayload, { ...optional, description: 'Releases a block.' })
  async jobTypeBlockUnblock(@Arg('input', () => JobTypeBlockUnblockInput) input: JobTypeBlockUnblockInput, @Ctx() context: GraphqlContext) {
    const { fields, unblockerId } = input;
    const { job } = await context.command(unblockJob, { ...addressOf(input.id, 'block', 'input'), fields, unblocker: unblockerId ? uuidOf(unblockerId, ['User']) : null }, { unblocker: 'unblockerId' });
    return payload(input, { jobTypeBlock: job });
  }

  @Mutation(() => JobLogDeletePayload, { ...optional, description: 'Empties the log of a job that has ended.' })
  async jobLogDelete(@Arg('input', () => JobLogDeleteInput) input: JobLogDeleteInput, @Ctx() context: GraphqlContext) {
    const { job } = await context.command(deleteJobLog, addressOf(input.id, 'command'));
    return payload(input, { jobTypeCommand: job });
  }
}
