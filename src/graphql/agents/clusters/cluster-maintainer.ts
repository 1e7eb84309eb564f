import type { GraphQLResolveInfo } from 'graphql';
import { Args, Ctx, Field, FieldResolver, ID, Info, ObjectType, Resolver, Root } from 'type-graphql';
import type { ClusterMaintainerRow, ClusterRow } from '../../../entities/database.js';
import { connectionOf, connectionValue } from '../../connections/connection.js';
import type { GraphqlContext } from '../../context.js';
import { Node } from '../../nodes/node.js';
import { optional } from '../../server/options.js';
import { User } from '../../organizations/user.js';
import { DateTime } from '../../scalars/date-time.js';
import { Team } from '../../organizations/teams/team.js';
import { Cluster } from './cluster.js';
import { listMaintainers } from '../../../operations/agents/cluster-maintainers/list.js';
import { PageArguments, stretchOf } from '../../connections/arguments.js';

@ObjectType({
  implements: Node,
  description: 'A user or team that may change a cluster without being an administrator.',
})
export class ClusterMaintainer {
  @Field(() => ID, { name: 'uuid', description: 'UUID of the maintainer, its `id` in the REST API.' })
  id!: string;

  @Field(() => DateTime, { ...optional, description: 'Time the maintainer was added.' })
  createdAt!: Date;
}

export const { Connection: ClusterMaintainerConnection } = connectionOf('ClusterMaintainer', () => ClusterMaintainer);

@Resolver(() => ClusterMaintainer)
export class ClusterMaintainerResolver {
  @FieldResolver(() => Cluster, { ...optional, description: 'Cluster that the maintainer may change.' })
  cluster(@Root() maintainer: ClusterMaintainerRow, @Ctx() context: GraphqlContext) {
    return context.load.cluster.load(maintainer.clusterId);
  }

  @FieldResolver(() => Team, { ...optional, description: 'Maintaining team; null if the maintainer is a user.' })
  team(@Root() maintainer: ClusterMaintainerRow, @Ctx() context: GraphqlContext, @Info() info: GraphQLResolveInfo) {
    return context.loadReference('read_teams', context.load.team, maintainer.teamId, info, ['name']);
  }

  @FieldResolver(() => User, { ...optional, description: 'Maintaining user; null if the maintainer is a team.' })
  user(@Root() maintainer: ClusterMaintainerRow, @Ctx() context: GraphqlContext) {
    return context.loadReference(null, context.load.user, maintainer.userId);
  }
}

@Resolver(() => Cluster)
export class MaintainersOfClusterResolver {
  @FieldResolver(() => ClusterMaintainerConnection, {
    ...optional,
    description: 'Users and teams that may edit the cluster besides the administrators.',
  })
  async maintainers(
    @Root() cluster: ClusterRow,
    @Ctx() context: GraphqlContext,
    @Args(() => PageArguments) args: PageArguments,
  ) {
    return connectionValue(
      await context.performInBatch(listMaintainers, { cluster: { id: cluster.id } }, { paging: stretchOf(args) }),
    );
  }
}
