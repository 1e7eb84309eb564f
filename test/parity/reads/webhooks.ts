import type { Data, GraphqlCall } from '../../support/both-surfaces.js';
import { type At, inAcme, leftOut, list, one, type Read } from './read.js';

const decisionFields = `kind action repository branch tag commit message author { name email username } pullRequest { id title baseBranch fork draft labels } outcome reason rules { rule outcome reason }
  build { uuid number } canceledBuildIds`;
const decision = (found: Data) => ({
  kind: found.kind,
  action: found.action,
  repository: found.repository,
  branch: found.branch,
  tag: found.tag,
  commit: found.commit,
  message: found.message,
  author: found.author,
  pull_request: found.pullRequest && {
    id: found.pullRequest.id,
    title: found.pullRequest.title,
    base_branch: found.pullRequest.baseBranch,
    fork: found.pullRequest.fork,
    draft: found.pullRequest.draft,
    labels: found.pullRequest.labels,
  },
  outcome: found.outcome,
  reason: found.reason,
  rules: found.rules,
  build: found.build && { id: found.build.uuid, number: found.build.number, url: leftOut.address },
  canceled_build_ids: found.canceledBuildIds,
});
const deliveryFields = `uuid deliveryId provider event state outcome reason headers decisions { ${decisionFields} } createdAt processedAt`;
const delivery = (found: Data) => ({
  id: found.uuid,
  url: leftOut.address,
  delivery_id: found.deliveryId,
  provider: found.provider,
  event: found.event,
  state: found.state,
  outcome: found.outcome,
  reason: found.reason,
  headers: found.headers,
  decisions: found.decisions.map(decision),
  created_at: found.createdAt,
  processed_at: found.processedAt,
});

const connectionFields =
  'uuid name provider host apiUrl username appId hasWebhookSecret webhookURL failingSince lastError lastErrorAt createdAt';
const connection = (found: Data) => ({
  id: found.uuid,
  url: leftOut.address,
  name: found.name,
  provider: found.provider,
  host: found.host,
  api_url: found.apiUrl,
  username: found.username,
  app_id: found.appId,
  has_webhook_secret: found.hasWebhookSecret,
  webhook_url: found.webhookURL,
  failing_since: found.failingSince,
  last_error: found.lastError,
  last_error_at: found.lastErrorAt,
  created_at: found.createdAt,
});

const triggerFields = 'uuid kind description branch commit message env enabled signed createdAt';
const trigger = (found: Data) => ({
  id: found.uuid,
  url: leftOut.address,
  kind: found.kind,
  description: found.description,
  branch: found.branch,
  commit: found.commit,
  message: found.message,
  env: JSON.parse(found.env),
  enabled: found.enabled,
  signed: found.signed,
  created_at: found.createdAt,
});

const inPipeline =
  (selection: string, key?: string) =>
  (at: At): GraphqlCall => [
    `query ${key === undefined ? '' : '($id: ID!)'} { pipeline(slug: "acme/app") { ${selection} } }`,
    key === undefined ? {} : { id: at[key] },
  ];
const of = '/organizations/{org}/pipelines/{slug}';
const repositoryConnection = (found: Data) => ({
  id: found.uuid,
  type: found.provider === 'github' ? 'github_app' : found.provider,
  display_name: found.name,
  url: leftOut.address,
});

const repositoryConnections = '/organizations/{org}/repository_connections';
const connections = '/organizations/{org}/provider-connections';

export const webhookReads: Readonly<Record<string, Read>> = {
  [`${of}/deliveries`]: list(
    inPipeline(`webhookDeliveries(first: 50) { edges { node { ${deliveryFields} } } }`),
    'pipeline.webhookDeliveries',
    delivery,
  ),
  [`${of}/deliveries/{delivery}`]: one(
    inPipeline(`webhookDelivery(uuid: $id) { ${deliveryFields} payload }`, 'delivery'),
    'pipeline.webhookDelivery',
    (found) => ({ ...delivery(found), payload: JSON.parse(found.payload) }),
  ),
  [`${of}/triggers`]: list(
    inPipeline(`triggers(first: 50) { edges { node { ${triggerFields} } } }`),
    'pipeline.triggers',
    trigger,
    { anyOrder: true },
  ),
  [`${of}/triggers/{trigger}`]: one(
    inPipeline(`trigger(uuid: $id) { ${triggerFields} }`, 'trigger'),
    'pipeline.trigger',
    trigger,
  ),
  [repositoryConnections]: list(
    () => inAcme(`providerConnections(first: 50) { edges { node { ${connectionFields} } } }`),
    'organization.providerConnections',
    repositoryConnection,
    { anyOrder: true },
  ),
  [`${repositoryConnections}/{connection}`]: one(
    ({ connection: id }) => inAcme(`providerConnection(uuid: $id) { ${connectionFields} }`, { id }, '$id: ID!'),
    'organization.providerConnection',
    (found) => ({
      ...repositoryConnection(found),
      service_account: null,
      host: { type: found.provider, url: `https://${found.host}` },
      rate_limit: null,
    }),
  ),
  [connections]: list(
    () => inAcme(`providerConnections(first: 50) { edges { node { ${connectionFields} } } }`),
    'organization.providerConnections',
    connection,
    { anyOrder: true },
  ),
  [`${connections}/{connection}`]: one(
    ({ connection: id }) => inAcme(`providerConnection(uuid: $id) { ${connectionFields} }`, { id }, '$id: ID!'),
    'organization.providerConnection',
    connection,
  ),
};
