import { ArgsType, Field, ID } from 'type-graphql';
import { PageArguments } from '../connections/arguments.js';
import { SuiteExecutionResults, SuiteOrders, SuiteTestStates } from '../enums.js';
import { optional } from '../options.js';
import { DateTime } from '../scalars/date-time.js';

@ArgsType()
export class OrganizationSuitesArguments extends PageArguments {
  @Field(() => DateTime, optional)
  createdAtFrom?: Date | null;

  @Field(() => DateTime, optional)
  createdAtTo?: Date | null;

  @Field(() => SuiteOrders, { ...optional, defaultValue: SuiteOrders.RECENTLY_CREATED })
  order?: string | null;

  @Field(() => String, { ...optional, description: 'Part of the name.' })
  search?: string | null;
}

@ArgsType()
export class SuiteRunsArguments extends PageArguments {
  @Field(() => ID, { ...optional, description: 'Only runs of this build.' })
  build?: string | null;
}

@ArgsType()
export class SuiteTestsArguments extends PageArguments {
  @Field(() => [String], { ...optional, description: 'Labels that the tests all have.' })
  labels?: string[] | null;

  @Field(() => String, { ...optional, description: 'Part of the name.' })
  search?: string | null;

  @Field(() => SuiteTestStates, optional)
  state?: string | null;
}

@ArgsType()
export class SuiteExecutionsArguments extends PageArguments {
  @Field(() => SuiteExecutionResults, optional)
  result?: string | null;
}
