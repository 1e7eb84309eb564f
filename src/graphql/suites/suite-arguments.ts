import { ArgsType, Field, ID } from 'type-graphql';
import { PageArguments } from '../connections/arguments.js';
import { BuildTestMetrics, BuildTestOrders, SuiteExecutionResults, SuiteOrders, SuiteTestStates } from '../enums.js';
import { optional } from '../server/options.js';
import { DateTime } from '../scalars/date-time.js';
import { TeamSelector } from '../scalars/text.js';

@ArgsType()
export class OrganizationSuitesArguments extends PageArguments {
  @Field(() => DateTime, { ...optional, description: 'Only test suites created at this time or later.' })
  createdAtFrom?: Date | null;

  @Field(() => DateTime, { ...optional, description: 'Only test suites created before this time.' })
  createdAtTo?: Date | null;

  @Field(() => SuiteOrders, {
    ...optional,
    defaultValue: SuiteOrders.RECENTLY_CREATED,
    description: 'Order of the test suites.',
  })
  order?: string | null;

  @Field(() => String, { ...optional, description: 'Text that the name contains.' })
  search?: string | null;

  @Field(() => TeamSelector, { ...optional, description: 'Only test suites that this team has access to.' })
  team?: string | null;
}

@ArgsType()
export class SuiteRunsArguments extends PageArguments {
  @Field(() => ID, { ...optional, description: 'GraphQL ID or UUID of a build; only runs of this build.' })
  build?: string | null;
}

@ArgsType()
class TestFilterArguments extends PageArguments {
  @Field(() => [String], {
    ...optional,
    description: 'Labels; only tests with all of them, and without those that have a `!` before them.',
  })
  labels?: string[] | null;

  @Field(() => [String], {
    ...optional,
    description: 'Slugs of teams; only tests that one of them owns, and none of those with a `!` before them.',
  })
  owners?: string[] | null;

  @Field(() => Boolean, { ...optional, description: 'Flag; true for only tests that count as flaky.' })
  flaky?: boolean | null;

  @Field(() => SuiteTestStates, { ...optional, description: 'State; only tests in this state.' })
  state?: string | null;
}

@ArgsType()
export class SuiteTestsArguments extends TestFilterArguments {
  @Field(() => String, { ...optional, description: 'Text that the name contains.' })
  search?: string | null;
}

@ArgsType()
export class BuildTestsArguments extends TestFilterArguments {
  @Field(() => String, {
    ...optional,
    description:
      'Branch; only executions of it count. `!` before it excludes it, `*` behind it stands for any text; one ' +
      'of the two.',
  })
  branch?: string | null;

  @Field(() => [String], {
    ...optional,
    description:
      'Tags as `key:value`; only executions with all of them count. `!` before the value excludes it, `*` ' +
      'behind it stands for any text; of the tag `result`, `~` before the value selects tests of which some ' +
      'execution matches, `^` those of which every one does.',
  })
  tags?: string[] | null;

  @Field(() => BuildTestOrders, {
    ...optional,
    defaultValue: BuildTestOrders.DESC,
    description: 'Direction of the order. Tests without the metric are last either way.',
  })
  order?: string | null;

  @Field(() => BuildTestMetrics, {
    ...optional,
    defaultValue: BuildTestMetrics.DURATION_AVG,
    description: 'Metric that the tests are sorted by.',
  })
  sortBy?: string | null;
}

@ArgsType()
export class MeasuredTestsArguments extends BuildTestsArguments {
  @Field(() => String, { ...optional, description: 'Text that the name contains.' })
  search?: string | null;

  @Field(() => DateTime, {
    ...optional,
    description: 'Time since which executions count, by the start of their runs; a week before `to` by default.',
  })
  from?: Date | null;

  @Field(() => DateTime, { ...optional, description: 'Time before which executions count; now by default.' })
  to?: Date | null;
}

@ArgsType()
export class SuiteExecutionsArguments extends PageArguments {
  @Field(() => SuiteExecutionResults, { ...optional, description: 'Result; only executions with this result.' })
  result?: string | null;
}
