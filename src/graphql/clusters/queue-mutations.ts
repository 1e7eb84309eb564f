import { Arg, Ctx, Field, ID, Mutation, ObjectType, Resolver } from 'type-graphql';
import { encodeNodeId } from '../../domain/node-id.js';
import { createQueue } from '../../operations/queues/create.js';
import { deleteQueue } from '../../operations/queues/delete.js';
import { pauseDispatch } from '../../operations/queues/pause-dispatch.js';
import { resumeDispatch } from '../../operations/queues/resume-dispatch.js';
import { updateQueue } from '../../operations/queues/update.js';
import type { GraphqlContext } from '../context.js';
import { MutationPayload, payload } from '../mutation-input.js';
import { optional } from '../options.js';
import { ClusterQueueCreateInput, ClusterQueueDeleteInput, ClusterQueuePauseDispatchInput, ClusterQueueResumeDispatchInput, ClusterQueueUpdateInput } from './cluster-inputs.js';
import { ClusterQueue } from './cluster-queue.js';
import { withinOrganization } from './within-organization.js';

/** A payload with nothing but the queue, which the older two call by its full name. */
function queuePayload(name: string, field: 'clusterQueue' | 'queue') {
  @ObjectType(name, { description: 'The queue as it is now.' })
  class QueuePayload extends MutationPayload {
    @Field(() => ClusterQueue, { name: field })
    value!: unknown;
  }
  return QueuePayload;
}

const ClusterQueueCreatePayload = queuePayload('ClusterQueueCreatePayload', 'clusterQueue');
const ClusterQueueUpdatePayload = queuePayload('ClusterQueueUpdatePayload', 'clusterQueue');
const ClusterQueuePauseDispatchPayload = queuePayload('ClusterQueuePauseDispatchPayload', 'queue');
const ClusterQueueResumeDispatchPayload = queuePayload('ClusterQueueResumeDispatchPayload', 'queue');

@ObjectType({ description: 'What was deleted.' })
class ClusterQueueDeletePayload extends MutationPayload {
  @Field(() => ID)
  deletedClusterQueueId!: string;
}

@Resolver()
export class ClusterQueueMutations {
  @Mutation(() => ClusterQueueCreatePayload, { ...optional, description: 'Makes a queue of a cluster.' })
  async clusterQueueCreate(@Arg('input', () => ClusterQueueCreateInput) input: ClusterQueueCreateInput, @Ctx() context: GraphqlContext) {
    const { key, description, retryAgentAffinity } = input;
    const given = { cluster: await withinOrganization(context, input.organizationId, input.clusterId), key, description, retryAgentAffinity };
    return payload(input, { value: (await context.command(createQueue, given)).queue });
  }

  @Mutation(() => ClusterQueueUpdatePayload, { ...optional, description: 'Changes a queue.' })
  async clusterQueueUpdate(@Arg('input', () => ClusterQueueUpdateInput) input: ClusterQueueUpdateInput, @Ctx() context: GraphqlContext) {
    const { description, retryAgentAffinity } = input;
    const given = { queue: await withinOrganization(context, input.organizationId, input.id), description, retryAgentAffinity };
    return payload(input, { value: (await context.command(updateQueue, given)).queue });
  }

  @Mutation(() => ClusterQueueDeletePayload, { ...optional, description: 'Deletes a queue.' })
  async clusterQueueDelete(@Arg('input', () => ClusterQueueDeleteInput) input: ClusterQueueDeleteInput, @Ctx() context: GraphqlContext) {
    const { queue } = await context.command(deleteQueue, { queue: await withinOrganization(context, input.organizationId, input.id) });
    return payload(input, { deletedClusterQueueId: encodeNodeId('ClusterQueue', queue.id) });
  }

  @Mutation(() => ClusterQueuePauseDispatchPayload, { ...optional, description: 'Holds the jobs of a queue back from agents.' })
  async clusterQueuePauseDispatch(@Arg('input', () => ClusterQueuePauseDispatchInput) input: ClusterQueuePauseDispatchInput, @Ctx() context: GraphqlContext) {
    return payload(input, { value: (await context.command(pauseDispatch, { queue: { id: input.id }, note: input.note })).queue });
  }

  @Mutation(() => ClusterQueueResumeDispatchPayload, { ...optional, description: 'Gives the jobs of a queue out again.' })
  async clusterQueueResumeDispatch(@Arg('input', () => ClusterQueueResumeDispatchInput) input: ClusterQueueResumeDispatchInput, @Ctx() context: GraphqlContext) {
    return payload(input, { value: (await context.command(resumeDispatch, { queue: { id: input.id } })).queue });
  }
}
