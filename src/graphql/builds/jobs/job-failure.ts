import { Ctx, Field, FieldResolver, Float, Int, ObjectType, Resolver, Root } from 'type-graphql';
import type { ExtractLine } from '../../../domain/builds/failures/extract.js';
import type { Excerpt } from '../../../domain/builds/failures/failure-excerpts.js';
import type {
  BuildOfFailure,
  Change,
  FailedTest,
  FailureChanges,
  JobFailure as Failure,
} from '../../../domain/builds/failures/job-failure.js';
import type { JobRow } from '../../../entities/database.js';
import { readFailuresOfJobs } from '../../../operations/builds/jobs/read-failures-of-jobs.js';
import type { GraphqlContext } from '../../context.js';
import { JobFailureExcerptKinds, JobFailureLineKinds } from '../../enums.js';
import { Dear, dear } from '../../limits/dear.js';
import { DateTime } from '../../scalars/date-time.js';
import { optional } from '../../server/options.js';
import { ReadBy } from '../../execution/on-the-way.js';
import { JobTypeCommand } from './job-type-command.js';

@ObjectType({ description: 'Build that the failure of a job names.' })
export class JobFailureBuild {
  @Field(() => Int, { description: 'Number of the build.' })
  number!: number;

  @Field(() => String, { description: 'Commit of the build.' })
  commit!: string;

  @Field(() => DateTime, { description: 'Time the build was created.' })
  createdAt!: Date;
}

@ObjectType({ description: 'Text that was another one in the last passed build.' })
export class JobFailureTextChange {
  @Field(() => String, { description: 'Value in the last passed build.' })
  from!: string;

  @Field(() => String, { description: 'Value in this build.' })
  to!: string;
}

@ObjectType({ description: 'Number that was another one in the last passed build.' })
export class JobFailureNumberChange {
  @Field(() => Float, { description: 'Value in the last passed build.' })
  from!: number;

  @Field(() => Float, { description: 'Value in this build.' })
  to!: number;
}

@ObjectType({ description: 'Differences from the last build of the branch in which the step passed.' })
export class JobFailureChanges {
  @Field(() => [String], { description: 'Commits of the builds since the last passed one, newest first.' })
  commits!: string[];

  @Field(() => JobFailureTextChange, {
    ...optional,
    description: 'Names of the agents that ran the job, where it was another one.',
  })
  agent!: Change<string> | null;

  @Field(() => JobFailureTextChange, { ...optional, description: 'Keys of the queues, where it was another one.' })
  queue!: Change<string> | null;

  @Field(() => [String], {
    ...optional,
    description: 'Attributes of the step, as it was written, whose values differ; null where none does.',
  })
  step!: string[] | null;

  @Field(() => JobFailureNumberChange, { ...optional, description: 'Seconds for which the jobs ran.' })
  duration!: Change<number> | null;
}

@ObjectType({ description: 'Part of the log of a failed job.' })
export class JobFailureExcerpt {
  @Field(() => Int, { description: 'Number of the first line in the log, from 1.' })
  firstLine!: number;

  @Field(() => Int, { description: 'Number of the last line.' })
  lastLine!: number;

  @Field(() => String, { description: 'The lines, without escape sequences.' })
  text!: string;

  @Field(() => JobFailureExcerptKinds, { description: 'Kind of what the lines show.' })
  kind!: string;
}

@ObjectType({ description: 'Test that failed in a run that the job uploaded.' })
export class JobFailureTest {
  @Field(() => String, { description: 'Scope and name of the test.' })
  name!: string;

  @Field(() => String, { ...optional, description: 'Place of the test in its file.' })
  location!: string | null;

  @Field(() => String, { ...optional, description: 'Reason of the failure.' })
  message!: string | null;
}

@ObjectType({ description: 'Line that is kept of the log of a failed job as long as its build.' })
export class JobFailureLine {
  @Field(() => Int, { description: 'Number of the line in the log, from 1.' })
  line!: number;

  @Field(() => String, { description: 'The line without escape sequences, at most 500 characters.' })
  text!: string;

  @Field(() => JobFailureLineKinds, { description: 'Kind of the line.' })
  kind!: string;
}

@ObjectType({ description: 'Reason why a job failed, with the lines of its log that matter, and since when.' })
export class JobFailure {
  @Field(() => Int, { ...optional, description: 'Exit status of the command; null without one.' })
  exitStatus!: number | null;

  @Field(() => String, { ...optional, description: 'Signal that ended the command; null without one.' })
  signal!: string | null;

  @Field(() => String, { description: 'Reason in a sentence.' })
  reason!: string;

  @Field(() => JobFailureBuild, {
    ...optional,
    description: 'Build of the branch since which the step fails; null for callers who may not read builds.',
  })
  since!: BuildOfFailure | null;

  @Field(() => JobFailureBuild, {
    ...optional,
    description: 'Newest build of the branch, before that, in which the step passed; null if none of the last 100 has.',
  })
  lastPassed!: BuildOfFailure | null;

  @Field(() => JobFailureChanges, { description: 'Differences from the last passed build.' })
  changed!: FailureChanges;

  @Field(() => [JobFailureExcerpt], {
    description:
      'Parts of the log that tell of the failure, in their order, at most 8 of 30 lines; none where the log is gone.',
  })
  excerpts!: Excerpt[];

  @Field(() => [JobFailureTest], {
    description: 'Tests that failed in runs that the job uploaded, at most 20, of suites that the viewer may read.',
  })
  tests!: FailedTest[];

  @Field(() => [JobFailureLine], {
    description:
      'Lines of the log that no passed run of the step has, or that tell of an error, at most 20; they stay where ' +
      'the log has expired, and are none until it is merged.',
  })
  lines!: ExtractLine[];

  @Field(() => String, {
    ...optional,
    description: 'Hash of the failure, the same where jobs failed alike: `cluster` of `logSearch` finds them.',
  })
  cluster!: string | null;

  @Field(() => Int, {
    description: 'Number of other jobs of the organization that failed alike and are seen by the viewer, at most 100.',
  })
  sameFailures!: number;
}

@Resolver(() => JobTypeCommand)
export class JobTypeCommandFailureResolver {
  @Dear(dear.wholeLog)
  @ReadBy(readFailuresOfJobs)
  @FieldResolver(() => JobFailure, {
    ...optional,
    description: 'Reason why the job failed, softly too; null for one that has not, or not yet.',
  })
  async failure(@Root() job: JobRow, @Ctx() context: GraphqlContext): Promise<Failure | null> {
    context.know(job);
    return (await context.performInBatch(readFailuresOfJobs, { jobIds: job.id })) ?? null;
  }
}
