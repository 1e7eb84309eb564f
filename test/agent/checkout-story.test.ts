import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { AgentOnFake } from '../support/agent-on-fake.js';
import { describeUnless } from '../support/skips.js';

const gitPresent = spawnSync('git', ['--version']).status === 0;

describeUnless(gitPresent ? null : 'git is not installed', 'the checkout of the bundled agent', () => {
  let on: AgentOnFake;
  let repo: string;
  let first: string;
  let second: string;
  let pull: string;

  const git = (...args: string[]): string =>
    execFileSync(
      'git',
      ['-c', 'user.name=Ada Lovelace', '-c', 'user.email=ada@example.com', '-c', 'commit.gpgsign=false', ...args],
      { cwd: repo, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
    ).trim();
  const commit = (text: string, message: string): string => {
    writeFileSync(join(repo, 'file'), text);
    git('add', '.');
    git('commit', '-q', '-m', message);
    return git('rev-parse', 'HEAD');
  };

  beforeAll(() => {
    repo = mkdtempSync(join(tmpdir(), 'agent-repo-'));
    git('init', '-q', '-b', 'main');
    first = commit('one', 'First\n\nWith a body');
    git('tag', 'v1');
    mkdirSync(join(repo, 'bin'));
    writeFileSync(join(repo, "bin/it's run.sh"), '#!/bin/sh\necho from a script\n');
    second = commit('two', 'Second');
    git('checkout', '-q', '-b', 'side');
    pull = commit('three', 'Third');
    git('update-ref', 'refs/pull/7/head', pull);
    git('checkout', '-q', 'main');
    git('branch', '-q', '-D', 'side');
  });
  afterAll(() => rmSync(repo, { recursive: true, force: true }));
  beforeEach(async () => {
    on = await AgentOnFake.open();
  });
  afterEach(async () => {
    await on.dispose();
  });

  const source = (env: Record<string, string> = {}) => ({ BUILDKITE_REPO: repo, BUILDKITE_SKIP_CHECKOUT: '', ...env });

  test('the head of a branch is checked out, and its commit is reported to the build and the command', async () => {
    const job = await on.run(on.plane.addJob('cat file; echo; echo "is $BUILDKITE_COMMIT"', source()));
    expect(job.finish).toMatchObject({ exit_status: '0' });
    expect(on.plane.logText(job)).toMatch(new RegExp(`\\ntwo\\nis ${second}\\n$`));
    expect(on.plane.metaData.get('buildkite:git:commit')).toBe(
      [
        `commit ${second}`,
        `abbrev-commit ${git('rev-parse', '--short', second)}`,
        'Author: Ada Lovelace <ada@example.com>',
        '',
        '    Second',
      ].join('\n'),
    );
  });

  test.each([
    ['a sha', () => ({ BUILDKITE_COMMIT: first }), 'one'],
    ['an abbreviated sha', () => ({ BUILDKITE_COMMIT: first.slice(0, 10) }), 'one'],
    ['a tag', () => ({ BUILDKITE_BRANCH: 'v1' }), 'one'],
    [
      'a refspec',
      () => ({ BUILDKITE_REFSPEC: 'refs/tags/v1:refs/x/v1 refs/heads/main', BUILDKITE_COMMIT: first }),
      'one',
    ],
    [
      'the head of a pull request',
      () => ({ BUILDKITE_PULL_REQUEST: '7', BUILDKITE_PIPELINE_PROVIDER: 'github_enterprise' }),
      'three',
    ],
    [
      'a commit of a pull request',
      () => ({ BUILDKITE_PULL_REQUEST: '7', BUILDKITE_PIPELINE_PROVIDER: 'github', BUILDKITE_COMMIT: pull }),
      'three',
    ],
  ])('a job checks out %s', async (_, env, content) => {
    const job = await on.run(on.plane.addJob('cat file; echo', source(env())));
    expect(on.plane.logText(job).split('\n').at(-2)).toBe(content);
    expect(job.finish).toMatchObject({ exit_status: '0' });
  });

  test('a second job reuses the folder: it is cleaned and moved to the new commit, and the commit is not reported twice', async () => {
    // The folder is named after the agent, so one agent must run both jobs.
    const { exit, stop } = on.start();
    const before = on.plane.addJob('echo dirt > file; touch left-over', source({ BUILDKITE_COMMIT: first }));
    await on.plane.until(() => before.finish !== undefined);
    const after = on.plane.addJob('cat file; echo; ls', source());
    await on.plane.until(() => after.finish !== undefined);
    stop.abort();
    await exit;
    expect(on.plane.logText(after)).toMatch(/\ntwo\nbin\nfile\n$/);
    expect(on.plane.logText(after)).not.toContain('git clone');
    expect(on.plane.callsTo('POST', /data\/set/)).toHaveLength(1);
    expect(on.plane.metaData.get('buildkite:git:commit')).toMatch(/>\n\n {4}First\n *\n {4}With a body$/);
  });

  test('a clean checkout clones anew, and a commit that was already resolved is not reported', async () => {
    const env = source({
      BUILDKITE_CLEAN_CHECKOUT: 'true',
      BUILDKITE_COMMIT_RESOLVED: 'true',
      BUILDKITE_COMMIT: second,
    });
    const { exit, stop } = on.start();
    const jobs = [on.plane.addJob('true', env), on.plane.addJob('true', env)];
    await on.plane.until(() => jobs.every((job) => job.finish !== undefined));
    stop.abort();
    await exit;
    for (const job of jobs) expect(on.plane.logText(job)).toContain('$ git clone');
    expect(on.plane.callsTo('POST', /data\//)).toEqual([]);
  });

  test('a command that is the name of a file runs that file, even if it is not executable', async () => {
    const job = await on.run(on.plane.addJob("bin/it's run.sh", source()));
    expect(job.finish).toMatchObject({ exit_status: '0' });
    expect(on.plane.logText(job)).toMatch(/\nfrom a script\n$/);
  });

  test("credentials in the repository's URL stay out of the log", async () => {
    const job = await on.run(
      on.plane.addJob('true', source({ BUILDKITE_REPO: 'http://ada:pass%2Fword@127.0.0.1:1/x.git' })),
    );
    expect(job.finish).toMatchObject({ exit_status: '128' });
    expect(on.plane.logText(job)).toContain('http://ada:[REDACTED]@127.0.0.1:1/x.git');
    expect(on.plane.logText(job)).not.toMatch(/pass(%2F|\/)word/);
  });

  test("a job continues with a warning when the server refuses the commit's meta-data", async () => {
    on.plane.fail('POST', /data\/exists/, { status: 403 });
    const job = await on.run(on.plane.addJob('true', source()));
    expect(job.finish).toMatchObject({ exit_status: '0' });
    expect(on.plane.logText(job)).toContain('The commit could not be sent to the server');
  });

  test.each([
    ['repository', { BUILDKITE_REPO: '/no/such/repository' }, 'git clone exited with status 128'],
    ['branch', { BUILDKITE_BRANCH: 'no-such-branch' }, 'git fetch exited with status 128'],
    ['commit', { BUILDKITE_COMMIT: '0123456789012345678901234567890123456789' }, 'is not in the repository'],
    ['commit, named like an option,', { BUILDKITE_COMMIT: '--help' }, 'is not in the repository'],
  ])('a %s that does not exist fails the job with the status of git after three tries', async (_, env, message) => {
    const job = await on.run(on.plane.addJob('echo ran', source(env)));
    expect(job.finish).toMatchObject({ exit_status: '128' });
    expect(job.finish).not.toHaveProperty('signal_reason');
    expect(on.plane.logText(job)).toContain(message);
    expect(on.plane.logText(job)).toContain('(3/3)');
    expect(on.plane.logText(job)).not.toContain('Running commands');
  });

  test('without git a job that needs a checkout fails with an explanation, and a job that skips it runs', async () => {
    const bin = join(on.buildPath, 'bin');
    mkdirSync(bin);
    for (const program of ['bash', 'sh', 'ls']) symlinkSync(`/bin/${program}`, join(bin, program));
    const environment = { PATH: bin };
    const needs = await on.run(on.plane.addJob('true', source()), { environment });
    expect(needs.finish).toMatchObject({ exit_status: '1' });
    expect(on.plane.logText(needs)).toContain('git is not installed on this machine');
    const job = await on.run(on.plane.addJob('echo fine'), { environment });
    expect(job.finish).toMatchObject({ exit_status: '0' });
  });

  test('canceling a job during its checkout stops the checkout, and the log says so', async () => {
    const job = on.plane.addJob(
      'true',
      source({ BUILDKITE_REPO: 'ssh://nobody@example.invalid/x', GIT_SSH_COMMAND: 'sleep 30 #' }),
    );
    const { exit } = on.start({ disconnectAfterJob: true });
    await on.plane.until(() => on.plane.logText(job).includes('git clone'));
    job.state = 'canceling';
    await exit;
    expect(job.finish).toMatchObject({ exit_status: '-1', signal: 'SIGTERM', signal_reason: 'cancel' });
    expect(on.plane.logText(job)).toMatch(
      /\n# The checkout was cancelled\n# The job was cancelled \(git clone ended by SIGTERM\)\n$/,
    );
  });
});
