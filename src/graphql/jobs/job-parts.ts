import { Field, Int, ObjectType } from 'type-graphql';
import { looseList, optional } from '../options.js';
import { DateTime } from '../scalars/date-time.js';

@ObjectType({ description: 'How many jobs of a group may run at a time.' })
export class JobConcurrency {
  @Field(() => String)
  group!: string;

  @Field(() => Int)
  limit!: number;

  @Field(() => DateTime, { ...optional, description: 'When the job began to wait for its turn.' })
  queuedAt!: Date | null;
}

@ObjectType({ description: 'Which jobs go first: those with the higher number.' })
export class JobPriority {
  @Field(() => Int, optional)
  number!: number | null;
}

@ObjectType({ description: 'When a job is retried by itself.' })
export class JobRetryRuleAutomatic {
  @Field(() => String, { ...optional, description: 'An exit status, several, or `*`.' })
  exitStatus!: string | null;

  @Field(() => String, { ...optional, description: 'How often the rule may be used.' })
  limit!: string | null;

  @Field(() => String, optional)
  signal!: string | null;

  @Field(() => String, optional)
  signalReason!: string | null;
}

@ObjectType({ description: 'Which retries of a job are allowed.' })
export class JobRetryRules {
  @Field(() => [JobRetryRuleAutomatic], looseList)
  automatic!: JobRetryRuleAutomatic[];

  @Field(() => Boolean, { ...optional, description: 'Whether people may retry it.' })
  manual!: boolean | null;
}
