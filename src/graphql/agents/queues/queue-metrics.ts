import { Ctx, Field, FieldResolver, Float, Int, ObjectType, Resolver, Root } from 'type-graphql';
import type { ClusterQueueRow } from '../../../entities/database.js';
import { readQueueMetrics } from '../../../operations/agents/queues/metrics.js';
import type { GraphqlContext } from '../../context.js';
import { DateTime } from '../../scalars/date-time.js';
import { optional } from '../../server/options.js';
import { ClusterQueue } from './cluster-queue.js';

@ObjectType({ description: 'Waits of jobs for an agent, in seconds; zero if none waited.' })
export class ClusterQueueWaitTime {
  @Field(() => Float, { description: 'Longest wait.' })
  max!: number;

  @Field(() => Float, { description: 'Shortest wait.' })
  min!: number;

  @Field(() => Float, { description: 'Median wait.' })
  p50!: number;

  @Field(() => Float, { description: 'Wait that 95 of 100 jobs did not exceed.' })
  p95!: number;
}

@ObjectType({
  description: 'Agents and jobs of a queue now, and what its jobs did in the last fifteen minutes.',
})
export class ClusterQueueMetrics {
  @Field(() => Int, { description: 'Agents that are connected.' })
  connectedAgentsCount!: number;

  @Field(() => Int, { description: 'Jobs that failed in the last fifteen minutes.' })
  jobsFailedCount!: number;

  @Field(() => Int, { description: 'Jobs that passed in the last fifteen minutes.' })
  jobsPassedCount!: number;

  @Field(() => Int, { description: 'Jobs that agents hold.' })
  runningJobsCount!: number;

  @Field(() => DateTime, { description: 'Start of the fifteen minutes.' })
  timestamp!: Date;

  @Field(() => ClusterQueueWaitTime, {
    description: 'Waits of the jobs that were assigned in the last fifteen minutes.',
  })
  waitTimeSec!: ClusterQueueWaitTime;

  @Field(() => Int, { description: 'Jobs that wait for an agent.' })
  waitingJobsCount!: number;
}

@Resolver(() => ClusterQueue)
export class MetricsOfQueueResolver {
  @FieldResolver(() => ClusterQueueMetrics, {
    ...optional,
    description: 'Agents and jobs of the queue now, and what its jobs did in the last fifteen minutes.',
  })
  metrics(@Root() queue: ClusterQueueRow, @Ctx() context: GraphqlContext) {
    return context.performInBatch(readQueueMetrics, { queueIds: queue.id });
  }
}
