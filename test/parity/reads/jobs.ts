import type { Data, GraphqlCall } from '../../support/both-surfaces.js';
import { type At, leftOut, list, lower, mapOf, nodesOf, one, type Read, user, userFields } from './read.js';

const agentFields =
  'id uuid name connectionState ipAddress hostname userAgent version createdAt lastJobFinishedAt priority metaData';
/** As a job shows its agent. */
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
  creator: leftOut.always,
  created_at: found.createdAt,
  job: leftOut.always,
  last_job_finished_at: found.lastJobFinishedAt,
  priority: found.priority,
  meta_data: found.metaData,
});

export const jobFields = `__typename
  ... on JobTypeCommand { id uuid label state passed step { uuid key groupKey signature } priority { number } agentQueryRules command softFailed exitStatus signal signalReason brokenReason promisedExitStatus promisedExitStatusAt
    automaticArtifactUploadPaths createdAt scheduledAt runnableAt startedAt finishedAt expiredAt logExpiredAt concurrency { queuedAt } retried retriesCount retryType retriedInJob { uuid } retrySource { ... on JobInterface { uuid } }
    retriedBy { ${userFields} } parallelGroupIndex parallelGroupTotal matrix cluster { uuid } clusterQueue { uuid } url agent { ${agentFields} } }
  ... on JobTypeWait { id uuid state }
  ... on JobTypeBlock { id uuid blockLabel: label state passed isUnblockable unblockedAt unblockedBy { ${userFields} } step { key } }
  ... on JobTypeTrigger { id uuid triggerLabel: label state passed async step { key } url createdAt scheduledAt runnableAt startedAt finishedAt triggered { uuid number url } }`;

/** REST distinguishes passed from failed in the state, and has no states for waiting on a concurrency group. */
export function jobState({ __typename: type, state, passed }: Data): string {
  if (state === 'FINISHED') return passed || type === 'JobTypeWait' ? 'passed' : 'failed';
  return state === 'LIMITING' || state === 'LIMITED' ? 'scheduled' : state.toLowerCase();
}

const waited = ({ concurrency, createdAt, runnableAt }: Data) =>
  concurrency?.queuedAt && runnableAt
    ? Math.max(0, Date.parse(runnableAt) - Math.max(Date.parse(concurrency.queuedAt), Date.parse(createdAt)))
    : null;

const command = (found: Data, inBuild: boolean) => ({
  type: 'script',
  name: found.label,
  step_key: found.step.key,
  ...(inBuild && found.step.groupKey !== null ? { group_key: found.step.groupKey } : {}),
  step: { id: found.step.uuid, signature: JSON.parse(found.step.signature) },
  priority: found.priority,
  agent_query_rules: found.agentQueryRules,
  state: jobState(found),
  build_url: leftOut.address,
  web_url: found.url,
  log_url: leftOut.address,
  raw_log_url: leftOut.address,
  log_expired_at: found.logExpiredAt,
  artifacts_url: leftOut.address,
  command: found.command,
  soft_failed: found.softFailed,
  exit_status: found.exitStatus === null ? null : Number(found.exitStatus),
  signal: found.signal,
  signal_reason: lower(found.signalReason),
  broken_reason: found.brokenReason,
  ...(found.promisedExitStatusAt === null
    ? {}
    : { promised_exit_status: found.promisedExitStatus, promised_exit_status_at: found.promisedExitStatusAt }),
  artifact_paths: found.automaticArtifactUploadPaths,
  agent: found.agent && agent(found.agent),
  created_at: found.createdAt,
  scheduled_at: found.scheduledAt,
  runnable_at: found.runnableAt,
  concurrency_wait_time_ms: waited(found),
  started_at: found.startedAt,
  finished_at: found.finishedAt,
  expired_at: found.expiredAt,
  retried: found.retried,
  retried_in_job_id: found.retriedInJob?.uuid ?? null,
  retries_count: found.retriesCount,
  retry_source: found.retrySource && { job_id: found.retrySource.uuid, retry_type: lower(found.retryType) },
  retry_type: lower(found.retryType),
  parallel_group_index: found.parallelGroupIndex,
  parallel_group_total: found.parallelGroupTotal,
  matrix: JSON.parse(found.matrix),
  retried_by: user(found.retriedBy),
  cluster_id: found.cluster?.uuid ?? null,
  cluster_url: found.cluster ? leftOut.address : leftOut.noAddress,
  cluster_queue_id: found.clusterQueue?.uuid ?? null,
  cluster_queue_url: found.clusterQueue ? leftOut.address : leftOut.noAddress,
});

const block = (found: Data) => ({
  type: 'manual',
  label: found.blockLabel,
  state: jobState(found),
  step_key: found.step.key,
  web_url: leftOut.always,
  unblocked_by: user(found.unblockedBy),
  unblocked_at: found.unblockedAt,
  unblockable: found.isUnblockable ?? false,
  unblock_url: leftOut.address,
});

const trigger = (found: Data) => ({
  type: 'trigger',
  name: found.triggerLabel,
  step_key: found.step.key,
  state: jobState(found),
  async: found.async,
  build_url: leftOut.address,
  web_url: found.url,
  created_at: found.createdAt,
  scheduled_at: found.scheduledAt,
  runnable_at: found.runnableAt,
  started_at: found.startedAt,
  finished_at: found.finishedAt,
  triggered_build: found.triggered && {
    id: found.triggered.uuid,
    number: found.triggered.number,
    url: leftOut.address,
    web_url: found.triggered.url,
  },
});

/** Converts a job by its type; a job shown inside a build also names its group. */
export function job(found: Data, inBuild = false): Data {
  const ids = { id: found.uuid, graphql_id: found.id };
  switch (found.__typename) {
    case 'JobTypeCommand':
      return { ...ids, ...command(found, inBuild) };
    case 'JobTypeBlock':
      return { ...ids, ...block(found) };
    case 'JobTypeTrigger':
      return { ...ids, ...trigger(found) };
    default:
      return { ...ids, type: 'waiter' };
  }
}

const ofJob =
  (selection: string) =>
  ({ job: id }: At): GraphqlCall => [`query ($id: ID!) { job(uuid: $id) { ${selection} } }`, { id }];
const ofCommand = (selection: string) => ofJob(`... on JobTypeCommand { ${selection} }`);

const annotationFields = 'uuid context style priority scope job { uuid } body { html } createdAt updatedAt';
/** A style that is none has no word on /v2, where it reads as info. */
const annotation = (found: Data) => ({
  id: found.uuid,
  context: found.context,
  style: found.style === 'DEFAULT' ? 'info' : lower(found.style),
  scope: lower(found.scope),
  job_id: found.job?.uuid ?? null,
  priority: found.priority,
  body_html: found.body.html,
  created_at: found.createdAt,
  updated_at: found.updatedAt,
});
const oneAnnotation = one(
  ({ annotation: id }) => [
    'query ($id: ID!) { node(id: $id) { ... on Annotation { ' + annotationFields + ' } } }',
    { id: Buffer.from(`Annotation---${id}`).toString('base64') },
  ],
  'node',
  annotation,
);
const annotationsOfJob = list(
  ofCommand(`annotations(first: 50) { edges { node { ${annotationFields} } } }`),
  'job.annotations',
  annotation,
  { anyOrder: true },
);

const artifactFields = 'uuid path state mimeType size sha1sum globPath absolutePath job { uuid }';
const artifact = (found: Data) => {
  const slash = found.path.lastIndexOf('/');
  return {
    id: found.uuid,
    job_id: found.job.uuid,
    url: leftOut.address,
    download_url: leftOut.address,
    state: found.state,
    path: found.path,
    dirname: slash < 0 ? '.' : found.path.slice(0, slash),
    filename: found.path.slice(slash + 1),
    mime_type: found.mimeType,
    file_size: found.size,
    glob_path: found.globPath,
    original_path: found.absolutePath,
    sha1sum: found.sha1sum,
  };
};
const oneArtifact = one(
  ({ artifact: id }) => [`query ($id: ID!) { artifact(uuid: $id) { ${artifactFields} } }`, { id }],
  'artifact',
  artifact,
);
const artifactsOfJob = list(
  ofCommand(`artifacts(first: 50) { edges { node { ${artifactFields} } } }`),
  'job.artifacts',
  artifact,
  { anyOrder: true },
);

const inBuild = '/organizations/{org}/pipelines/{slug}/builds/{number}';
/** A job has the same fields under its build and under its organization. */
const ofOneJob = (path: string): Readonly<Record<string, Read>> => ({
  [path]: one(ofJob(jobFields), 'job', (found) => job(found)),
  [`${path}/log`]: one(
    ofCommand('log { url content size headerTimes }'),
    'job.log',
    ({ url, content, size, headerTimes }) => ({ url, content, size, header_times: headerTimes.map(Number) }),
  ),
  [`${path}/log.txt`]: one(ofCommand('log { content }'), 'job.log', ({ content }) => content, {
    of: ({ text }) => text,
  }),
  [`${path}/env`]: one(ofCommand('env'), 'job', ({ env }) => ({ env: mapOf(env) })),
  [`${path}/env.txt`]: one(ofCommand('env'), 'job', ({ env }) => env.map((line: string) => `${line}\n`).join(''), {
    of: ({ text }) => text,
  }),
  [`${path}/annotations`]: annotationsOfJob,
  [`${path}/annotations/{annotation}`]: oneAnnotation,
  [`${path}/artifacts`]: artifactsOfJob,
  [`${path}/artifacts/{artifact}`]: oneArtifact,
});

export const jobReads: Readonly<Record<string, Read>> = {
  [`${inBuild}/jobs`]: {
    graphql: () => [`{ build(slug: "acme/app/1") { jobs(first: 50) { edges { node { ${jobFields} } } } } }`],
    mapped: ({ build }) => nodesOf(build.jobs).map((each) => job(each, true)),
    anyOrder: true,
  },
  ...ofOneJob(`${inBuild}/jobs/{job}`),
  ...ofOneJob('/organizations/{org}/jobs/{job}'),
  [`${inBuild}/annotations`]: list(
    () => [
      `{ build(slug: "acme/app/1") { annotations(first: 50, scope: [BUILD, JOB]) { edges { node { ${annotationFields} } } } } }`,
    ],
    'build.annotations',
    annotation,
    { anyOrder: true, query: '?scope=all' },
  ),
  [`${inBuild}/annotations/{annotation}`]: oneAnnotation,
  [`${inBuild}/commit_statuses`]: {
    graphql: () => [
      `{ build(slug: "acme/app/1") { commitStatuses { context commit state description delivery error attempts nextAttemptAt updatedAt } } }`,
    ],
    mapped: ({ build }) =>
      build.commitStatuses.map(({ nextAttemptAt, updatedAt, ...status }: Data) => ({
        ...status,
        next_attempt_at: nextAttemptAt,
        updated_at: updatedAt,
      })),
  },
  [`${inBuild}/commit_statuses/preview`]: {
    graphql: () => [`{ build(slug: "acme/app/1") { commitStatusPreview { context commit state description error } } }`],
    mapped: ({ build }) => build.commitStatusPreview,
  },
  [`${inBuild}/artifacts`]: list(
    ({ build }) => [
      `query ($build: ID!) { artifacts(build: $build, first: 50) { edges { node { ${artifactFields} } } } }`,
      { build },
    ],
    'artifacts',
    artifact,
    { anyOrder: true },
  ),
  [`${inBuild}/artifacts/{artifact}`]: oneArtifact,
};
