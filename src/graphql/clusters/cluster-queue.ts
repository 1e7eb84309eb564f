import { Ctx, Field, FieldResolver, ID, ObjectType, Resolver, Root } from 'type-graphql';
import type { ClusterQueueRow } from '../../entities/database.js';
import { connectionOf } from '../connections/connection.js';
import type { GraphqlContext } from '../context.js';
import { Node } from '../node.js';
import { optional } from '../options.js';
import { User } from '../organizations/user.js';
import { DateTime } from '../scalars/date-time.js';
import { Cluster } from './cluster.js';

@ObjectType({ implements: Node, description: 'Where jobs of a cluster wait for agents.' })
export class ClusterQueue {
  @Field(() => ID, { name: 'uuid' })
  id!: string;

  @Field(() => String, { description: 'What jobs and agents name it by.' })
  key!: string;

  @Field(() => String, optional)
  description!: string | null;

  @Field(() => DateTime, optional)
  dispatchPausedAt!: Date | null;

  @Field(() => String, optional)
  dispatchPausedNote!: string | null;

  @Field(() => String, { description: 'Which agent a retried job prefers: prefer-warmest or prefer-different.' })
  retryAgentAffinity!: string;

  @Field(() => DateTime, optional)
  createdAt!: Date;
}

export const { Connection: ClusterQueueConnection } = connectionOf('ClusterQueue', () => ClusterQueue);

@Resolver(() => ClusterQueue)
export class ClusterQueueResolver {
  @FieldResolver(() => Cluster, optional)
  cluster(@Root() queue: ClusterQueueRow, @Ctx() context: GraphqlContext) {
    return context.load.cluster.load(queue.clusterId);
  }

  @FieldResolver(() => User, optional)
  createdBy(@Root() queue: ClusterQueueRow, @Ctx() context: GraphqlContext) {
    return context.follow(null, context.load.user, queue.createdById);
  }

  @FieldResolver(() => Boolean, { description: 'Whether its jobs are held back from agents.' })
  dispatchPaused(@Root() queue: ClusterQueueRow): boolean {
    return queue.dispatchPausedAt !== null;
  }

  @FieldResolver(() => User, optional)
  dispatchPausedBy(@Root() queue: ClusterQueueRow, @Ctx() context: GraphqlContext) {
    return context.follow(null, context.load.user, queue.dispatchPausedById);
  }

  @FieldResolver(() => Boolean, { description: 'Whether its agents are machines of the service: they never are.' })
  hosted(): boolean {
    return false;
  }

  @FieldResolver(() => String, { ...optional, description: 'How a stack that serves the queue is doing; null without one.' })
  stackHealth(): string | null {
    return null;
  }
}
