import { Args, ArgsType, Ctx, Field, FieldResolver, ID, ObjectType, Resolver, Root } from 'type-graphql';
import type { ClusterRow } from '../../entities/database.js';
import { listAgentTokens } from '../../operations/clusters/list-agent-tokens.js';
import { listMaintainers } from '../../operations/clusters/list-maintainers.js';
import { listQueues } from '../../operations/queues/list.js';
import { listSecrets } from '../../operations/secrets/list.js';
import { PageArguments, SizeArguments, stretchOf } from '../connections/arguments.js';
import { connectionOf, connectionValue } from '../connections/connection.js';
import type { GraphqlContext } from '../context.js';
import { ClusterQueueOrder } from '../enums.js';
import { Node } from '../node.js';
import { optional } from '../options.js';
import { Organization } from '../organizations/organization.js';
import { User } from '../organizations/user.js';
import { DateTime } from '../scalars/date-time.js';
import { ClusterMaintainerConnection } from './cluster-maintainer.js';
import { ClusterQueue, ClusterQueueConnection } from './cluster-queue.js';
import { ClusterToken } from './cluster-token.js';
import { SecretConnection } from './secret.js';

@ObjectType({ implements: Node, description: 'Queues and agents that serve certain pipelines.' })
export class Cluster {
  @Field(() => ID, { name: 'uuid' })
  id!: string;

  @Field(() => String)
  name!: string;

  @Field(() => String, optional)
  description!: string | null;

  @Field(() => String, optional)
  color!: string | null;

  @Field(() => String, optional)
  emoji!: string | null;

  @Field(() => DateTime, optional)
  createdAt!: Date;
}

export const { Connection: ClusterConnection } = connectionOf('Cluster', () => Cluster);
export const { Connection: ClusterAgentTokenConnection } = connectionOf('ClusterAgentToken', () => ClusterToken);

@ArgsType()
class ClusterQueuesArguments extends PageArguments {
  @Field(() => ClusterQueueOrder, { ...optional, defaultValue: ClusterQueueOrder.KEY })
  order?: string | null;
}

@Resolver(() => Cluster)
export class ClusterResolver {
  @FieldResolver(() => ClusterAgentTokenConnection, { ...optional, description: 'Tokens that agents register with; never their values.' })
  async agentTokens(@Root() cluster: ClusterRow, @Ctx() context: GraphqlContext, @Args(() => SizeArguments) given: SizeArguments) {
    return connectionValue(await context.perform(listAgentTokens, { cluster: { id: cluster.id }, paging: stretchOf(given) }));
  }

  @FieldResolver(() => User, optional)
  createdBy(@Root() cluster: ClusterRow, @Ctx() context: GraphqlContext) {
    return context.follow(null, context.load.user, cluster.createdById);
  }

  @FieldResolver(() => ClusterQueue, { ...optional, description: 'The queue of jobs that name none.' })
  defaultQueue(@Root() cluster: ClusterRow, @Ctx() context: GraphqlContext) {
    return context.follow(null, context.load.clusterQueue, cluster.defaultQueueId);
  }

  @FieldResolver(() => ClusterMaintainerConnection, { ...optional, description: 'Who may change it beside the administrators.' })
  async maintainers(@Root() cluster: ClusterRow, @Ctx() context: GraphqlContext, @Args(() => PageArguments) given: PageArguments) {
    return connectionValue(await context.perform(listMaintainers, { cluster: { id: cluster.id }, paging: stretchOf(given) }));
  }

  @FieldResolver(() => Organization, optional)
  organization(@Root() cluster: ClusterRow, @Ctx() context: GraphqlContext) {
    return context.load.organization.load(cluster.organizationId);
  }

  @FieldResolver(() => ClusterQueueConnection, optional)
  async queues(@Root() cluster: ClusterRow, @Ctx() context: GraphqlContext, @Args(() => ClusterQueuesArguments) given: ClusterQueuesArguments) {
    return connectionValue(await context.perform(listQueues, { cluster: { id: cluster.id }, order: given.order ?? undefined, paging: stretchOf(given) }));
  }

  @FieldResolver(() => SecretConnection, { ...optional, description: 'What its jobs may ask for, without the values.' })
  async secrets(@Root() cluster: ClusterRow, @Ctx() context: GraphqlContext, @Args(() => PageArguments) given: PageArguments) {
    return connectionValue(await context.perform(listSecrets, { cluster: { id: cluster.id }, paging: stretchOf(given) }));
  }
}
