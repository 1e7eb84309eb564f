import { Args, ArgsType, Ctx, Field, FieldResolver, Float, Int, ObjectType, Resolver, Root } from 'type-graphql';
import type { ClusterQueueRow } from '../../../entities/database.js';
import { type AgentsEstimate, estimateAgents } from '../../../operations/agents/queues/estimate-agents.js';
import type { GraphqlContext } from '../../context.js';
import { Dear, dear } from '../../limits/dear.js';
import { DateTime } from '../../scalars/date-time.js';
import { optional } from '../../server/options.js';
import { ClusterQueue } from './cluster-queue.js';

@ObjectType({ description: 'Number of agents that would have kept the waits of past jobs short; times are seconds.' })
export class AgentsNeeded {
  @Field(() => Int, {
    description:
      'Fewest agents with which 95 percent of the jobs would have waited no longer than `wait`; zero without a job.',
  })
  agents!: number;

  @Field(() => Int, { description: 'Longest wait that is wanted.' })
  wait!: number;

  @Field(() => Float, {
    ...optional,
    name: 'waitP95',
    description: 'Wait of 95 percent of the jobs at most with so many agents; null without a job.',
  })
  waitP95!: number | null;

  @Field(() => Float, { description: 'Part of the time, from 0 to 1, for which so many agents would have been busy.' })
  busyShare!: number;

  @Field(() => Int, { description: 'Number of jobs that were looked at, at most 10,000, the newest.' })
  jobs!: number;

  @Field(() => DateTime, { description: 'Start of the time in which the jobs were created.' })
  from!: Date;

  @Field(() => DateTime, { description: 'End of the time in which the jobs were created.' })
  to!: Date;

  @Field(() => Int, { description: 'Most agents that were busy at once.' })
  busiestAgents!: number;

  @Field(() => Float, {
    ...optional,
    name: 'pastWaitP95',
    description: 'Wait of 95 percent of the jobs at most, as it was; null without a job.',
  })
  pastWaitP95!: number | null;

  @Field(() => Float, {
    description: 'Part of the jobs, from 0 to 1, that waited no longer than `wait`; 1 without a job.',
  })
  pastShareInTime!: number;
}

@ArgsType()
class AgentsNeededArguments {
  @Field(() => Int, { defaultValue: 60, description: 'Longest wait that is wanted, in seconds.' })
  wait!: number;

  @Field(() => DateTime, { ...optional, description: 'Only jobs created at or after this time; a week before `to`.' })
  from?: Date | null;

  @Field(() => DateTime, { ...optional, description: 'Only jobs created before this time; now by default.' })
  to?: Date | null;
}

@Resolver(() => ClusterQueue)
export class AgentsNeededOfQueueResolver {
  @Dear(dear.manyRows)
  @FieldResolver(() => AgentsNeeded, {
    ...optional,
    description: 'Number of agents that would have kept the wait of 95 percent of the jobs of the queue short.',
  })
  agentsNeeded(
    @Root() { id }: ClusterQueueRow,
    @Ctx() context: GraphqlContext,
    @Args(() => AgentsNeededArguments) { wait, from, to }: AgentsNeededArguments,
  ): Promise<AgentsEstimate> {
    return context.perform(estimateAgents, { queue: { id }, wait, from, to });
  }
}
