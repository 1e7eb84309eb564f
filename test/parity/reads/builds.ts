import { settingTables, storedName } from '../../../src/graphql/integrations/repository-providers/settings-table.js';
import type { Data } from '../../support/both-surfaces.js';
import { job, jobFields, jobState } from './jobs.js';
import {
  inAcme,
  leftOut,
  list,
  lower,
  mapOf,
  nodesOf,
  one,
  pipelineRetentionFields,
  type Read,
  user,
  userFields,
  withoutNulls,
} from './read.js';

/** REST shows the settings that were sent and the repository name; GraphQL shows the other settings as well. */
class Settings {
  readonly $$typeof = Symbol.for('jest.asymmetricMatcher');
  constructor(
    private readonly all: Readonly<Record<string, unknown>>,
    private readonly repository: string,
  ) {}

  asymmetricMatch({ repository = '', ...given }: Record<string, unknown>): boolean {
    return (
      this.repository.replace(/\.git$/, '').endsWith(String(repository)) &&
      Object.entries(given).every(([name, value]) => name in this.all && this.all[name] === value)
    );
  }

  toString(): string {
    return 'Settings';
  }

  toAsymmetricMatcher(): string {
    return `Settings<${JSON.stringify(this.all)}>`;
  }
}

/** Selects each settings type under its own alias, because fields of one name must have one type. */
const settingsOf: Readonly<Record<string, [id: string, table: keyof typeof settingTables]>> = {
  Github: ['github', 'GitHub'],
  Gitlab: ['gitlab', 'Gitlab'],
  Unknown: ['git', 'Unknown'],
};
const fragments = Object.entries(settingsOf).map(
  ([type, [id, table]]) =>
    `... on RepositoryProvider${type} { ${id}: settings { filterCondition filterEnabled ${Object.keys(settingTables[table]).join(' ')} } }`,
);
const providerFields = `__typename webhookUrl ${fragments.join(' ')}`;
const provider = ({ url, provider: { __typename: type, webhookUrl, ...settings } }: Data) => {
  const id = settingsOf[type.replace('RepositoryProvider', '')]?.[0] ?? '';
  return {
    id,
    webhook_url: webhookUrl ?? '',
    settings: new Settings(
      Object.fromEntries(Object.entries(settings[id]).map(([name, value]) => [storedName(name), value])),
      url,
    ),
  };
};

const counts = `scheduledBuilds: builds(state: [SCHEDULED, CREATING]) { count } runningBuilds: builds(state: [RUNNING, FAILING, CANCELING]) { count }
  scheduledJobs: jobs(type: [COMMAND, TRIGGER], state: [SCHEDULED, LIMITING, LIMITED, RESERVED, ASSIGNED]) { count } runningJobs: jobs(type: [COMMAND, TRIGGER], state: [ACCEPTED, RUNNING, CANCELING, TIMING_OUT]) { count }
  waitingJobs: jobs(type: [COMMAND, TRIGGER], state: [PENDING, WAITING, BLOCKED, UNBLOCKED]) { count }`;
const pipelineFields = `id uuid url name description slug branchConfiguration defaultBranch skipIntermediateBuilds skipIntermediateBuildsBranchFilter cancelIntermediateBuilds cancelIntermediateBuildsBranchFilter allowRebuilds
  retention { ${pipelineRetentionFields} } badgeURL createdBy { ${userFields} } createdAt archivedAt env visibility tags { label } emoji color steps { yaml } defaultTimeoutInMinutes maximumTimeoutInMinutes cloneMirrorUrl cluster { uuid } pipelineTemplate { uuid }
  repository { url provider { ${providerFields} } } ${counts}`;
const pipeline = (found: Data) => ({
  id: found.uuid,
  graphql_id: found.id,
  url: leftOut.address,
  web_url: found.url,
  name: found.name,
  description: found.description,
  slug: found.slug,
  repository: found.repository.url,
  cluster_id: found.cluster?.uuid ?? null,
  pipeline_template_uuid: found.pipelineTemplate?.uuid ?? null,
  branch_configuration: found.branchConfiguration,
  default_branch: found.defaultBranch,
  skip_queued_branch_builds: found.skipIntermediateBuilds,
  skip_queued_branch_builds_filter: found.skipIntermediateBuildsBranchFilter,
  cancel_running_branch_builds: found.cancelIntermediateBuilds,
  cancel_running_branch_builds_filter: found.cancelIntermediateBuildsBranchFilter,
  allow_rebuilds: found.allowRebuilds,
  provider: provider(found.repository),
  builds_url: leftOut.address,
  badge_url: found.badgeURL,
  created_by: user(found.createdBy),
  created_at: found.createdAt,
  archived_at: found.archivedAt,
  env: mapOf(found.env),
  scheduled_builds_count: found.scheduledBuilds.count,
  running_builds_count: found.runningBuilds.count,
  scheduled_jobs_count: found.scheduledJobs.count,
  running_jobs_count: found.runningJobs.count,
  waiting_jobs_count: found.waitingJobs.count,
  visibility: lower(found.visibility),
  tags: found.tags.map((tag: Data) => tag.label),
  emoji: found.emoji,
  color: found.color,
  ...(found.steps.yaml === null ? {} : { configuration: found.steps.yaml }),
  steps: leftOut.read,
  default_command_step_timeout: found.defaultTimeoutInMinutes,
  maximum_command_step_timeout: found.maximumTimeoutInMinutes,
  retention: withoutNulls(found.retention),
  ...(found.cloneMirrorUrl === null ? {} : { clone_mirror_url: found.cloneMirrorUrl }),
});

const sources: Readonly<Record<string, string>> = {
  BuildSourceAPI: 'api',
  BuildSourceFrontend: 'ui',
  BuildSourceSchedule: 'schedule',
  BuildSourceTriggerJob: 'trigger_job',
  BuildSourceWebhook: 'webhook',
};
/** The fields selected of a build. */
export const buildFields = `id uuid url number state blockedState message commit branch tag env source { __typename } author { name email username } createdBy { __typename ... on User { ${userFields} } } createdAt scheduledAt startedAt
  finishedAt pin { createdAt reason createdBy { ${userFields} } } cancelReason failingAt metaData(first: 50) { edges { node { key value } } } pullRequest { id base repository labels draft } rebuiltFrom { uuid number } culpritSearch { uuid } triggeredFrom { build { uuid number pipeline { slug } } }
  pipeline { ${pipelineFields} } jobs(first: 50) { edges { node { ${jobFields} ... on JobInterface { retried } } } }`;

const author = ({ name, email, username }: Data) => ({ name, email, ...(username === null ? {} : { username }) });
/** The pull request of a build: empty if there is none; labels and draft only if they are set. */
const pullRequest = (found: Data) =>
  found
    ? {
        id: found.id,
        base: found.base,
        repository: found.repository,
        ...(found.labels.length > 0 ? { labels: found.labels } : {}),
        ...(found.draft === null ? {} : { draft: found.draft }),
      }
    : {};

/** The latest attempts, in pipeline order: that of their making. */
const latest = (found: Data): Data[] =>
  nodesOf(found.jobs)
    .filter(({ retried }) => !retried)
    .sort((one, other) => (one.uuid < other.uuid ? -1 : 1));

const build = (found: Data) => ({
  id: found.uuid,
  graphql_id: found.id,
  url: leftOut.address,
  web_url: found.url,
  number: found.number,
  state: lower(found.state === 'BLOCKED' ? found.blockedState : found.state),
  blocked: found.state === 'BLOCKED',
  blocked_state: lower(found.blockedState),
  message: found.message,
  commit: found.commit,
  branch: found.branch,
  tag: found.tag,
  env: mapOf(found.env),
  source: sources[found.source.__typename],
  author: found.author && author(found.author),
  creator: found.createdBy?.__typename === 'User' ? user(found.createdBy) : null,
  created_at: found.createdAt,
  scheduled_at: found.scheduledAt,
  started_at: found.startedAt,
  finished_at: found.finishedAt,
  meta_data: Object.fromEntries(nodesOf(found.metaData).map(({ key, value }) => [key, value])),
  pull_request: pullRequest(found.pullRequest),
  rebuilt_from: found.rebuiltFrom && {
    id: found.rebuiltFrom.uuid,
    number: found.rebuiltFrom.number,
    url: leftOut.address,
  },
  culprit_search_id: found.culpritSearch?.uuid ?? null,
  pipeline: pipeline(found.pipeline),
  jobs: latest(found).map((each) => job(each, true)),
  cancel_reason: found.cancelReason,
  failing_at: found.failingAt,
  triggered_from: found.triggeredFrom && {
    build_id: found.triggeredFrom.build.uuid,
    build_number: found.triggeredFrom.build.number,
    build_pipeline_slug: found.triggeredFrom.build.pipeline.slug,
  },
  pin: found.pin && {
    created_at: found.pin.createdAt,
    created_by: user(found.pin.createdBy),
    reason: found.pin.reason,
  },
  merge_queue: leftOut.always,
});

/** The reply for one build, which also has the numbers of its jobs by state. */
export function oneBuild(found: Data): Data {
  const states: Record<string, number> = {};
  for (const each of latest(found)) states[jobState(each)] = (states[jobState(each)] ?? 0) + 1;
  return { ...build(found), job_state_counts: { total: latest(found).length, states } };
}

const org = '/organizations/{org}';
const builds = `builds(first: 10) { edges { node { ${buildFields} } } }`;

export const buildReads: Readonly<Record<string, Read>> = {
  [`${org}/pipelines`]: list(
    () => inAcme(`pipelines(first: 50) { edges { node { ${pipelineFields} } } }`),
    'organization.pipelines',
    pipeline,
    { anyOrder: true },
  ),
  [`${org}/pipelines/{slug}`]: one(
    () => [`{ pipeline(slug: "acme/app") { ${pipelineFields} } }`],
    'pipeline',
    pipeline,
  ),
  // GraphQL's builds of the viewer are those the viewer created; REST lists all visible builds of the organizations.
  '/builds': {
    graphql: () => [`{ viewer { organizations(first: 3) { edges { node { ${builds} } } } } }`],
    mapped: ({ viewer }) =>
      nodesOf(viewer.organizations)
        .flatMap((each) => nodesOf(each.builds))
        .map(build),
    anyOrder: true,
  },
  [`${org}/builds`]: list(() => inAcme(builds), 'organization.builds', build),
  [`${org}/pipelines/{slug}/builds`]: list(
    () => [`{ pipeline(slug: "acme/app") { ${builds} } }`],
    'pipeline.builds',
    build,
  ),
  [`${org}/pipelines/{slug}/builds/{number}`]: one(
    () => [`{ build(slug: "acme/app/1") { ${buildFields} } }`],
    'build',
    oneBuild,
  ),
};
