import { Ctx, Field, FieldResolver, ID, ObjectType, Resolver, Root } from 'type-graphql';
import type { ClusterRow } from '../../../entities/database.js';
import { clusterAccess } from '../../../operations/agents/clusters/list-access.js';
import { connectionOf } from '../../connections/connection.js';
import type { GraphqlContext } from '../../context.js';
import { Node } from '../../nodes/node.js';
import { Permission, permission } from '../../permission.js';
import { optional } from '../../server/options.js';
import { Organization } from '../../organizations/organization.js';
import { User } from '../../organizations/user.js';
import { DateTime } from '../../scalars/date-time.js';

@ObjectType({ description: 'Actions that the viewer may take on a cluster.' })
export class ClusterPermissions {
  @Field(() => Permission, { description: 'Whether the viewer may delete the cluster.' })
  clusterDelete!: Permission;

  @Field(() => Permission, {
    description: 'Whether the viewer may change the cluster, its queues, agent tokens and secrets.',
  })
  clusterUpdate!: Permission;
}

@ObjectType({ implements: Node, description: 'Queues, agents and secrets that serve a set of pipelines.' })
export class Cluster {
  @Field(() => ID, { name: 'uuid', description: 'UUID of the cluster, its `id` in the REST API.' })
  id!: string;

  @Field(() => String, { description: 'Name of the cluster, unique in the organization.' })
  name!: string;

  @Field(() => String, { ...optional, description: 'Description of the cluster; null without one.' })
  description!: string | null;

  @Field(() => String, {
    ...optional,
    description: "Background color of the cluster's icon, such as `#14CC80`; null without one.",
  })
  color!: string | null;

  @Field(() => String, {
    ...optional,
    description: "Emoji of the cluster's icon, such as `:rocket:`; null without one.",
  })
  emoji!: string | null;

  @Field(() => DateTime, { ...optional, description: 'Time the cluster was created.' })
  createdAt!: Date;
}

export const { Connection: ClusterConnection } = connectionOf('Cluster', () => Cluster);

@Resolver(() => Cluster)
export class ClusterResolver {
  @FieldResolver(() => User, { ...optional, description: 'User who created the cluster; null if no user did.' })
  createdBy(@Root() cluster: ClusterRow, @Ctx() context: GraphqlContext) {
    return context.loadReference(null, context.load.user, cluster.createdById);
  }

  @FieldResolver(() => ClusterPermissions, { description: 'Actions that the viewer may take on the cluster.' })
  async permissions(@Root() cluster: ClusterRow, @Ctx() context: GraphqlContext): Promise<ClusterPermissions> {
    const access = await context.performInBatch(clusterAccess, { clusterIds: cluster.id });
    const mayWrite = context.hasScope('write_clusters');
    return {
      clusterDelete: permission(mayWrite && access === 'admin'),
      clusterUpdate: permission(mayWrite && (access === 'admin' || access === 'maintain')),
    };
  }

  @FieldResolver(() => Organization, { ...optional, description: 'Organization that the cluster belongs to.' })
  organization(@Root() cluster: ClusterRow, @Ctx() context: GraphqlContext) {
    return context.load.organization.load(cluster.organizationId);
  }
}
