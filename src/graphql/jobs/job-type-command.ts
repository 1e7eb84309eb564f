import { Field, FieldResolver, Int, ObjectType, Resolver, Root } from 'type-graphql';
import type { Json } from '../../domain/steps/step.js';
import type { JobRow } from '../../entities/database.js';
import { JobEventSignalReason, JobStates } from '../enums.js';
import { Node } from '../node.js';
import { optional } from '../options.js';
import { DateTime } from '../scalars/date-time.js';
import { JsonText } from '../scalars/json.js';
import { JSInt } from '../scalars/numbers.js';
import { JobInterface } from './job-interface.js';
import { JobConcurrency, JobPriority } from './job-parts.js';

@ObjectType({ implements: [JobInterface, Node], description: 'A job that runs a command on an agent.' })
export class JobTypeCommand {
  @Field(() => String, optional)
  label!: string | null;

  @Field(() => JobStates)
  state!: string;

  @Field(() => String, optional)
  command!: string | null;

  @Field(() => [String], { ...optional, description: 'Tags that an agent must have to run it.' })
  agentQueryRules!: string[];

  @Field(() => String, { ...optional, name: 'automaticArtifactUploadPaths' })
  artifactPaths!: string | null;

  @Field(() => String, { ...optional, description: 'Why it could never run.' })
  brokenReason!: string | null;

  @Field(() => Boolean)
  passed!: boolean;

  @Field(() => Boolean, { description: 'Whether it failed and its build does not mind.' })
  softFailed!: boolean;

  @Field(() => String, optional)
  signal!: string | null;

  @Field(() => Int, optional)
  parallelGroupIndex!: number | null;

  @Field(() => Int, optional)
  parallelGroupTotal!: number | null;

  @Field(() => JSInt, { ...optional, description: 'The exit status it is known to end with before it has.' })
  promisedExitStatus!: number | null;

  @Field(() => DateTime, optional)
  promisedExitStatusAt!: Date | null;

  @Field(() => DateTime, optional)
  createdAt!: Date;

  @Field(() => DateTime, optional)
  scheduledAt!: Date | null;

  @Field(() => DateTime, { ...optional, description: 'When it was ready for an agent.' })
  runnableAt!: Date | null;

  @Field(() => DateTime, optional)
  startedAt!: Date | null;

  @Field(() => DateTime, optional)
  finishedAt!: Date | null;

  @Field(() => DateTime, optional)
  canceledAt!: Date | null;

  @Field(() => DateTime, optional)
  expiredAt!: Date | null;
}

const signalReasons: ReadonlySet<string> = new Set(Object.values(JobEventSignalReason));

/** A reason as the enum has it; a word that is none of its members is not shown. */
export function signalReasonOf(reason: string | null): string | null {
  return reason !== null && signalReasons.has(reason) ? reason : null;
}

@Resolver(() => JobTypeCommand)
export class JobTypeCommandResolver {
  @FieldResolver(() => JobConcurrency, optional)
  concurrency(@Root() job: JobRow): JobConcurrency | null {
    return job.concurrencyGroup === null || job.concurrencyLimit === null ? null : { group: job.concurrencyGroup, limit: job.concurrencyLimit, queuedAt: job.concurrencyQueuedAt };
  }

  @FieldResolver(() => String, optional)
  exitStatus(@Root() job: JobRow): string | null {
    return job.exitStatus === null ? null : String(job.exitStatus);
  }

  @FieldResolver(() => JsonText, { ...optional, description: 'The values of its matrix that this job is for.' })
  matrix(@Root() job: JobRow): Json {
    return job.matrix;
  }

  @FieldResolver(() => JobPriority)
  priority(@Root() job: JobRow): JobPriority {
    return { number: job.priority };
  }

  @FieldResolver(() => JobEventSignalReason, optional)
  signalReason(@Root() job: JobRow): string | null {
    return signalReasonOf(job.signalReason);
  }
}
