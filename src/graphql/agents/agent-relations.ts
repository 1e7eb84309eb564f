import type { GraphQLResolveInfo } from 'graphql';
import { Args, ArgsType, Ctx, Field, FieldResolver, Info, Int, ObjectType, Resolver, Root } from 'type-graphql';
import { standing } from '../../auth/authorize.js';
import type { AgentRow } from '../../entities/database.js';
import { heldJobs } from '../../operations/agents/held-jobs.js';
import { listJobs } from '../../operations/builds/jobs/list.js';
import { ClusterQueue } from './queues/cluster-queue.js';
import { connectionValue } from '../connections/connection.js';
import type { GraphqlContext } from '../context.js';
import { JobOrder } from '../enums.js';
import { JobFilterArguments, jobFilterInput } from '../builds/jobs/job-arguments.js';
import { Job, JobConnection } from '../builds/jobs/job.js';
import { optional } from '../server/options.js';
import { Organization } from '../organizations/organization.js';
import { User } from '../organizations/user.js';
import { Permission, permission } from '../permission.js';
import { Agent } from './agent.js';
import { ReadBy } from '../execution/on-the-way.js';

@ObjectType({ description: 'Actions that the viewer may take on an agent.' })
export class AgentPermissions {
  @Field(() => Permission, { ...optional, description: 'Whether the viewer may pause the agent.' })
  agentPause!: Permission;

  @Field(() => Permission, { ...optional, description: 'Whether the viewer may resume the agent.' })
  agentResume!: Permission;

  @Field(() => Permission, { ...optional, description: 'Whether the viewer may stop the agent.' })
  agentStop!: Permission;
}

@ArgsType()
class AgentJobsArguments extends JobFilterArguments {
  @Field(() => Int, { ...optional, description: 'Only jobs with this priority.' })
  priority?: number | null;

  @Field(() => JobOrder, { ...optional, defaultValue: JobOrder.RECENTLY_ASSIGNED, description: 'Order of the jobs.' })
  order?: string | null;
}

/** Fields of an agent that lead to other types. */
@Resolver(() => Agent)
export class AgentRelationsResolver {
  @FieldResolver(() => ClusterQueue, {
    ...optional,
    description: 'Queue that the agent serves; null outside a cluster.',
  })
  clusterQueue(@Root() agent: AgentRow, @Ctx() context: GraphqlContext, @Info() info: GraphQLResolveInfo) {
    return context.loadReference('read_clusters', context.load.clusterQueue, agent.clusterQueueId, info, ['key']);
  }

  @FieldResolver(() => Boolean, {
    description: 'Whether the agent holds a job, whether or not the viewer may see the job.',
  })
  async isRunningJob(@Root() agent: AgentRow, @Ctx() context: GraphqlContext): Promise<boolean> {
    return (await context.performInBatch(heldJobs, { agentIds: agent.id })) !== undefined;
  }

  @FieldResolver(() => Job, {
    ...optional,
    description: 'Job that the agent holds; null if the agent is idle or the viewer may not see the job.',
  })
  async job(@Root() agent: AgentRow, @Ctx() context: GraphqlContext) {
    return (await context.performInBatch(heldJobs, { agentIds: agent.id }, { visibleOnly: true })) ?? null;
  }

  @ReadBy(listJobs)
  @FieldResolver(() => JobConnection, {
    ...optional,
    description: 'Jobs assigned to the agent that the viewer may see.',
  })
  async jobs(
    @Root() agent: AgentRow,
    @Ctx() context: GraphqlContext,
    @Args(() => AgentJobsArguments) args: AgentJobsArguments,
  ) {
    const priorities = args.priority == null ? null : [args.priority];
    return connectionValue(
      await context.findInBatch(
        listJobs,
        { within: { agent: { id: agent.id } } },
        jobFilterInput(args, priorities, args.order),
      ),
    );
  }

  @FieldResolver(() => Organization, { ...optional, description: 'Organization that the agent belongs to.' })
  organization(@Root() agent: AgentRow, @Ctx() context: GraphqlContext) {
    return context.load.organization.load(agent.organizationId);
  }

  @FieldResolver(() => User, { ...optional, description: 'User who paused the agent; null while it is not paused.' })
  pausedBy(@Root() agent: AgentRow, @Ctx() context: GraphqlContext) {
    return context.loadReference(null, context.load.user, agent.pausedById);
  }

  @FieldResolver(() => AgentPermissions, { description: 'Actions that the viewer may take on the agent.' })
  permissions(@Root() agent: AgentRow, @Ctx() context: GraphqlContext): AgentPermissions {
    const role = standing(context.actor, agent.organizationId);
    const member = permission(role !== null && role !== 'visitor' && context.hasScope('write_agents'));
    return { agentPause: member, agentResume: member, agentStop: member };
  }

  @FieldResolver(() => User, {
    ...optional,
    description: 'User who stopped the agent and canceled its job; null if nobody did.',
  })
  stopForcedBy(@Root() agent: AgentRow, @Ctx() context: GraphqlContext) {
    return context.loadReference(null, context.load.user, agent.stopForcedById);
  }

  @FieldResolver(() => User, {
    ...optional,
    deprecationReason: 'Use `stoppedGracefullyBy` or `stopForcedBy`.',
    description: 'User who stopped the agent, gracefully or not; null if nobody did.',
  })
  stoppedBy(@Root() agent: AgentRow, @Ctx() context: GraphqlContext) {
    return context.loadReference(null, context.load.user, agent.stopForcedById ?? agent.stoppedGracefullyById);
  }

  @FieldResolver(() => User, {
    ...optional,
    description: 'User who asked the agent to stop after its job; null if nobody did.',
  })
  stoppedGracefullyBy(@Root() agent: AgentRow, @Ctx() context: GraphqlContext) {
    return context.loadReference(null, context.load.user, agent.stoppedGracefullyById);
  }
}
