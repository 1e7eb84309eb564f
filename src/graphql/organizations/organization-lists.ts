import { Arg, Args, Ctx, FieldResolver, ID, Resolver, Root } from 'type-graphql';
import type { OrganizationRow } from '../../entities/database.js';
import { listAgents } from '../../operations/agents/list.js';
import { listBuilds } from '../../operations/builds/list.js';
import { getCluster } from '../../operations/clusters/get.js';
import { listClusters } from '../../operations/clusters/list.js';
import { listJobs } from '../../operations/jobs/list.js';
import { listOrganizationMembers } from '../../operations/organizations/list-members.js';
import { listTemplates } from '../../operations/pipeline-templates/list.js';
import { listPipelines } from '../../operations/pipelines/list.js';
import { listSuites } from '../../operations/suites/list.js';
import { listTeams } from '../../operations/teams/list.js';
import { AgentConnection } from '../agents/agent.js';
import { BuildArguments, buildFilterInput } from '../builds/build-arguments.js';
import { BuildConnection } from '../builds/build.js';
import { Cluster, ClusterConnection } from '../clusters/cluster.js';
import { stretchOf } from '../connections/arguments.js';
import { connectionValue } from '../connections/connection.js';
import type { GraphqlContext } from '../context.js';
import { uuidOf } from '../ids.js';
import { jobFilterInput } from '../jobs/job-arguments.js';
import { JobConnection } from '../jobs/job.js';
import { optional } from '../options.js';
import { PipelineTemplateArguments, PipelineTemplateConnection } from '../pipeline-templates/pipeline-template.js';
import { PipelineConnection } from '../pipelines/pipeline.js';
import { OrganizationSuitesArguments } from '../suites/suite-arguments.js';
import { SuiteConnection } from '../suites/suite.js';
import { TeamArguments } from '../teams/team-arguments.js';
import { TeamConnection } from '../teams/team.js';
import { OrganizationAgentsArguments, OrganizationClustersArguments, OrganizationJobsArguments, OrganizationMembersArguments, OrganizationPipelinesArguments } from './organization-arguments.js';
import { OrganizationMemberConnection } from './organization-member.js';
import { Organization } from './organization.js';

const addressOf = ({ id }: OrganizationRow) => ({ organization: { id } });

/** What there is in an organization. */
@Resolver(() => Organization)
export class OrganizationListsResolver {
  @FieldResolver(() => AgentConnection, { ...optional, description: 'Connected agents, newest first.' })
  async agents(@Root() organization: OrganizationRow, @Ctx() context: GraphqlContext, @Args(() => OrganizationAgentsArguments) given: OrganizationAgentsArguments) {
    const { clustered, isRunningJob, metaData, paused, search } = given;
    const input = {
      clustered, isRunningJob, metaData, paused, search,
      clusterId: given.cluster ? uuidOf(given.cluster, ['Cluster']) : null,
      clusterQueueIds: given.clusterQueue?.map((id) => uuidOf(id, ['ClusterQueue'])),
      paging: stretchOf(given),
    };
    return connectionValue(await context.perform(listAgents, { ...addressOf(organization), ...input }));
  }

  @FieldResolver(() => BuildConnection, { ...optional, description: 'Builds of all pipelines, newest first.' })
  async builds(@Root() organization: OrganizationRow, @Ctx() context: GraphqlContext, @Args(() => BuildArguments) given: BuildArguments) {
    return connectionValue(await context.perform(listBuilds, { within: addressOf(organization), ...buildFilterInput(given) }));
  }

  @FieldResolver(() => Cluster, { ...optional, description: 'A cluster by its id or uuid.' })
  async cluster(@Root() organization: OrganizationRow, @Ctx() context: GraphqlContext, @Arg('id', () => ID) id: string) {
    const found = await context.find(getCluster, { cluster: { organization: organization.slug, id } });
    return found?.cluster ?? null;
  }

  @FieldResolver(() => ClusterConnection, optional)
  async clusters(@Root() organization: OrganizationRow, @Ctx() context: GraphqlContext, @Args(() => OrganizationClustersArguments) given: OrganizationClustersArguments) {
    return connectionValue(await context.perform(listClusters, { ...addressOf(organization), order: given.order ?? undefined, paging: stretchOf(given) }));
  }

  @FieldResolver(() => JobConnection, { ...optional, description: 'Jobs of all pipelines, all attempts.' })
  async jobs(@Root() organization: OrganizationRow, @Ctx() context: GraphqlContext, @Args(() => OrganizationJobsArguments) given: OrganizationJobsArguments) {
    const { clustered, finishedAt, createdAtFrom, createdAtTo } = given;
    const input = {
      ...jobFilterInput(given, given.priority?.number, given.order),
      clusterId: given.cluster ? uuidOf(given.cluster, ['Cluster']) : null,
      clusterQueueIds: given.clusterQueue?.map((id) => uuidOf(id, ['ClusterQueue'])),
      clustered,
      createdFrom: createdAtFrom,
      createdTo: createdAtTo,
      finishedOn: finishedAt ? startOfDay(finishedAt) : null,
    };
    return connectionValue(await context.perform(listJobs, { within: addressOf(organization), ...input }));
  }

  @FieldResolver(() => OrganizationMemberConnection, optional)
  async members(@Root() organization: OrganizationRow, @Ctx() context: GraphqlContext, @Args(() => OrganizationMembersArguments) given: OrganizationMembersArguments) {
    const { search, email, role } = given;
    return connectionValue(
      await context.perform(listOrganizationMembers, { ...addressOf(organization), search, email, role, teamSlug: given.team, order: given.order ?? undefined, paging: stretchOf(given) }),
    );
  }

  @FieldResolver(() => PipelineConnection, { ...optional, description: 'Pipelines that the viewer may see.' })
  async pipelines(@Root() organization: OrganizationRow, @Ctx() context: GraphqlContext, @Args(() => OrganizationPipelinesArguments) given: OrganizationPipelinesArguments) {
    const { archived, clustered, createdAtFrom, createdAtTo, favorite, search, tags } = given;
    const input = {
      archived, clustered, createdAtFrom, createdAtTo, favorite, search, tags,
      clusterId: given.cluster,
      repository: given.repository?.url,
      teamSlug: given.team,
      order: given.order ?? undefined,
      paging: stretchOf(given),
    };
    return connectionValue(await context.perform(listPipelines, { ...addressOf(organization), ...input }));
  }

  @FieldResolver(() => PipelineTemplateConnection, { ...optional, description: 'Templates that the viewer may use.' })
  async pipelineTemplates(@Root() organization: OrganizationRow, @Ctx() context: GraphqlContext, @Args(() => PipelineTemplateArguments) given: PipelineTemplateArguments) {
    return connectionValue(await context.perform(listTemplates, { ...addressOf(organization), order: given.order ?? undefined, paging: stretchOf(given) }));
  }

  @FieldResolver(() => SuiteConnection, { ...optional, description: 'Test suites that the viewer may see.' })
  async suites(@Root() organization: OrganizationRow, @Ctx() context: GraphqlContext, @Args(() => OrganizationSuitesArguments) given: OrganizationSuitesArguments) {
    const { search, createdAtFrom, createdAtTo } = given;
    return connectionValue(await context.perform(listSuites, { ...addressOf(organization), search, createdAtFrom, createdAtTo, order: given.order ?? undefined, paging: stretchOf(given) }));
  }

  @FieldResolver(() => TeamConnection, { ...optional, description: 'Teams that the viewer may see.' })
  async teams(@Root() organization: OrganizationRow, @Ctx() context: GraphqlContext, @Args(() => TeamArguments) given: TeamArguments) {
    const { search, privacy } = given;
    return connectionValue(
      await context.perform(listTeams, { ...addressOf(organization), search, privacy, userId: given.user, pipelineSlug: given.pipeline, order: given.order ?? undefined, paging: stretchOf(given) }),
    );
  }
}

const startOfDay = (time: Date) => new Date(`${time.toISOString().slice(0, 10)}T00:00:00.000Z`);
