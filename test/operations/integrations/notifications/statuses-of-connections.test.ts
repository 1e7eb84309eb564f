import { createBuild } from '../../../../src/operations/builds/create.js';
import { publishCommitStatuses } from '../../../../src/background/integrations/publish-commit-statuses.js';
import { listCommitStatuses } from '../../../../src/operations/builds/commit-statuses/list.js';
import { checkProviderConnection } from '../../../../src/operations/integrations/provider-connections/check.js';
import { createProviderConnection } from '../../../../src/operations/integrations/provider-connections/create.js';
import { deleteProviderConnection } from '../../../../src/operations/integrations/provider-connections/delete.js';
import { getProviderConnection } from '../../../../src/operations/integrations/provider-connections/get.js';
import { updateProviderConnection } from '../../../../src/operations/integrations/provider-connections/update.js';
import { listProviderRepositories } from '../../../../src/operations/integrations/provider-connections/list-repositories.js';
import { statusDelivery } from '../../../../src/domain/integrations/status-delivery.js';
import { statusPace } from '../../../../src/domain/integrations/status-pace.js';
import { JobRunner } from '../../../support/job-runner.js';
import type { FakeProvider } from '../../../support/providers/fake-provider.js';
import { githubToken, startGithub } from '../../../support/providers/github.js';
import { startGitea } from '../../../support/providers/others.js';
import { World } from '../../../support/world.js';

const sha = 'b'.repeat(40);
const commitOf = (index: number) => (0xabc_0000 + index).toString(16).padEnd(40, 'b');

describe('commit statuses of a connection', () => {
  let world: World;
  let runner: JobRunner;
  let github: FakeProvider;
  let connectionId: string;
  beforeAll(async () => {
    world = await World.create();
    runner = new JobRunner(world);
  });
  afterAll(() => world.close());
  beforeEach(async () => {
    github = await startGithub();
    const { db } = world.services;
    for (const table of ['provider_connections', 'provider_connection_states', 'commit_statuses'] as const)
      await db.deleteFrom(table).execute();
    connectionId = await connect({ provider: 'github', apiUrl: github.url, token: githubToken });
  });
  afterEach(() => github.stop());

  const connect = async (fields: object) =>
    (await world.perform(world.admin, createProviderConnection, { organization: { slug: 'acme' }, ...fields }))
      .connection.id;
  const build = async (slug: string, commit = sha) =>
    (
      await world.perform(world.admin, createBuild, {
        pipeline: { organization: 'acme', slug },
        commit,
        branch: 'main',
      })
    ).build;
  const publish = async (seconds = 2) => {
    world.clock.advance(seconds);
    while (await publishCommitStatuses(world.services));
  };
  const shown = async ({ id }: { id: string }) =>
    (await world.perform(world.admin, listCommitStatuses, { build: { id } })).map(
      (status) => `${status.context} ${statusDelivery(status)}${status.lastError ? `: ${status.lastError}` : ''}`,
    );
  const connection = async () =>
    (
      await world.perform(world.admin, getProviderConnection, {
        connection: { organization: 'acme', id: connectionId },
      })
    ).connection;

  test('the newest build of a commit has its status, whatever becomes of an older one later', async () => {
    await world.pipeline('steps: [{ command: "a" }]', { slug: 'twice' });
    const [older, newer] = [await build('twice'), await build('twice')];
    await runner.runAll(newer.id);
    await publish();
    await runner.runAll(older.id, () => 1);
    await publish();
    expect(github.statuses.map(({ state }) => state)).toEqual(['success']);
    expect(await shown(older)).toEqual(['buildkite/twice superseded']);
    expect(await shown(newer)).toEqual(['buildkite/twice sent']);
  });

  test('a limit of the host stops the whole connection for as long as the host says, and nothing is lost', async () => {
    await world.pipeline('steps: [{ command: "a" }]', { slug: 'limited' });
    const builds = await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map((index) => build('limited', commitOf(index))));
    github.interrupt = () => ({
      status: 403,
      body: { message: 'secondary rate limit' },
      headers: { 'retry-after': '90' },
    });
    await publish();
    // At most as many as were under way at once when the first was refused.
    const refused = github.requests.length;
    expect(refused).toBeLessThanOrEqual(statusPace('github').atOnce);
    github.interrupt = () => undefined;
    await publish(80);
    expect(github.requests).toHaveLength(refused);
    await publish(20);
    expect(github.statuses).toHaveLength(builds.length);
    expect((await connection()).failingSinceAt).toBeNull();
    expect((await connection()).rateLimit).toMatchObject({ limit: 5000, remaining: 4990 });
  });

  test('a token that has expired makes one connection fail, and what waited is sent with the next token', async () => {
    await world.pipeline('steps: [{ command: "a" }]', { slug: 'expired' });
    github.interrupt = () => ({ status: 401, body: { message: 'Bad credentials' } });
    const first = await build('expired', commitOf(1));
    const second = await build('expired', commitOf(2));
    await publish();
    expect(await connection()).toMatchObject({
      failingSinceAt: expect.any(Date),
      lastError: 'The provider refused: it answered 401: Bad credentials',
    });
    const address = { connection: { organization: 'acme', id: connectionId } };
    expect((await world.perform(world.admin, checkProviderConnection, address)).problems).toContain(
      'The provider refused: it answered 401: Bad credentials.',
    );
    github.interrupt = () => undefined;
    await world.perform(world.admin, updateProviderConnection, { ...address, token: githubToken });
    await publish(1);
    expect((await connection()).failingSinceAt).toBeNull();
    expect([await shown(first), await shown(second)]).toEqual([['buildkite/expired sent'], ['buildkite/expired sent']]);
    const { report, problems } = await world.perform(world.admin, checkProviderConnection, address);
    expect([report?.account, problems]).toEqual([
      'octo',
      ['create webhooks', 'read repositories'].map(
        (what) => `The credential may not ${what}: give it that right at the provider.`,
      ),
    ]);
  });

  test('a final refusal is shown on the build with the words of the host, and never repeated', async () => {
    await world.pipeline('steps: [{ command: "a" }]', { slug: 'unknown' });
    const made = await build('unknown', `0${'1'.repeat(39)}`);
    for (let hour = 0; hour < 3; hour += 1) await publish(3600);
    expect(github.requests).toHaveLength(1);
    expect(await shown(made)).toEqual([
      `buildkite/unknown failed: The provider refused: it answered 422: No commit found for SHA: 0${'1'.repeat(39)}`,
    ]);
  });

  test('a status that the host is too busy for is tried for a day', async () => {
    await world.pipeline('steps: [{ command: "a" }]', { slug: 'busy' });
    github.interrupt = () => ({ status: 502, body: { message: 'Bad gateway' } });
    const made = await build('busy');
    for (let hour = 0; hour < 30; hour += 1) await publish(3600);
    expect(github.requests.length).toBeGreaterThan(20);
    expect(github.requests.length).toBeLessThan(30);
    expect(await shown(made)).toEqual(['buildkite/busy failed: The provider refused: it answered 502: Bad gateway']);
  });

  test('many steps keep the pace of the host, the build comes first, and nothing is lost', async () => {
    const steps = Array.from({ length: 90 }, (_, index) => `{ command: "a", key: "k${index}" }`).join(', ');
    await world.pipeline(`steps: [${steps}]`, {
      slug: 'wide',
      providerSettings: { publish_commit_status_per_step: true } as never,
    });
    const made = await build('wide');
    const sentIn: number[] = [];
    for (let minute = 0; minute < 3; minute += 1) {
      const before = github.statuses.length;
      for (let second = 0; second < 60; second += 5) await publish(5);
      sentIn.push(github.statuses.length - before);
      if (minute === 0) {
        expect(github.statuses[0]?.context).toBe('buildkite/wide');
        for (const job of (await runner.jobs(made.id)).slice(0, 5)) await runner.run(job.id);
      }
    }
    const { perMinute, burst } = statusPace('github');
    expect(Math.max(...sentIn)).toBeLessThanOrEqual(perMinute + burst);
    expect(perMinute + burst).toBeLessThanOrEqual(80);
    const last = new Map(github.statuses.map(({ context, state }) => [context, state]));
    expect(last.size).toBe(91);
    expect([...last.values()].filter((state) => state === 'success')).toHaveLength(5);
    // One of each, and another of the five that ended.
    expect(github.statuses.length).toBeLessThanOrEqual(97);
    expect(github.mostAtOnce).toBeLessThanOrEqual(statusPace('github').atOnce);
  });

  test('a host whose name does not say what it is gets statuses by its connection', async () => {
    const gitea = await startGitea();
    await connect({ provider: 'gitea', apiUrl: gitea.url, host: 'git.example.com', token: 'gitea-1', name: 'forge' });
    await world.pipeline('steps: [{ command: "a" }]', {
      slug: 'forge',
      repository: 'git@git.example.com:acme/app.git',
    });
    const made = await build('forge');
    await publish();
    await runner.runAll(made.id);
    await publish();
    expect(gitea.statuses.map(({ repository, context, state }) => [repository, context, state])).toEqual([
      ['acme/app', 'buildkite/forge', 'pending'],
      ['acme/app', 'buildkite/forge', 'success'],
    ]);
    await gitea.stop();
  });

  test('what waits for a deleted connection says so on its build', async () => {
    await world.pipeline('steps: [{ command: "a" }]', { slug: 'gone' });
    github.interrupt = () => ({ status: 502 });
    const made = await build('gone');
    await publish();
    await world.perform(world.admin, deleteProviderConnection, {
      connection: { organization: 'acme', id: connectionId },
    });
    await publish(3600);
    expect(await shown(made)).toEqual([
      "buildkite/gone failed: The organization has no connection to the repository's host.",
    ]);
  });

  test('repositories of a connection are searched, and a host that refuses is said to', async () => {
    const address = { connection: { organization: 'acme', id: connectionId } };
    const names = async (repository: string | null) =>
      (await world.perform(world.admin, listProviderRepositories, { ...address, repository })).map(
        ({ fullName }) => fullName,
      );
    expect(await names(null)).toEqual(['acme/app', 'acme/other']);
    expect(await names('OTHER')).toEqual(['acme/other']);
    github.interrupt = () => ({ status: 429, headers: { 'retry-after': '30' } });
    await expect(names(null)).rejects.toMatchObject({ code: 'unavailable', details: { retryAfter: 30 } });
    github.interrupt = () => ({ status: 401, body: { message: 'Bad credentials' } });
    await expect(names(null)).rejects.toMatchObject({ code: 'wrong_state' });
  });
});
