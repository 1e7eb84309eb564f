/** Words of a path by the names in its template. */
type Words = Record<string, string>;

/** A kind of page: its path, its title, and the API URL of the same resource. */
export interface PageKind {
  path: string;
  title: (words: Words) => string;
  api?: (words: Words) => string;
}

const organization = (w: Words) => `/v2/organizations/${w['organization']}`;
const cluster = (w: Words) => `${organization(w)}/clusters/${w['cluster']}`;
const pipeline = (w: Words) => `${organization(w)}/pipelines/${w['pipeline']}`;

/**
 * Every `web_url` that Slipway returns. The title is derived from the URL alone: without a login no data is shown, not
 * even whether an object exists.
 */
export const pageKinds: PageKind[] = [
  { path: '/organizations/:organization', title: (w) => `Organization ${w['organization']}`, api: organization },
  {
    path: '/organizations/:organization/agents',
    title: (w) => `Agents of ${w['organization']}`,
    api: (w) => `${organization(w)}/agents`,
  },
  {
    path: '/organizations/:organization/agents/:agent',
    title: (w) => `Agent ${w['agent']} of ${w['organization']}`,
    api: (w) => `${organization(w)}/agents/${w['agent']}`,
  },
  {
    path: '/organizations/:organization/clusters',
    title: (w) => `Clusters of ${w['organization']}`,
    api: (w) => `${organization(w)}/clusters`,
  },
  {
    path: '/organizations/:organization/clusters/:cluster',
    title: (w) => `Cluster ${w['cluster']} of ${w['organization']}`,
    api: cluster,
  },
  {
    path: '/organizations/:organization/clusters/:cluster/queues',
    title: (w) => `Queues of cluster ${w['cluster']} of ${w['organization']}`,
    api: (w) => `${cluster(w)}/queues`,
  },
  {
    path: '/organizations/:organization/clusters/:cluster/queues/:queue',
    title: (w) => `Queue ${w['queue']} of ${w['organization']}`,
    api: (w) => `${cluster(w)}/queues/${w['queue']}`,
  },
  {
    path: '/organizations/:organization/clusters/:cluster/queues/:queue/agents/:agent',
    title: (w) => `Agent ${w['agent']} of ${w['organization']}`,
    api: (w) => `${organization(w)}/agents/${w['agent']}`,
  },
  {
    path: '/organizations/:organization/teams',
    title: (w) => `Teams of ${w['organization']}`,
    api: (w) => `${organization(w)}/teams`,
  },
  { path: '/organizations/:organization/teams/:team', title: (w) => `Team ${w['team']} of ${w['organization']}` },
  { path: '/organizations/:organization/users/:user', title: (w) => `Member ${w['user']} of ${w['organization']}` },
  {
    path: '/organizations/:organization/pipeline-templates/:template',
    title: (w) => `Pipeline template ${w['template']} of ${w['organization']}`,
    api: (w) => `${organization(w)}/pipeline-templates/${w['template']}`,
  },
  {
    path: '/organizations/:organization/analytics/suites/:suite',
    title: (w) => `Test suite ${w['suite']} of ${w['organization']}`,
    api: (w) => `/v2/analytics/organizations/${w['organization']}/suites/${w['suite']}`,
  },
  {
    path: '/organizations/:organization/analytics/suites/:suite/runs/:run',
    title: (w) => `Test run ${w['run']} of suite ${w['organization']}/${w['suite']}`,
    api: (w) => `/v2/analytics/organizations/${w['organization']}/suites/${w['suite']}/runs/${w['run']}`,
  },
  {
    path: '/organizations/:organization/analytics/suites/:suite/tests/:test',
    title: (w) => `Test ${w['test']} of suite ${w['organization']}/${w['suite']}`,
    api: (w) => `/v2/analytics/organizations/${w['organization']}/suites/${w['suite']}/tests/${w['test']}`,
  },
  { path: '/:organization', title: (w) => `Organization ${w['organization']}`, api: organization },
  { path: '/:organization/:pipeline', title: (w) => `Pipeline ${w['organization']}/${w['pipeline']}`, api: pipeline },
  {
    path: '/:organization/:pipeline/builds',
    title: (w) => `Builds of ${w['organization']}/${w['pipeline']}`,
    api: (w) => `${pipeline(w)}/builds`,
  },
  {
    path: '/:organization/:pipeline/settings',
    title: (w) => `Settings of ${w['organization']}/${w['pipeline']}`,
    api: pipeline,
  },
  {
    path: '/:organization/:pipeline/builds/:number',
    title: (w) => `Build ${w['number']} of ${w['organization']}/${w['pipeline']}`,
    api: (w) => `${pipeline(w)}/builds/${w['number']}`,
  },
];

/** First path segments that belong to other surfaces or are reserved: never an organization's page. */
export const reservedWords = new Set([
  'v1',
  'v2',
  'v3',
  'graphql',
  'webhooks',
  'badge',
  'avatars',
  'docs',
  'emojis',
  'files',
  'healthz',
  'readyz',
  'metrics',
  'organizations',
]);
