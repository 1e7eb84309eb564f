import { Arg, Ctx, Field, ID, Mutation, ObjectType, Resolver } from 'type-graphql';
import { encodeNodeId } from '../../../domain/node-id.js';
import { createQueue } from '../../../operations/agents/queues/create.js';
import { deleteQueue } from '../../../operations/agents/queues/delete.js';
import { pauseDispatch } from '../../../operations/agents/queues/pause-dispatch.js';
import { resumeDispatch } from '../../../operations/agents/queues/resume-dispatch.js';
import { updateQueue } from '../../../operations/agents/queues/update.js';
import type { GraphqlContext } from '../../context.js';
import { MutationPayload, payload } from '../../mutation-input.js';
import { optional } from '../../server/options.js';
import {
  ClusterQueueCreateInput,
  ClusterQueueDeleteInput,
  ClusterQueuePauseDispatchInput,
  ClusterQueueResumeDispatchInput,
  ClusterQueueUpdateInput,
} from '../clusters/cluster-inputs.js';
import { ClusterQueue } from './cluster-queue.js';
import { withinOrganization } from '../clusters/within-organization.js';

/** Declares a payload that holds a queue; the public schema names the field differently by mutation. */
function queuePayload(name: string, field: 'clusterQueue' | 'queue') {
  @ObjectType(name, { description: 'The queue after the mutation.' })
  class QueuePayload extends MutationPayload {
    @Field(() => ClusterQueue, { name: field, description: 'The queue after the mutation.' })
    value!: unknown;
  }
  return QueuePayload;
}

const ClusterQueueCreatePayload = queuePayload('ClusterQueueCreatePayload', 'clusterQueue');
const ClusterQueueUpdatePayload = queuePayload('ClusterQueueUpdatePayload', 'clusterQueue');
const ClusterQueuePauseDispatchPayload = queuePayload('ClusterQueuePauseDispatchPayload', 'queue');
const ClusterQueueResumeDispatchPayload = queuePayload('ClusterQueueResumeDispatchPayload', 'queue');

@ObjectType({ description: 'The deleted queue.' })
class ClusterQueueDeletePayload extends MutationPayload {
  @Field(() => ID, { description: 'GraphQL ID of the deleted queue.' })
  deletedClusterQueueId!: string;
}

@Resolver()
export class ClusterQueueMutations {
  @Mutation(() => ClusterQueueCreatePayload, { ...optional, description: 'Creates a queue in a cluster.' })
  async clusterQueueCreate(
    @Arg('input', () => ClusterQueueCreateInput, { description: 'Fields of the new queue.' })
    input: ClusterQueueCreateInput,
    @Ctx() context: GraphqlContext,
  ) {
    const { key, description, retryAgentAffinity, pricePerAgentHour, hostedAgents } = input;
    const operationInput = {
      cluster: await withinOrganization(context, input.organizationId, input.clusterId),
      key,
      description,
      retryAgentAffinity,
      pricePerAgentHour,
      hostedAgents,
    };
    return payload(input, { value: (await context.command(createQueue, operationInput)).queue });
  }

  @Mutation(() => ClusterQueueUpdatePayload, { ...optional, description: 'Updates a queue; its key cannot change.' })
  async clusterQueueUpdate(
    @Arg('input', () => ClusterQueueUpdateInput, { description: 'Queue to update, with its new fields.' })
    input: ClusterQueueUpdateInput,
    @Ctx() context: GraphqlContext,
  ) {
    const { description, retryAgentAffinity, pricePerAgentHour, hostedAgents } = input;
    const operationInput = {
      queue: await withinOrganization(context, input.organizationId, input.id),
      description,
      retryAgentAffinity,
      pricePerAgentHour,
      hostedAgents,
    };
    return payload(input, { value: (await context.command(updateQueue, operationInput)).queue });
  }

  @Mutation(() => ClusterQueueDeletePayload, { ...optional, description: 'Deletes a queue.' })
  async clusterQueueDelete(
    @Arg('input', () => ClusterQueueDeleteInput, { description: 'Queue to delete.' }) input: ClusterQueueDeleteInput,
    @Ctx() context: GraphqlContext,
  ) {
    const { queue } = await context.command(deleteQueue, {
      queue: await withinOrganization(context, input.organizationId, input.id),
    });
    return payload(input, { deletedClusterQueueId: encodeNodeId('ClusterQueue', queue.id) });
  }

  @Mutation(() => ClusterQueuePauseDispatchPayload, {
    ...optional,
    description: 'Pauses dispatch of a queue: its jobs wait until dispatch resumes.',
  })
  async clusterQueuePauseDispatch(
    @Arg('input', () => ClusterQueuePauseDispatchInput, { description: 'Queue to pause, with a note.' })
    input: ClusterQueuePauseDispatchInput,
    @Ctx() context: GraphqlContext,
  ) {
    return payload(input, {
      value: (await context.command(pauseDispatch, { queue: { id: input.id }, note: input.note })).queue,
    });
  }

  @Mutation(() => ClusterQueueResumeDispatchPayload, {
    ...optional,
    description: 'Resumes dispatch of a paused queue.',
  })
  async clusterQueueResumeDispatch(
    @Arg('input', () => ClusterQueueResumeDispatchInput, { description: 'Queue to resume.' })
    input: ClusterQueueResumeDispatchInput,
    @Ctx() context: GraphqlContext,
  ) {
    return payload(input, { value: (await context.command(resumeDispatch, { queue: { id: input.id } })).queue });
  }
}
