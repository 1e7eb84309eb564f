import { Field, FieldResolver, Int, ObjectType, Resolver, Root } from 'type-graphql';
import type { Json } from '../../../domain/pipelines/steps/step.js';
import type { JobRow } from '../../../entities/database.js';
import { JobEventSignalReason, JobStates } from '../../enums.js';
import { Node } from '../../nodes/node.js';
import { optional } from '../../server/options.js';
import { DateTime } from '../../scalars/date-time.js';
import { JsonText } from '../../scalars/json.js';
import { JSInt } from '../../scalars/numbers.js';
import { JobInterface } from './job-interface.js';
import { Reads } from '../../execution/reads.js';
import { JobConcurrency, JobPriority } from './job-parts.js';

@ObjectType({
  implements: [JobInterface, Node],
  description: 'Job of a command step, which runs a command on an agent.',
})
export class JobTypeCommand {
  @Field(() => String, { ...optional, description: 'Label of the step; `name` in the REST API.' })
  label!: string | null;

  @Field(() => JobStates, { description: 'State of the job.' })
  state!: string;

  @Field(() => String, { ...optional, description: 'Command of the job.' })
  command!: string | null;

  @Field(() => [String], { ...optional, description: 'Tags that an agent needs to run the job, as `key=value`.' })
  agentQueryRules!: string[];

  @Field(() => String, {
    ...optional,
    name: 'automaticArtifactUploadPaths',
    description: 'Glob patterns of the files that the agent uploads as artifacts, separated by semicolons.',
  })
  artifactPaths!: string | null;

  @Field(() => String, {
    ...optional,
    description: 'Reason why the job can never run; null unless the state is `BROKEN`.',
  })
  brokenReason!: string | null;

  @Field(() => Boolean, { description: 'Whether the job finished with exit status 0.' })
  passed!: boolean;

  @Field(() => Boolean, { description: 'Whether the job failed and its step allows that (`soft_fail`).' })
  softFailed!: boolean;

  @Field(() => String, {
    ...optional,
    description: 'Signal that ended the process, such as `SIGTERM`; null without one.',
  })
  signal!: string | null;

  @Field(() => Int, {
    ...optional,
    description: 'Index of the job among the parallel jobs of its step, from 0; null without parallelism.',
  })
  parallelGroupIndex!: number | null;

  @Field(() => Int, { ...optional, description: 'Number of parallel jobs of the step; null without parallelism.' })
  parallelGroupTotal!: number | null;

  @Field(() => JSInt, {
    ...optional,
    description: 'Exit status that the agent reported before the job ended; null without such a report.',
  })
  promisedExitStatus!: number | null;

  @Field(() => DateTime, {
    ...optional,
    description: 'Time the agent reported the exit status before the job ended; null without such a report.',
  })
  promisedExitStatusAt!: Date | null;

  @Field(() => DateTime, { ...optional, description: 'Time the job was created.' })
  createdAt!: Date;

  @Field(() => DateTime, { ...optional, description: 'Time the job was scheduled; null before.' })
  scheduledAt!: Date | null;

  @Field(() => DateTime, { ...optional, description: 'Time the job became available to agents; null before.' })
  runnableAt!: Date | null;

  @Field(() => DateTime, { ...optional, description: 'Time the agent started the job; null before.' })
  startedAt!: Date | null;

  @Field(() => DateTime, { ...optional, description: 'Time the job ended; null before.' })
  finishedAt!: Date | null;

  @Field(() => DateTime, { ...optional, description: 'Time the job was canceled; null when the job was not canceled.' })
  canceledAt!: Date | null;

  @Field(() => DateTime, { ...optional, description: 'Time the job expired; null when the job did not expire.' })
  expiredAt!: Date | null;

  @Field(() => DateTime, {
    ...optional,
    description: 'Time retention deleted the log; null while it is kept.',
  })
  logExpiredAt!: Date | null;
}

const signalReasons: ReadonlySet<string> = new Set(Object.values(JobEventSignalReason));

/** A signal reason that the enum knows; null for any other text an agent reported. */
export function signalReasonOf(reason: string | null): string | null {
  return reason !== null && signalReasons.has(reason) ? reason : null;
}

@Resolver(() => JobTypeCommand)
export class JobTypeCommandResolver {
  @Reads<JobRow>('concurrencyGroup', 'concurrencyLimit', 'concurrencyQueuedAt')
  @FieldResolver(() => JobConcurrency, { ...optional, description: 'Concurrency limit of the job; null without one.' })
  concurrency(@Root() job: JobRow): JobConcurrency | null {
    return job.concurrencyGroup === null || job.concurrencyLimit === null
      ? null
      : { group: job.concurrencyGroup, limit: job.concurrencyLimit, queuedAt: job.concurrencyQueuedAt };
  }

  @Reads<JobRow>('exitStatus')
  @FieldResolver(() => String, {
    ...optional,
    description: 'Exit status of the process as text; null before the job ended.',
  })
  exitStatus(@Root() job: JobRow): string | null {
    return job.exitStatus === null ? null : String(job.exitStatus);
  }

  @Reads<JobRow>('matrix')
  @FieldResolver(() => JsonText, {
    ...optional,
    description: 'Matrix values of the job, by dimension; null without a matrix.',
  })
  matrix(@Root() job: JobRow): Json {
    return job.matrix;
  }

  @Reads<JobRow>('priority')
  @FieldResolver(() => JobPriority, { description: 'Priority of the job.' })
  priority(@Root() job: JobRow): JobPriority {
    return { number: job.priority };
  }

  @Reads<JobRow>('signalReason')
  @FieldResolver(() => JobEventSignalReason, { ...optional, description: 'Reason for the signal; null without one.' })
  signalReason(@Root() job: JobRow): string | null {
    return signalReasonOf(job.signalReason);
  }
}
