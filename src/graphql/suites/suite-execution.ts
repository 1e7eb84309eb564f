import { Ctx, Field, FieldResolver, Float, ObjectType, Resolver, Root } from 'type-graphql';
import type { SuiteExecutionRow } from '../../entities/database.js';
import { connectionOf } from '../connections/connection.js';
import type { GraphqlContext } from '../context.js';
import { SuiteExecutionResults } from '../enums.js';
import { optional } from '../server/options.js';
import { DateTime } from '../scalars/date-time.js';
import { SuiteRun } from './suite-run.js';
import { SuiteTest } from './suite-test.js';

@ObjectType({ description: 'Detail of a failure, as the test runner printed it.' })
export class SuiteFailureDetail {
  @Field(() => [String], { description: 'Lines of the failure message.' })
  expanded!: string[];

  @Field(() => [String], { description: 'Lines of the backtrace.' })
  backtrace!: string[];
}

@ObjectType({ description: 'Tag of an execution.' })
export class SuiteExecutionTag {
  @Field(() => String, { description: 'Key of the tag.' })
  key!: string;

  @Field(() => String, { description: 'Value of the tag.' })
  value!: string;
}

@ObjectType({ description: 'Execution of a test in a run.' })
export class SuiteExecution {
  @Field(() => String, { name: 'uuid', description: 'UUID of the execution.' })
  id!: string;

  @Field(() => SuiteExecutionResults, { description: 'Result of the execution.' })
  result!: string;

  @Field(() => Float, { ...optional, description: 'Duration in seconds; null when the upload has none.' })
  duration!: number | null;

  @Field(() => String, { ...optional, description: 'Reason for the failure in one line; null without one.' })
  failureReason!: string | null;

  @Field(() => String, { ...optional, description: 'File and line of the test; null when the upload has none.' })
  location!: string | null;

  @Field(() => String, { ...optional, description: 'File of the test; null when the upload has none.' })
  fileName!: string | null;

  @Field(() => DateTime, { description: 'Time the execution was uploaded.' })
  createdAt!: Date;
}

export const { Connection: SuiteExecutionConnection } = connectionOf('SuiteExecution', () => SuiteExecution);

@Resolver(() => SuiteExecution)
export class SuiteExecutionResolver {
  @FieldResolver(() => SuiteRun, { description: 'Run of the execution.' })
  run(@Root() execution: SuiteExecutionRow, @Ctx() context: GraphqlContext) {
    return context.load.suiteRun.load(execution.runId);
  }

  @FieldResolver(() => [SuiteFailureDetail], { description: 'Details of the failure.' })
  failureExpanded(@Root() { id }: SuiteExecutionRow, @Ctx() context: GraphqlContext): Promise<SuiteFailureDetail[]> {
    return context.load.longTexts.failureDetails.load(id);
  }

  @FieldResolver(() => [SuiteExecutionTag], { description: 'Tags of the execution.' })
  tags(@Root() execution: SuiteExecutionRow): SuiteExecutionTag[] {
    return Object.entries(execution.tags).map(([key, value]) => ({ key, value }));
  }

  @FieldResolver(() => SuiteTest, { description: 'Test that was executed.' })
  test(@Root() execution: SuiteExecutionRow, @Ctx() context: GraphqlContext) {
    return context.load.suiteTest.load(execution.testId);
  }
}
