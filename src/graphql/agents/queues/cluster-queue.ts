import { Args, ArgsType, Ctx, Field, FieldResolver, Float, ID, ObjectType, Resolver, Root } from 'type-graphql';
import type { ClusterQueueRow, ClusterRow } from '../../../entities/database.js';
import { connectionOf, connectionValue } from '../../connections/connection.js';
import type { GraphqlContext } from '../../context.js';
import { Node } from '../../nodes/node.js';
import { optional } from '../../server/options.js';
import { User } from '../../organizations/user.js';
import { DateTime } from '../../scalars/date-time.js';
import { Cluster } from '../clusters/cluster.js';
import { listQueues } from '../../../operations/agents/queues/list.js';
import { PageArguments, stretchOf } from '../../connections/arguments.js';
import { ClusterQueueOrder } from '../../enums.js';
import { bestState } from '../../../domain/agents/stack.js';

@ObjectType({ implements: Node, description: 'A queue in which jobs of a cluster wait for agents.' })
export class ClusterQueue {
  @Field(() => ID, { name: 'uuid', description: 'UUID of the queue, its `id` in the REST API.' })
  id!: string;

  @Field(() => String, { description: 'Key by which steps and agents name the queue, unique in the cluster.' })
  key!: string;

  @Field(() => String, { ...optional, description: 'Description of the queue; null without one.' })
  description!: string | null;

  @Field(() => DateTime, { ...optional, description: 'Time dispatch was paused; null while it is not.' })
  dispatchPausedAt!: Date | null;

  @Field(() => String, { ...optional, description: 'Note of the user who paused dispatch; null without one.' })
  dispatchPausedNote!: string | null;

  @Field(() => String, { description: 'Agent that a retried job prefers: `prefer-warmest` or `prefer-different`.' })
  retryAgentAffinity!: string;

  @Field(() => Float, {
    ...optional,
    description: 'Price of an hour of an agent, in a currency of your choice; null without one.',
  })
  pricePerAgentHour!: number | null;

  @Field(() => DateTime, { ...optional, description: 'Time the queue was created.' })
  createdAt!: Date;
}

export const { Connection: ClusterQueueConnection } = connectionOf('ClusterQueue', () => ClusterQueue);

@Resolver(() => ClusterQueue)
export class ClusterQueueResolver {
  @FieldResolver(() => Cluster, { ...optional, description: 'Cluster that the queue belongs to.' })
  cluster(@Root() queue: ClusterQueueRow, @Ctx() context: GraphqlContext) {
    return context.load.cluster.load(queue.clusterId);
  }

  @FieldResolver(() => User, { ...optional, description: 'User who created the queue; null if no user did.' })
  createdBy(@Root() queue: ClusterQueueRow, @Ctx() context: GraphqlContext) {
    return context.loadReference(null, context.load.user, queue.createdById);
  }

  @FieldResolver(() => Boolean, { description: 'Whether dispatch is paused, so that agents get no jobs of the queue.' })
  dispatchPaused(@Root() queue: ClusterQueueRow): boolean {
    return queue.dispatchPausedAt !== null;
  }

  @FieldResolver(() => User, { ...optional, description: 'User who paused dispatch; null while it is not paused.' })
  dispatchPausedBy(@Root() queue: ClusterQueueRow, @Ctx() context: GraphqlContext) {
    return context.loadReference(null, context.load.user, queue.dispatchPausedById);
  }

  @FieldResolver(() => Boolean, { description: 'Whether the service itself provides the agents: always false.' })
  hosted(): boolean {
    return false;
  }

  @FieldResolver(() => String, {
    ...optional,
    description:
      'Health of the stacks that registered for the queue: `connected` where one is, else `lost` or ' +
      '`disconnected`; null without one.',
  })
  async stackHealth(@Root() queue: ClusterQueueRow, @Ctx() context: GraphqlContext): Promise<string | null> {
    return bestState(await context.load.stacksOfQueue.load(queue.id), context.now);
  }
}

@ArgsType()
class ClusterQueuesArguments extends PageArguments {
  @Field(() => ClusterQueueOrder, {
    ...optional,
    defaultValue: ClusterQueueOrder.KEY,
    description: 'Order of the queues.',
  })
  order?: string | null;
}

@Resolver(() => Cluster)
export class QueuesOfClusterResolver {
  @FieldResolver(() => ClusterQueue, {
    ...optional,
    description: 'Queue of jobs that name no queue; null without one.',
  })
  defaultQueue(@Root() cluster: ClusterRow, @Ctx() context: GraphqlContext) {
    return context.loadReference(null, context.load.clusterQueue, cluster.defaultQueueId);
  }

  @FieldResolver(() => ClusterQueueConnection, { ...optional, description: 'Queues of the cluster.' })
  async queues(
    @Root() cluster: ClusterRow,
    @Ctx() context: GraphqlContext,
    @Args(() => ClusterQueuesArguments) args: ClusterQueuesArguments,
  ) {
    return connectionValue(
      await context.performInBatch(
        listQueues,
        { cluster: { id: cluster.id } },
        { order: args.order ?? undefined, paging: stretchOf(args) },
      ),
    );
  }
}
