import { Ctx, Field, FieldResolver, Float, ObjectType, Resolver, Root } from 'type-graphql';
import type { SuiteExecutionRow } from '../../entities/database.js';
import { connectionOf } from '../connections/connection.js';
import type { GraphqlContext } from '../context.js';
import { SuiteExecutionResults } from '../enums.js';
import { optional } from '../options.js';
import { DateTime } from '../scalars/date-time.js';
import { SuiteRun } from './suite-run.js';
import { SuiteTest } from './suite-test.js';

@ObjectType({ description: 'One piece of what a runner printed about a failure.' })
export class SuiteFailureDetail {
  @Field(() => [String])
  expanded!: string[];

  @Field(() => [String])
  backtrace!: string[];
}

@ObjectType({ description: 'Something an execution was marked with.' })
export class SuiteExecutionTag {
  @Field(() => String)
  key!: string;

  @Field(() => String)
  value!: string;
}

@ObjectType({ description: 'One execution of a test in a run.' })
export class SuiteExecution {
  @Field(() => String, { name: 'uuid' })
  id!: string;

  @Field(() => SuiteExecutionResults)
  result!: string;

  @Field(() => Float, { ...optional, description: 'Seconds.' })
  duration!: number | null;

  @Field(() => String, optional)
  failureReason!: string | null;

  @Field(() => [SuiteFailureDetail])
  failureExpanded!: SuiteFailureDetail[];

  @Field(() => String, { ...optional, description: 'File and line.' })
  location!: string | null;

  @Field(() => String, optional)
  fileName!: string | null;

  @Field(() => DateTime)
  createdAt!: Date;
}

export const { Connection: SuiteExecutionConnection } = connectionOf('SuiteExecution', () => SuiteExecution);

@Resolver(() => SuiteExecution)
export class SuiteExecutionResolver {
  @FieldResolver(() => SuiteRun)
  run(@Root() execution: SuiteExecutionRow, @Ctx() context: GraphqlContext) {
    return context.load.suiteRun.load(execution.runId);
  }

  @FieldResolver(() => [SuiteExecutionTag])
  tags(@Root() execution: SuiteExecutionRow): SuiteExecutionTag[] {
    return Object.entries(execution.tags).map(([key, value]) => ({ key, value }));
  }

  @FieldResolver(() => SuiteTest)
  test(@Root() execution: SuiteExecutionRow, @Ctx() context: GraphqlContext) {
    return context.load.suiteTest.load(execution.testId);
  }
}
