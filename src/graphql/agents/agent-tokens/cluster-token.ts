import { Args, Ctx, Field, FieldResolver, ID, ObjectType, Resolver, Root } from 'type-graphql';
import type { AgentToken } from '../../../resources/agents/agent-tokens/agent-token.js';
import { connectionOf, connectionValue } from '../../connections/connection.js';
import type { GraphqlContext } from '../../context.js';
import { Node } from '../../nodes/node.js';
import { optional } from '../../server/options.js';
import { User } from '../../organizations/user.js';
import { DateTime } from '../../scalars/date-time.js';
import { Cluster } from '../clusters/cluster.js';
import type { ClusterRow } from '../../../entities/database.js';
import { listAgentTokens } from '../../../operations/agents/agent-tokens/list.js';
import { SizeArguments, stretchOf } from '../../connections/arguments.js';

@ObjectType({
  implements: Node,
  description: 'A token with which agents of a cluster register. Only `clusterAgentTokenCreate` shows its value.',
})
export class ClusterToken {
  @Field(() => ID, { name: 'uuid', description: 'UUID of the token, its `id` in the REST API.' })
  id!: string;

  @Field(() => String, { ...optional, description: 'Description of the token.' })
  description!: string;

  @Field(() => String, {
    ...optional,
    description: 'IP addresses and CIDR ranges from which agents may use the token, separated by spaces; null for any.',
  })
  allowedIpAddresses!: string | null;

  @Field(() => DateTime, {
    ...optional,
    description: 'Time from which agents can no longer register with the token; null for never.',
  })
  expiresAt!: Date | null;

  @Field(() => DateTime, { ...optional, description: 'Time the token was created.' })
  createdAt!: Date;
}

export const { Connection: ClusterAgentTokenConnection } = connectionOf('ClusterAgentToken', () => ClusterToken);

@Resolver(() => ClusterToken)
export class ClusterTokenResolver {
  @FieldResolver(() => Cluster, { ...optional, description: 'Cluster whose agents register with the token.' })
  cluster(@Root() token: AgentToken, @Ctx() context: GraphqlContext) {
    return context.load.cluster.load(token.clusterId);
  }

  @FieldResolver(() => String, {
    description: 'Always empty: the value of a token is not kept.',
    deprecationReason: 'Only `clusterAgentTokenCreate` shows the value, as `tokenValue`.',
  })
  token(): string {
    return '';
  }

  @FieldResolver(() => User, { ...optional, description: 'User who created the token; null if no user did.' })
  createdBy(@Root() token: AgentToken, @Ctx() context: GraphqlContext) {
    return context.loadReference(null, context.load.user, token.createdById);
  }
}

@Resolver(() => Cluster)
export class AgentTokensOfClusterResolver {
  @FieldResolver(() => ClusterAgentTokenConnection, {
    ...optional,
    description: 'Tokens that agents register with, without their values.',
  })
  async agentTokens(
    @Root() cluster: ClusterRow,
    @Ctx() context: GraphqlContext,
    @Args(() => SizeArguments) args: SizeArguments,
  ) {
    return connectionValue(
      await context.performInBatch(listAgentTokens, { cluster: { id: cluster.id } }, { paging: stretchOf(args) }),
    );
  }
}
