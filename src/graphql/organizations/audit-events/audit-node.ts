import type DataLoader from 'dataloader';
import { createUnionType } from 'type-graphql';
import type { NodeKind } from '../../../domain/node-id.js';
import type { Scope } from '../../../domain/organizations/scopes.js';
import type { JobRow, NotificationServiceRow } from '../../../entities/database.js';
import { serviceKinds } from '../../../resources/integrations/notification-services/find-service.js';
import { Agent } from '../../agents/agent.js';
import { ClusterQueue } from '../../agents/queues/cluster-queue.js';
import { AgentToken } from '../../agents/agent-tokens/agent-token.js';
import { ClusterToken } from '../../agents/agent-tokens/cluster-token.js';
import { Cluster } from '../../agents/clusters/cluster.js';
import { Secret } from '../../agents/secrets/secret.js';
import type { GraphqlContext } from '../../context.js';
import { jobTypeName } from '../../builds/jobs/job-interface.js';
import { JobTypeBlock } from '../../builds/jobs/job-type-block.js';
import { JobTypeCommand } from '../../builds/jobs/job-type-command.js';
import { JobTypeTrigger } from '../../builds/jobs/job-type-trigger.js';
import { JobTypeWait } from '../../builds/jobs/job-type-wait.js';
import { asNode, nodeTypeOf } from '../../nodes/node.js';
import {
  NotificationServiceOpenTelemetryTracing,
  NotificationServiceSlack,
  NotificationServiceWebhook,
} from '../../integrations/notifications/notification-service.js';
import {
  OrganizationRepositoryProviderGitHub,
  OrganizationRepositoryProviderGitHubEnterpriseServer,
} from '../../integrations/provider-connections/organization-repository-providers.js';
import { Email } from '../email.js';
import { OrganizationBanner } from '../organization-banner.js';
import { OrganizationInvitation } from '../invitations/organization-invitation.js';
import { OrganizationMember } from '../organization-member.js';
import { Organization } from '../organization.js';
import { User } from '../user.js';
import { PipelineTemplate } from '../../pipelines/templates/pipeline-template.js';
import { Pipeline } from '../../pipelines/pipeline.js';
import { Rule } from '../../agents/rules/rule.js';
import { PipelineSchedule } from '../../pipelines/schedules/pipeline-schedule.js';
import { Suite } from '../../suites/suite.js';
import { TeamMember } from '../teams/team-member.js';
import { TeamPipeline } from '../teams/team-pipeline.js';
import { TeamSuite } from '../teams/team-suite.js';
import { Team } from '../teams/team.js';

export const AuditActorNode = createUnionType({
  name: 'AuditActorNode',
  description: 'Object that may be the actor of an audited change.',
  types: () => [Agent, User] as const,
  resolveType: (actor: object) => nodeTypeOf(actor),
});

export const AuditSubjectNode = createUnionType({
  name: 'AuditSubjectNode',
  description: 'Object that may be the subject of an audited change.',
  types: () =>
    [
      AgentToken,
      Cluster,
      ClusterQueue,
      ClusterToken,
      Email,
      JobTypeBlock,
      JobTypeCommand,
      JobTypeTrigger,
      JobTypeWait,
      NotificationServiceOpenTelemetryTracing,
      NotificationServiceSlack,
      NotificationServiceWebhook,
      Organization,
      OrganizationBanner,
      OrganizationInvitation,
      OrganizationMember,
      OrganizationRepositoryProviderGitHub,
      OrganizationRepositoryProviderGitHubEnterpriseServer,
      Pipeline,
      PipelineSchedule,
      PipelineTemplate,
      Rule,
      Secret,
      Suite,
      Team,
      TeamMember,
      TeamPipeline,
      TeamSuite,
      User,
    ] as const,
  resolveType: (subject: object) => nodeTypeOf(subject),
});

/** Loading of an audited object: kind of its GraphQL ID, batching loader, and the scope that a token needs. */
interface Reading {
  kind: NodeKind;
  scope: Scope | null;
  loader?: (context: GraphqlContext) => DataLoader<string, { id: string } | null>;
}

/** Readings by the nouns of audit rows. Kinds outside the union have no loader: only their ids are shown. */
const readings: Readonly<Record<string, Reading>> = {
  agent: { kind: 'Agent', scope: 'read_agents', loader: ({ load }) => load.agent },
  'agent-token': { kind: 'ClusterToken', scope: 'read_clusters', loader: ({ load }) => load.agentToken },
  cluster: { kind: 'Cluster', scope: 'read_clusters', loader: ({ load }) => load.cluster },
  'cluster-maintainer': { kind: 'ClusterMaintainer', scope: null },
  job: { kind: 'Job', scope: 'read_builds', loader: ({ references }) => references.job },
  'notification-service': {
    kind: 'NotificationServiceWebhook',
    scope: 'read_notification_services',
    loader: ({ load }) => load.notificationService,
  },
  organization: { kind: 'Organization', scope: null, loader: ({ load }) => load.organization },
  'organization-banner': { kind: 'OrganizationBanner', scope: null, loader: ({ load }) => load.organizationBanner },
  'organization-invitation': {
    kind: 'OrganizationInvitation',
    scope: 'read_organization_invitations',
    loader: ({ load }) => load.organizationInvitation,
  },
  'organization-member': { kind: 'OrganizationMember', scope: null, loader: ({ load }) => load.organizationMember },
  pipeline: { kind: 'Pipeline', scope: 'read_pipelines', loader: ({ references }) => references.pipeline },
  'pipeline-schedule': {
    kind: 'PipelineSchedule',
    scope: 'read_pipelines',
    loader: ({ load }) => load.pipelineSchedule,
  },
  'pipeline-template': {
    kind: 'PipelineTemplate',
    scope: 'read_pipeline_templates',
    loader: ({ load }) => load.pipelineTemplate,
  },
  queue: { kind: 'ClusterQueue', scope: 'read_clusters', loader: ({ load }) => load.clusterQueue },
  rule: { kind: 'Rule', scope: 'read_rules', loader: ({ load }) => load.rule },
  secret: { kind: 'ClusterSecret', scope: 'read_secrets_details', loader: ({ load }) => load.clusterSecret },
  suite: { kind: 'Suite', scope: 'read_suites', loader: ({ load }) => load.suite },
  team: { kind: 'Team', scope: 'read_teams', loader: ({ load }) => load.team },
  'team-member': { kind: 'TeamMember', scope: 'read_teams', loader: ({ load }) => load.teamMember },
  'team-pipeline': { kind: 'TeamPipeline', scope: 'read_teams', loader: ({ load }) => load.teamPipeline },
  'team-suite': { kind: 'TeamSuite', scope: 'read_teams', loader: ({ load }) => load.teamSuite },
  token: { kind: 'APIAccessToken', scope: null },
  user: { kind: 'User', scope: null, loader: ({ load }) => load.user },
};

/** Kind of the GraphQL ID of a noun's objects; undefined if they have none. */
export const nodeKindOf = (noun: string): NodeKind | undefined => readings[noun]?.kind;

/**
 * Returns the audited object in its current state; null if it no longer exists or is hidden. Loads are batched by kind.
 */
export async function auditedObject(context: GraphqlContext, noun: string, id: string): Promise<object | null> {
  const reading = readings[noun];
  const row = reading?.loader ? await context.loadReference(reading.scope, reading.loader(context), id) : null;
  if (!row || !reading) return null;
  if (reading.kind === 'Job') return asNode(jobTypeName(row as JobRow), row);
  if (reading.kind === 'NotificationServiceWebhook') return serviceNode(row as NotificationServiceRow);
  return asNode(reading.kind === 'ClusterSecret' ? 'Secret' : reading.kind, row);
}

/** A service as a member of the union, which has those of the compatible schema; null for another provider. */
function serviceNode(row: NotificationServiceRow): object | null {
  const known = ['webhook', 'slack', 'open_telemetry_tracing'];
  return known.includes(row.provider) ? asNode(serviceKinds[row.provider], row) : null;
}
