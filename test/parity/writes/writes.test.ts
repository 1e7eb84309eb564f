import { readFileSync } from 'node:fs';
import { BothSurfaces } from '../../support/both-surfaces.js';
import { operations } from '../../support/operations.js';
import { routes } from '../../../src/rest/routes.js';
import { clusterWrites } from '../agents/cluster-writes.js';
import { leaveArtifact, things, write, writes, yaml } from './changes.js';
import { suiteWrites } from '../suites/suite-writes.js';
import { ending as teamEnding, writesInOrder as teamWrites } from '../organizations/team-writes.js';

const tables = [
  'pipelines',
  'team_pipelines',
  'builds',
  'build_meta_data',
  'steps',
  'jobs',
  'events',
  'audit_events',
  'outbox_messages',
  'log_chunks',
  'log_usage',
  'annotations',
  'log_header_times',
  'idempotency_keys',
  'artifacts',
  'pipeline_webhooks',
  'pipeline_triggers',
  'provider_connections',
  'notification_services',
  'notifications',
  'notification_deliveries',
];

const template = { name: 'My App', description: 'an app', tags: ['web', 'go'] };

/** The writes, each carried out once on both surfaces, in order; `before` prepares both worlds without a surface. */
const writesInOrder: {
  tells: string;
  operation: string;
  noEvent?: true;
  rest?: object;
  graphql?: object;
  before?: (surfaces: BothSurfaces) => Promise<unknown>;
}[] = [
  {
    tells: 'creating a pipeline with every field',
    operation: 'pipeline.create',
    rest: {
      ...template,
      repository: 'git@github.com:acme/app.git',
      configuration: yaml,
      default_branch: 'trunk',
      branch_configuration: 'main trunk',
      skip_queued_branch_builds: true,
      skip_queued_branch_builds_filter: '!main',
      cancel_running_branch_builds: true,
      cancel_running_branch_builds_filter: 'x/*',
      default_command_step_timeout: 5,
      maximum_command_step_timeout: 9,
      color: '#aabbcc',
      emoji: ':rocket:',
      visibility: 'public',
      allow_rebuilds: true,
      provider_settings: { trigger_mode: 'deployment' },
    },
    graphql: {
      name: template.name,
      description: template.description,
      tags: [{ label: 'web' }, { label: 'go' }],
      repository: { url: 'git@github.com:acme/app.git' },
      steps: { yaml },
      defaultBranch: 'trunk',
      branchConfiguration: 'main trunk',
      skipIntermediateBuilds: true,
      skipIntermediateBuildsBranchFilter: '!main',
      cancelIntermediateBuilds: true,
      cancelIntermediateBuildsBranchFilter: 'x/*',
      defaultTimeoutInMinutes: 5,
      maximumTimeoutInMinutes: 9,
      color: '#aabbcc',
      emoji: ':rocket:',
      visibility: 'PUBLIC',
      providerSettings: '{ "trigger_mode": "deployment" }',
    },
  },
  {
    tells: 'creating a pipeline with few fields',
    operation: 'pipeline.create',
    rest: { name: 'Least', repository: 'https://github.com/acme/least', configuration: yaml },
    graphql: { name: 'Least', repository: { url: 'https://github.com/acme/least' }, steps: { yaml } },
  },
  {
    tells: 'updating a pipeline',
    operation: 'pipeline.update',
    rest: { name: 'Renamed', tags: null, color: '#123', next_build_number: 7 },
    graphql: { name: 'Renamed', tags: null, color: '#123', nextBuildNumber: 7 },
  },
  {
    tells: 'setting the retention of a pipeline',
    operation: 'pipeline.update',
    rest: { retention: { builds: { days: 90, count: 5 }, overrides: [{ branches: 'x/*', logs: {}, last: false }] } },
    graphql: {
      retention: { builds: { days: 90, count: 5 }, overrides: [{ branches: 'x/*', logs: {}, last: false }] },
    },
  },
  { tells: 'an update without any change', operation: 'pipeline.update', rest: {}, graphql: {} },
  {
    tells: 'connecting to the source provider',
    operation: 'provider-connection.create',
    noEvent: true,
    rest: { provider: 'github', api_url: 'http://127.0.0.1:9/of-nobody', token: 'ghp_token' },
    graphql: { provider: 'github', apiUrl: 'http://127.0.0.1:9/of-nobody', token: 'ghp_token' },
  },
  {
    tells: 'changing a connection',
    operation: 'provider-connection.update',
    noEvent: true,
    rest: { name: 'main', token: 'ghp_another', webhook_secret: 's' },
    graphql: { name: 'main', token: 'ghp_another', webhookSecret: 's' },
  },
  { tells: 'checking a connection', operation: 'provider-connection.check', noEvent: true },
  { tells: 'creating the webhook of a pipeline', operation: 'pipeline.create-webhook', before: useFake },
  { tells: 'deleting the webhook of a pipeline', operation: 'pipeline.delete-webhook' },
  { tells: 'rotating the webhook URL', operation: 'pipeline.rotate-webhook-url' },
  { tells: 'setting the webhook secret', operation: 'pipeline.set-webhook-secret' },
  {
    tells: 'creating a pipeline trigger',
    operation: 'pipeline-trigger.create',
    rest: { kind: 'github', branch: 'x', env: { A: '1' }, secret: 's' },
    graphql: { kind: 'github', branch: 'x', env: '{ "A": "1" }', secret: 's' },
  },
  { tells: 'disabling a pipeline trigger', operation: 'pipeline-trigger.update' },
  { tells: 'deleting a pipeline trigger', operation: 'pipeline-trigger.delete' },
  {
    tells: 'creating a notification service',
    operation: 'notification-service.create',
    noEvent: true,
    rest: {
      branch_configuration: 'main',
      settings: {
        url: 'http://127.0.0.1:9/told',
        token: 'x',
        token_mode: 'signature',
        events: ['build.running', 'build.finished'],
        tls_verify: false,
      },
    },
    graphql: {
      branchConfiguration: 'main',
      settings: {
        url: 'http://127.0.0.1:9/told',
        token: 'x',
        tokenMode: 'signature',
        events: ['build.running', 'build.finished'],
        tlsVerify: false,
      },
    },
  },
  { tells: 'renaming a notification service', operation: 'notification-service.update', noEvent: true },
  { tells: 'disabling a notification service', operation: 'notification-service.disable', noEvent: true },
  { tells: 'enabling a notification service', operation: 'notification-service.enable', noEvent: true },
  { tells: 'pinging a notification service', operation: 'notification-service.ping', noEvent: true },
  {
    tells: 'redelivering a notification',
    operation: 'notification-delivery.redeliver',
    noEvent: true,
    before: ({ world }) => world.services.db.updateTable('notification_deliveries').set({ state: 'failed' }).execute(),
  },
  { tells: 'deleting a notification service', operation: 'notification-service.delete', noEvent: true },
  { tells: 'deleting the provider connection', operation: 'provider-connection.delete', noEvent: true },
  { tells: 'archiving a pipeline', operation: 'pipeline.archive' },
  { tells: 'unarchiving a pipeline', operation: 'pipeline.unarchive' },
  {
    tells: 'creating a build with every field',
    operation: 'build.create',
    rest: {
      message: 'hello',
      env: { A: '1', B: 'x=y' },
      meta_data: { k: 'v' },
      author: { name: 'A', email: 'a@b.c' },
      pull_request_id: 12,
      pull_request_base_branch: 'main',
      pull_request_repository: 'https://github.com/x/y',
      pull_request_labels: ['l'],
      clean_checkout: true,
    },
    graphql: {
      message: 'hello',
      env: ['A=1', 'B=x=y'],
      metaData: [{ key: 'k', value: 'v' }],
      author: { name: 'A', email: 'a@b.c' },
      pullRequestId: '12',
      pullRequestBaseBranch: 'main',
      pullRequestRepository: 'https://github.com/x/y',
      pullRequestLabels: ['l'],
      cleanCheckout: true,
    },
  },
  { tells: 'creating a build with few fields', operation: 'build.create' },
  {
    tells: 'pinning a build',
    operation: 'build.pin',
    noEvent: true,
    rest: { reason: 'Release' },
    graphql: { reason: 'Release' },
  },
  { tells: 'unpinning a build', operation: 'build.unpin', noEvent: true },
  {
    tells: 'unblocking a block job',
    operation: 'job.unblock',
    rest: { fields: { version: '1.2' } },
    graphql: { fields: '{ "version": "1.2" }' },
  },
  {
    tells: 'retrying a failed job',
    operation: 'job.retry',
    before: ({ world }) =>
      world.services.db
        .updateTable('jobs')
        .set({
          state: 'finished',
          passed: false,
          exitStatus: 1,
          startedAt: world.clock.now(),
          finishedAt: world.clock.now(),
        })
        .where('type', '=', 'command')
        .execute(),
  },
  { tells: 'annotating a build with few fields', operation: 'annotation.create' },
  {
    tells: 'annotating a build with every field',
    operation: 'annotation.create',
    rest: { context: 'coverage', style: 'warning', priority: 7, append: true },
    graphql: { context: 'coverage', style: 'WARNING', priority: 7, append: true },
  },
  {
    tells: 'appending to an annotation',
    operation: 'annotation.create',
    rest: { context: 'coverage', append: true, priority: 3 },
    graphql: { context: 'coverage', append: true },
  },
  {
    tells: 'replacing an annotation',
    operation: 'annotation.create',
    rest: { context: 'coverage', body: 'new' },
    graphql: { context: 'coverage', body: 'new' },
  },
  { tells: 'deleting an annotation', operation: 'annotation.delete' },
  {
    tells: 'raising the priority of a job',
    operation: 'job.reprioritize',
    rest: { priority: 9 },
    graphql: { priority: 9 },
  },
  {
    tells: 'retrying all failed jobs',
    operation: 'build.retry-failed-jobs',
    rest: { states: 'failed,timed_out' },
    graphql: { states: ['FAILED', 'TIMED_OUT'] },
    before: ({ world }) =>
      world.services.db
        .updateTable('jobs')
        .set({
          state: 'finished',
          passed: false,
          exitStatus: 1,
          startedAt: world.clock.now(),
          finishedAt: world.clock.now(),
        })
        .where('type', '=', 'command')
        .execute(),
  },
  { tells: 'deleting an artifact', operation: 'artifact.delete', before: leaveArtifact },
  { tells: 'deleting a log', operation: 'job.log.delete' },
  { tells: 'canceling a build', operation: 'build.cancel' },
  { tells: 'rebuilding a build', operation: 'build.rebuild' },
  { tells: 'canceling a job', operation: 'job.cancel' },
  { tells: 'deleting a pipeline and its contents', operation: 'pipeline.delete' },
];

/** Write operations that another file compares, by the name of that file. */
const inOwnWords: Readonly<Record<string, string>> = {
  'test-workflow-delivery.redeliver': 'suites/redeliveries',
  'culprit-search.create': 'builds/culprit-searches',
  'culprit-search.cancel': 'builds/culprit-searches',
  'access-token.revoke-access': 'organizations/access-tokens',
  'pipeline.favorite': 'pipelines/history',
  'rule.create': 'organizations/rules',
  'rule.update': 'organizations/rules',
  'rule.delete': 'organizations/rules',
};

/** A fake source provider that accepts every webhook; other tests check the requests to a real one. */
function useFake({ world }: BothSurfaces): Promise<unknown> {
  const { providers } = world.services;
  world.services.providers = {
    open: (access) => ({
      ...providers.open(access),
      webhooks: { create: async () => ({ externalId: '12' }), delete: async () => undefined },
    }),
  };
  return Promise.resolve();
}

describe('writes on both surfaces', () => {
  let told: [BothSurfaces, BothSurfaces];
  beforeAll(async () => void (told = [await BothSurfaces.open(), await BothSurfaces.open()]));
  afterAll(() => Promise.all(told.map((surfaces) => surfaces.close())));

  test('every write operation available on both surfaces is in the table', () => {
    const atRest = new Set(routes.map((route) => route.operation.name));
    const commands = operations
      .filter(({ kind, name }) => kind === 'command' && atRest.has(name) && name !== 'access-token.revoke')
      .map(({ name }) => name);
    const here = new Set(writesInOrder.map(({ operation }) => operation));
    expect([...here].sort()).toEqual(Object.keys(writes).sort());
    // Some write operations are compared in the same way by tests of their own.
    const told = new Set([
      ...here,
      ...Object.keys(clusterWrites),
      ...[...teamWrites, ...teamEnding, ...suiteWrites].map(({ operation }) => operation),
    ]);
    expect([...told, ...Object.keys(inOwnWords)].sort()).toEqual(commands.sort());
    for (const [name, file] of Object.entries(inOwnWords))
      expect([name, readFileSync(`test/parity/${file}.test.ts`, 'utf8').includes(`'${name}'`)]).toEqual([name, true]);
  });

  test.each(writesInOrder)(
    '$tells ($operation) leaves the same rows, events and audit on both surfaces',
    async ({ operation, rest, graphql, before, noEvent }) => {
      const [one, other] = told;
      for (const surfaces of told) {
        surfaces.world.clock.advance(1);
        await before?.(surfaces);
      }
      const earlier = await one.rows(tables);
      await one.read(write(operation).rest(await things(one), rest));
      await other.select(write(operation).graphql(await things(other), graphql));
      const rows = await one.rows(tables);
      expect(await other.rows(tables)).toEqual(rows);
      expect(rows['audit_events']?.length).toBe((earlier['audit_events']?.length ?? 0) + 1);
      // Events belong to pipelines and their contents; changes of the organization are only audited.
      if (!noEvent)
        expect(rows['events']?.length).toBeGreaterThan(
          operation === 'pipeline.delete' ? 0 : (earlier['events']?.length ?? 0),
        );
    },
  );
});
