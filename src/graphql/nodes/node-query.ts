import { Arg, Ctx, ID, Query, Resolver } from 'type-graphql';
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
import { getStepUpload } from '../../operations/builds/step-uploads/get.js';
import { getJob } from '../../operations/builds/jobs/get.js';
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
import { jobTypeName } from '../builds/jobs/job-interface.js';
import { asNode, Node } from './node.js';
import { optional } from '../server/options.js';
import { viewerOf } from '../organizations/viewer.js';

type Find = (context: GraphqlContext, id: string) => Promise<object | null | undefined>;

/** Finder of each kind of object; ids of other kinds resolve to null. */
const finders: Partial<Record<NodeKind, Find>> = {
  Agent: async (context, id) => (await context.find(getAgent, { agent: { id } }))?.agent,
  AgentToken: async (context, id) => (await context.find(getAgentToken, { agentToken: { id } }))?.agentToken,
  Annotation: async (context, id) => (await context.find(getAnnotation, { annotation: { id } }))?.annotation,
  Artifact: async (context, id) => (await context.find(getArtifact, { artifact: { id } }))?.artifact,
  AuditEvent: async (context, id) =>
    (await context.find(getAuditEvent, { auditEvent: { id }, worded: true }))?.auditEvent,
  Build: async (context, id) => (await context.find(getBuild, { build: { id } }))?.build,
  BuildStepUpload: async (context, id) => (await context.find(getStepUpload, { id }))?.stepUpload,
  Cluster: async (context, id) => (await context.find(getCluster, { cluster: { id } }))?.cluster,
  ClusterMaintainer: async (context, id) =>
    (await context.find(getMaintainer, { clusterMaintainer: { id } }))?.clusterMaintainer,
  ClusterQueue: async (context, id) => (await context.find(getQueue, { queue: { id } }))?.queue,
  ClusterSecret: async (context, id) => (await context.find(getSecret, { secret: { id } }))?.secret,
  ClusterToken: async (context, id) => (await context.find(getAgentToken, { agentToken: { id } }))?.agentToken,
  Email: async (context, id) => {
    const user = await context.find(getViewer, {});
    return user?.id === id ? emailOf(user) : null;
  },
  Job: async (context, id) => (await context.find(getJob, { job: { id } }))?.job,
  JobEvent: (context, id) => jobEvent(context, id),
  NotificationServiceWebhook: async (context, id) =>
    (await context.find(getNotificationService, { service: { id } }))?.service,
  Organization: (context, id) => context.find(getOrganization, { organization: { id } }),
  OrganizationBanner: (context, id) => organizationBanner(context, id),
  OrganizationInvitation: async (context, id) =>
    (await context.find(getInvitation, { organizationInvitation: { id } }))?.organizationInvitation,
  OrganizationMember: async (context, id) =>
    (await context.find(getOrganizationMember, { organizationMember: { id } }))?.organizationMember,
  OrganizationRepositoryProviderGitHub: (context, id) => repositoryProvider(context, id, 'github'),
  OrganizationRepositoryProviderGitHubEnterpriseServer: (context, id) =>
    repositoryProvider(context, id, 'github_enterprise'),
  Pipeline: async (context, id) => (await context.find(getPipeline, { pipeline: { id } }))?.pipeline,
  PipelineTemplate: async (context, id) =>
    (await context.find(getTemplate, { pipelineTemplate: { id } }))?.pipelineTemplate,
  Rule: async (context, id) => (await context.find(getRule, { rule: { id } }))?.rule,
  Run: async (context, id) => (await context.find(getRun, { run: { id } }))?.run,
  Suite: async (context, id) => (await context.find(getSuite, { suite: { id } }))?.suite,
  SuiteTest: async (context, id) => (await context.find(getSuiteTest, { test: { id } }))?.test,
  PipelineSchedule: async (context, id) =>
    (await context.find(getSchedule, { pipelineSchedule: { id } }))?.pipelineSchedule,
  Team: async (context, id) => (await context.find(getTeam, { team: { id } }))?.team,
  TeamMember: async (context, id) => (await context.find(getTeamMember, { teamMember: { id } }))?.teamMember,
  TeamPipeline: async (context, id) => (await context.find(getTeamPipeline, { teamPipeline: { id } }))?.teamPipeline,
  TeamSuite: async (context, id) => (await context.find(getTeamSuite, { teamSuite: { id } }))?.teamSuite,
  User: (context, id) => context.find(getUser, { id }),
  Viewer: async (context, id) => (viewerOf(context)?.id === id ? viewerOf(context) : null),
};

async function jobEvent(context: GraphqlContext, id: string): Promise<object | null> {
  const event = await context.find(getEvent, { id });
  return event?.subject === 'job' ? event : null;
}

async function organizationBanner(context: GraphqlContext, id: string): Promise<object | null> {
  const banner = await context.load.organizationBanner.load(id);
  const found = banner && (await context.find(getBanner, { organization: { id: banner.organizationId } }));
  return found?.banner ?? null;
}

async function repositoryProvider(context: GraphqlContext, id: string, provider: string): Promise<object | null> {
  const found = await context.find(getProviderConnection, { connection: { id } });
  return found?.connection.provider === provider ? found.connection : null;
}

function typeName(kind: NodeKind, row: object): string {
  if (kind === 'Job') return jobTypeName(row as Parameters<typeof jobTypeName>[0]);
  if (kind === 'JobEvent') return jobEventTypeName(row as Parameters<typeof jobEventTypeName>[0]);
  if (kind === 'Run') return 'SuiteRun';
  return kind === 'ClusterSecret' ? 'Secret' : kind;
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
  ): Promise<object | null> {
    const nodeId = decodeNodeId(id);
    const row = nodeId && (await finders[nodeId.kind]?.(context, nodeId.uuid));
    return nodeId && row ? asNode(typeName(nodeId.kind, row), row) : null;
  }
}
