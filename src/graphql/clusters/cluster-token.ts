import { Ctx, Field, FieldResolver, ID, ObjectType, Resolver, Root } from 'type-graphql';
import type { AgentToken } from '../../operations/clusters/agent-token.js';
import type { GraphqlContext } from '../context.js';
import { Node } from '../node.js';
import { optional } from '../options.js';
import { User } from '../organizations/user.js';
import { DateTime } from '../scalars/date-time.js';
import { Cluster } from './cluster.js';

@ObjectType({ implements: Node, description: 'A token that agents of a cluster register with. Its value is shown once, when it is made.' })
export class ClusterToken {
  @Field(() => ID, { name: 'uuid' })
  id!: string;

  @Field(() => String, optional)
  description!: string;

  @Field(() => String, { ...optional, description: 'Addresses it may be used from, separated by spaces; null for all.' })
  allowedIpAddresses!: string | null;

  @Field(() => DateTime, optional)
  expiresAt!: Date | null;

  @Field(() => DateTime, optional)
  createdAt!: Date;
}

@Resolver(() => ClusterToken)
export class ClusterTokenResolver {
  @FieldResolver(() => Cluster, optional)
  cluster(@Root() token: AgentToken, @Ctx() context: GraphqlContext) {
    return context.load.cluster.load(token.clusterId);
  }

  @FieldResolver(() => User, optional)
  createdBy(@Root() token: AgentToken, @Ctx() context: GraphqlContext) {
    return context.follow(null, context.load.user, token.createdById);
  }
}
