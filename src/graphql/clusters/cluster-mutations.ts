import { Arg, Ctx, Field, ID, Mutation, ObjectType, Resolver } from 'type-graphql';
import { encodeNodeId } from '../../domain/node-id.js';
import { createCluster } from '../../operations/clusters/create.js';
import { createMaintainer } from '../../operations/clusters/create-maintainer.js';
import { deleteCluster } from '../../operations/clusters/delete.js';
import { deleteMaintainer } from '../../operations/clusters/delete-maintainer.js';
import { updateCluster } from '../../operations/clusters/update.js';
import type { GraphqlContext } from '../context.js';
import { uuidOf } from '../ids.js';
import { MutationPayload, payload } from '../mutation-input.js';
import { optional } from '../options.js';
import { ClusterCreateInput, ClusterDeleteInput, ClusterMaintainerCreateInput, ClusterMaintainerDeleteInput, type ClusterMaintainerInput, ClusterUpdateInput } from './cluster-inputs.js';
import { ClusterMaintainer } from './cluster-maintainer.js';
import { Cluster } from './cluster.js';
import { withinOrganization } from './within-organization.js';

/** A payload with nothing but the cluster. */
function clusterPayload(name: string) {
  @ObjectType(name, { description: 'The cluster as it is now.' })
  class ClusterPayload extends MutationPayload {
    @Field(() => Cluster)
    cluster!: unknown;
  }
  return ClusterPayload;
}

const ClusterCreatePayload = clusterPayload('ClusterCreatePayload');
const ClusterUpdatePayload = clusterPayload('ClusterUpdatePayload');

@ObjectType({ description: 'What was deleted.' })
class ClusterDeletePayload extends MutationPayload {
  @Field(() => ID)
  deletedClusterId!: string;
}

@ObjectType({ description: 'The maintainer that was added, and where.' })
class ClusterMaintainerCreatePayload extends MutationPayload {
  @Field(() => Cluster)
  cluster!: unknown;

  @Field(() => ClusterMaintainer)
  clusterMaintainer!: unknown;
}

@ObjectType({ description: 'What was removed, and where.' })
class ClusterMaintainerDeletePayload extends MutationPayload {
  @Field(() => Cluster)
  cluster!: unknown;

  @Field(() => ID)
  deletedClusterMaintainerId!: string;
}

const maintainerOf = ({ teamId, userId }: ClusterMaintainerInput) => ({ team: teamId, user: userId });
const maintainerNames = { team: 'teamId', user: 'userId' };

@Resolver()
export class ClusterMutations {
  @Mutation(() => ClusterCreatePayload, { ...optional, description: 'Makes a cluster.' })
  async clusterCreate(@Arg('input', () => ClusterCreateInput) input: ClusterCreateInput, @Ctx() context: GraphqlContext) {
    const { name, description, emoji, color } = input;
    const given = { organization: { id: uuidOf(input.organizationId, ['Organization']) }, name, description, emoji, color, maintainers: input.maintainers?.map(maintainerOf) };
    return payload(input, { cluster: (await context.command(createCluster, given)).cluster });
  }

  @Mutation(() => ClusterUpdatePayload, { ...optional, description: 'Changes a cluster.' })
  async clusterUpdate(@Arg('input', () => ClusterUpdateInput) input: ClusterUpdateInput, @Ctx() context: GraphqlContext) {
    const { description, emoji, color, defaultQueueId } = input;
    const given = { cluster: await withinOrganization(context, input.organizationId, input.id), name: input.name ?? undefined, description, emoji, color, defaultQueueId };
    return payload(input, { cluster: (await context.command(updateCluster, given)).cluster });
  }

  @Mutation(() => ClusterDeletePayload, { ...optional, description: 'Deletes a cluster with its queues and tokens.' })
  async clusterDelete(@Arg('input', () => ClusterDeleteInput) input: ClusterDeleteInput, @Ctx() context: GraphqlContext) {
    const { cluster } = await context.command(deleteCluster, { cluster: await withinOrganization(context, input.organizationId, input.id) });
    return payload(input, { deletedClusterId: encodeNodeId('Cluster', cluster.id) });
  }

  @Mutation(() => ClusterMaintainerCreatePayload, { ...optional, description: 'Makes a person or a team a maintainer of a cluster.' })
  async clusterMaintainerCreate(@Arg('input', () => ClusterMaintainerCreateInput) input: ClusterMaintainerCreateInput, @Ctx() context: GraphqlContext) {
    const given = { cluster: await withinOrganization(context, input.organizationId, input.clusterId), ...maintainerOf(input) };
    const { cluster, clusterMaintainer } = await context.command(createMaintainer, given, maintainerNames);
    return payload(input, { cluster, clusterMaintainer });
  }

  @Mutation(() => ClusterMaintainerDeletePayload, { ...optional, description: 'Takes the care for a cluster from a person or a team.' })
  async clusterMaintainerDelete(@Arg('input', () => ClusterMaintainerDeleteInput) input: ClusterMaintainerDeleteInput, @Ctx() context: GraphqlContext) {
    const { cluster, clusterMaintainer } = await context.command(deleteMaintainer, { clusterMaintainer: await withinOrganization(context, input.organizationId, input.id) });
    return payload(input, { cluster, deletedClusterMaintainerId: encodeNodeId('ClusterMaintainer', clusterMaintainer.id) });
  }
}
