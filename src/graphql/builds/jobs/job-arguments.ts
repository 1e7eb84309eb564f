import { ArgsType, Field, InputType, Int } from 'type-graphql';
import { PageArguments, stretchOf } from '../../connections/arguments.js';
import { JobOrder, JobStates, JobTypes } from '../../enums.js';
import { optional } from '../../server/options.js';

@InputType({ description: 'Filter of jobs by concurrency group.' })
export class JobConcurrencySearch {
  @Field(() => [String], { ...optional, description: 'Names of concurrency groups; only jobs of one of them.' })
  group?: string[] | null;
}

@InputType({ description: 'Filter of jobs by priority.' })
export class JobPrioritySearch {
  @Field(() => [Int], { ...optional, description: 'Priorities; only jobs with one of them.' })
  number?: number[] | null;
}

@InputType({ description: 'Filter of jobs by step.' })
export class JobStepSearch {
  @Field(() => [String], { ...optional, description: 'Keys of steps; only jobs of one of them.' })
  key?: string[] | null;
}

/** Filters that every list of jobs has; `priority` and `order` differ between lists. */
@ArgsType()
export class JobFilterArguments extends PageArguments {
  @Field(() => [String], {
    ...optional,
    description: 'Agent query rules such as `queue=linux`; only jobs with all of them.',
  })
  agentQueryRules?: string[] | null;

  @Field(() => JobConcurrencySearch, { ...optional, description: 'Filter by concurrency group.' })
  concurrency?: JobConcurrencySearch | null;

  @Field(() => Boolean, {
    ...optional,
    description: 'Whether the jobs passed; false includes soft failures.',
  })
  passed?: boolean | null;

  @Field(() => [JobStates], { ...optional, description: 'States; only jobs in one of them.' })
  state?: string[] | null;

  @Field(() => JobStepSearch, { ...optional, description: 'Filter by step.' })
  step?: JobStepSearch | null;

  @Field(() => [JobTypes], { ...optional, description: 'Types; only jobs of one of them.' })
  type?: string[] | null;
}

@ArgsType()
export class JobArguments extends JobFilterArguments {
  @Field(() => JobPrioritySearch, { ...optional, description: 'Filter by priority.' })
  priority?: JobPrioritySearch | null;

  @Field(() => JobOrder, { ...optional, defaultValue: JobOrder.RECENTLY_CREATED, description: 'Order of the jobs.' })
  order?: string | null;
}

/**
 * The input of the job list operations for these arguments. States that only a platform assigns match no job: they are
 * dropped, and a filter of nothing else selects a priority that no job has.
 */
export function jobFilterInput(
  args: JobFilterArguments,
  priorities: number[] | null | undefined,
  order: string | null | undefined,
) {
  const states = args.state?.filter((state) => !state.startsWith('platform_'));
  return {
    agentQueryRules: args.agentQueryRules,
    concurrencyGroups: args.concurrency?.group,
    passed: args.passed,
    priorities,
    ...(args.state?.length && states?.length === 0 ? { priorities: [unusedPriority] } : { states }),
    stepKeys: args.step?.key,
    types: args.type?.flatMap((type) => (type === 'block' ? ['block', 'input'] : [type])),
    order: order === 'recently_assigned' ? 'assigned' : 'created',
    paging: stretchOf(args),
  };
}

/** A priority below the lowest that a job can have. */
const unusedPriority = -2_147_483_648;
