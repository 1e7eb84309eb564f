import { Args, ArgsType, Ctx, Field, FieldResolver, Int, ObjectType, Resolver, Root } from 'type-graphql';
import { standing } from '../../auth/authorize.js';
import type { AgentRow } from '../../entities/database.js';
import { heldJobs } from '../../operations/agents/held-jobs.js';
import { listJobsOfAgents } from '../../operations/jobs/list-of-agents.js';
import { pipelineLevels } from '../../operations/pipelines/levels.js';
import { ClusterQueue } from '../clusters/cluster-queue.js';
import { connectionValue } from '../connections/connection.js';
import type { GraphqlContext } from '../context.js';
import { JobOrder } from '../enums.js';
import { JobFilterArguments, jobFilterInput } from '../jobs/job-arguments.js';
import { Job, JobConnection } from '../jobs/job.js';
import { optional } from '../options.js';
import { Organization } from '../organizations/organization.js';
import { User } from '../organizations/user.js';
import { Permission, permission } from '../permission.js';
import { Agent } from './agent.js';

@ObjectType({ description: 'What the viewer may do with an agent.' })
export class AgentPermissions {
  @Field(() => Permission, optional)
  agentPause!: Permission;

  @Field(() => Permission, optional)
  agentResume!: Permission;

  @Field(() => Permission, optional)
  agentStop!: Permission;
}

@ArgsType()
class AgentJobsArguments extends JobFilterArguments {
  @Field(() => Int, optional)
  priority?: number | null;

  @Field(() => JobOrder, { ...optional, defaultValue: JobOrder.RECENTLY_ASSIGNED })
  order?: string | null;
}

/** What an agent has to do with other things. */
@Resolver(() => Agent)
export class AgentRelationsResolver {
  @FieldResolver(() => ClusterQueue, optional)
  clusterQueue(@Root() agent: AgentRow, @Ctx() context: GraphqlContext) {
    return context.follow('read_clusters', context.load.clusterQueue, agent.clusterQueueId);
  }

  @FieldResolver(() => Boolean)
  async isRunningJob(@Root() agent: AgentRow, @Ctx() context: GraphqlContext): Promise<boolean> {
    return (await context.among(heldJobs, 'agentIds', agent.id)) !== undefined;
  }

  @FieldResolver(() => Job, { ...optional, description: 'The job it is busy with, if the viewer may see that one.' })
  async job(@Root() agent: AgentRow, @Ctx() context: GraphqlContext) {
    const job = await context.among(heldJobs, 'agentIds', agent.id);
    return job && (await context.among(pipelineLevels, 'pipelineIds', job.pipelineId)) ? job : null;
  }

  @FieldResolver(() => JobConnection, { ...optional, description: 'Jobs it was given, as far as the viewer may see them.' })
  async jobs(@Root() agent: AgentRow, @Ctx() context: GraphqlContext, @Args(() => AgentJobsArguments) given: AgentJobsArguments) {
    const priorities = given.priority == null ? null : [given.priority];
    return connectionValue(await context.among(listJobsOfAgents, 'agentIds', agent.id, jobFilterInput(given, priorities, given.order)));
  }

  @FieldResolver(() => Organization, optional)
  organization(@Root() agent: AgentRow, @Ctx() context: GraphqlContext) {
    return context.load.organization.load(agent.organizationId);
  }

  @FieldResolver(() => User, optional)
  pausedBy(@Root() agent: AgentRow, @Ctx() context: GraphqlContext) {
    return context.follow(null, context.load.user, agent.pausedById);
  }

  @FieldResolver(() => AgentPermissions)
  permissions(@Root() agent: AgentRow, @Ctx() context: GraphqlContext): AgentPermissions {
    const role = standing(context.actor, agent.organizationId);
    const member = permission(role !== null && role !== 'visitor' && context.hasScope('write_agents'));
    return { agentPause: member, agentResume: member, agentStop: member };
  }

  @FieldResolver(() => User, optional)
  stopForcedBy(@Root() agent: AgentRow, @Ctx() context: GraphqlContext) {
    return context.follow(null, context.load.user, agent.stopForcedById);
  }

  @FieldResolver(() => User, { ...optional, deprecationReason: 'Use `stoppedGracefullyBy` or `stopForcedBy`.' })
  stoppedBy(@Root() agent: AgentRow, @Ctx() context: GraphqlContext) {
    return context.follow(null, context.load.user, agent.stopForcedById ?? agent.stoppedGracefullyById);
  }

  @FieldResolver(() => User, optional)
  stoppedGracefullyBy(@Root() agent: AgentRow, @Ctx() context: GraphqlContext) {
    return context.follow(null, context.load.user, agent.stoppedGracefullyById);
  }
}
