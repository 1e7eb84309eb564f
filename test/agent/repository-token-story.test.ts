import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';

import { startAgent } from '../../src/agent/session/start-agent.js';
import { ArtifactWorld } from '../support/artifact-world.js';
import { makeCertificate, noCertificates } from '../support/certificate.js';
import { temporaryDirectory } from '../support/database.js';
import { FakeGithubApp } from '../support/fake-github-app.js';
import { GitRepository } from '../support/git-repository.js';
import { PrivateGitHost } from '../support/private-git-host.js';
import { commandProgram } from '../support/program.js';
import { buildNow, buildOf, jobNow } from '../support/scripted-agent.js';
import { logTextOf, serveWorld } from '../support/served-world.js';
import { describeUnless, testUnless } from '../support/skips.js';

/** The open-source agent, where a run of the tests is told where it is. */
const openAgent = process.env['OPEN_AGENT'] ?? '';

describeUnless(noCertificates, 'the checkout of a private repository by an agent that has no credentials', () => {
  let on: ArtifactWorld;
  let close: () => Promise<void>;
  let github: FakeGithubApp;
  let host: PrivateGitHost;
  let repositoryUrl: string;
  const repository = new GitRepository();
  const folder = temporaryDirectory();
  const tls = makeCertificate(folder.path, 'git');

  beforeAll(async () => {
    on = await ArtifactWorld.create();
    close = await serveWorld(on);
    // Tokens are signed by the world's clock, from before it was served.
    on.world.clock.set(new Date());
    github = await FakeGithubApp.start(() => on.world.clock.now());
    github.installed.clear();
    github.installed.add('acme/private');
    repository.commit({ file: 'a private file\n' });
    host = await PrivateGitHost.start(folder.path, tls, (password, name) =>
      github.tokens.some(
        ({ token, repositories, permissions, expiresAt }) =>
          token === password &&
          repositories?.join() === name.split('/')[1] &&
          JSON.stringify(permissions) === '{"contents":"read"}' &&
          expiresAt > new Date(),
      ),
    );
    repositoryUrl = host.publish(repository.path, 'acme/private');
    await github.connect(on.world, { host: 'localhost' });
  });
  afterAll(async () => {
    await host.stop();
    await github.stop();
    await close();
    folder.remove();
    repository.remove();
  });

  async function jobOf(command: string, { env, ...fields }: { env?: object; [field: string]: unknown } = {}) {
    const pipeline = await on.world.pipeline(JSON.stringify({ steps: [{ command }] }), { repository: repositoryUrl });
    return (
      await buildOf(on.world, '', {
        pipeline: { id: pipeline.id },
        env: { GIT_SSL_CAINFO: tls.certificate, ...env },
        ...fields,
      })
    ).first;
  }
  const runBundled = (jobId: string) =>
    startAgent({
      endpoint: `${on.world.services.baseUrl}/v3`,
      token: on.world.agentToken,
      name: 'bundled',
      buildPath: folder.path,
      pluginsPath: folder.path,
      acquireJob: jobId,
      retryScale: 0.001,
      commandProgram: commandProgram(),
    });

  test('the bundled agent clones it with a token of the server, also in the commands of the job, and the log has no token', async () => {
    const job = await jobOf(
      `cat file && git clone -q ${repositoryUrl} again && cat again/file && git credential fill <<< "url=${repositoryUrl}"`,
    );
    await runBundled(job.id);
    const log = await logTextOf(on, job.id);
    expect([(await jobNow(on.world, job.id)).exitStatus, log]).toEqual([0, expect.stringContaining('a private file')]);
    expect(log).toContain('# Git asks the server for a token of the repository');
    expect(log.match(/^a private file$/gm)).toHaveLength(2);
    expect(log).toContain('password=[REDACTED]');
    expect(log).not.toContain('ghs_');
    expect(github.tokens).toHaveLength(1);
    expect(host.answers.filter((each) => each.startsWith('401')).length).toBeGreaterThan(0);
  }, 60_000);

  test('a build of a fork gets no token, and the job says why', async () => {
    const job = await jobOf('cat file', {
      pullRequestId: '4',
      pullRequestRepository: 'https://localhost/stranger/private.git',
      env: { BUILDKITE_USE_REPOSITORY_PROVIDER_GIT_CREDENTIALS: 'true' },
    });
    const minted = github.tokens.length;
    await runBundled(job.id);
    const log = await logTextOf(on, job.id);
    expect((await buildNow(on.world, job.buildId)).state).toBe('failed');
    expect(log).toContain('Error: POST');
    expect(log).toContain('Builds of pull requests from forks, and builds that they start, get no repository token');
    expect(log).toContain('Authentication will proceed, but will fail.');
    expect(log).not.toContain('a private file');
    expect(github.tokens).toHaveLength(minted);
  }, 60_000);

  testUnless(
    existsSync(openAgent) ? null : 'OPEN_AGENT names no program of the open-source agent',
    'the open-source agent clones it with a token of the server',
    async () => {
      const job = await jobOf('cat file');
      const args = ['--acquire-job', job.id, '--build-path', folder.path, '--hooks-path', folder.path];
      const agent = spawn(openAgent, ['start', ...args, '--no-color'], {
        env: {
          PATH: process.env['PATH'],
          HOME: folder.path,
          BUILDKITE_AGENT_TOKEN: on.world.agentToken,
          BUILDKITE_AGENT_ENDPOINT: `${on.world.services.baseUrl}/v3`,
        },
        stdio: 'ignore',
      });
      await new Promise((resolve) => agent.once('exit', resolve));
      const log = await logTextOf(on, job.id);
      expect([(await jobNow(on.world, job.id)).exitStatus, log]).toEqual([
        0,
        expect.stringContaining('a private file'),
      ]);
      expect(log).not.toContain('ghs_');
    },
    120_000,
  );
});
