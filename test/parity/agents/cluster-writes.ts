import type { BothSurfaces, Data, GraphqlCall, RestCall } from '../../support/both-surfaces.js';

/** Ids of the latest row of every kind that belongs to a cluster or starts builds, looked up in one world. */
export interface ClusterThings {
  acme: string;
  member: string;
  cluster: Data;
  queue: Data;
  token: Data;
  maintainer: Data;
  secret: Data;
  pipeline: Data;
  schedule: Data;
  agent: Data;
  invitation: Data;
}

export async function clusterThings({ world }: BothSurfaces): Promise<ClusterThings> {
  const latest = (
    table:
      | 'clusters'
      | 'cluster_queues'
      | 'agent_tokens'
      | 'cluster_maintainers'
      | 'cluster_secrets'
      | 'pipelines'
      | 'pipeline_schedules'
      | 'agents'
      | 'organization_invitations',
  ) =>
    world.services.db
      .selectFrom(table as 'clusters')
      .selectAll()
      .orderBy('id', 'desc')
      .executeTakeFirst();
  return {
    acme: world.organization.id,
    member: world.member.id,
    cluster: await latest('clusters'),
    queue: await latest('cluster_queues'),
    token: await latest('agent_tokens'),
    maintainer: await latest('cluster_maintainers'),
    secret: await latest('cluster_secrets'),
    pipeline: await latest('pipelines'),
    schedule: await latest('pipeline_schedules'),
    agent: await latest('agents'),
    invitation: await latest('organization_invitations'),
  };
}

interface Write {
  rest: (at: ClusterThings, more?: object) => RestCall;
  graphql: (at: ClusterThings, more?: object) => GraphqlCall;
}

const clusters = '/organizations/acme/clusters';
const inCluster = ({ cluster }: ClusterThings, kind: string, thing?: Data) =>
  `${clusters}/${cluster.id}/${kind}${thing ? `/${thing.id}` : ''}`;
const schedules = ({ pipeline }: ClusterThings, thing?: Data) =>
  `/organizations/acme/pipelines/${pipeline.slug}/schedules${thing ? `/${thing.id}` : ''}`;
const call = (field: string, payload: string, input: object): GraphqlCall => [
  `mutation ($input: ${field[0]?.toUpperCase()}${field.slice(1)}Input!) { ${field}(input: $input) { ${payload} } }`,
  { input },
];
const agents = ({ agent }: ClusterThings, verb: string) => `/organizations/acme/agents/${agent.id}/${verb}`;

/** Every write operation of clusters, schedules and agents, as a REST and a GraphQL request. */
export const clusterWrites: Readonly<Record<string, Write>> = {
  'cluster.create': {
    rest: (_at, more) => ['post', clusters, more],
    graphql: ({ acme }, more) => call('clusterCreate', 'cluster { id }', { organizationId: acme, ...more }),
  },
  'cluster.update': {
    rest: ({ cluster }, more = { description: 'x' }) => ['patch', `${clusters}/${cluster.id}`, more],
    graphql: ({ acme, cluster }, more = { description: 'x' }) =>
      call('clusterUpdate', 'cluster { id }', { organizationId: acme, id: cluster.id, ...more }),
  },
  'cluster.delete': {
    rest: ({ cluster }) => ['delete', `${clusters}/${cluster.id}`],
    graphql: ({ acme, cluster }) => call('clusterDelete', 'deletedClusterId', { organizationId: acme, id: cluster.id }),
  },
  'cluster-maintainer.create': {
    rest: (at, more = { user: at.member }) => ['post', inCluster(at, 'maintainers'), more],
    graphql: ({ acme, cluster, member }, more = { userId: member }) =>
      call('clusterMaintainerCreate', 'clusterMaintainer { id }', {
        organizationId: acme,
        clusterId: cluster.id,
        ...more,
      }),
  },
  'cluster-maintainer.delete': {
    rest: (at) => ['delete', inCluster(at, 'maintainers', at.maintainer)],
    graphql: ({ acme, maintainer }) =>
      call('clusterMaintainerDelete', 'deletedClusterMaintainerId', { organizationId: acme, id: maintainer.id }),
  },
  'queue.create': {
    rest: (at, more) => ['post', inCluster(at, 'queues'), more],
    graphql: ({ acme, cluster }, more) =>
      call('clusterQueueCreate', 'clusterQueue { id }', { organizationId: acme, clusterId: cluster.id, ...more }),
  },
  'queue.update': {
    rest: (at, more = { description: 'x' }) => ['patch', inCluster(at, 'queues', at.queue), more],
    graphql: ({ acme, queue }, more = { description: 'x' }) =>
      call('clusterQueueUpdate', 'clusterQueue { id }', { organizationId: acme, id: queue.id, ...more }),
  },
  'queue.delete': {
    rest: (at) => ['delete', inCluster(at, 'queues', at.queue)],
    graphql: ({ acme, queue }) =>
      call('clusterQueueDelete', 'deletedClusterQueueId', { organizationId: acme, id: queue.id }),
  },
  'queue.pause-dispatch': {
    rest: (at, more) => ['post', `${inCluster(at, 'queues', at.queue)}/pause_dispatch`, more ?? {}],
    graphql: ({ queue }, more) => call('clusterQueuePauseDispatch', 'queue { id }', { id: queue.id, ...more }),
  },
  'queue.resume-dispatch': {
    rest: (at) => ['post', `${inCluster(at, 'queues', at.queue)}/resume_dispatch`],
    graphql: ({ queue }) => call('clusterQueueResumeDispatch', 'queue { id }', { id: queue.id }),
  },
  'agent-token.create': {
    rest: (at, more = { description: 'd' }) => ['post', inCluster(at, 'tokens'), more],
    graphql: ({ acme, cluster }, more = { description: 'd' }) =>
      call('clusterAgentTokenCreate', 'tokenValue clusterAgentToken { id }', {
        organizationId: acme,
        clusterId: cluster.id,
        ...more,
      }),
  },
  'agent-token.update': {
    rest: (at, more = { description: 'x' }) => ['patch', inCluster(at, 'tokens', at.token), more],
    graphql: ({ acme, token }, more = { description: 'x' }) =>
      call('clusterAgentTokenUpdate', 'clusterAgentToken { id }', { organizationId: acme, id: token.id, ...more }),
  },
  'agent-token.revoke': {
    rest: (at) => ['delete', inCluster(at, 'tokens', at.token)],
    graphql: ({ acme, token }) =>
      call('clusterAgentTokenRevoke', 'deletedClusterAgentTokenId', { organizationId: acme, id: token.id }),
  },
  'secret.create': {
    rest: (at, more = { key: 'NEW', value: 'v' }) => ['post', inCluster(at, 'secrets'), more],
    graphql: ({ acme, cluster }, more = { key: 'NEW', value: 'v' }) =>
      call('secretCreate', 'secret { id }', { organizationId: acme, clusterId: cluster.id, ...more }),
  },
  'secret.update': {
    rest: (at, more = { description: 'x' }) => ['put', inCluster(at, 'secrets', at.secret), more],
    graphql: ({ acme, secret }, more = { description: 'x' }) =>
      call('secretUpdate', 'secret { id }', { organizationId: acme, id: secret.id, ...more }),
  },
  'secret.update-value': {
    rest: (at, more = { value: 'w' }) => ['put', `${inCluster(at, 'secrets', at.secret)}/value`, more],
    graphql: ({ acme, secret }, more = { value: 'w' }) =>
      call('secretUpdateValue', 'secret { id }', { organizationId: acme, id: secret.id, ...more }),
  },
  'secret.delete': {
    rest: (at) => ['delete', inCluster(at, 'secrets', at.secret)],
    graphql: ({ acme, secret }) => call('secretDelete', 'deletedSecretId', { organizationId: acme, id: secret.id }),
  },
  'pipeline-schedule.create': {
    rest: (at, more = { cronline: '@daily' }) => ['post', schedules(at), more],
    graphql: ({ pipeline }, more = { cronline: '@daily' }) =>
      call('pipelineScheduleCreate', 'pipelineScheduleEdge { node { id } }', { pipelineID: pipeline.id, ...more }),
  },
  'pipeline-schedule.update': {
    rest: (at, more = { label: 'x' }) => ['put', schedules(at, at.schedule), more],
    graphql: ({ schedule }, more = { label: 'x' }) =>
      call('pipelineScheduleUpdate', 'pipelineSchedule { id }', { id: schedule.id, ...more }),
  },
  'pipeline-schedule.delete': {
    rest: (at) => ['delete', schedules(at, at.schedule)],
    graphql: ({ schedule }) => call('pipelineScheduleDelete', 'deletedPipelineScheduleID', { id: schedule.id }),
  },
  'organization-invitation.create': {
    rest: (_at, more = { emails: ['ada@example.com'] }) => ['post', '/organizations/acme/invitations', more],
    graphql: ({ acme }, more = { emails: ['ada@example.com'] }) =>
      call('organizationInvitationCreate', 'invitationEdges { node { id } }', { organizationID: acme, ...more }),
  },
  'organization-invitation.resend': {
    rest: ({ invitation }) => ['put', `/organizations/acme/invitations/${invitation.id}/resend`],
    graphql: ({ invitation }) =>
      call('organizationInvitationResend', 'organizationInvitation { id }', { id: invitation.id }),
  },
  'organization-invitation.revoke': {
    rest: ({ invitation }) => ['delete', `/organizations/acme/invitations/${invitation.id}`],
    graphql: ({ invitation }) =>
      call('organizationInvitationRevoke', 'organizationInvitation { id }', { id: invitation.id }),
  },
  'organization-banner.upsert': {
    rest: (_at, more = { message: 'Hello' }) => ['put', '/organizations/acme/banner', more],
    graphql: ({ acme }, more = { message: 'Hello' }) =>
      call('organizationBannerUpsert', 'banner { id }', { organizationId: acme, ...more }),
  },
  'organization-banner.delete': {
    rest: () => ['delete', '/organizations/acme/banner'],
    graphql: ({ acme }) => call('organizationBannerDelete', 'deletedBannerId', { organizationId: acme }),
  },
  'organization.update-api-settings': {
    rest: (_at, more = { revoke_inactive_tokens_after_days: 365 }) => [
      'patch',
      '/organizations/acme/api-settings',
      more,
    ],
    graphql: ({ acme }, more = { revokeInactiveTokensAfterDays: 365 }) =>
      call('organizationApiSettingsUpdate', 'organization { id }', { organizationId: acme, ...more }),
  },
  'organization.set-public-pipelines': {
    rest: (_at, { enabled }: { enabled?: boolean } = {}) => [
      enabled === false ? 'delete' : 'put',
      '/organizations/acme/pipeline-settings/public-pipelines',
    ],
    graphql: ({ acme }, { enabled = true }: { enabled?: boolean } = {}) =>
      call('organizationPublicPipelinesUpdate', 'organization { id }', { organizationId: acme, enabled }),
  },
  'organization.set-build-export': {
    rest: () => [
      'put',
      '/organizations/acme/pipeline-settings/build-export',
      { location: 'exports', strategy_id: 'file' },
    ],
    graphql: ({ acme }) =>
      call('organizationBuildExportUpdate', 'organization { id }', {
        organizationId: acme,
        location: 'exports',
        strategyId: 'file',
      }),
  },
  'organization.delete-build-export': {
    rest: () => ['delete', '/organizations/acme/pipeline-settings/build-export'],
    graphql: ({ acme }) => call('organizationBuildExportDelete', 'organization { id }', { organizationId: acme }),
  },
  'organization.update-pipeline-settings': {
    rest: ({ cluster }, more = { default_cluster_id: cluster.id }) => [
      'patch',
      '/organizations/acme/pipeline-settings',
      more,
    ],
    graphql: ({ acme, cluster }, more = { defaultClusterId: cluster.id }) =>
      call('organizationPipelineSettingsUpdate', 'organization { id }', { organizationId: acme, ...more }),
  },
  'agent.pause': {
    rest: (at, more) => ['put', agents(at, 'pause'), more ?? {}],
    graphql: ({ agent }, more) => call('agentPause', 'agent { id }', { id: agent.id, ...more }),
  },
  'agent.resume': {
    rest: (at) => ['put', agents(at, 'resume'), {}],
    graphql: ({ agent }) => call('agentResume', 'agent { id }', { id: agent.id }),
  },
  'agent.stop': {
    rest: (at, more = { force: false }) => ['put', agents(at, 'stop'), more],
    graphql: ({ agent }, more) => call('agentStop', 'agent { id }', { id: agent.id, ...more }),
  },
};

export function clusterWrite(name: string): Write {
  const found = clusterWrites[name];
  if (!found) throw new Error(`no write ${name}`);
  return found;
}
