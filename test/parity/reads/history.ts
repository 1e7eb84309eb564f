import { classForm } from '../../../src/domain/organizations/audit/audit-type.js';
import type { Data } from '../../support/both-surfaces.js';
import {
  type At,
  byNodeId,
  inAcme,
  leftOut,
  list,
  lower,
  nodeId,
  nodesOf,
  one,
  type Read,
  user,
  userFields,
} from './read.js';

const actorFields = 'actor { uuid name type }';
const auditFields = `id uuid type operation occurredAt data ${actorFields} subject { uuid name type }
  context { __typename ... on AuditAPIContext { requestApiAccessTokenUuid requestIpAddress requestUserAgent } }`;
const audited = (found: Data) => ({
  uuid: found.uuid,
  graphql_id: found.id,
  type: `${classForm((found.type ?? found.operation).toLowerCase())}Event`,
  operation: found.operation,
  occurred_at: found.occurredAt,
  actor: found.actor && {
    type: classForm(found.actor.type.toLowerCase()),
    uuid: found.actor.uuid,
    name: found.actor.name,
  },
  subject: found.subject && {
    type: classForm((found.subject.type ?? '').toLowerCase()),
    uuid: found.subject.uuid,
    name: found.subject.name,
  },
  context: found.context && {
    type: found.context.__typename.replace('Audit', ''),
    request_ip: found.context.requestIpAddress,
    request_user_agent: found.context.requestUserAgent,
    request_api_access_token_uuid: found.context.requestApiAccessTokenUuid,
  },
  data: JSON.parse(found.data),
  url: leftOut.address,
});

const eventFields = `uuid sequence type from to reason agentUuid timestamp data actor { type uuid node { ... on User { name } ... on Agent { name } } }
  job { ... on JobTypeCommand { uuid } ... on JobTypeBlock { uuid } ... on JobTypeWait { uuid } ... on JobTypeTrigger { uuid } }`;
const event = (found: Data) => ({
  id: found.uuid,
  sequence: found.sequence,
  type: found.type,
  from: found.from,
  to: found.to,
  reason: found.reason,
  agent_id: found.agentUuid,
  created_at: found.timestamp,
  data: JSON.parse(found.data),
  job_id: found.job?.uuid ?? null,
  actor: { type: lower(found.actor.type), id: found.actor.uuid, name: found.actor.node?.name ?? null },
});

const ruleFields = `id uuid type action effect description sourceType targetType conditions createdAt organization { uuid } createdBy { ${userFields} } source { ... on Pipeline { uuid } } target { ... on Pipeline { uuid } }`;
const rule = (found: Data) => ({
  uuid: found.uuid,
  graphql_id: found.id,
  organization_uuid: found.organization.uuid,
  url: leftOut.address,
  type: found.type,
  description: found.description,
  source_type: lower(found.sourceType),
  source_uuid: found.source.uuid,
  target_type: lower(found.targetType),
  target_uuid: found.target.uuid,
  conditions: found.conditions,
  effect: lower(found.effect),
  action: lower(found.action),
  created_at: found.createdAt,
  created_by: user(found.createdBy),
});

const tokenFields = `id uuid description scopes createdAt expiresAt owner { ${userFields} }`;
const token = (found: Data) => ({
  uuid: found.uuid,
  graphql_id: found.id,
  description: found.description,
  scopes: found.scopes.map(lower),
  created_at: found.createdAt,
  expires_at: found.expiresAt,
  owner: user(found.owner),
});

const uploadFields = 'id uuid state message replacesExistingSteps createdJobsCount createdAt job { uuid }';
const stepUpload = (found: Data) => ({
  uuid: found.uuid,
  graphql_id: found.id,
  state: found.state,
  source: 'job',
  source_job_id: found.job.uuid,
  replace_existing_steps: found.replacesExistingSteps,
  created_jobs_count: found.createdJobsCount,
  rejection_type: found.state === 'rejected' ? 'validation_error' : null,
  message: found.message,
  url: leftOut.address,
  created_at: found.createdAt,
  processed_at: found.createdAt,
});

const ofUploads = '/organizations/{org}/pipelines/{slug}/builds/{number}/step-uploads';
const ofBuild = '/organizations/{org}/pipelines/{slug}/builds/{number}/events';
const inBuild =
  (selection: string) =>
  ({ build }: At): [string, object] => [`query ($id: ID!) { build(uuid: $id) { ${selection} } }`, { id: build }];

/** Reads of events, permissions and API tokens. */
export const historyReads: Readonly<Record<string, Read>> = {
  '/organizations/{org}/audit_events': list(
    () => inAcme(`auditEvents(first: 100) { edges { node { ${auditFields} } } }`),
    'organization.auditEvents',
    audited,
    {
      query: '?per_page=100',
      // Audit events without a GraphQL type are only on REST, under the name of their operation.
      of: ({ body }) => body.items.filter(({ type, operation }: Data) => type !== `${classForm(operation)}Event`),
    },
  ),
  '/organizations/{org}/audit_events/{event}': one(
    ({ event: id }) => [`query ($id: ID!) { auditEvent(uuid: $id) { ${auditFields} } }`, { id }],
    'auditEvent',
    audited,
  ),
  [ofBuild]: list(inBuild(`events(first: 100) { edges { node { ${eventFields} } } }`), 'build.events', event, {
    query: '?per_page=100',
  }),
  [`${ofBuild}/{build_event}`]: one(
    inBuild(`events(first: 100) { edges { node { ${eventFields} } } }`),
    'build.events',
    (found, at) =>
      nodesOf(found)
        .map(event)
        .find(({ id }) => id === at['build_event']),
  ),
  [`${ofBuild.replace('/events', '')}/notifications`]: list(
    inBuild(
      'notifications(first: 100) { edges { node { uuid stepUuid kind target condition event outcome detail createdAt updatedAt } } }',
    ),
    'build.notifications',
    (found) => ({
      id: found.uuid,
      step_id: found.stepUuid,
      kind: found.kind,
      target: found.target,
      condition: found.condition,
      event: found.event,
      outcome: found.outcome,
      detail: found.detail,
      created_at: found.createdAt,
      updated_at: found.updatedAt,
    }),
  ),
  [ofUploads]: list(
    inBuild(`stepUploads(first: 100) { edges { node { ${uploadFields} } } }`),
    'build.stepUploads',
    stepUpload,
  ),
  [`${ofUploads}/{upload}`]: byNodeId(
    'BuildStepUpload',
    'BuildStepUpload',
    ({ upload }) => upload,
    `${uploadFields} definitionBytes definition { yaml }`,
    (found) => ({
      ...stepUpload(found),
      definition_bytes: found.definitionBytes,
      definition_yaml: found.definition.yaml,
      definition_yaml_omitted: false,
    }),
  ),
  '/organizations/{org}/rules': list(
    () => inAcme(`rules(first: 50) { edges { node { ${ruleFields} } } }`),
    'organization.rules',
    rule,
    { anyOrder: true },
  ),
  '/organizations/{org}/rules/{rule}': one(
    ({ rule: id }) => [`query ($id: ID!) { rule(uuid: $id) { ${ruleFields} } }`, { id }],
    'rule',
    rule,
  ),
  '/organizations/{org}/api-access-tokens': list(
    () => inAcme(`apiAccessTokens(first: 100) { edges { node { ${tokenFields} } } }`),
    'organization.apiAccessTokens',
    token,
    { query: '?per_page=100' },
  ),
  '/organizations/{org}/pipelines/{slug}/teams': list(
    () => [
      '{ pipeline(slug: "acme/app") { teams(first: 50) { edges { node { accessLevel createdAt team { uuid name slug } } } } } }',
    ],
    'pipeline.teams',
    ({ accessLevel, createdAt, team }) => ({
      access_level: lower(accessLevel),
      created_at: createdAt,
      team_id: team.uuid,
      team_name: team.name,
      team_slug: team.slug,
      team_url: leftOut.address,
    }),
    { anyOrder: true },
  ),
  '/users/{user}': one(
    ({ user: id }) => [
      `query ($id: ID!) { node(id: $id) { ... on User { ${userFields} } } }`,
      { id: nodeId('User', id) },
    ],
    'node',
    user,
  ),
};
