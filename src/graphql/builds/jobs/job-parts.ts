import { Field, Int, ObjectType } from 'type-graphql';
import { looseList, optional } from '../../server/options.js';
import { DateTime } from '../../scalars/date-time.js';

@ObjectType({ description: 'Concurrency limit of a job.' })
export class JobConcurrency {
  @Field(() => String, { description: 'Name of the concurrency group.' })
  group!: string;

  @Field(() => Int, { description: 'Maximum number of jobs of the group that run at the same time.' })
  limit!: number;

  @Field(() => DateTime, { ...optional, description: 'Time the job joined the concurrency group; null before.' })
  queuedAt!: Date | null;
}

@ObjectType({ description: 'Priority of a job.' })
export class JobPriority {
  @Field(() => Int, { ...optional, description: 'Priority as a number; jobs with a higher number run first.' })
  number!: number | null;
}

@ObjectType({ description: 'Rule that retries a job automatically. Absent criteria match every end of a job.' })
export class JobRetryRuleAutomatic {
  @Field(() => String, {
    ...optional,
    description: 'Exit statuses that the rule matches: one, several separated by commas, or `*`.',
  })
  exitStatus!: string | null;

  @Field(() => String, { ...optional, description: 'Maximum number of retries by the rule.' })
  limit!: string | null;

  @Field(() => String, { ...optional, description: 'Signals that the rule matches, separated by commas.' })
  signal!: string | null;

  @Field(() => String, { ...optional, description: 'Signal reasons that the rule matches, separated by commas.' })
  signalReason!: string | null;
}

@ObjectType({ description: 'Retries that the step of a job allows.' })
export class JobRetryRules {
  @Field(() => [JobRetryRuleAutomatic], { ...looseList, description: 'Rules of automatic retries.' })
  automatic!: JobRetryRuleAutomatic[];

  @Field(() => Boolean, { ...optional, description: 'Whether users may retry the job.' })
  manual!: boolean | null;
}
