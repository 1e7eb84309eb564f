import { notifiedStates } from '../../../src/domain/integrations/notified-states.js';
import type { Data, GraphqlCall } from '../../support/both-surfaces.js';
import { type At, byNodeId, inAcme, leftOut, list, lower, mapOf, one, type Read, user, userFields } from './read.js';
import { job, jobFields } from './jobs.js';

const inCluster =
  (selection: string) =>
  ({ cluster: id }: At): GraphqlCall =>
    inAcme(`cluster(id: $id) { ${selection} }`, { id }, '$id: ID!');

const actorFields = `user { ${userFields} } team { id uuid name slug }`;
const teamActor = ({ id, uuid, name, slug }: Data) => ({ id: uuid, graphql_id: id, name, slug });
const clusterFields = `id uuid name description emoji color createdAt createdBy { ${userFields} } defaultQueue { uuid } maintainers(first: 50) { edges { node { ${actorFields} } } }`;
const cluster = (found: Data) => {
  const maintainers: Data[] = found.maintainers.edges.map(({ node }: Data) => node);
  return {
    id: found.uuid,
    graphql_id: found.id,
    default_queue_id: found.defaultQueue?.uuid ?? null,
    name: found.name,
    description: found.description,
    emoji: found.emoji,
    color: found.color,
    maintainers: {
      users: maintainers.flatMap(({ user: who }) => (who ? [user(who)] : [])),
      teams: maintainers.flatMap(({ team }) => (team ? [teamActor(team)] : [])),
    },
    url: leftOut.address,
    web_url: leftOut.page,
    queues_url: leftOut.address,
    default_queue_url: found.defaultQueue ? leftOut.address : leftOut.noAddress,
    created_at: found.createdAt,
    created_by: user(found.createdBy),
  };
};

const maintainerFields = `uuid ${actorFields}`;
const maintainer = ({ uuid, user: who, team }: Data) => ({
  id: uuid,
  actor: who
    ? { id: who.uuid, graphql_id: who.id, name: who.name, email: who.email, type: 'user' }
    : { ...teamActor(team), type: 'team' },
});

const queueFields = `id uuid key description dispatchPaused dispatchPausedAt dispatchPausedNote dispatchPausedBy { ${userFields} } createdAt createdBy { ${userFields} } retryAgentAffinity pricePerAgentHour`;
const queue = (found: Data) => ({
  id: found.uuid,
  graphql_id: found.id,
  key: found.key,
  description: found.description,
  url: leftOut.address,
  web_url: leftOut.page,
  cluster_url: leftOut.address,
  retry_agent_affinity: found.retryAgentAffinity,
  price_per_agent_hour: found.pricePerAgentHour,
  dispatch_paused: found.dispatchPaused,
  dispatch_paused_by: user(found.dispatchPausedBy),
  dispatch_paused_at: found.dispatchPausedAt,
  dispatch_paused_note: found.dispatchPausedNote,
  created_at: found.createdAt,
  created_by: user(found.createdBy),
});

const ofTwoMonths = 'from: "2026-01-01T00:00:00Z", to: "2026-03-01T00:00:00Z"';
export const neededFields = 'agents wait waitP95 busyShare jobs from to busiestAgents pastWaitP95 pastShareInTime';

/** The number of agents as /v2 has it. */
export const agentsNeeded = (found: Data): Data => ({
  agents: found.agents,
  wait: found.wait,
  wait_p95: found.waitP95,
  busy_share: found.busyShare,
  jobs: found.jobs,
  from: found.from,
  to: found.to,
  busiest_agents: found.busiestAgents,
  past_wait_p95: found.pastWaitP95,
  past_share_in_time: found.pastShareInTime,
});

const tokenFields = `id uuid description allowedIpAddresses expiresAt createdAt createdBy { ${userFields} }`;
const token = (found: Data) => ({
  id: found.uuid,
  graphql_id: found.id,
  description: found.description,
  allowed_ip_addresses: found.allowedIpAddresses,
  expires_at: found.expiresAt,
  url: leftOut.address,
  cluster_url: leftOut.address,
  created_at: found.createdAt,
  created_by: user(found.createdBy),
});

const secretFields = `id uuid key description policy createdAt updatedAt lastReadAt createdBy { ${userFields} } updatedBy { ${userFields} } organization { uuid slug }`;
const secret = (found: Data) => ({
  id: found.uuid,
  graphql_id: found.id,
  key: found.key,
  description: found.description,
  policy: found.policy,
  created_at: found.createdAt,
  created_by: user(found.createdBy),
  updated_at: found.updatedAt,
  updated_by: user(found.updatedBy),
  last_read_at: found.lastReadAt,
  url: leftOut.address,
  cluster_url: leftOut.address,
  organization: {
    id: found.organization.uuid,
    slug: found.organization.slug,
    url: leftOut.address,
    web_url: leftOut.page,
  },
});

const agentFields = `id uuid name connectionState ipAddress hostname userAgent version architecture createdAt connectedAt disconnectedAt lostAt stoppedAt lastJobFinishedAt priority metaData paused pausedAt pausedNote
  pausedTimeoutInMinutes pausedBy { ${userFields} } operatingSystem { name } clusterQueue { key } job { ${jobFields} }`;
const agent = (found: Data) => ({
  id: found.uuid,
  graphql_id: found.id,
  url: leftOut.address,
  web_url: leftOut.page,
  name: found.name,
  connection_state: found.connectionState,
  ip_address: found.ipAddress,
  hostname: found.hostname,
  user_agent: found.userAgent,
  version: found.version,
  os_id: found.operatingSystem?.name ?? null,
  arch: found.architecture,
  queue: found.clusterQueue?.key ?? null,
  creator: leftOut.always,
  created_at: found.createdAt,
  connected_at: found.connectedAt,
  disconnected_at: found.disconnectedAt,
  lost_at: found.lostAt,
  stopped_at: found.stoppedAt,
  job: found.job && job(found.job),
  last_job_finished_at: found.lastJobFinishedAt,
  priority: found.priority,
  meta_data: found.metaData,
  paused: found.paused,
  paused_at: found.paused ? found.pausedAt : null,
  paused_by: found.paused ? user(found.pausedBy) : null,
  // The schema has no word for a pause without an end but 0.
  paused_note: found.paused ? found.pausedNote : null,
  paused_timeout_in_minutes: found.paused ? found.pausedTimeoutInMinutes || null : null,
});

const org = '/organizations/{org}';
const of = `${org}/clusters/{cluster}`;

export const clusterReads: Readonly<Record<string, Read>> = {
  [`${org}/clusters`]: list(
    () => inAcme(`clusters(first: 50) { edges { node { ${clusterFields} } } }`),
    'organization.clusters',
    cluster,
    { anyOrder: true },
  ),
  [of]: one(inCluster(clusterFields), 'organization.cluster', cluster),
  [`${of}/maintainers`]: list(
    inCluster(`maintainers(first: 50) { edges { node { ${maintainerFields} } } }`),
    'organization.cluster.maintainers',
    maintainer,
    { anyOrder: true },
  ),
  [`${of}/maintainers/{maintainer}`]: byNodeId(
    'ClusterMaintainer',
    'ClusterMaintainer',
    (at) => at['maintainer'],
    maintainerFields,
    maintainer,
  ),
  [`${of}/queues`]: list(
    inCluster(`queues(first: 50) { edges { node { ${queueFields} } } }`),
    'organization.cluster.queues',
    queue,
    { anyOrder: true },
  ),
  [`${of}/queues/{queue}/agents_needed`]: byNodeId(
    'ClusterQueue',
    'ClusterQueue',
    (at) => at['queue'],
    `agentsNeeded(${ofTwoMonths}) { ${neededFields} }`,
    (found) => agentsNeeded(found.agentsNeeded),
    { query: '?from=2026-01-01&to=2026-03-01' },
  ),
  [`${of}/queues/{queue}`]: byNodeId('ClusterQueue', 'ClusterQueue', (at) => at['queue'], queueFields, queue),
  [`${of}/tokens`]: list(
    inCluster(`agentTokens(first: 50) { edges { node { ${tokenFields} } } }`),
    'organization.cluster.agentTokens',
    token,
    { anyOrder: true },
  ),
  [`${of}/tokens/{token}`]: byNodeId('ClusterToken', 'ClusterToken', (at) => at['token'], tokenFields, token),
  [`${of}/secrets`]: list(
    inCluster(`secrets(first: 50) { edges { node { ${secretFields} } } }`),
    'organization.cluster.secrets',
    secret,
    { anyOrder: true },
  ),
  [`${of}/secrets/{secret}`]: one(
    ({ secret: id }) => [`query ($id: ID!) { secret(uuid: $id) { ${secretFields} } }`, { id }],
    'secret',
    secret,
  ),
  [`${org}/agents`]: list(
    () => inAcme(`agents(first: 50) { edges { node { ${agentFields} } } }`),
    'organization.agents',
    agent,
    { anyOrder: true },
  ),
  [`${org}/agents/{agent}`]: one(
    ({ agent: id }) => [`query ($slug: ID!) { agent(slug: $slug) { ${agentFields} } }`, { slug: `acme/${id}` }],
    'agent',
    agent,
  ),
};

const scheduleFields = `id uuid label cronline message commit branch env enabled nextBuildAt failedAt failedMessage createdAt createdBy { ${userFields} } pipeline { uuid slug }`;
const schedule = (found: Data) => ({
  id: found.uuid,
  graphql_id: found.id,
  url: leftOut.address,
  label: found.label,
  cronline: found.cronline,
  message: found.message,
  commit: found.commit,
  branch: found.branch,
  env: mapOf(found.env),
  enabled: found.enabled,
  next_build_at: found.nextBuildAt,
  failed_message: found.failedMessage,
  failed_at: found.failedAt,
  created_at: found.createdAt,
  created_by: user(found.createdBy),
  pipeline: { id: found.pipeline.uuid, slug: found.pipeline.slug, url: leftOut.address },
});

const serviceFields = `__typename ... on NotificationServiceWebhook { id uuid name description enabled scope scopeUuids branchConfiguration url tokenMode tokenSet events buildStates tlsVerify brokenAt createdAt createdBy { ${userFields} } }`;
const service = (found: Data) => ({
  id: found.uuid,
  graphql_id: found.id,
  url: leftOut.address,
  provider: { id: found.__typename.replace('NotificationService', '').toLowerCase(), name: leftOut.always },
  description: found.description,
  enabled: found.enabled,
  scope: found.scope,
  scope_uuids: found.scopeUuids,
  branch_configuration: found.branchConfiguration,
  build_states: Object.fromEntries(notifiedStates.map((state) => [state, found.buildStates.includes(state)])),
  settings: {
    url: found.url,
    token_mode: found.tokenMode,
    token_set: found.tokenSet,
    version: leftOut.always,
    events: found.events,
    tls_verify: found.tlsVerify,
  },
  broken_at: found.brokenAt,
  created_at: found.createdAt,
  created_by: user(found.createdBy),
});
export const toldFields =
  'uuid event state attempts receiverUrl responseStatus responseBody requestBody error durationInMilliseconds nextAttemptAt redeliveryOf createdAt attemptedAt deliveredAt';
export const told = (found: Data) => ({
  id: found.uuid,
  url: leftOut.address,
  event: found.event,
  state: lower(found.state),
  attempts: found.attempts,
  receiver_url: found.receiverUrl,
  response_status: found.responseStatus,
  response_body: found.responseBody,
  request_body: found.requestBody,
  error: found.error,
  duration_in_milliseconds: found.durationInMilliseconds,
  next_attempt_at: found.nextAttemptAt,
  redelivery_of: found.redeliveryOf,
  created_at: found.createdAt,
  attempted_at: found.attemptedAt,
  delivered_at: found.deliveredAt,
});
const inService =
  (selection: string) =>
  ({ service: id, delivery }: At): GraphqlCall => [
    `query ($id: ID!${selection.includes('$delivery') ? ', $delivery: ID!' : ''}) { notificationService(uuid: $id) { ... on NotificationServiceWebhook { ${selection} } } }`,
    { id, delivery },
  ];
const oneService = `${org}/services/{service}`;

/** Reads of schedules and triggers, and of notification services. */
export const notificationReads: Readonly<Record<string, Read>> = {
  [`${org}/pipelines/{slug}/schedules`]: list(
    () => [`{ pipeline(slug: "acme/app") { schedules(first: 50) { edges { node { ${scheduleFields} } } } } }`],
    'pipeline.schedules',
    schedule,
    { anyOrder: true },
  ),
  [`${org}/pipelines/{slug}/schedules/{schedule}`]: one(
    ({ schedule: id }) => [
      `query ($slug: ID!) { pipelineSchedule(slug: $slug) { ${scheduleFields} } }`,
      { slug: `acme/app/${id}` },
    ],
    'pipelineSchedule',
    schedule,
  ),
  [`${org}/services`]: list(
    () => inAcme(`notificationServices(first: 50) { edges { node { ${serviceFields} } } }`),
    'organization.notificationServices',
    service,
    { anyOrder: true },
  ),
  [oneService]: one(
    ({ service: id }) => [`query ($id: ID!) { notificationService(uuid: $id) { ${serviceFields} } }`, { id }],
    'notificationService',
    service,
  ),
  [`${oneService}/deliveries`]: list(
    inService(`deliveries(first: 50) { edges { node { ${toldFields} } } }`),
    'notificationService.deliveries',
    told,
    { anyOrder: true },
  ),
  [`${oneService}/deliveries/{delivery}`]: one(
    inService(`delivery(uuid: $delivery) { ${toldFields} payload }`),
    'notificationService.delivery',
    (found) => ({ ...told(found), payload: JSON.parse(found.payload) }),
  ),
};
