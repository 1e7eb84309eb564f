import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, ID, Info, Query, Resolver } from 'type-graphql';
import { decodeNodeId, type NodeKind } from '../../domain/node-id.js';
import { getAgent } from '../../operations/agents/get.js';
import { getAnnotation } from '../../operations/builds/annotations/get.js';
import { getArtifact } from '../../operations/builds/artifacts/get.js';
import { getAuditEvent } from '../../operations/organizations/audit-events/get.js';
import { getBuild } from '../../operations/builds/get.js';
import { getAgentToken } from '../../operations/agents/agent-tokens/get.js';
import { getMaintainer } from '../../operations/agents/cluster-maintainers/get.js';
import { getCluster } from '../../operations/agents/clusters/get.js';
import { getEvent } from '../../operations/builds/events/get.js';
import { getCulpritSearch } from '../../operations/builds/culprit-searches/get.js';
import { getStepUpload } from '../../operations/builds/step-uploads/get.js';
import { getJob } from '../../operations/builds/jobs/get.js';
import { repositoryProviderType } from '../integrations/provider-connections/organization-repository-providers.js';
import { getProviderConnection } from '../../operations/integrations/provider-connections/get.js';
import { getNotificationService } from '../../operations/integrations/notification-services/get.js';
import { getBanner } from '../../operations/organizations/banners/get.js';
import { getInvitation } from '../../operations/organizations/invitations/get.js';
import { getOrganizationMember } from '../../operations/organizations/members/get.js';
import { getOrganization } from '../../operations/organizations/get.js';
import { getSchedule } from '../../operations/pipelines/schedules/get.js';
import { getPipeline } from '../../operations/pipelines/get.js';
import { getTemplate } from '../../operations/pipelines/templates/get.js';
import { getQueue } from '../../operations/agents/queues/get.js';
import { getTeamSuite } from '../../operations/organizations/team-suites/get.js';
import { getRule } from '../../operations/agents/rules/get.js';
import { getRun } from '../../operations/suites/suite-runs/get.js';
import { getSuiteTest } from '../../operations/suites/suite-tests/get.js';
import { getTestWorkflow } from '../../operations/suites/workflows/get.js';
import { getSuite } from '../../operations/suites/get.js';
import { getSecret } from '../../operations/agents/secrets/get.js';
import { getTeamMember } from '../../operations/organizations/team-members/get.js';
import { getTeamPipeline } from '../../operations/organizations/team-pipelines/get.js';
import { getTeam } from '../../operations/organizations/teams/get.js';
import { getViewer } from '../../operations/organizations/users/viewer.js';
import { emailOf } from '../organizations/email.js';
import { getUser } from '../../operations/organizations/users/get.js';
import type { GraphqlContext } from '../context.js';
import { jobEventTypeName } from '../builds/job-events/job-event-types.js';
import { jobTypeName, jobTypeNames } from '../builds/jobs/job-interface.js';
import { asNode, Node } from './node.js';
import { allServiceKinds, serviceKinds } from '../../resources/integrations/notification-services/find-service.js';
import type { NotificationServiceRow } from '../../entities/database.js';
import { optional } from '../server/options.js';
import { viewerOf } from '../organizations/viewer.js';

/** What a finder looks up with: the context, and `find`, by which the field that asks performs a read. */
interface Lookup {
  context: GraphqlContext;
  find: GraphqlContext['find'];
}
type Find = (lookup: Lookup, id: string) => Promise<object | null | undefined>;

/** Finds a service; audit events name every service by the kind of webhooks. */
const findService: Find = async ({ find }, id) => (await find(getNotificationService, { service: { id } }))?.service;

/** Finder of each kind of object; ids of other kinds resolve to null. */
const finders: Partial<Record<NodeKind, Find>> = {
  Agent: async ({ find }, id) => (await find(getAgent, { agent: { id } }))?.agent,
  AgentToken: async ({ find }, id) => (await find(getAgentToken, { agentToken: { id } }))?.agentToken,
  Annotation: async ({ find }, id) => (await find(getAnnotation, { annotation: { id } }))?.annotation,
  Artifact: async ({ find }, id) => (await find(getArtifact, { artifact: { id } }))?.artifact,
  AuditEvent: async ({ find }, id) => (await find(getAuditEvent, { auditEvent: { id }, worded: true }))?.auditEvent,
  Build: async ({ find }, id) => (await find(getBuild, { build: { id } }))?.build,
  BuildStepUpload: async ({ find }, id) => (await find(getStepUpload, { id }))?.stepUpload,
  Cluster: async ({ find }, id) => (await find(getCluster, { cluster: { id } }))?.cluster,
  ClusterMaintainer: async ({ find }, id) =>
    (await find(getMaintainer, { clusterMaintainer: { id } }))?.clusterMaintainer,
  ClusterQueue: async ({ find }, id) => (await find(getQueue, { queue: { id } }))?.queue,
  ClusterSecret: async ({ find }, id) => (await find(getSecret, { secret: { id } }))?.secret,
  ClusterToken: async ({ find }, id) => (await find(getAgentToken, { agentToken: { id } }))?.agentToken,
  CulpritSearch: async ({ find }, id) => (await find(getCulpritSearch, { search: { id } }))?.search,
  Email: async ({ find }, id) => {
    const user = await find(getViewer, {});
    return user?.id === id ? emailOf(user) : null;
  },
  Job: async ({ find }, id) => (await find(getJob, { job: { id } }))?.job,
  JobEvent: (lookup, id) => jobEvent(lookup, id),
  ...Object.fromEntries(allServiceKinds.map((kind) => [kind, findService])),
  Organization: ({ find }, id) => find(getOrganization, { organization: { id } }),
  OrganizationBanner: (lookup, id) => organizationBanner(lookup, id),
  OrganizationInvitation: async ({ find }, id) =>
    (await find(getInvitation, { organizationInvitation: { id } }))?.organizationInvitation,
  OrganizationMember: async ({ find }, id) =>
    (await find(getOrganizationMember, { organizationMember: { id } }))?.organizationMember,
  OrganizationRepositoryProviderGitHub: (lookup, id) =>
    repositoryProvider(lookup, id, 'OrganizationRepositoryProviderGitHub'),
  OrganizationRepositoryProviderGitHubEnterpriseServer: (lookup, id) =>
    repositoryProvider(lookup, id, 'OrganizationRepositoryProviderGitHubEnterpriseServer'),
  Pipeline: async ({ find }, id) => (await find(getPipeline, { pipeline: { id } }))?.pipeline,
  PipelineTemplate: async ({ find }, id) => (await find(getTemplate, { pipelineTemplate: { id } }))?.pipelineTemplate,
  Rule: async ({ find }, id) => (await find(getRule, { rule: { id } }))?.rule,
  Run: async ({ find }, id) => (await find(getRun, { run: { id } }))?.run,
  Suite: async ({ find }, id) => (await find(getSuite, { suite: { id } }))?.suite,
  TestWorkflow: async ({ find }, id) => (await find(getTestWorkflow, { workflow: { id } }))?.workflow,
  SuiteTest: async ({ find }, id) => (await find(getSuiteTest, { test: { id } }))?.test,
  PipelineSchedule: async ({ find }, id) => (await find(getSchedule, { pipelineSchedule: { id } }))?.pipelineSchedule,
  Team: async ({ find }, id) => (await find(getTeam, { team: { id } }))?.team,
  TeamMember: async ({ find }, id) => (await find(getTeamMember, { teamMember: { id } }))?.teamMember,
  TeamPipeline: async ({ find }, id) => (await find(getTeamPipeline, { teamPipeline: { id } }))?.teamPipeline,
  TeamSuite: async ({ find }, id) => (await find(getTeamSuite, { teamSuite: { id } }))?.teamSuite,
  User: ({ find }, id) => find(getUser, { id }),
  Viewer: async ({ context }, id) => (viewerOf(context)?.id === id ? viewerOf(context) : null),
};

async function jobEvent({ find }: Lookup, id: string): Promise<object | null> {
  const event = await find(getEvent, { id });
  return event?.subject === 'job' ? event : null;
}

async function organizationBanner({ context, find }: Lookup, id: string): Promise<object | null> {
  const banner = await context.load.organizationBanner.load(id);
  const node = banner && (await find(getBanner, { organization: { id: banner.organizationId } }));
  return node?.banner ?? null;
}

async function repositoryProvider({ find }: Lookup, id: string, type: string): Promise<object | null> {
  const node = await find(getProviderConnection, { connection: { id } });
  return node && repositoryProviderType(node.connection) === type ? node.connection : null;
}

function typeName(kind: NodeKind, row: object): string {
  if (kind === 'Job') return jobTypeName(row as Parameters<typeof jobTypeName>[0]);
  if (kind === 'JobEvent') return jobEventTypeName(row as Parameters<typeof jobEventTypeName>[0]);
  if (kind === 'Run') return 'SuiteRun';
  if (allServiceKinds.includes(kind)) return serviceKinds[(row as NotificationServiceRow).provider];
  return kind === 'ClusterSecret' ? 'Secret' : kind;
}

/** Types that objects of a kind have. */
function typeNamesOf(kind: NodeKind): readonly string[] {
  if (kind === 'Job') return jobTypeNames;
  if (allServiceKinds.includes(kind)) return allServiceKinds;
  return kind === 'JobEvent' ? [] : [typeName(kind, {})];
}

@Resolver()
export class NodeQueryResolver {
  @Query(() => Node, {
    ...optional,
    description: 'Returns an object by its GraphQL ID; null when the object is absent or hidden.',
  })
  async node(
    @Ctx() context: GraphqlContext,
    @Arg('id', () => ID, { description: 'GraphQL ID of the object.' }) id: string,
    @Info() info: GraphQLResolveInfo,
  ): Promise<object | null> {
    const nodeId = decodeNodeId(id);
    const find: Lookup['find'] = (operation, input) =>
      context.reach(operation, input, info, nodeId ? typeNamesOf(nodeId.kind) : []);
    const row = nodeId && (await finders[nodeId.kind]?.({ context, find }, nodeId.uuid));
    return nodeId && row ? asNode(typeName(nodeId.kind, row), row) : null;
  }
}
