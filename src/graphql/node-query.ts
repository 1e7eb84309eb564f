import { Arg, Ctx, ID, Query, Resolver } from 'type-graphql';
import { decodeNodeId, type NodeKind } from '../domain/node-id.js';
import { getAgent } from '../operations/agents/get.js';
import { getAnnotation } from '../operations/annotations/get.js';
import { getArtifact } from '../operations/artifacts/get.js';
import { getAuditEvent } from '../operations/audit-events/get.js';
import { getBuild } from '../operations/builds/get.js';
import { getAgentToken } from '../operations/clusters/get-agent-token.js';
import { getMaintainer } from '../operations/clusters/get-maintainer.js';
import { getCluster } from '../operations/clusters/get.js';
import { getEvent } from '../operations/events/get.js';
import { getJob } from '../operations/jobs/get.js';
import { getNotificationService } from '../operations/notification-services/get.js';
import { getOrganizationMember } from '../operations/organizations/get-member.js';
import { getOrganization } from '../operations/organizations/get.js';
import { getSchedule } from '../operations/pipeline-schedules/get.js';
import { getPipeline } from '../operations/pipelines/get.js';
import { getTemplate } from '../operations/pipeline-templates/get.js';
import { getQueue } from '../operations/queues/get.js';
import { getTeamSuite } from '../operations/team-suites/get.js';
import { getRule } from '../operations/rules/get.js';
import { getRun } from '../operations/runs/get.js';
import { getSuiteTest } from '../operations/suite-tests/get.js';
import { getSuite } from '../operations/suites/get.js';
import { getSecret } from '../operations/secrets/get.js';
import { getTeamMember } from '../operations/teams/get-member.js';
import { getTeamPipeline } from '../operations/teams/get-pipeline.js';
import { getTeam } from '../operations/teams/get.js';
import { getUser } from '../operations/users/get.js';
import type { GraphqlContext } from './context.js';
import { jobEventTypeName } from './jobs/job-event-types.js';
import { jobTypeName } from './jobs/job-interface.js';
import { asNode, Node } from './node.js';
import { optional } from './options.js';
import { viewerOf } from './organizations/viewer.js';

type Find = (context: GraphqlContext, id: string) => Promise<object | null | undefined>;

/** How each kind of thing is found; kinds that are not among them resolve to null like an id of nothing. */
const finders: Partial<Record<NodeKind, Find>> = {
  Agent: async (context, id) => (await context.find(getAgent, { agent: { id } }))?.agent,
  Annotation: async (context, id) => (await context.find(getAnnotation, { annotation: { id } }))?.annotation,
  Artifact: async (context, id) => (await context.find(getArtifact, { artifact: { id } }))?.artifact,
  AuditEvent: async (context, id) => (await context.find(getAuditEvent, { auditEvent: { id }, worded: true }))?.auditEvent,
  Build: async (context, id) => (await context.find(getBuild, { build: { id } }))?.build,
  Cluster: async (context, id) => (await context.find(getCluster, { cluster: { id } }))?.cluster,
  ClusterMaintainer: async (context, id) => (await context.find(getMaintainer, { clusterMaintainer: { id } }))?.clusterMaintainer,
  ClusterQueue: async (context, id) => (await context.find(getQueue, { queue: { id } }))?.queue,
  ClusterSecret: async (context, id) => (await context.find(getSecret, { secret: { id } }))?.secret,
  ClusterToken: async (context, id) => (await context.find(getAgentToken, { agentToken: { id } }))?.agentToken,
  Job: async (context, id) => (await context.find(getJob, { job: { id } }))?.job,
  JobEvent: (context, id) => jobEvent(context, id),
  NotificationServiceWebhook: async (context, id) => (await context.find(getNotificationService, { service: { id } }))?.service,
  Organization: (context, id) => context.find(getOrganization, { organization: { id } }),
  OrganizationMember: async (context, id) => (await context.find(getOrganizationMember, { organizationMember: { id } }))?.organizationMember,
  Pipeline: async (context, id) => (await context.find(getPipeline, { pipeline: { id } }))?.pipeline,
  PipelineTemplate: async (context, id) => (await context.find(getTemplate, { pipelineTemplate: { id } }))?.pipelineTemplate,
  Rule: async (context, id) => (await context.find(getRule, { rule: { id } }))?.rule,
  Run: async (context, id) => (await context.find(getRun, { run: { id } }))?.run,
  Suite: async (context, id) => (await context.find(getSuite, { suite: { id } }))?.suite,
  SuiteTest: async (context, id) => (await context.find(getSuiteTest, { test: { id } }))?.test,
  PipelineSchedule: async (context, id) => (await context.find(getSchedule, { pipelineSchedule: { id } }))?.pipelineSchedule,
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

function typeName(kind: NodeKind, row: object): string {
  if (kind === 'Job') return jobTypeName(row as Parameters<typeof jobTypeName>[0]);
  if (kind === 'JobEvent') return jobEventTypeName(row as Parameters<typeof jobEventTypeName>[0]);
  if (kind === 'Run') return 'SuiteRun';
  return kind === 'ClusterSecret' ? 'Secret' : kind;
}

@Resolver()
export class NodeQueryResolver {
  @Query(() => Node, { ...optional, description: 'Anything that has an id, by that id.' })
  async node(@Ctx() context: GraphqlContext, @Arg('id', () => ID) id: string): Promise<object | null> {
    const named = decodeNodeId(id);
    const row = named && (await finders[named.kind]?.(context, named.uuid));
    return named && row ? asNode(typeName(named.kind, row), row) : null;
  }
}
