import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Args, Ctx, Field, FieldResolver, ID, Info, Int, ObjectType, Resolver, Root } from 'type-graphql';
import type { OrganizationRow } from '../../entities/database.js';
import { listAgents } from '../../operations/agents/list.js';
import { listBuilds } from '../../operations/builds/list.js';
import { getCluster } from '../../operations/agents/clusters/get.js';
import { listClusters } from '../../operations/agents/clusters/list.js';
import { listJobs } from '../../operations/builds/jobs/list.js';
import { listOrganizationMembers } from '../../operations/organizations/members/list.js';
import { getOrganizationMember } from '../../operations/organizations/members/get.js';
import { nextScheduleTimes } from '../../operations/pipelines/schedules/next-times.js';
import { listTemplates } from '../../operations/pipelines/templates/list.js';
import { listPipelines } from '../../operations/pipelines/list.js';
import { validatePipeline } from '../../operations/pipelines/validate.js';
import { listSuites } from '../../operations/suites/list.js';
import { listTeams } from '../../operations/organizations/teams/list.js';
import { AgentConnection } from '../agents/agent.js';
import { buildFilterInput } from '../builds/build-arguments.js';
import { BuildConnection } from '../builds/build.js';
import { Cluster, ClusterConnection } from '../agents/clusters/cluster.js';
import { stretchOf } from '../connections/arguments.js';
import { connectionValue } from '../connections/connection.js';
import type { GraphqlContext } from '../context.js';
import { Dear, dear } from '../limits/dear.js';
import { uuidOf } from '../nodes/ids.js';
import { jobFilterInput } from '../builds/jobs/job-arguments.js';
import { JobConnection } from '../builds/jobs/job.js';
import { DateTime } from '../scalars/date-time.js';
import { optional } from '../server/options.js';
import { PipelineTemplateArguments, PipelineTemplateConnection } from '../pipelines/templates/pipeline-template.js';
import { PipelineConnection } from '../pipelines/pipeline.js';
import { OrganizationSuitesArguments } from '../suites/suite-arguments.js';
import { SuiteConnection } from '../suites/suite.js';
import { TeamArguments } from './teams/team-arguments.js';
import { TeamConnection } from './teams/team.js';
import {
  OrganizationAgentsArguments,
  OrganizationBuildsArguments,
  OrganizationClustersArguments,
  OrganizationJobsArguments,
  OrganizationMembersArguments,
  OrganizationPipelinesArguments,
} from './organization-arguments.js';
import { OrganizationMember, OrganizationMemberConnection } from './organization-member.js';
import { Organization } from './organization.js';
import { ReadBy } from '../execution/on-the-way.js';

const addressOf = ({ id }: OrganizationRow) => ({ organization: { id } });

@ObjectType({ description: 'Problem of the YAML of a pipeline.' })
export class PipelineProblem {
  @Field(() => String, { description: 'Path of the attribute, such as `steps[2].retry`; empty for the whole text.' })
  path!: string;

  @Field(() => String, { description: 'Reason of the refusal.' })
  message!: string;

  @Field(() => Int, { description: 'Line of the text, from 1.' })
  line!: number;

  @Field(() => Int, { description: 'Column of the line, from 1.' })
  column!: number;
}

/** Lists of an organization. */
@Resolver(() => Organization)
export class OrganizationListsResolver {
  @ReadBy(validatePipeline)
  @Dear(dear.ownStatements)
  @FieldResolver(() => [PipelineProblem], {
    description:
      'Problems of the YAML of a pipeline, in the order of the text; empty when a pipeline could be created with it.',
  })
  pipelineProblems(
    @Root() organization: OrganizationRow,
    @Ctx() context: GraphqlContext,
    @Arg('yaml', () => String, { description: 'YAML of the steps.' }) yaml: string,
  ): Promise<PipelineProblem[]> {
    return context.perform(validatePipeline, { ...addressOf(organization), yaml });
  }

  @ReadBy(nextScheduleTimes)
  @Dear(dear.ownStatements)
  @FieldResolver(() => [DateTime], { description: 'Next five times of a cron line; fewer where it ends.' })
  scheduleTimes(
    @Root() organization: OrganizationRow,
    @Ctx() context: GraphqlContext,
    @Arg('cronline', () => String, { description: 'Cron expression, as a schedule has it.' }) cronline: string,
  ): Promise<Date[]> {
    return context.perform(nextScheduleTimes, { ...addressOf(organization), cronline });
  }

  @FieldResolver(() => OrganizationMember, {
    ...optional,
    description: 'Membership of a user; null if absent or hidden.',
  })
  async member(
    @Root() organization: OrganizationRow,
    @Ctx() context: GraphqlContext,
    @Arg('user', () => ID, { description: 'GraphQL ID or UUID of the user.' }) user: string,
  ) {
    const organizationMember = { organizationId: organization.id, user };
    return (await context.findInBatch(getOrganizationMember, { organizationMember }))?.organizationMember ?? null;
  }

  @ReadBy(listAgents)
  @FieldResolver(() => AgentConnection, { ...optional, description: 'Connected agents, newest first.' })
  async agents(
    @Root() organization: OrganizationRow,
    @Ctx() context: GraphqlContext,
    @Args(() => OrganizationAgentsArguments) args: OrganizationAgentsArguments,
  ) {
    const { clustered, isRunningJob, metaData, paused, search } = args;
    const input = {
      clustered,
      isRunningJob,
      metaData,
      paused,
      search,
      clusterId: args.cluster ? uuidOf(args.cluster, ['Cluster']) : null,
      clusterQueueIds: args.clusterQueue?.map((id) => uuidOf(id, ['ClusterQueue'])),
      paging: stretchOf(args),
    };
    return connectionValue(await context.performInBatch(listAgents, addressOf(organization), input));
  }

  @ReadBy(listBuilds)
  @FieldResolver(() => BuildConnection, {
    ...optional,
    description: 'Builds of all pipelines that the viewer may see, newest first.',
  })
  async builds(
    @Root() organization: OrganizationRow,
    @Ctx() context: GraphqlContext,
    @Args(() => OrganizationBuildsArguments) args: OrganizationBuildsArguments,
  ) {
    const { commitPrefix, message } = args;
    const input = { ...buildFilterInput(args), commitPrefix, message };
    return connectionValue(await context.performInBatch(listBuilds, { within: addressOf(organization) }, input));
  }

  @ReadBy(getCluster)
  @FieldResolver(() => Cluster, {
    ...optional,
    description: 'A cluster by its GraphQL ID or UUID; null if absent or hidden.',
  })
  async cluster(
    @Root() organization: OrganizationRow,
    @Ctx() context: GraphqlContext,
    @Arg('id', () => ID, { description: 'GraphQL ID or UUID of the cluster.' }) id: string,
    @Info() info: GraphQLResolveInfo,
  ) {
    const result = await context.reach(getCluster, { cluster: { organization: organization.slug, id } }, info);
    return result?.cluster ?? null;
  }

  @ReadBy(listClusters)
  @FieldResolver(() => ClusterConnection, { ...optional, description: 'Clusters of the organization.' })
  async clusters(
    @Root() organization: OrganizationRow,
    @Ctx() context: GraphqlContext,
    @Args(() => OrganizationClustersArguments) args: OrganizationClustersArguments,
  ) {
    return connectionValue(
      await context.performInBatch(listClusters, addressOf(organization), {
        order: args.order ?? undefined,
        paging: stretchOf(args),
      }),
    );
  }

  @ReadBy(listJobs)
  @FieldResolver(() => JobConnection, {
    ...optional,
    description: 'Jobs of all pipelines that the viewer may see, including retried jobs.',
  })
  async jobs(
    @Root() organization: OrganizationRow,
    @Ctx() context: GraphqlContext,
    @Args(() => OrganizationJobsArguments) args: OrganizationJobsArguments,
  ) {
    const { clustered, finishedAt, createdAtFrom, createdAtTo } = args;
    const input = {
      ...jobFilterInput(args, args.priority?.number, args.order),
      clusterId: args.cluster ? uuidOf(args.cluster, ['Cluster']) : null,
      clusterQueueIds: args.clusterQueue?.map((id) => uuidOf(id, ['ClusterQueue'])),
      clustered,
      createdFrom: createdAtFrom,
      createdTo: createdAtTo,
      finishedOn: finishedAt ? startOfDay(finishedAt) : null,
      finishedFrom: args.finishedAtFrom,
      finishedTo: args.finishedAtTo,
    };
    return connectionValue(await context.performInBatch(listJobs, { within: addressOf(organization) }, input));
  }

  @FieldResolver(() => OrganizationMemberConnection, { ...optional, description: 'Members of the organization.' })
  async members(
    @Root() organization: OrganizationRow,
    @Ctx() context: GraphqlContext,
    @Args(() => OrganizationMembersArguments) args: OrganizationMembersArguments,
  ) {
    const { search, email, role } = args;
    return connectionValue(
      await context.performInBatch(listOrganizationMembers, addressOf(organization), {
        search,
        email,
        role,
        inactiveSince: args.inactiveSince,
        passwordProtected: args.security?.passwordProtected,
        twoFactorEnabled: args.security?.twoFactorEnabled,
        ssoMode: args.sso?.mode,
        teamSlug: args.team,
        order: args.order ?? undefined,
        paging: stretchOf(args),
      }),
    );
  }

  @ReadBy(listPipelines)
  @FieldResolver(() => PipelineConnection, { ...optional, description: 'Pipelines that the viewer may see.' })
  async pipelines(
    @Root() organization: OrganizationRow,
    @Ctx() context: GraphqlContext,
    @Args(() => OrganizationPipelinesArguments) args: OrganizationPipelinesArguments,
  ) {
    const { archived, clustered, createdAtFrom, createdAtTo, favorite, search, tags } = args;
    const input = {
      archived,
      clustered,
      createdAtFrom,
      createdAtTo,
      favorite,
      search,
      tags,
      clusterId: args.cluster,
      repository: args.repository?.url,
      teamSlug: args.team,
      order: args.order ?? undefined,
      paging: stretchOf(args),
    };
    return connectionValue(await context.performInBatch(listPipelines, addressOf(organization), input));
  }

  @ReadBy(listTemplates)
  @FieldResolver(() => PipelineTemplateConnection, {
    ...optional,
    description: 'Pipeline templates that the viewer may use.',
  })
  async pipelineTemplates(
    @Root() organization: OrganizationRow,
    @Ctx() context: GraphqlContext,
    @Args(() => PipelineTemplateArguments) args: PipelineTemplateArguments,
  ) {
    return connectionValue(
      await context.performInBatch(listTemplates, addressOf(organization), {
        order: args.order ?? undefined,
        paging: stretchOf(args),
      }),
    );
  }

  @ReadBy(listSuites)
  @FieldResolver(() => SuiteConnection, { ...optional, description: 'Test suites that the viewer may see.' })
  async suites(
    @Root() organization: OrganizationRow,
    @Ctx() context: GraphqlContext,
    @Args(() => OrganizationSuitesArguments) args: OrganizationSuitesArguments,
  ) {
    const { search, createdAtFrom, createdAtTo } = args;
    return connectionValue(
      await context.performInBatch(listSuites, addressOf(organization), {
        search,
        teamSlug: args.team,
        createdAtFrom,
        createdAtTo,
        order: args.order ?? undefined,
        paging: stretchOf(args),
      }),
    );
  }

  @ReadBy(listTeams)
  @FieldResolver(() => TeamConnection, { ...optional, description: 'Teams that the viewer may see.' })
  async teams(
    @Root() organization: OrganizationRow,
    @Ctx() context: GraphqlContext,
    @Args(() => TeamArguments) args: TeamArguments,
  ) {
    const { search, privacy } = args;
    return connectionValue(
      await context.performInBatch(listTeams, addressOf(organization), {
        search,
        privacy,
        userId: args.user,
        pipelineSlug: args.pipeline,
        order: args.order ?? undefined,
        paging: stretchOf(args),
      }),
    );
  }
}

const startOfDay = (time: Date) => new Date(`${time.toISOString().slice(0, 10)}T00:00:00.000Z`);
