import type DataLoader from 'dataloader';
import { createUnionType } from 'type-graphql';
import type { NodeKind } from '../../domain/node-id.js';
import type { Scope } from '../../domain/scopes.js';
import type { JobRow } from '../../entities/database.js';
import type { Loaders } from '../../loaders.js';
import { Agent } from '../agents/agent.js';
import { ClusterQueue } from '../clusters/cluster-queue.js';
import { ClusterToken } from '../clusters/cluster-token.js';
import { Cluster } from '../clusters/cluster.js';
import { Secret } from '../clusters/secret.js';
import type { GraphqlContext } from '../context.js';
import { jobTypeName } from '../jobs/job-interface.js';
import { JobTypeBlock } from '../jobs/job-type-block.js';
import { JobTypeCommand } from '../jobs/job-type-command.js';
import { JobTypeTrigger } from '../jobs/job-type-trigger.js';
import { JobTypeWait } from '../jobs/job-type-wait.js';
import { asNode, nodeTypeOf } from '../node.js';
import { NotificationServiceWebhook } from '../notifications/notification-service.js';
import { OrganizationMember } from '../organizations/organization-member.js';
import { Organization } from '../organizations/organization.js';
import { User } from '../organizations/user.js';
import { PipelineTemplate } from '../pipeline-templates/pipeline-template.js';
import { Pipeline } from '../pipelines/pipeline.js';
import { Rule } from '../rules/rule.js';
import { PipelineSchedule } from '../schedules/pipeline-schedule.js';
import { Suite } from '../suites/suite.js';
import { TeamMember } from '../teams/team-member.js';
import { TeamPipeline } from '../teams/team-pipeline.js';
import { TeamSuite } from '../teams/team-suite.js';
import { Team } from '../teams/team.js';

export const AuditActorNode = createUnionType({
  name: 'AuditActorNode',
  description: 'Who can have made a privileged change.',
  types: () => [Agent, User] as const,
  resolveType: (actor: object) => nodeTypeOf(actor),
});

export const AuditSubjectNode = createUnionType({
  name: 'AuditSubjectNode',
  description: 'What a privileged change can have been made to.',
  types: () =>
    [
      Cluster, ClusterQueue, ClusterToken, JobTypeBlock, JobTypeCommand, JobTypeTrigger, JobTypeWait, NotificationServiceWebhook, Organization,
      OrganizationMember, Pipeline, PipelineSchedule, PipelineTemplate, Rule, Secret, Suite, Team, TeamMember, TeamPipeline, TeamSuite, User,
    ] as const,
  resolveType: (subject: object) => nodeTypeOf(subject),
});

/** How a thing is read, and shown: its node id, the loader that batches it, and the scope a token needs for it. */
interface Reading {
  kind: NodeKind;
  scope: Scope | null;
  loader?: (load: Loaders) => DataLoader<string, { id: string } | null>;
}

/** By our noun. Kinds of thing that the union does not have are known by their ids alone. */
const readings: Readonly<Record<string, Reading>> = {
  agent: { kind: 'Agent', scope: 'read_agents', loader: (load) => load.agent },
  'agent-token': { kind: 'ClusterToken', scope: 'read_clusters', loader: (load) => load.agentToken },
  cluster: { kind: 'Cluster', scope: 'read_clusters', loader: (load) => load.cluster },
  'cluster-maintainer': { kind: 'ClusterMaintainer', scope: null },
  job: { kind: 'Job', scope: 'read_builds', loader: (load) => load.job },
  'notification-service': { kind: 'NotificationServiceWebhook', scope: 'read_notification_services', loader: (load) => load.notificationService },
  organization: { kind: 'Organization', scope: null, loader: (load) => load.organization },
  'organization-member': { kind: 'OrganizationMember', scope: null, loader: (load) => load.organizationMember },
  pipeline: { kind: 'Pipeline', scope: 'read_pipelines', loader: (load) => load.pipeline },
  'pipeline-schedule': { kind: 'PipelineSchedule', scope: 'read_pipelines', loader: (load) => load.pipelineSchedule },
  'pipeline-template': { kind: 'PipelineTemplate', scope: 'read_pipeline_templates', loader: (load) => load.pipelineTemplate },
  queue: { kind: 'ClusterQueue', scope: 'read_clusters', loader: (load) => load.clusterQueue },
  rule: { kind: 'Rule', scope: 'read_rules', loader: (load) => load.rule },
  secret: { kind: 'ClusterSecret', scope: 'read_secrets_details', loader: (load) => load.clusterSecret },
  suite: { kind: 'Suite', scope: 'read_suites', loader: (load) => load.suite },
  team: { kind: 'Team', scope: 'read_teams', loader: (load) => load.team },
  'team-member': { kind: 'TeamMember', scope: 'read_teams', loader: (load) => load.teamMember },
  'team-pipeline': { kind: 'TeamPipeline', scope: 'read_teams', loader: (load) => load.teamPipeline },
  'team-suite': { kind: 'TeamSuite', scope: 'read_teams', loader: (load) => load.teamSuite },
  token: { kind: 'APIAccessToken', scope: null },
  user: { kind: 'User', scope: null, loader: (load) => load.user },
};

/** The kind of node id that a noun's things have; undefined for what has none. */
export const nodeKindOf = (noun: string): NodeKind | undefined => readings[noun]?.kind;

/** The thing itself as it is now; null once it is gone. One statement for all of a kind. */
export async function auditedThing(context: GraphqlContext, noun: string, id: string): Promise<object | null> {
  const reading = readings[noun];
  const row = reading?.loader ? await context.follow(reading.scope, reading.loader(context.load), id) : null;
  if (!row || !reading) return null;
  if (reading.kind === 'Job') return asNode(jobTypeName(row as JobRow), row);
  return asNode(reading.kind === 'ClusterSecret' ? 'Secret' : reading.kind, row);
}
