import { readFileSync } from 'node:fs';
import { BothDoors } from '../support/both-doors.js';
import { operations } from '../../src/operations/registry.js';
import { routes } from '../../src/rest/routes.js';
import { clusterWrites } from './clusters-story.js';
import { leaveArtifact, things, write, writes, yaml } from './story.js';
import { suiteStory } from './suites-story.js';
import { ending as teamEnding, story as teamStory } from './teams-story.js';

const tables = [
  'pipelines', 'team_pipelines', 'builds', 'build_meta_data', 'steps', 'jobs', 'events', 'audit_events', 'outbox_messages',
  'log_chunks', 'log_usage', 'annotations', 'log_header_times', 'idempotency_keys', 'artifacts', 'pipeline_webhooks', 'pipeline_triggers', 'provider_connections', 'notification_services', 'notifications', 'notification_deliveries',
];

const template = { name: 'My App', description: 'an app', tags: ['web', 'go'] };

/** What is said at each door, in order, each once; `before` is what happens in both worlds without a door. */
const story: { tells: string; operation: string; noEvent?: true; rest?: object; graphql?: object; before?: (doors: BothDoors) => Promise<unknown> }[] = [
  {
    tells: 'a pipeline is made, with everything that both doors can say', operation: 'pipeline.create',
    rest: {
      ...template, repository: 'git@github.com:acme/app.git', configuration: yaml, default_branch: 'trunk', branch_configuration: 'main trunk', skip_queued_branch_builds: true, skip_queued_branch_builds_filter: '!main',
      cancel_running_branch_builds: true, cancel_running_branch_builds_filter: 'x/*', default_command_step_timeout: 5, maximum_command_step_timeout: 9, color: '#aabbcc', emoji: ':rocket:', visibility: 'public', allow_rebuilds: true,
      provider_settings: { trigger_mode: 'deployment' },
    },
    graphql: {
      name: template.name, description: template.description, tags: [{ label: 'web' }, { label: 'go' }], repository: { url: 'git@github.com:acme/app.git' }, steps: { yaml }, defaultBranch: 'trunk', branchConfiguration: 'main trunk',
      skipIntermediateBuilds: true, skipIntermediateBuildsBranchFilter: '!main', cancelIntermediateBuilds: true, cancelIntermediateBuildsBranchFilter: 'x/*', defaultTimeoutInMinutes: 5, maximumTimeoutInMinutes: 9,
      color: '#aabbcc', emoji: ':rocket:', visibility: 'PUBLIC', providerSettings: '{ "trigger_mode": "deployment" }',
    },
  },
  {
    tells: 'another one, with only what must be said', operation: 'pipeline.create',
    rest: { name: 'Least', repository: 'https://github.com/acme/least', configuration: yaml },
    graphql: { name: 'Least', repository: { url: 'https://github.com/acme/least' }, steps: { yaml } },
  },
  { tells: 'it is changed', operation: 'pipeline.update', rest: { name: 'Renamed', tags: null, color: '#123', next_build_number: 7 }, graphql: { name: 'Renamed', tags: null, color: '#123', nextBuildNumber: 7 } },
  { tells: 'an update that gives nothing', operation: 'pipeline.update', rest: {}, graphql: {} },
  {
    tells: 'the organization is connected to its provider', operation: 'provider-connection.create', noEvent: true,
    rest: { provider: 'github', api_url: 'http://127.0.0.1:9/of-nobody', token: 'ghp_token' },
    graphql: { provider: 'github', apiUrl: 'http://127.0.0.1:9/of-nobody', token: 'ghp_token' },
  },
  { tells: 'a webhook is made there', operation: 'pipeline.create-webhook', before: useFake },
  { tells: 'and taken away', operation: 'pipeline.delete-webhook' },
  { tells: 'deliveries go to another URL', operation: 'pipeline.rotate-webhook-url' },
  { tells: 'a secret is set', operation: 'pipeline.set-webhook-secret' },
  { tells: 'a trigger is made', operation: 'pipeline-trigger.create', rest: { kind: 'github', branch: 'x', env: { A: '1' }, secret: 's' }, graphql: { kind: 'github', branch: 'x', env: '{ "A": "1" }', secret: 's' } },
  { tells: 'turned off', operation: 'pipeline-trigger.update' },
  { tells: 'and deleted', operation: 'pipeline-trigger.delete' },
  {
    tells: 'a receiver is to be told of builds', operation: 'notification-service.create', noEvent: true,
    rest: { branch_configuration: 'main', settings: { url: 'http://127.0.0.1:9/told', token: 'x', token_mode: 'signature', events: ['build.running', 'build.finished'], tls_verify: false } },
    graphql: { branchConfiguration: 'main', settings: { url: 'http://127.0.0.1:9/told', token: 'x', tokenMode: 'signature', events: ['build.running', 'build.finished'], tlsVerify: false } },
  },
  { tells: 'under another name', operation: 'notification-service.update', noEvent: true },
  { tells: 'not now', operation: 'notification-service.disable', noEvent: true },
  { tells: 'but now', operation: 'notification-service.enable', noEvent: true },
  { tells: 'it is tried', operation: 'notification-service.ping', noEvent: true },
  {
    tells: 'and once more', operation: 'notification-delivery.redeliver', noEvent: true,
    before: ({ world }) => world.services.db.updateTable('notification_deliveries').set({ state: 'failed' }).execute(),
  },
  { tells: 'and is told of nothing any more', operation: 'notification-service.delete', noEvent: true },
  { tells: 'the connection ends', operation: 'provider-connection.delete', noEvent: true },
  { tells: 'archived', operation: 'pipeline.archive' },
  { tells: 'unarchived', operation: 'pipeline.unarchive' },
  {
    tells: 'a build is made', operation: 'build.create',
    rest: { message: 'hello', env: { A: '1', B: 'x=y' }, meta_data: { k: 'v' }, author: { name: 'A', email: 'a@b.c' }, pull_request_id: 12, pull_request_base_branch: 'main', pull_request_repository: 'https://github.com/x/y', pull_request_labels: ['l'], clean_checkout: true },
    graphql: { message: 'hello', env: ['A=1', 'B=x=y'], metaData: [{ key: 'k', value: 'v' }], author: { name: 'A', email: 'a@b.c' }, pullRequestId: '12', pullRequestBaseBranch: 'main', pullRequestRepository: 'https://github.com/x/y', pullRequestLabels: ['l'], cleanCheckout: true },
  },
  { tells: 'a build with only what must be said', operation: 'build.create' },
  { tells: 'its block is released', operation: 'job.unblock', rest: { fields: { version: '1.2' } }, graphql: { fields: '{ "version": "1.2" }' } },
  {
    tells: 'its job is retried after it has failed', operation: 'job.retry',
    before: ({ world }) => world.services.db.updateTable('jobs').set({ state: 'finished', passed: false, exitStatus: 1, startedAt: world.clock.now(), finishedAt: world.clock.now() }).where('type', '=', 'command').execute(),
  },
  { tells: 'the build is annotated, with only what must be said', operation: 'annotation.create' },
  {
    tells: 'and again, with all that can be said', operation: 'annotation.create',
    rest: { context: 'coverage', style: 'warning', priority: 7, append: true }, graphql: { context: 'coverage', style: 'WARNING', priority: 7, append: true },
  },
  { tells: 'an annotation is added to', operation: 'annotation.create', rest: { context: 'coverage', append: true, priority: 3 }, graphql: { context: 'coverage', append: true } },
  { tells: 'and replaced', operation: 'annotation.create', rest: { context: 'coverage', body: 'new' }, graphql: { context: 'coverage', body: 'new' } },
  { tells: 'an annotation is deleted', operation: 'annotation.delete' },
  { tells: 'the new one is to run earlier', operation: 'job.reprioritize', rest: { priority: 9 }, graphql: { priority: 9 } },
  {
    tells: 'all that failed are retried once more', operation: 'build.retry-failed-jobs', rest: { states: 'failed,timed_out' }, graphql: { states: ['FAILED', 'TIMED_OUT'] },
    before: ({ world }) => world.services.db.updateTable('jobs').set({ state: 'finished', passed: false, exitStatus: 1, startedAt: world.clock.now(), finishedAt: world.clock.now() }).where('type', '=', 'command').execute(),
  },
  { tells: 'an artifact is deleted', operation: 'artifact.delete', before: leaveArtifact },
  { tells: 'a log is deleted', operation: 'job.log.delete' },
  { tells: 'the build is canceled', operation: 'build.cancel' },
  { tells: 'and made again', operation: 'build.rebuild' },
  { tells: 'but its job is not to run', operation: 'job.cancel' },
  { tells: 'the pipeline is deleted with all it has', operation: 'pipeline.delete' },
];

/** Writes whose rows and events are compared where more is told of them, by the file. */
const inOwnWords: Readonly<Record<string, string>> = {
  'access-token.revoke-access': 'access-tokens', 'pipeline.favorite': 'history', 'rule.create': 'rules', 'rule.update': 'rules', 'rule.delete': 'rules',
};

/** A provider that makes every webhook; what is asked of a real one is told elsewhere. */
function useFake({ world }: BothDoors): Promise<unknown> {
  world.services.providers = {
    ...world.services.providers,
    createWebhook: async () => ({ externalId: '12' }),
    deleteWebhook: async () => undefined,
  };
  return Promise.resolve();
}

describe('a story told through /v2 and through /graphql leaves the same rows, events and audit', () => {
  let told: [BothDoors, BothDoors];
  beforeAll(async () => void (told = [await BothDoors.open(), await BothDoors.open()]));
  afterAll(() => Promise.all(told.map((doors) => doors.close())));

  test('and every write with two doors is in it', () => {
    const atRest = new Set(routes.map((route) => route.operation.name));
    const commands = operations.filter(({ kind, name }) => kind === 'command' && atRest.has(name) && name !== 'access-token.revoke').map(({ name }) => name);
    const here = new Set(story.map(({ operation }) => operation));
    expect([...here].sort()).toEqual(Object.keys(writes).sort());
    // Some are told in stories of their own, beside this one, which compare the same.
    const told = new Set([...here, ...Object.keys(clusterWrites), ...[...teamStory, ...teamEnding, ...suiteStory].map(({ operation }) => operation)]);
    expect([...told, ...Object.keys(inOwnWords)].sort()).toEqual(commands.sort());
    for (const [name, file] of Object.entries(inOwnWords)) expect([name, readFileSync(`test/parity/${file}.test.ts`, 'utf8').includes(`'${name}'`)]).toEqual([name, true]);
  });

  test.each(story)('$tells ($operation)', async ({ operation, rest, graphql, before, noEvent }) => {
    const [one, other] = told;
    for (const doors of told) {
      doors.world.clock.advance(1);
      await before?.(doors);
    }
    const earlier = await one.rows(tables);
    await one.read(write(operation).rest(await things(one), rest));
    await other.select(write(operation).graphql(await things(other), graphql));
    const rows = await one.rows(tables);
    expect(await other.rows(tables)).toEqual(rows);
    expect(rows['audit_events']?.length).toBe((earlier['audit_events']?.length ?? 0) + 1);
    // Events are of pipelines and what is in them; a change of the organization is audited.
    if (!noEvent) expect(rows['events']?.length).toBeGreaterThan(operation === 'pipeline.delete' ? 0 : (earlier['events']?.length ?? 0));
  });
});
