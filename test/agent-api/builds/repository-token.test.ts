import { limits } from '../../../src/domain/limits/limits.js';
import { FakeGithubApp } from '../../support/fake-github-app.js';
import { agentApp, buildOf, ScriptedAgent } from '../../support/scripted-agent.js';
import { World } from '../../support/world.js';

const flag = 'BUILDKITE_USE_REPOSITORY_PROVIDER_GIT_CREDENTIALS';
const repository = 'https://github.com/acme/app.git';

describe('a repository token', () => {
  let world: World;
  let github: FakeGithubApp;

  beforeAll(async () => void (world = await World.create()));
  afterAll(() => world.close());
  beforeEach(async () => {
    github = await FakeGithubApp.start(() => world.clock.now());
    await world.services.db.deleteFrom('provider_connections').execute();
  });
  afterEach(() => github.stop());

  /** The next job of a build, which an agent runs, and the calls about it. */
  async function run() {
    const agent = await ScriptedAgent.connected(agentApp(world), world.agentToken, { meta_data: ['queue=default'] });
    const { job: offered } = await agent.ping();
    const job = offered?.id ?? '';
    const { body } = await agent.accept(job);
    await agent.start(job).expect(200);
    const ask = (asked: object = { repo_url: repository }, route = 'repository_access_token') =>
      agent.call('post', `/jobs/${job}/${route}`, agent.jobToken).send(asked);
    const finish = () => agent.finish(job, { exit_status: '0' }).expect(200);
    return { job, env: body.env as Record<string, string>, ask, finish };
  }

  /** A job of a new build that an agent runs. */
  async function running(fields: Record<string, unknown> = {}, pipeline: Record<string, unknown> = {}) {
    const { build } = await buildOf(world, 'steps: [{ command: a }]', fields);
    if (Object.keys(pipeline).length > 0)
      await world.services.db.updateTable('pipelines').set(pipeline).where('id', '=', build.pipelineId).execute();
    return run();
  }

  test('is minted for the one repository, to read it, by both routes, and handed out again until it is about to expire', async () => {
    await github.connect(world);
    const { env, ask, job } = await running();
    expect(env).toMatchObject({ BUILDKITE_REPO: repository, [flag]: 'true' });
    const { body } = await ask().expect(200);
    expect(body).toEqual({ token: expect.stringMatching(/^ghs_/) });
    expect(github.tokens).toEqual([
      expect.objectContaining({ token: body.token, repositories: ['app'], permissions: { contents: 'read' } }),
    ]);
    // The URL as git and other agents write it, and none, which is the pipeline's.
    for (const other of [
      { repo_url: 'https://github.com/Acme/App' },
      { repo_url: 'https://x-access-token@GITHUB.com/acme/app.git/' },
      { repo_url: 'git@github.com:acme/app.git' },
      {},
    ])
      expect((await ask(other, 'github_code_access_token').expect(200)).body).toEqual(body);
    expect(github.tokens).toHaveLength(1);
    world.clock.advance(54 * 60);
    expect((await ask().expect(200)).body).toEqual(body);
    world.clock.advance(2 * 60);
    expect((await ask().expect(200)).body.token).not.toBe(body.token);

    const events = await world.services.db
      .selectFrom('events')
      .select(['jobId', 'data'])
      .where('type', '=', 'job.repository_token')
      .execute();
    expect(events).toHaveLength(7);
    expect(events[0]).toMatchObject({ jobId: job, data: { repository: 'acme/app' } });
    expect(JSON.stringify(events)).not.toContain('ghs_');
  });

  test('is not for other repositories, other jobs, or a job that is over', async () => {
    await github.connect(world);
    github.installed.add('acme/secret');
    const { ask, finish } = await running();
    for (const url of [
      'https://github.com/acme/secret.git',
      'https://github.com.evil.test/acme/app.git',
      'https://gitlab.com/acme/app.git',
      '/srv/acme/app.git',
      'nothing',
    ]) {
      const { body } = await ask({ repo_url: url }).expect(403);
      expect(body.message).toBe(`This job may have a token for the repository of its pipeline, ${repository}, only`);
    }
    await finish();
    await ask().expect(403);
    expect(github.tokens).toEqual([]);
  });

  test('is not for builds of forks, and not for what they start', async () => {
    await github.connect(world);
    const fork = { pullRequestId: '7', pullRequestRepository: 'https://github.com/stranger/app.git' };
    const ofFork = await running(fork);
    const { build: child } = await buildOf(world, 'steps: [{ command: b }]');
    await world.services.db
      .updateTable('builds')
      .set({ triggeredFromJobId: ofFork.job })
      .where('id', '=', child.id)
      .execute();
    for (const { ask, env } of [ofFork, await run()]) {
      expect(env).not.toHaveProperty(flag);
      expect((await ask().expect(403)).body.message).toMatch(/^Builds of pull requests from forks/);
    }
    expect(github.tokens).toEqual([]);
    const own = await running({ pullRequestId: '9', pullRequestRepository: 'git@github.com:acme/app.git' });
    await own.ask().expect(200);
  });

  test('is asked for by the environment only where it can be had, and where the pipeline has no other wish', async () => {
    const envOf = async (pipeline: Record<string, unknown>) => (await running({}, pipeline)).env[flag];
    expect(await envOf({ repository })).toBeUndefined();
    await github.connect(world);
    expect(await envOf({ repository })).toBe('true');
    expect(await envOf({ repository: 'git@github.com:acme/app.git' })).toBeUndefined();
    expect(await envOf({ repository: 'https://gitlab.com/acme/app.git' })).toBeUndefined();
    expect((await running({ env: { [flag]: 'false' } })).env[flag]).toBe('false');
  });

  test('is refused in words that say why, and an agent tries again only where that helps', async () => {
    const { ask } = await running();
    for (const route of ['repository_access_token', 'github_code_access_token'])
      await ask({ repo_url: repository }, route).expect(404, { message: 'Repository access tokens are not supported' });
    await github.connect(world);
    github.installed.clear();
    expect((await ask().expect(403)).body.message).toBe(
      'github.com gave no token for acme/app: the App is not installed on acme/app',
    );
    github.installed.add('acme/app');
    github.failures.push({ status: 429, body: { message: 'slow down' }, headers: { 'retry-after': '7' } });
    const limited = await ask().expect(429);
    expect(limited.headers['retry-after']).toBe('7');
    github.failures.push({ status: 502, body: {} });
    await ask().expect(503);
    await ask().expect(200);
  });

  test('cannot be asked for without end', async () => {
    await github.connect(world);
    const { ask } = await running();
    for (let count = 0; count < limits.repositoryTokensPerMinute; count += 1) await ask().expect(200);
    const { headers } = await ask().expect(429);
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    expect(github.tokens).toHaveLength(1);
    world.clock.advance(60);
    await ask().expect(200);
  });
});
