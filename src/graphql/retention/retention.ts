import { Field, InputType, Int, ObjectType } from 'type-graphql';
import { optional } from '../server/options.js';

const descriptions = {
  days: 'Days; younger ones are kept.',
  count: 'Number of newest builds that are kept. With `days`, both must allow a deletion.',
  builds: 'Builds with all that belongs to them; without days and count all are kept.',
  logs: 'Logs; their jobs stay.',
  artifacts: 'Bytes of artifacts, which stay with the state `expired`.',
  branches: 'Patterns of branches, separated by spaces.',
  last: 'False: the last builds of a branch may go too.',
  overrides: 'Rules for some branches; the first one that matches counts.',
  runs: 'Runs of test suites.',
  audit: 'Audit events.',
} as const;
const described = (name: keyof typeof descriptions) => ({ ...optional, description: descriptions[name] });

@ObjectType({
  description: 'Rule for one kind: both parts that are set must allow a deletion. With neither, everything is kept.',
})
export class RetentionRule {
  @Field(() => Int, described('days'))
  days!: number | null;

  @Field(() => Int, described('count'))
  count!: number | null;
}

@ObjectType('RetentionKinds')
abstract class RetentionKinds {
  @Field(() => RetentionRule, described('builds'))
  builds!: RetentionRule | null;

  @Field(() => RetentionRule, described('logs'))
  logs!: RetentionRule | null;

  @Field(() => RetentionRule, described('artifacts'))
  artifacts!: RetentionRule | null;
}

@ObjectType({ description: 'Rules of a pipeline for builds of some branches.' })
export class BranchRetention extends RetentionKinds {
  @Field(() => String, { description: descriptions.branches })
  branches!: string;

  @Field(() => Boolean, described('last'))
  last!: boolean | null;
}

@ObjectType({ description: 'Retention policy of a pipeline; kinds without a rule are as the organization has them.' })
export class PipelineRetention extends RetentionKinds {
  @Field(() => [BranchRetention], described('overrides'))
  overrides!: BranchRetention[] | null;
}

@ObjectType({ description: 'Rule by age alone. Without days, everything is kept.' })
export class RetentionAge {
  @Field(() => Int, described('days'))
  days!: number | null;
}

@ObjectType({
  description: 'Retention policy of an organization; kinds without a rule are as the environment has them.',
})
export class OrganizationRetention extends RetentionKinds {
  @Field(() => RetentionAge, described('runs'))
  runs!: RetentionAge | null;

  @Field(() => RetentionAge, described('audit'))
  audit!: RetentionAge | null;
}

@InputType({
  description: 'Rule for one kind: both parts that are set must allow a deletion. With neither, everything is kept.',
})
export class RetentionRuleInput {
  @Field(() => Int, described('days'))
  days?: number | null;

  @Field(() => Int, described('count'))
  count?: number | null;
}

@InputType('RetentionKindsInput')
abstract class RetentionKindsInput {
  @Field(() => RetentionRuleInput, described('builds'))
  builds?: RetentionRuleInput | null;

  @Field(() => RetentionRuleInput, described('logs'))
  logs?: RetentionRuleInput | null;

  @Field(() => RetentionRuleInput, described('artifacts'))
  artifacts?: RetentionRuleInput | null;
}

@InputType({ description: 'Rules of a pipeline for builds of some branches.' })
export class BranchRetentionInput extends RetentionKindsInput {
  @Field(() => String, { description: descriptions.branches })
  branches!: string;

  @Field(() => Boolean, described('last'))
  last?: boolean | null;
}

@InputType({ description: 'Retention policy of a pipeline; kinds without a rule are as the organization has them.' })
export class PipelineRetentionInput extends RetentionKindsInput {
  @Field(() => [BranchRetentionInput], described('overrides'))
  overrides?: BranchRetentionInput[] | null;
}

@InputType({ description: 'Rule by age alone. Without days, everything is kept.' })
export class RetentionAgeInput {
  @Field(() => Int, described('days'))
  days?: number | null;
}

@InputType({
  description: 'Retention policy of an organization; kinds without a rule are as the environment has them.',
})
export class OrganizationRetentionInput extends RetentionKindsInput {
  @Field(() => RetentionAgeInput, described('runs'))
  runs?: RetentionAgeInput | null;

  @Field(() => RetentionAgeInput, described('audit'))
  audit?: RetentionAgeInput | null;
}
