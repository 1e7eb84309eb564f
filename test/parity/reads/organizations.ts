import type { Data } from '../../support/both-surfaces.js';
import {
  inAcme,
  leftOut,
  list,
  lower,
  nodeId,
  one,
  organizationRetentionFields,
  type Read,
  user,
  userFields,
  withoutNulls,
} from './read.js';

const organizationFields = 'id uuid name slug createdAt';
const organization = (found: Data) => ({
  id: found.uuid,
  graphql_id: found.id,
  url: leftOut.address,
  web_url: leftOut.page,
  name: found.name,
  slug: found.slug,
  pipelines_url: leftOut.address,
  agents_url: leftOut.address,
  emojis_url: leftOut.address,
  created_at: found.createdAt,
});

const memberFields = 'role sso { mode } user { uuid name email }';
const member = (found: Data) => ({
  id: found.user.uuid,
  name: found.user.name,
  email: found.user.email,
  role: lower(found.role),
  sso_mode: lower(found.sso.mode),
});

const invitationFields = `createdBy { ${userFields} } acceptedBy { ${userFields} } revokedBy { ${userFields} } id uuid email role sso { mode } state createdAt expiresAt acceptedAt revokedAt teams(first: 10) { nodes { role team { id uuid slug } } }`;
const invitation = (found: Data) => ({
  id: found.uuid,
  graphql_id: found.id,
  email: found.email,
  role: lower(found.role),
  sso_mode: lower(found.sso.mode),
  teams: found.teams.nodes.map(({ role, team }: Data) => ({
    id: team.uuid,
    graphql_id: team.id,
    slug: team.slug,
    role: lower(role),
  })),
  state: lower(found.state),
  url: leftOut.address,
  created_at: found.createdAt,
  created_by: user(found.createdBy),
  expires_at: found.expiresAt,
  accepted_at: found.acceptedAt,
  accepted_by: user(found.acceptedBy),
  revoked_at: found.revokedAt,
  revoked_by: user(found.revokedBy),
  expired_at: found.state === 'EXPIRED' ? found.expiresAt : null,
});

const org = '/organizations/{org}';

/** Reads of the caller, of organizations and their people, and of data outside any organization. */
export const organizationReads: Readonly<Record<string, Read>> = {
  '/user': one(() => [`{ viewer { user { ${userFields} } } }`], 'viewer.user', user),
  '/organizations': list(
    () => [`{ viewer { organizations(first: 50) { edges { node { ${organizationFields} } } } } }`],
    'viewer.organizations',
    organization,
  ),
  [org]: one(() => inAcme(organizationFields), 'organization', organization),
  [`${org}/members`]: list(
    () => inAcme(`members(first: 50) { edges { node { ${memberFields} } } }`),
    'organization.members',
    member,
    { anyOrder: true },
  ),
  [`${org}/members/{user}`]: one(
    ({ membership }) => [
      `query ($slug: ID!) { organizationMember(slug: $slug) { ${memberFields} } }`,
      { slug: `acme/${membership}` },
    ],
    'organizationMember',
    member,
  ),
  [`${org}/api-settings`]: one(
    () => inAcme('apiSettings { allowedIpAddresses restrictUserApiTokenCreation revokeInactiveTokensAfterDays }'),
    'organization.apiSettings',
    ({ allowedIpAddresses, restrictUserApiTokenCreation, revokeInactiveTokensAfterDays }) => ({
      url: leftOut.address,
      allowed_ip_addresses: allowedIpAddresses,
      revoke_inactive_tokens_after_days: revokeInactiveTokensAfterDays,
      restrict_user_api_token_creation: restrictUserApiTokenCreation,
      features: { api_ip_allow_list: true, inactive_api_token_revocation: true },
    }),
  ),
  [`${org}/rate_limit`]: one(
    () => inAcme('rateLimits { api sharedBy limit used }'),
    'organization.rateLimits',
    (limits) => {
      const told = (api: string) => {
        const { limit, used } = limits.find((each: Data) => each.api === api && each.sharedBy === 'organization');
        return {
          limit: limit ?? 0,
          current: used ?? 0,
          reset: expect.any(Number),
          reset_at: expect.any(String),
          enforced: limit !== null,
        };
      };
      return { scopes: { rest: told('rest'), graphql: told('graphql') } };
    },
  ),
  [`${org}/invitations`]: list(
    () => inAcme(`invitations(first: 50) { edges { node { ${invitationFields} } } }`),
    'organization.invitations',
    invitation,
    { query: '?state[]=pending&state[]=accepted&state[]=expired&state[]=revoked' },
  ),
  [`${org}/invitations/{invitation}`]: one(
    ({ invitation: id }) => [
      `query ($slug: ID!) { organizationInvitation(slug: $slug) { ${invitationFields} } }`,
      { slug: `acme/${id}` },
    ],
    'organizationInvitation',
    invitation,
  ),
  [`${org}/banner`]: one(
    () => inAcme('banners(first: 1) { nodes { id uuid message createdAt updatedAt } }'),
    'organization.banners.nodes.0',
    ({ id, uuid, message, createdAt, updatedAt }) => ({
      id: uuid,
      graphql_id: id,
      message,
      created_at: createdAt,
      updated_at: updatedAt,
    }),
  ),
  [`${org}/pipeline-settings`]: one(
    () =>
      inAcme(
        `pipelineSettings { defaultBranch defaultCluster { uuid } defaultTimeoutInMinutes maximumTimeoutInMinutes scheduledJobExpiryInMinutes retention { ${organizationRetentionFields} } publicPipelineCreation { enabled enabledAt enabledBy { uuid name } } buildExports { available enabled location strategyId supportedStrategies } }`,
      ),
    'organization.pipelineSettings',
    (found) => ({
      url: leftOut.address,
      default_branch: found.defaultBranch,
      default_cluster_id: found.defaultCluster?.uuid ?? null,
      default_timeout_in_minutes: found.defaultTimeoutInMinutes,
      maximum_timeout_in_minutes: found.maximumTimeoutInMinutes,
      scheduled_job_expiry_in_minutes: found.scheduledJobExpiryInMinutes,
      retention: withoutNulls(found.retention),
      public_pipeline_creation: {
        enabled: found.publicPipelineCreation.enabled,
        enabled_at: found.publicPipelineCreation.enabledAt,
        enabled_by: found.publicPipelineCreation.enabledBy && {
          id: found.publicPipelineCreation.enabledBy.uuid,
          name: found.publicPipelineCreation.enabledBy.name,
        },
      },
      build_exports: {
        available: found.buildExports.available,
        enabled: found.buildExports.enabled,
        location: found.buildExports.location,
        strategy_id: found.buildExports.strategyId,
        supported_strategies: found.buildExports.supportedStrategies,
      },
    }),
  ),
  [`${org}/storage`]: one(
    () => {
      const sizes = '{ kind rows bytes }';
      const owners = (noun: string) => `${noun}s { ${noun} { uuid slug } countedAt sizes ${sizes} }`;
      return inAcme(
        `storage { countedAt totals ${sizes} ${owners('pipeline')} ${owners('suite')} disk { state freeBytes reserveBytes } }`,
      );
    },
    'organization.storage',
    (found) => {
      const sizes = (list: Data[]) =>
        Object.fromEntries(list.map(({ kind, rows, bytes }) => [kind.toLowerCase(), { rows, bytes }]));
      const owner = ({ pipeline, suite, countedAt, sizes: list }: Data) => ({
        id: (pipeline ?? suite).uuid,
        slug: (pipeline ?? suite).slug,
        counted_at: countedAt,
        sizes: sizes(list),
      });
      return {
        url: leftOut.address,
        counted_at: found.countedAt,
        totals: sizes(found.totals),
        pipelines: found.pipelines.map(owner),
        suites: found.suites.map(owner),
        disk: found.disk && {
          state: found.disk.state.toLowerCase(),
          free_bytes: found.disk.freeBytes,
          reserve_bytes: found.disk.reserveBytes,
        },
      };
    },
  ),
  [`${org}/emojis`]: one(
    () => inAcme('emojis { name aliases url }'),
    'organization.emojis',
    (emojis: Data[]) =>
      emojis.map(({ name, aliases, url }) => ({ name, url, ...(aliases.length > 0 ? { aliases } : {}) })),
  ),
  '/meta': one(
    () => ['{ meta { webhookIps } }'],
    'meta',
    ({ webhookIps }) => ({ webhook_ips: webhookIps }),
  ),
};

const templateFields = `id uuid name description configuration available createdAt updatedAt createdBy { ${userFields} } updatedBy { ${userFields} }`;
const template = (found: Data) => ({
  uuid: found.uuid,
  graphql_id: found.id,
  name: found.name,
  description: found.description ?? '',
  configuration: found.configuration,
  available: found.available,
  url: leftOut.address,
  web_url: leftOut.page,
  created_at: found.createdAt,
  created_by: user(found.createdBy),
  updated_at: found.updatedAt,
  updated_by: user(found.updatedBy),
});

export const templateReads: Readonly<Record<string, Read>> = {
  [`${org}/pipeline-templates`]: list(
    () => inAcme(`pipelineTemplates(first: 50) { edges { node { ${templateFields} } } }`),
    'organization.pipelineTemplates',
    template,
    { anyOrder: true },
  ),
  [`${org}/pipeline-templates/{template}`]: one(
    ({ template: id }) => [`query ($id: ID!) { pipelineTemplate(uuid: $id) { ${templateFields} } }`, { id }],
    'pipelineTemplate',
    template,
  ),
};

const teamFields = `id uuid name slug description privacy isDefaultTeam defaultMemberRole membersCanCreatePipelines membersCanCreateSuites membersCanCreateRegistries membersCanDestroyRegistries membersCanDestroyPackages
  createdAt createdBy { ${userFields} }`;
const team = (found: Data) => ({
  id: found.uuid,
  graphql_id: found.id,
  name: found.name,
  slug: found.slug,
  description: found.description,
  privacy: lower(found.privacy),
  default: found.isDefaultTeam,
  default_member_role: lower(found.defaultMemberRole),
  members_can_create_pipelines: found.membersCanCreatePipelines,
  members_can_create_suites: found.membersCanCreateSuites,
  members_can_create_registries: found.membersCanCreateRegistries,
  members_can_destroy_registries: found.membersCanDestroyRegistries,
  members_can_destroy_packages: found.membersCanDestroyPackages,
  created_at: found.createdAt,
  created_by: user(found.createdBy),
});
const teamMember = (found: Data) => ({
  user_id: found.user.uuid,
  user_name: found.user.name,
  created_at: found.createdAt,
  role: lower(found.role),
});
const teamPipeline = (found: Data) => ({
  access_level: lower(found.accessLevel),
  created_at: found.createdAt,
  pipeline_id: found.pipeline.uuid,
  pipeline_url: leftOut.address,
});
/** One word of the schema stands for the list of /v2. */
const teamSuite = (found: Data) => ({
  suite_id: found.suite.uuid,
  suite_url: leftOut.address,
  created_at: found.createdAt,
  access_level: found.accessLevel === 'MANAGE_AND_READ' ? ['read', 'edit'] : ['read'],
});

const oneTeam = `${org}/teams/{team}`;
/** Reads of the members of a team: the list, and one member, which GraphQL finds by node id. */
const ofTeam = (
  field: string,
  type: string,
  key: string,
  fields: string,
  mapped: (found: Data) => Data,
): [Read, Read] => [
  list(
    ({ team: id }) => [
      `query ($id: ID!) { node(id: $id) { ... on Team { ${field}(first: 50) { edges { node { ${fields} } } } } } }`,
      { id: nodeId('Team', id) },
    ],
    `node.${field}`,
    mapped,
    { anyOrder: true },
  ),
  one(
    (at) => [`query ($id: ID!) { node(id: $id) { ... on ${type} { ${fields} } } }`, { id: nodeId(type, at[key]) }],
    'node',
    mapped,
  ),
];
const [members, oneMember] = ofTeam(
  'members',
  'TeamMember',
  'teamMember',
  'role createdAt user { uuid name }',
  teamMember,
);
const [pipelines, onePipeline] = ofTeam(
  'pipelines',
  'TeamPipeline',
  'teamPipeline',
  'accessLevel createdAt pipeline { uuid }',
  teamPipeline,
);
const [suites, oneSuite] = ofTeam(
  'suites',
  'TeamSuite',
  'teamSuite',
  'accessLevel createdAt suite { uuid }',
  teamSuite,
);

export const teamReads: Readonly<Record<string, Read>> = {
  [`${org}/teams`]: list(
    () => inAcme(`teams(first: 50) { edges { node { ${teamFields} } } }`),
    'organization.teams',
    team,
    { anyOrder: true },
  ),
  [oneTeam]: one(() => [`{ team(slug: "acme/core") { ${teamFields} } }`], 'team', team),
  [`${oneTeam}/members`]: members,
  [`${oneTeam}/members/{user}`]: oneMember,
  [`${oneTeam}/pipelines`]: pipelines,
  [`${oneTeam}/pipelines/{pipeline}`]: onePipeline,
  [`${oneTeam}/suites`]: suites,
  [`${oneTeam}/suites/{suite}`]: oneSuite,
  [`${oneTeam}/suite`]: suites,
  [`${oneTeam}/suite/{suite}`]: oneSuite,
};
