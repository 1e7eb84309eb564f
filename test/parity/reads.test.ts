import { appendChunk } from '../../src/storage/logs/append-chunk.js';
import { logRef, logStore } from '../../src/operations/logs/log-store.js';
import { BothDoors, type Data } from '../support/both-doors.js';
import { things, type Things, write } from './story.js';

const yaml = `
env: { TIER: one }
steps:
  - label: ":hammer: build"
    key: build
    command: make
    artifact_paths: "dist/*"
    agents: { queue: default }
    priority: 3
  - wait
  - block: Release?
    key: gate
  - trigger: downstream
    label: deploy
`;

let doors: BothDoors;
let at: Things;
const acme = '/organizations/acme';
beforeAll(async () => {
  doors = await BothDoors.open();
  const { world } = doors;
  const { db } = world.services;
  await world.pipeline('steps: [{ command: other }]', { slug: 'downstream' });
  await doors.read(write('pipeline.create').rest(await things(doors), {
    name: 'App', description: 'an app', repository: 'git@github.com:acme/app.git', configuration: yaml, tags: ['web', 'go'], color: '#aabbcc', emoji: ':rocket:', cluster_id: world.clusterId,
    branch_configuration: 'main', skip_queued_branch_builds: true, default_command_step_timeout: 5, provider_settings: { trigger_mode: 'deployment' },
  }));
  await doors.read(write('build.create').rest(await things(doors), { message: 'hello', env: { A: '1' }, meta_data: { k: 'v', a: 'b' }, pull_request_id: 7, author: { name: 'A', email: 'a@b.c' } }));
  const { jobs } = await things(doors);
  const now = world.clock.now();
  const job = await db.updateTable('jobs').set({ state: 'finished', passed: false, exitStatus: 2, signal: 'SIGTERM', signalReason: 'cancel', startedAt: now, finishedAt: now }).where('id', '=', jobs[0]?.id).returningAll().executeTakeFirstOrThrow();
  const bytes = Buffer.from('\x1b_bk;t=1767323045000\x07--- build\ngrün\n');
  await appendChunk(logStore(world.services, job.organizationId), logRef(job), { sequence: 1, offset: 0, size: bytes.length, bytes });
  await db.updateTable('clusters').set({ description: 'all', emoji: ':a:', color: '#fff', createdById: world.admin.id }).execute();
  await db.updateTable('cluster_queues').set({ description: 'q', dispatchPausedAt: now, dispatchPausedById: world.admin.id, dispatchPausedNote: 'n', createdById: world.admin.id }).execute();
  at = await things(doors);
});
afterAll(() => doors.close());

/** A reply of /v2 without what the schema does not have, which is named: everything else must be said by both. */
const without = (reply: Data, ...names: string[]) => Object.fromEntries(Object.entries(reply).filter(([name]) => !names.includes(name)));
const lower = (word: string | null) => word?.toLowerCase() ?? null;

const userFields = 'id uuid name email avatar { url }';
const user = (found: Data) => found && { id: found.uuid, graphql_id: found.id, name: found.name, email: found.email, avatar_url: found.avatar.url };
/** When somebody joined is on /v2 only. */
const person = (reply: Data) => reply && without(reply, 'created_at');

test('the person behind the token', async () => {
  const { viewer } = await doors.select([`{ viewer { user { ${userFields} } } }`]);
  expect(user(viewer.user)).toEqual(person(await doors.read(['get', '/user'])));
});

test('an organization', async () => {
  const { organization } = await doors.select(['{ organization(slug: "acme") { id uuid name slug } }']);
  const mapped = { id: organization.uuid, graphql_id: organization.id, name: organization.name, slug: organization.slug };
  expect(mapped).toEqual(without(await doors.read(['get', acme]), 'url', 'web_url', 'pipelines_url', 'agents_url', 'emojis_url', 'created_at'));
});

const pipelineFields = `id uuid url name description slug branchConfiguration defaultBranch skipIntermediateBuilds skipIntermediateBuildsBranchFilter cancelIntermediateBuilds
  cancelIntermediateBuildsBranchFilter allowRebuilds badgeURL webhookURL createdBy { ${userFields} } createdAt archivedAt visibility tags { label } emoji color steps { yaml } defaultTimeoutInMinutes
  maximumTimeoutInMinutes cluster { uuid } repository { url } scheduled: builds(state: SCHEDULED) { count } running: builds(state: [RUNNING, FAILING, CANCELING]) { count }`;
const pipeline = (found: Data) => ({
  id: found.uuid, graphql_id: found.id, web_url: found.url, name: found.name, description: found.description, slug: found.slug, repository: found.repository.url, cluster_id: found.cluster?.uuid ?? null,
  branch_configuration: found.branchConfiguration, default_branch: found.defaultBranch, skip_queued_branch_builds: found.skipIntermediateBuilds,
  skip_queued_branch_builds_filter: found.skipIntermediateBuildsBranchFilter, cancel_running_branch_builds: found.cancelIntermediateBuilds, cancel_running_branch_builds_filter: found.cancelIntermediateBuildsBranchFilter,
  allow_rebuilds: found.allowRebuilds, badge_url: found.badgeURL, created_by: user(found.createdBy), created_at: found.createdAt, archived_at: found.archivedAt, visibility: lower(found.visibility),
  tags: found.tags.map((tag: Data) => tag.label), emoji: found.emoji, color: found.color, configuration: found.steps.yaml, default_command_step_timeout: found.defaultTimeoutInMinutes,
  maximum_command_step_timeout: found.maximumTimeoutInMinutes, scheduled_builds_count: found.scheduled.count, running_builds_count: found.running.count,
  provider: { webhook_url: found.webhookURL },
});
const pipelineOfRest = (reply: Data) => ({
  ...without(reply, 'url', 'builds_url', 'pipeline_template_uuid', 'env', 'steps', 'scheduled_jobs_count', 'running_jobs_count', 'waiting_jobs_count'),
  provider: { webhook_url: reply.provider.webhook_url },
  created_by: person(reply.created_by),
});

test('a pipeline, alone and in the list', async () => {
  const found = await doors.select([`{ pipeline(slug: "acme/app") { ${pipelineFields} } organization(slug: "acme") { pipelines(first: 10, order: RECENTLY_CREATED) { nodes: edges { node { uuid } } } } }`]);
  expect(pipeline(found.pipeline)).toEqual(pipelineOfRest(await doors.read(['get', `${acme}/pipelines/app`])));
  const listed = await doors.read(['get', `${acme}/pipelines`]);
  expect(found.organization.pipelines.nodes.map((edge: Data) => edge.node.uuid).sort()).toEqual(listed.map((each: Data) => each.id).sort());
});

const jobFields = `__typename ... on JobTypeCommand { id uuid label state step { key } priority { number } agentQueryRules command softFailed exitStatus signal signalReason brokenReason createdAt scheduledAt runnableAt startedAt
    finishedAt expiredAt retried retriesCount retryType parallelGroupIndex parallelGroupTotal matrix passed automaticArtifactUploadPaths cluster { uuid } clusterQueue { uuid } url retriedBy { ${userFields} } agent { uuid }
    retrySource { ... on JobInterface { uuid } } }
  ... on JobTypeWait { id uuid } ... on JobTypeBlock { id uuid blockLabel: label state isUnblockable unblockedAt unblockedBy { ${userFields} } step { key } }
  ... on JobTypeTrigger { id uuid triggerLabel: label state async step { key } triggered { uuid number url } }`;
/** /v2 tells passed from failed in the state, and knows no line of a concurrency group. */
const jobState = (found: Data) => (found.state === 'FINISHED' ? (found.passed ? 'passed' : 'failed') : lower(found.state));
const ofType: Record<string, (found: Data) => Data> = {
  JobTypeCommand: (found) => ({
    type: 'script', name: found.label, step_key: found.step.key, priority: found.priority, agent_query_rules: found.agentQueryRules, state: jobState(found), command: found.command, soft_failed: found.softFailed,
    exit_status: found.exitStatus === null ? null : Number(found.exitStatus), signal: found.signal, signal_reason: lower(found.signalReason), broken_reason: found.brokenReason, created_at: found.createdAt,
    scheduled_at: found.scheduledAt, runnable_at: found.runnableAt, started_at: found.startedAt, finished_at: found.finishedAt, expired_at: found.expiredAt, retried: found.retried, retries_count: found.retriesCount,
    retry_type: lower(found.retryType), retry_source: found.retrySource, parallel_group_index: found.parallelGroupIndex, parallel_group_total: found.parallelGroupTotal, matrix: found.matrix, artifact_paths: found.automaticArtifactUploadPaths,
    cluster_id: found.cluster?.uuid ?? null, cluster_queue_id: found.clusterQueue?.uuid ?? null, web_url: found.url, retried_by: user(found.retriedBy), agent: found.agent,
  }),
  JobTypeWait: () => ({ type: 'waiter' }),
  JobTypeBlock: (found) => ({
    type: 'manual', label: found.blockLabel, state: jobState(found), step_key: found.step.key, unblocked_by: user(found.unblockedBy), unblocked_at: found.unblockedAt, unblockable: found.isUnblockable, web_url: null,
  }),
  JobTypeTrigger: (found) => ({
    type: 'trigger', name: found.triggerLabel, state: jobState(found), step_key: found.step.key, async: found.async,
    triggered_build: found.triggered && { id: found.triggered.uuid, number: found.triggered.number, web_url: found.triggered.url },
  }),
};
const job = (found: Data) => ({ id: found.uuid, graphql_id: found.id, ...ofType[found.__typename]?.(found) });
const jobOfRest = (reply: Data) => ({
  ...without(reply, 'group_key', 'step', 'build_url', 'log_url', 'raw_log_url', 'artifacts_url', 'unblock_url', 'concurrency_wait_time_ms', 'retried_in_job_id', 'cluster_url', 'cluster_queue_url'),
  // Of triggers the schema has no times and no page.
  ...(reply.type === 'trigger' ? Object.fromEntries(['web_url', 'created_at', 'scheduled_at', 'runnable_at', 'started_at', 'finished_at'].map((name) => [name, undefined])) : {}),
});

const buildFields = `id uuid url number state blockedState message commit branch env source { name } createdBy { ... on User { ${userFields} } } createdAt scheduledAt startedAt finishedAt cancelReason failingAt
  metaData(first: 50) { edges { node { key value } } } pullRequest { id } rebuiltFrom { uuid number } pipeline { ${pipelineFields} } jobs(first: 50, order: RECENTLY_CREATED) { edges { node { ${jobFields} } } }`;
const build = (found: Data) => ({
  id: found.uuid, graphql_id: found.id, web_url: found.url, number: found.number, state: found.state === 'BLOCKED' ? lower(found.blockedState) : lower(found.state), blocked: found.state === 'BLOCKED', blocked_state: lower(found.blockedState),
  message: found.message, commit: found.commit, branch: found.branch, env: Object.fromEntries(found.env.map((item: string) => item.split('='))), source: lower(found.source.name), creator: user(found.createdBy),
  created_at: found.createdAt, scheduled_at: found.scheduledAt, started_at: found.startedAt, finished_at: found.finishedAt, cancel_reason: found.cancelReason, failing_at: found.failingAt,
  meta_data: Object.fromEntries(found.metaData.edges.map(({ node }: Data) => [node.key, node.value])), pull_request: found.pullRequest ? { id: found.pullRequest.id } : {},
  rebuilt_from: found.rebuiltFrom && { id: found.rebuiltFrom.uuid, number: found.rebuiltFrom.number }, pipeline: pipeline(found.pipeline),
});
const buildOfRest = (reply: Data) => ({
  ...without(reply, 'url', 'tag', 'author', 'jobs', 'job_state_counts', 'triggered_from', 'merge_queue'),
  creator: person(reply.creator),
  pull_request: reply.pull_request.id === undefined ? {} : { id: reply.pull_request.id },
  rebuilt_from: reply.rebuilt_from && without(reply.rebuilt_from, 'url'),
  pipeline: pipelineOfRest(reply.pipeline),
});
const byId = (one: Data, other: Data) => (one.id < other.id ? -1 : 1);

describe('a build', () => {
  const same = async (number: number) => {
    const { build: found } = await doors.select([`{ build(slug: "acme/app/${number}") { ${buildFields} } }`]);
    const reply = await doors.read(['get', `${acme}/pipelines/app/builds/${number}`]);
    expect(build(found)).toEqual(buildOfRest(reply));
    expect(found.jobs.edges.map(({ node }: Data) => job(node)).sort(byId)).toEqual(reply.jobs.map(jobOfRest).sort(byId));
    return reply;
  };

  test('with a job of every type', async () => {
    const reply = await same(1);
    expect(reply.jobs.map((each: Data) => each.type)).toEqual(['script', 'waiter', 'manual', 'trigger']);
    for (const each of reply.jobs) {
      const { job: found } = await doors.select([`query ($uuid: ID!) { job(uuid: $uuid) { ${jobFields} } }`, { uuid: each.id }]);
      expect(job(found)).toEqual(jobOfRest(await doors.read(['get', `${acme}/jobs/${each.id}`])));
    }
  });

  test('made again from it, and canceled', async () => {
    await doors.read(write('build.rebuild').rest(at));
    await same(2);
    await doors.read(write('build.cancel').rest(await things(doors)));
    expect((await same(2)).state).toBe('canceled');
  });

  test('blocked', async () => {
    const { db } = doors.world.services;
    await db.updateTable('builds').set({ state: 'blocked', blockedState: 'passed' }).where('id', '=', at.build.id).execute();
    await db.updateTable('jobs').set({ state: 'blocked' }).where('buildId', '=', at.build.id).where('type', '=', 'block').execute();
    expect(await same(1)).toMatchObject({ state: 'passed', blocked: true });
  });
});

test('a cluster and its queues', async () => {
  const { clusterId } = doors.world;
  const queueFields = `id uuid key description dispatchPaused dispatchPausedAt dispatchPausedNote dispatchPausedBy { ${userFields} } createdBy { ${userFields} } retryAgentAffinity`;
  const { cluster } = (await doors.select([
    `query ($id: ID!) { organization(slug: "acme") { cluster(id: $id) { id uuid name description emoji color defaultQueue { uuid } createdBy { ${userFields} } queues(first: 10) { edges { node { ${queueFields} } } } } } }`, { id: clusterId },
  ])).organization;
  expect({
    id: cluster.uuid, graphql_id: cluster.id, name: cluster.name, description: cluster.description, emoji: cluster.emoji, color: cluster.color, default_queue_id: cluster.defaultQueue.uuid, created_by: user(cluster.createdBy),
  }).toEqual((({ created_by, ...reply }: Data) => ({ ...without(reply, 'maintainers', 'url', 'web_url', 'queues_url', 'default_queue_url', 'created_at'), created_by: person(created_by) }))(await doors.read(['get', `${acme}/clusters/${clusterId}`])));
  const queues = cluster.queues.edges.map(({ node }: Data) => ({
    id: node.uuid, graphql_id: node.id, key: node.key, description: node.description, dispatch_paused: node.dispatchPaused, dispatch_paused_at: node.dispatchPausedAt, dispatch_paused_note: node.dispatchPausedNote,
    dispatch_paused_by: user(node.dispatchPausedBy), created_by: user(node.createdBy), retry_agent_affinity: node.retryAgentAffinity,
  }));
  const replies = await doors.read(['get', `${acme}/clusters/${clusterId}/queues`]);
  expect(queues.sort(byId)).toEqual(
    replies.map((reply: Data) => ({ ...without(reply, 'url', 'web_url', 'cluster_url', 'created_at'), created_by: person(reply.created_by), dispatch_paused_by: person(reply.dispatch_paused_by) })).sort(byId),
  );
});

test('a log and the environment of its job', async () => {
  const id = at.jobs.find((each) => each.type === 'command').id;
  const path = `${acme}/pipelines/app/builds/1/jobs/${id}`;
  const { log, env } = (await doors.select(['query ($id: ID!) { job(uuid: $id) { ... on JobTypeCommand { env log { content size headerTimes url } } } }', { id }])).job;
  const reply = await doors.rest(['get', `${path}/log`]);
  expect({ url: log.url, content: log.content, size: log.size }).toEqual(without(reply.body, 'header_times'));
  // More digits than a number of this language holds.
  expect(reply.text).toContain(`"header_times":[${log.headerTimes.join(',')}]`);
  const pairs = Object.entries((await doors.read(['get', `${path}/env`])).env).map(([name, value]) => `${name}=${String(value)}`);
  expect([...env].sort()).toEqual(pairs.sort());
});

test('every graphql_id in replies of /v2 is one of the thing with that id', async () => {
  const replies = await Promise.all([
    '/user', '/organizations', acme, `${acme}/pipelines`, `${acme}/pipelines/app`, '/builds', `${acme}/pipelines/app/builds/1`, `${acme}/clusters`, `${acme}/clusters/${doors.world.clusterId}/queues`,
  ].map((path) => doors.read(['get', path])));
  const named = new Map<string, string>();
  const collect = (value: Data): void => {
    if (typeof value !== 'object' || value === null) return;
    if (typeof value.graphql_id === 'string') named.set(value.graphql_id, value.id);
    Object.values(value).forEach(collect);
  };
  collect(replies);
  expect(named.size).toBeGreaterThan(12);
  for (const [id, uuid] of named) {
    const { node } = await doors.select([
      `query ($id: ID!) { node(id: $id) { __typename id ... on User { uuid } ... on Organization { uuid } ... on Pipeline { uuid } ... on Build { uuid } ... on JobInterface { uuid } ... on Cluster { clusterUuid: uuid } ... on ClusterQueue { clusterUuid: uuid } } }`, { id },
    ]);
    expect([node?.id, node?.uuid ?? node?.clusterUuid]).toEqual([id, uuid]);
  }
});
