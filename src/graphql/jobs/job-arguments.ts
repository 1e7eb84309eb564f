import { ArgsType, Field, InputType, Int } from 'type-graphql';
import { PageArguments, stretchOf } from '../connections/arguments.js';
import { JobOrder, JobStates, JobTypes } from '../enums.js';
import { optional } from '../options.js';

@InputType({ description: 'Jobs of certain concurrency groups.' })
export class JobConcurrencySearch {
  @Field(() => [String], optional)
  group?: string[] | null;
}

@InputType({ description: 'Jobs of certain priorities.' })
export class JobPrioritySearch {
  @Field(() => [Int], optional)
  number?: number[] | null;
}

@InputType({ description: 'Jobs of certain steps.' })
export class JobStepSearch {
  @Field(() => [String], optional)
  key?: string[] | null;
}

/** What every list of jobs can be narrowed by; `priority` and `order` differ between them. */
@ArgsType()
export class JobFilterArguments extends PageArguments {
  @Field(() => [String], { ...optional, description: 'Rules that must all be among those of the job.' })
  agentQueryRules?: string[] | null;

  @Field(() => JobConcurrencySearch, optional)
  concurrency?: JobConcurrencySearch | null;

  @Field(() => Boolean, { ...optional, description: 'Only jobs that passed, or only those that did not, soft failures among them.' })
  passed?: boolean | null;

  @Field(() => [JobStates], optional)
  state?: string[] | null;

  @Field(() => JobStepSearch, optional)
  step?: JobStepSearch | null;

  @Field(() => [JobTypes], optional)
  type?: string[] | null;
}

@ArgsType()
export class JobArguments extends JobFilterArguments {
  @Field(() => JobPrioritySearch, optional)
  priority?: JobPrioritySearch | null;

  @Field(() => JobOrder, { ...optional, defaultValue: JobOrder.RECENTLY_CREATED })
  order?: string | null;
}

/** The same arguments as input of the job lists; states that no job here ever has are left out, and then nothing is found. */
export function jobFilterInput(given: JobFilterArguments, priorities: number[] | null | undefined, order: string | null | undefined) {
  const states = given.state?.filter((state) => !state.startsWith('platform_'));
  return {
    agentQueryRules: given.agentQueryRules,
    concurrencyGroups: given.concurrency?.group,
    passed: given.passed,
    priorities,
    ...(given.state?.length && states?.length === 0 ? { priorities: [unusedPriority] } : { states }),
    stepKeys: given.step?.key,
    types: given.type?.flatMap((type) => (type === 'block' ? ['block', 'input'] : [type])),
    order: order === 'recently_assigned' ? 'assigned' : 'created',
    paging: stretchOf(given),
  };
}

/** A priority that no job can be given. */
const unusedPriority = -2_147_483_648;
