import { Arg, Ctx, Field, ID, Mutation, ObjectType, Resolver } from 'type-graphql';
import { encodeNodeId } from '../../../domain/node-id.js';
import { createCluster } from '../../../operations/agents/clusters/create.js';
import { createMaintainer } from '../../../operations/agents/cluster-maintainers/create.js';
import { deleteCluster } from '../../../operations/agents/clusters/delete.js';
import { deleteMaintainer } from '../../../operations/agents/cluster-maintainers/delete.js';
import { updateCluster } from '../../../operations/agents/clusters/update.js';
import type { GraphqlContext } from '../../context.js';
import { uuidOf } from '../../nodes/ids.js';
import { MutationPayload, payload } from '../../mutation-input.js';
import { optional } from '../../server/options.js';
import {
  ClusterCreateInput,
  ClusterDeleteInput,
  ClusterMaintainerCreateInput,
  ClusterMaintainerDeleteInput,
  type ClusterMaintainerInput,
  ClusterUpdateInput,
} from './cluster-inputs.js';
import { ClusterMaintainer } from './cluster-maintainer.js';
import { Cluster } from './cluster.js';
import { withinOrganization } from './within-organization.js';

/** Declares a payload that holds the cluster. */
function clusterPayload(name: string) {
  @ObjectType(name, { description: 'The cluster after the mutation.' })
  class ClusterPayload extends MutationPayload {
    @Field(() => Cluster, { description: 'The cluster after the mutation.' })
    cluster!: unknown;
  }
  return ClusterPayload;
}

const ClusterCreatePayload = clusterPayload('ClusterCreatePayload');
const ClusterUpdatePayload = clusterPayload('ClusterUpdatePayload');

@ObjectType({ description: 'The deleted cluster.' })
class ClusterDeletePayload extends MutationPayload {
  @Field(() => ID, { description: 'GraphQL ID of the deleted cluster.' })
  deletedClusterId!: string;
}

@ObjectType({ description: 'The added maintainer and its cluster.' })
class ClusterMaintainerCreatePayload extends MutationPayload {
  @Field(() => Cluster, { description: 'Cluster that the maintainer was added to.' })
  cluster!: unknown;

  @Field(() => ClusterMaintainer, { description: 'The added maintainer.' })
  clusterMaintainer!: unknown;
}

@ObjectType({ description: 'The removed maintainer and its cluster.' })
class ClusterMaintainerDeletePayload extends MutationPayload {
  @Field(() => Cluster, { description: 'Cluster that the maintainer was removed from.' })
  cluster!: unknown;

  @Field(() => ID, { description: 'GraphQL ID of the removed maintainer.' })
  deletedClusterMaintainerId!: string;
}

const maintainerOf = ({ teamId, userId }: ClusterMaintainerInput) => ({ team: teamId, user: userId });
const maintainerNames = { team: 'teamId', user: 'userId' };

@Resolver()
export class ClusterMutations {
  @Mutation(() => ClusterCreatePayload, { ...optional, description: 'Creates a cluster.' })
  async clusterCreate(
    @Arg('input', () => ClusterCreateInput, { description: 'Fields of the new cluster.' }) input: ClusterCreateInput,
    @Ctx() context: GraphqlContext,
  ) {
    const { name, description, emoji, color } = input;
    const operationInput = {
      organization: { id: uuidOf(input.organizationId, ['Organization']) },
      name,
      description,
      emoji,
      color,
      maintainers: input.maintainers?.map(maintainerOf),
    };
    return payload(input, { cluster: (await context.command(createCluster, operationInput)).cluster });
  }

  @Mutation(() => ClusterUpdatePayload, { ...optional, description: 'Updates a cluster.' })
  async clusterUpdate(
    @Arg('input', () => ClusterUpdateInput, { description: 'Cluster to update, with its new fields.' })
    input: ClusterUpdateInput,
    @Ctx() context: GraphqlContext,
  ) {
    const { description, emoji, color, defaultQueueId } = input;
    const operationInput = {
      cluster: await withinOrganization(context, input.organizationId, input.id),
      name: input.name ?? undefined,
      description,
      emoji,
      color,
      defaultQueueId,
    };
    return payload(input, { cluster: (await context.command(updateCluster, operationInput)).cluster });
  }

  @Mutation(() => ClusterDeletePayload, { ...optional, description: 'Deletes a cluster.' })
  async clusterDelete(
    @Arg('input', () => ClusterDeleteInput, { description: 'Cluster to delete.' }) input: ClusterDeleteInput,
    @Ctx() context: GraphqlContext,
  ) {
    const { cluster } = await context.command(deleteCluster, {
      cluster: await withinOrganization(context, input.organizationId, input.id),
    });
    return payload(input, { deletedClusterId: encodeNodeId('Cluster', cluster.id) });
  }

  @Mutation(() => ClusterMaintainerCreatePayload, {
    ...optional,
    description: 'Adds a maintainer, a user or a team, to a cluster.',
  })
  async clusterMaintainerCreate(
    @Arg('input', () => ClusterMaintainerCreateInput, { description: 'Maintainer to add.' })
    input: ClusterMaintainerCreateInput,
    @Ctx() context: GraphqlContext,
  ) {
    const operationInput = {
      cluster: await withinOrganization(context, input.organizationId, input.clusterId),
      ...maintainerOf(input),
    };
    const { cluster, clusterMaintainer } = await context.command(createMaintainer, operationInput, maintainerNames);
    return payload(input, { cluster, clusterMaintainer });
  }

  @Mutation(() => ClusterMaintainerDeletePayload, {
    ...optional,
    description: 'Removes a maintainer, a user or a team, from a cluster.',
  })
  async clusterMaintainerDelete(
    @Arg('input', () => ClusterMaintainerDeleteInput, { description: 'Maintainer to remove.' })
    input: ClusterMaintainerDeleteInput,
    @Ctx() context: GraphqlContext,
  ) {
    const { cluster, clusterMaintainer } = await context.command(deleteMaintainer, {
      clusterMaintainer: await withinOrganization(context, input.organizationId, input.id),
    });
    return payload(input, {
      cluster,
      deletedClusterMaintainerId: encodeNodeId('ClusterMaintainer', clusterMaintainer.id),
    });
  }
}
