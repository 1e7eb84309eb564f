import { Ctx, Field, FieldResolver, ID, ObjectType, Resolver, Root } from 'type-graphql';
import type { ClusterMaintainerRow } from '../../entities/database.js';
import { connectionOf } from '../connections/connection.js';
import type { GraphqlContext } from '../context.js';
import { Node } from '../node.js';
import { optional } from '../options.js';
import { User } from '../organizations/user.js';
import { DateTime } from '../scalars/date-time.js';
import { Team } from '../teams/team.js';
import { Cluster } from './cluster.js';

@ObjectType({ implements: Node, description: 'A person, or a team, that may change a cluster beside the administrators.' })
export class ClusterMaintainer {
  @Field(() => ID, { name: 'uuid' })
  id!: string;

  @Field(() => DateTime, optional)
  createdAt!: Date;
}

export const { Connection: ClusterMaintainerConnection } = connectionOf('ClusterMaintainer', () => ClusterMaintainer);

@Resolver(() => ClusterMaintainer)
export class ClusterMaintainerResolver {
  @FieldResolver(() => Cluster, optional)
  cluster(@Root() maintainer: ClusterMaintainerRow, @Ctx() context: GraphqlContext) {
    return context.load.cluster.load(maintainer.clusterId);
  }

  @FieldResolver(() => Team, { ...optional, description: 'The team, where it is one.' })
  team(@Root() maintainer: ClusterMaintainerRow, @Ctx() context: GraphqlContext) {
    return context.follow('read_teams', context.load.team, maintainer.teamId);
  }

  @FieldResolver(() => User, { ...optional, description: 'The person, where it is one.' })
  user(@Root() maintainer: ClusterMaintainerRow, @Ctx() context: GraphqlContext) {
    return context.follow(null, context.load.user, maintainer.userId);
  }
}
