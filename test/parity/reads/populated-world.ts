import { runUntilIdle } from '../../support/run-until-idle.js';
import { appendChunk } from '../../../src/storage/logs/append-chunk.js';
import { logRef, logStore } from '../../../src/resources/builds/logs/log-store.js';
import { DiskRoom } from '../../../src/storage/disk-room.js';
import { SizeCount } from '../../../src/background/retention/sizes/size-count.js';
import { perform } from '../../../src/core/operation.js';
import { uploadResults } from './populated-suites.js';
import { receiveDelivery } from '../../../src/operations/integrations/webhook-deliveries/receive.js';
import type { BothSurfaces, RestCall } from '../../support/both-surfaces.js';
import { leaveStepUpload, oneOfEverything, type PathValues } from '../../support/one-of-everything.js';
import { agentApp, ScriptedAgent } from '../../support/scripted-agent.js';
import { leaveSearch } from '../../support/one-search.js';
import type { World } from '../../support/world.js';
import { webhookTokenOf } from '../../../src/resources/pipelines/url-token.js';

const yaml = `
env: { TIER: one, LINES: "a=b" }
steps:
  - group: Checks
    key: checks
    steps:
      - label: ":hammer: build"
        key: build
        command: make
        timeout_in_minutes: 9
        branches: "*"
        artifact_paths: "dist/*"
        agents: { queue: default }
        priority: 3
        parallelism: 2
        signature: { value: x, algorithm: HS512, signed_fields: [command] }
  - { label: one, command: "test {{matrix}}", matrix: [unit], concurrency: 1, concurrency_group: line }
  - wait
  - { block: Release?, key: gate }
  - { trigger: downstream, label: deploy, key: deploy }
`;

/**
 * One of everything, and more: lists have several rows, and every field that may be null has a value somewhere. Returns
 * the values of a path's parameters, and the ids of what stands behind a member of something.
 */
export async function populated(surfaces: BothSurfaces): Promise<PathValues> {
  const { world } = surfaces;
  await world.pipeline('steps: [{ command: other }]', { slug: 'downstream' });
  const known = await oneOfEverything(world, yaml);
  world.clock.advance(1);
  await tellMore(surfaces, known);
  await world.services.db
    .updateTable('organizations')
    .set({
      teamsEnabled: true,
      allowedApiIpAddresses: '0.0.0.0/0 ::/0',
      revokeInactiveTokensAfterDays: 365,
      defaultBranch: 'main',
      defaultTimeoutInMinutes: 60,
      maximumTimeoutInMinutes: 600,
    })
    .execute();
  const at = known('');
  await furnishBuild(world, at);
  await furnishRows(world, at);
  return withMembers(world, known);
}

/** Creates a second resource of each kind through REST, with every field set. */
async function tellMore(surfaces: BothSurfaces, known: PathValues): Promise<void> {
  const { world } = surfaces;
  const at = known('');
  const acme = '/organizations/acme';
  const app = `${acme}/pipelines/app`;
  const cluster = `${acme}/clusters/${world.clusterId}`;
  const suites = '/analytics/organizations/acme/suites';
  const build = {
    commit: 'HEAD',
    branch: 'main',
    message: 'hello',
    env: { A: '1' },
    meta_data: { k: 'v', a: 'b' },
    author: { name: 'A', email: 'a@b.c' },
  };
  const calls: RestCall[] = [
    [
      'patch',
      app,
      {
        description: 'an app',
        tags: ['web', 'go'],
        color: '#aabbcc',
        emoji: ':rocket:',
        branch_configuration: 'main x',
        skip_queued_branch_builds: true,
        skip_queued_branch_builds_filter: '!main',
        cancel_running_branch_builds: true,
        cancel_running_branch_builds_filter: 'x/*',
        default_command_step_timeout: 5,
        maximum_command_step_timeout: 9,
        retention: {
          builds: { days: 90, count: 10 },
          logs: { days: 30 },
          artifacts: { count: 5 },
          overrides: [{ branches: 'x/*', builds: { days: 1 }, logs: {}, artifacts: { days: 2 }, last: false }],
        },
        provider_settings: {
          trigger_mode: 'code',
          filter_enabled: true,
          filter_condition: 'build.branch != "y"',
          build_tags: true,
        },
      },
    ],
    [
      'post',
      `${acme}/pipelines`,
      { name: 'Templated', repository: '/srv/app.git', pipeline_template_uuid: at['template'] },
    ],
    [
      'post',
      `${acme}/pipelines`,
      {
        name: 'Elsewhere',
        repository: 'https://gitlab.com/acme/app.git',
        configuration: 'steps: []',
        provider_settings: { build_pull_request_merge: true },
      },
    ],
    [
      'post',
      `${app}/builds`,
      {
        ...build,
        pull_request_id: 7,
        pull_request_base_branch: 'main',
        pull_request_repository: 'https://github.com/x/y',
        pull_request_labels: ['l'],
      },
    ],
    ['put', `${acme}/pipeline-settings/public-pipelines`],
    ['put', `${acme}/pipeline-settings/build-export`, { location: 'exports', strategy_id: 'file' }],
    [
      'patch',
      `${acme}/pipeline-settings`,
      {
        retention: {
          builds: { days: 365, count: 1 },
          logs: { days: 60, count: 1 },
          artifacts: { days: 30, count: 1 },
          runs: { days: 90 },
          audit: { days: 730 },
        },
      },
    ],
    ['put', `${app}/builds/1/pin`, { reason: 'Release' }],
    ['put', `${app}/builds/1/rebuild`],
    ['put', `${app}/builds/3/cancel`],
    ['post', `${app}/builds/1/annotations`, { body: '*b*', context: 'two', style: 'error', priority: 9 }],
    ['post', `${acme}/jobs/${at['job']}/annotations`, { body: 'c', context: 'three', style: 'success' }],
    ['post', `${app}/schedules`, { cronline: '*/10 * * * *', label: 'l', message: 'm', env: { A: '1', B: 'x=y' } }],
    ['post', `${app}/triggers`, { kind: 'github', description: 'about', branch: 'x', env: { A: '1' }, secret: 's' }],
    [
      'post',
      `${acme}/provider-connections`,
      {
        provider: 'bitbucket_server',
        host: 'stash.acme.test',
        api_url: 'http://127.0.0.1:9',
        token: 'x',
        username: 'ci',
      },
    ],
    [
      'post',
      `${acme}/provider-connections`,
      { provider: 'github_enterprise', host: 'github.acme.test', api_url: 'http://127.0.0.1:9/api', token: 'x' },
    ],
    ['post', `${acme}/clusters`, { name: 'Furnished', description: 'd', emoji: ':a:', color: '#ffffff' }],
    ['post', `${cluster}/queues`, { key: 'one', description: 'q', price_per_agent_hour: 0.5 }],
    ['post', `${cluster}/tokens`, { description: 'd', allowed_ip_addresses: '::1', expires_at: '2030-01-01' }],
    ['post', `${cluster}/secrets`, { key: 'SECOND', value: 'v', description: 'd', policy: '- build_branch: main' }],
    ['post', `${cluster}/maintainers`, { team: at['team'] }],
    ['post', `${acme}/pipeline-templates`, { name: 'Go', configuration: 'steps: []', description: 'for Go' }],
    [
      'post',
      `${acme}/rules`,
      {
        type: 'pipeline.artifacts_read.pipeline',
        description: 'shares',
        value: { source_pipeline: 'app', target_pipeline: 'downstream' },
      },
    ],
    [
      'post',
      `${acme}/invitations`,
      { emails: ['a@x.test', 'b@x.test', 'c@x.test'], role: 'admin', teams: [{ id: at['team'], role: 'maintainer' }] },
    ],
    ['post', suites, { name: 'Front End', default_branch: 'main' }],
    ['patch', `${suites}/rspec`, { application_name: 'App', color: '#aabbcc', emoji: ':x:' }],
    [
      'post',
      `${acme}/services`,
      {
        description: 'told',
        branch_configuration: 'main',
        settings: {
          url: 'http://127.0.0.1:9/told',
          token: 'x',
          token_mode: 'signature',
          events: ['build.finished'],
          tls_verify: false,
        },
      },
    ],
    ['post', `${acme}/services/${at['service']}/ping`],
    ['put', `${acme}/agents/${at['agent']}/pause`, { note: 'n', timeout_in_minutes: 5 }],
  ];
  for (const call of calls) await surfaces.read(call);
  await ScriptedAgent.connected(agentApp(world), world.agentToken, { os: 'Debian', arch: 'arm64', priority: 2 });
  await uploadResults(world, at);
  await leaveStatuses(world);
  await deliver(world);
}

/** Commit statuses of the first build, one sent and one refused. */
async function leaveStatuses({ services: { db }, clock }: World): Promise<void> {
  const build = await db.selectFrom('builds').selectAll().where('number', '=', 1).executeTakeFirstOrThrow();
  // What a dry run tells of: the status of the pipeline, and one that the build asks for.
  const notify = [{ github_commit_status: { context: 'ci/asked' } }];
  await db
    .updateTable('builds')
    .set({ notify: notify as never })
    .where('id', '=', build.id)
    .execute();
  const shared = {
    buildId: build.id,
    organizationId: build.organizationId,
    pipelineId: build.pipelineId,
    commit: 'a'.repeat(40),
    description: 'Build #1 passed',
    createdAt: clock.now(),
    updatedAt: clock.now(),
  };
  await db
    .insertInto('commit_statuses')
    .values([
      { ...shared, context: 'buildkite/app', state: 'success', sentRevision: 1 },
      {
        ...shared,
        context: 'buildkite/app/lint',
        ofStep: true,
        state: 'failure',
        attempts: 1,
        lastError: 'it answered 502',
        nextAttemptAt: clock.now(),
      },
    ])
    .execute();
}

/** Delivers a push and a pull request from the source provider, which become builds. */
async function deliver(world: World): Promise<void> {
  const token = webhookTokenOf(
    world.services,
    await world.services.db
      .selectFrom('pipelines')
      .select(['id', 'webhookTokenSealed', 'webhookToken'])
      .where('slug', '=', 'app')
      .executeTakeFirstOrThrow(),
  );
  const repository = { full_name: 'acme/app' };
  const commit = 'a'.repeat(40);
  const events: [string, object][] = [
    [
      'push',
      {
        ref: 'refs/tags/v1',
        before: '0'.repeat(40),
        after: commit,
        deleted: false,
        head_commit: {
          id: commit,
          message: 'work',
          author: { name: 'Ada', email: 'ada@example.com', username: 'ada' },
        },
        repository,
      },
    ],
    [
      'pull_request',
      {
        action: 'opened',
        number: 7,
        repository,
        pull_request: {
          number: 7,
          title: 'A change',
          state: 'open',
          draft: false,
          labels: [{ name: 'bug' }],
          user: { login: 'ada' },
          head: {
            ref: 'x',
            sha: 'b'.repeat(40),
            user: { login: 'acme' },
            repo: { full_name: 'acme/app', clone_url: 'https://github.com/acme/app.git' },
          },
          base: { ref: 'main', repo: { full_name: 'acme/app' } },
        },
      },
    ],
  ];
  for (const [event, payload] of events) {
    await perform(receiveDelivery, world.system(), {
      token,
      sender: 'github',
      event,
      deliveryId: event,
      headers: [`X-GitHub-Event: ${event}`],
      body: Buffer.from(JSON.stringify(payload)),
      payload,
      proof: null,
    });
  }
  await runUntilIdle(world.services);
}

/** The first build as it is when all has happened to it that can, short of a past that would take an agent hours. */
async function furnishBuild(world: World, at: Readonly<Record<string, string>>): Promise<void> {
  const { db } = world.services;
  const now = world.clock.now();
  const admin = world.admin.id;
  const build = await db
    .selectFrom('builds')
    .selectAll()
    .where('number', '=', 1)
    .where('pipelineId', '=', at['pipeline'] ?? '')
    .executeTakeFirstOrThrow();
  const jobs = await db.selectFrom('jobs').selectAll().where('buildId', '=', build.id).orderBy('id').execute();
  const other = await db.selectFrom('builds').selectAll().where('number', '=', 2).executeTakeFirstOrThrow();
  const [first, second, third] = jobs.filter(({ type }) => type === 'command');
  const trigger = jobs.find(({ type }) => type === 'trigger');
  const rejected = await leaveStepUpload(world, { ...build, jobId: at['job'] ?? '' });
  await db
    .updateTable('step_uploads')
    .set({ state: 'rejected', message: 'no steps', sequence: 0 })
    .where('id', '=', rejected)
    .execute();
  const set = (id: string | undefined, values: object) =>
    db
      .updateTable('jobs')
      .set(values)
      .where('id', '=', id ?? '')
      .execute();
  const done = { state: 'finished', startedAt: now, finishedAt: now };
  await set(first?.id, {
    ...done,
    runnableAt: now,
    assignedAt: now,
    passed: false,
    exitStatus: 2,
    signal: 'SIGTERM',
    signalReason: 'cancel',
    brokenReason: 'why',
    expiredAt: now,
    agentId: at['agent'],
    promisedExitStatus: 2,
    promisedExitStatusAt: now,
    retriesCount: 1,
  });
  await set(second?.id, {
    ...done,
    passed: false,
    exitStatus: 1,
    retrySourceId: first?.id,
    retryType: 'manual',
    retriedById: admin,
    retriedInJobId: third?.id,
  });
  const queuedAt = new Date(now.getTime() - 1500);
  await set(third?.id, { createdAt: queuedAt, concurrencyQueuedAt: queuedAt, runnableAt: now, logExpiredAt: now });
  await set(jobs.find(({ type }) => type === 'block')?.id, {
    state: 'finished',
    passed: true,
    unblockedAt: now,
    unblockedById: admin,
  });
  await set(trigger?.id, { ...done, passed: true, triggeredBuildId: other.id, runnableAt: now, scheduledAt: now });
  await db
    .updateTable('builds')
    .set({
      state: 'blocked',
      blockedState: 'failed',
      failingAt: now,
      startedAt: now,
      finishedAt: now,
      cancelReason: 'why',
      triggeredFromJobId: trigger?.id ?? null,
      pullRequestDraft: true,
    })
    .where('id', '=', build.id)
    .execute();
  const found = { culpritCommit: '3'.repeat(40), firstSuspect: 2, lastSuspect: 2, reason: null };
  await leaveSearch(world, build, found);
  const ofSearch = { culpritSearchId: at['search'] ?? null };
  await db.updateTable('builds').set(ofSearch).where('number', '=', 3).execute();
  // On another branch, so that figures by branch have two rows, and in an hour that is over.
  const createdAt = new Date(now.getTime() - 600_000);
  const ended = { createdAt, startedAt: now, finishedAt: now, branch: 'ended' };
  await db.updateTable('builds').set(ended).where('id', '=', other.id).execute();
  const logged = { ...first, id: at['job'] ?? '', organizationId: build.organizationId } as NonNullable<typeof first>;
  const bytes = Buffer.from('\x1b_bk;t=1767323045000\x07--- build\ngrün\n');
  await appendChunk(logStore(world.services, build.organizationId), logRef(logged), {
    sequence: 1,
    offset: 0,
    size: bytes.length,
    bytes,
  });
}

/** Sets times and names that in production only agents, schedules and receivers set, over longer histories. */
async function furnishRows(world: World, at: Readonly<Record<string, string>>): Promise<void> {
  const { db } = world.services;
  const now = world.clock.now();
  const admin = world.admin.id;
  const all = { organizationId: world.organization.id };
  await db.updateTable('users').set({ name: 'Ada' }).where('id', '=', admin).execute();
  await db
    .updateTable('pipelines')
    .set({ createdById: admin, cloneMirrorUrl: 'git@mirror:app.git', archivedAt: now })
    .where('slug', '=', 'app')
    .execute();
  await db
    .updateTable('clusters')
    .set({ createdById: admin, description: 'all', emoji: ':a:', color: '#fff' })
    .where('id', '=', world.clusterId)
    .execute();
  await db
    .updateTable('cluster_queues')
    .set({
      createdById: admin,
      description: 'q',
      pricePerAgentHour: 0.35,
      dispatchPausedAt: now,
      dispatchPausedById: admin,
      dispatchPausedNote: 'n',
    })
    .where('id', '=', world.queues.default)
    .execute();
  await db.updateTable('cluster_secrets').set({ lastReadAt: now }).execute();
  const invited = (email: string) => db.updateTable('organization_invitations').where('email', '=', email);
  await invited('a@x.test').set({ acceptedAt: now, acceptedById: admin }).execute();
  await invited('b@x.test').set({ revokedAt: now, revokedById: admin }).execute();
  await invited('c@x.test').set({ expiresAt: now }).execute();
  await db
    .updateTable('agents')
    .set({
      lastJobFinishedAt: now,
      disconnectedAt: now,
      lostAt: now,
      stoppedAt: now,
      ipAddress: '192.0.2.1',
      hostname: 'host',
    })
    .where('id', '=', at['agent'] ?? '')
    .execute();
  world.services.diskRoom = new DiskRoom(
    '/',
    100,
    () => undefined,
    async () => 150,
  );
  await new SizeCount().round(world.services);
  await db.updateTable('storage_sizes').set({ rows: 7, bytes: 8 }).execute();
  await db.updateTable('audit_events').set({ ipAddress: '192.0.2.7', userAgent: 'a browser' }).execute();
  await db
    .updateTable('events')
    .set({ agentId: at['agent'] ?? null })
    .where('id', '=', at['build_event'] ?? '')
    .execute();
  await db
    .updateTable('pipeline_schedules')
    .set({ failedAt: now, failedMessage: 'no' })
    .where('label', '=', 'l')
    .execute();
  await db
    .updateTable('artifacts')
    .set({
      path: 'dist/app.txt',
      absolutePath: '/work/dist/app.txt',
      globPath: 'dist/*',
      fileSize: 5,
      sha1sum: 'a'.repeat(40),
    })
    .execute();
  const [artifact] = await db.selectFrom('artifacts').selectAll().execute();
  if (artifact)
    await db
      .insertInto('artifacts')
      .values({ ...artifact, id: world.system().newId(), position: 1, path: 'b', state: 'new' })
      .execute();
  const [told] = await db.selectFrom('notification_deliveries').selectAll().orderBy('id').execute();
  await db
    .updateTable('notification_deliveries')
    .set({
      attemptedAt: now,
      deliveredAt: now,
      responseStatus: 502,
      responseBody: 'no',
      requestBody: 'hello',
      lastError: 'it said no',
      durationMs: 7,
      redeliveryOfId: told?.id ?? null,
    })
    .where('id', '=', told?.id ?? '')
    .execute();
  await db.updateTable('notification_services').set({ brokenAt: now }).execute();
  await countAgentTime(db);
  for (const stepId of [null, at['step'] ?? world.system().newId()])
    await db
      .insertInto('build_notifications')
      .values({
        id: world.system().newId(),
        ...all,
        pipelineId: at['pipeline'] ?? '',
        buildId: at['build'] ?? '',
        stepId,
        channel: 'slack',
        target: '#dev',
        condition: 'build.branch == "main"',
        event: 'build.finished',
        outcome: 'condition_false',
        detail: 'The condition is false',
        createdAt: now,
        updatedAt: now,
      })
      .execute();
  const team = await world.insert('teams', {
    ...all,
    slug: 'ops',
    name: 'Ops',
    description: 'about',
    createdById: admin,
  });
  await world.insert('team_members', { ...all, teamId: at['team'] ?? '', userId: admin, role: 'maintainer' });
  await world.insert('team_pipelines', {
    ...all,
    teamId: team,
    pipelineId: at['pipeline'] ?? '',
    accessLevel: 'manage_build_and_read',
  });
  await db
    .updateTable('api_tokens')
    .set({ expiresAt: new Date('2030-01-01') })
    .where('userId', '=', world.member.id)
    .execute();
  const others = await db
    .selectFrom('pipelines')
    .select('id')
    .where('slug', '=', 'downstream')
    .executeTakeFirstOrThrow();
  await world.insert('team_pipelines', {
    ...all,
    teamId: at['team'] ?? '',
    pipelineId: others.id,
    accessLevel: 'read_only',
  });
  const suite = await db.selectFrom('suites').select('id').where('slug', '=', 'front-end').executeTakeFirstOrThrow();
  await world.insert('team_suites', {
    ...all,
    teamId: at['team'] ?? '',
    suiteId: suite.id,
    accessLevel: ['read', 'edit'],
  });
  await db
    .insertInto('organization_members')
    .values({
      id: world.system().newId(),
      organizationId: (
        await db.selectFrom('organizations').select('id').where('slug', '=', 'other').executeTakeFirstOrThrow()
      ).id,
      userId: admin,
      role: 'member',
      createdAt: now,
    } as never)
    .execute();
  await db.updateTable('teams').set({ description: 'core', createdById: admin }).where('id', '!=', team).execute();
}

/** The ids by which GraphQL finds memberships; REST finds them by the member. */
async function withMembers({ services: { db } }: World, known: PathValues): Promise<PathValues> {
  const at = known('');
  const { team = '', user = '', pipeline = '' } = at;
  const suite = at['suite'] ?? '';
  const membership = await db
    .selectFrom('organization_members')
    .select('id')
    .where('userId', '=', user)
    .executeTakeFirstOrThrow();
  const teamMember = await db
    .selectFrom('team_members')
    .select('id')
    .where('teamId', '=', team)
    .where('userId', '=', user)
    .executeTakeFirstOrThrow();
  const teamPipeline = await db
    .selectFrom('team_pipelines')
    .select('id')
    .where('teamId', '=', team)
    .where('pipelineId', '=', pipeline)
    .executeTakeFirstOrThrow();
  const teamSuite = await db
    .selectFrom('team_suites')
    .select('id')
    .where('teamId', '=', team)
    .where('suiteId', '=', suite)
    .executeTakeFirstOrThrow();
  const build = await db
    .selectFrom('builds')
    .select('id')
    .where('number', '=', 1)
    .where('pipelineId', '=', pipeline)
    .executeTakeFirstOrThrow();
  const more = {
    membership: membership.id,
    teamMember: teamMember.id,
    teamPipeline: teamPipeline.id,
    teamSuite: teamSuite.id,
    build: build.id,
  };
  return (path) => ({ ...known(path), ...more });
}

/** Time of the agents of every queue on the first day of the year. */
async function countAgentTime(db: World['services']['db']): Promise<void> {
  for (const { id, clusterId, organizationId } of await db.selectFrom('cluster_queues').selectAll().execute())
    await db
      .insertInto('agent_time_rollups')
      .values({
        ...{ organizationId, clusterId, clusterQueueId: id, span: 'day' as const },
        ...{ beginsAt: new Date('2026-01-01T00:00:00Z'), connectedMs: 7_200_000, busyMs: 1_800_000 },
      })
      .execute();
}
