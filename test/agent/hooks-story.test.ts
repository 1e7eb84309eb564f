import { join } from 'node:path';

import { AgentOnFake } from '../support/agent-on-fake.js';
import { GitRepository, writeFiles } from '../support/git-repository.js';
import { commandProgram } from '../support/program.js';

const names = [
  'environment',
  'pre-checkout',
  'checkout',
  'post-checkout',
  'pre-command',
  'command',
  'post-command',
  'pre-artifact',
  'post-artifact',
  'pre-exit',
];

describe('hooks of the bundled agent', () => {
  let on: AgentOnFake;
  let hooksPath: string;
  let repository: GitRepository;
  const source = (env: Record<string, string> = {}) => ({
    BUILDKITE_REPO: repository.path,
    BUILDKITE_SKIP_CHECKOUT: '',
    BUILDKITE_COMMIT_RESOLVED: 'true',
    ...env,
  });

  beforeEach(async () => {
    on = await AgentOnFake.open();
    hooksPath = join(on.buildPath, 'agent-hooks');
    repository = new GitRepository();
  });
  afterEach(async () => {
    await on.dispose();
    repository.remove();
  });

  const said = (text: string): string[] => [...text.matchAll(/^said (.*)$/gm)].map(([, word]) => word ?? '');

  test('hooks of agent, repository and plugins run in the order of the open-source agent', async () => {
    const plugin = new GitRepository();
    const hooks = (owner: string, prefix: string, which = names) =>
      Object.fromEntries(which.map((name) => [`${prefix}${name}`, `echo "said ${owner} ${name}"\n`]));
    plugin.commit(
      hooks(
        'plugin',
        'hooks/',
        names.filter((name) => name !== 'checkout' && name !== 'command'),
      ),
    );
    writeFiles(
      hooksPath,
      hooks(
        'agent',
        '',
        names.filter((name) => name !== 'checkout'),
      ),
    );
    repository.commit({
      ...hooks('repository', '.buildkite/hooks/'),
      ...hooks(
        'vendored',
        'plugin/hooks/',
        names.filter((name) => name !== 'command'),
      ),
      'out.txt': 'x',
    });
    const plugins = JSON.stringify([`file://${plugin.path}/.git#main`, './plugin']);
    on.plane.reply('POST', /artifacts$/, {
      artifact_ids: ['a1'],
      per_artifact_instructions: { a1: { actions: [{ url: `${on.plane.endpoint}/upload` }] } },
    });
    on.plane.reply('PUT', /upload$/, {});
    on.plane.reply('PUT', /artifacts$/, {});
    const job = await on.run(
      on.plane.addJob('echo never', source({ BUILDKITE_PLUGINS: plugins, BUILDKITE_ARTIFACT_PATHS: 'out.txt' })),
      { hooksPath, pluginsPath: join(on.buildPath, 'plugins') },
    );
    plugin.remove();
    expect(job.finish).toMatchObject({ exit_status: '0' });
    const around = (name: string) => [`agent ${name}`, `repository ${name}`, `plugin ${name}`, `vendored ${name}`];
    expect(said(on.plane.logText(job))).toEqual([
      'agent environment',
      'plugin environment',
      'agent pre-checkout',
      'plugin pre-checkout',
      ...around('post-checkout').slice(0, 3),
      'vendored environment',
      ...around('pre-command'),
      'repository command',
      ...around('post-command'),
      ...around('pre-artifact'),
      ...around('post-artifact'),
      ...around('pre-exit'),
    ]);
  });

  test('variables and the folder that a hook leaves are those of everything after it', async () => {
    writeFiles(hooksPath, {
      environment: [
        'set -euC',
        "export GREETING=$'two\\nlines' CHANGED=new DEPLOY_TOKEN=from-the-hook",
        'unset GONE',
        'LOCAL=not-exported',
        'export BUILDKITE_AGENT_ACCESS_TOKEN=stolen',
      ].join('\n'),
      'pre-command': '#!/bin/sh\nmkdir -p inner && cd inner\n',
      'pre-exit': 'echo "exit $BUILDKITE_COMMAND_EXIT_STATUS ${PWD##*/} $CHANGED"',
    });
    const job = await on.run(
      on.plane.addJob('echo "$GREETING|$CHANGED|${GONE-none}|${LOCAL-none}|$DEPLOY_TOKEN|${PWD##*/}"; exit 3', {
        CHANGED: 'old',
        GONE: 'here',
      }),
      { hooksPath },
    );
    const text = on.plane.logText(job);
    expect(text).toContain('\ntwo\nlines|new|none|none|[REDACTED]|inner\n');
    expect(text).toContain('\nexit 3 inner new\n');
    expect(text).toContain('\n# GREETING added\n');
    expect(text).toContain('\n# CHANGED changed\n');
    expect(text).toContain('\n# GONE removed\n');
    expect(text).toContain('# Only the agent may change BUILDKITE_AGENT_ACCESS_TOKEN');
    expect(text).not.toContain('from-the-hook');
    expect(job.finish).toMatchObject({ exit_status: '3' });
  });

  test.each([
    ['environment', '', []],
    ['pre-checkout', '', []],
    ['post-checkout', '', []],
    ['pre-command', '', []],
    ['post-command', '', ['command']],
    ['pre-artifact', '', ['command', 'post-command']],
    ['pre-exit', '', ['command', 'post-command', 'pre-artifact']],
  ])('a failing %s hook fails the job with its exit status, and pre-exit hooks still run', async (name, _, before) => {
    writeFiles(hooksPath, {
      'post-command': 'echo said post-command',
      'pre-artifact': 'echo said pre-artifact',
      'pre-exit': 'echo said pre-exit',
      [name]: `echo said ${name}; exit 7`,
    });
    const artifacts = name === 'pre-artifact' || name === 'pre-exit' ? 'nothing-there' : '';
    const job = await on.run(on.plane.addJob('echo said command', { BUILDKITE_ARTIFACT_PATHS: artifacts }), {
      hooksPath,
    });
    expect(job.finish).toMatchObject({ exit_status: '7' });
    expect(job.finish).not.toHaveProperty('signal_reason');
    expect(on.plane.logText(job)).toContain(`🚨 Error: The agent ${name} hook exited with status 7`);
    const last = name === 'pre-exit' ? [] : ['pre-exit'];
    expect(said(on.plane.logText(job))).toEqual([...before, name, ...last]);
  });

  test('a command hook takes the place of the command, which may then be missing', async () => {
    repository.commit({ '.buildkite/hooks/command': 'echo "instead of $BUILDKITE_COMMAND."; exit 5' });
    const job = await on.run(on.plane.addJob('', source()), { hooksPath });
    expect(on.plane.logText(job)).toContain('\ninstead of .\n');
    expect(job.finish).toMatchObject({ exit_status: '5' });
  });

  test('a checkout hook takes the place of the checkout', async () => {
    writeFiles(hooksPath, { checkout: 'echo mine > file' });
    const job = await on.run(on.plane.addJob('cat file', source({ BUILDKITE_REPO: '/no/such' })), { hooksPath });
    expect(on.plane.logText(job)).toMatch(/\nmine\n$/);
    expect(on.plane.logText(job)).not.toContain('git clone');
  });

  test('a hook in another language changes the environment by buildkite-agent env set', async () => {
    writeFiles(hooksPath, {
      environment: [
        `#!${process.execPath}`,
        "require('node:child_process').execFileSync('buildkite-agent', ['env', 'set', 'FROM_NODE=yes']);",
        "console.log('ran', process.env.BUILDKITE_HOOK_PHASE);",
      ].join('\n'),
    });
    const job = await on.run(on.plane.addJob('echo "node $FROM_NODE"'), {
      hooksPath,
      commandProgram: commandProgram(),
    });
    expect(on.plane.logText(job)).toContain('\nran environment\n');
    expect(on.plane.logText(job)).toContain('\nnode yes\n');
  });

  test('a hook that exits 0 by itself changes nothing, and the job goes on', async () => {
    writeFiles(hooksPath, { environment: 'export LOST=1; exit 0' });
    const job = await on.run(on.plane.addJob('echo "lost ${LOST-nothing}"'), { hooksPath });
    expect(on.plane.logText(job)).toContain('\nlost nothing\n');
  });

  test('a canceled job still runs its post-command and pre-exit hooks, and uploads nothing', async () => {
    writeFiles(hooksPath, {
      'post-command': 'echo "said post $BUILDKITE_JOB_CANCELLED"',
      'pre-artifact': 'echo said artifact',
      'pre-exit': 'echo said exit',
    });
    const job = on.plane.addJob('echo started; sleep 60', { BUILDKITE_ARTIFACT_PATHS: '*' });
    const { exit } = on.start({ disconnectAfterJob: true, hooksPath, cancelGracePeriod: 1 });
    await on.plane.until(() => on.plane.logText(job).includes('\nstarted\n'));
    job.state = 'canceling';
    await exit;
    expect(job.finish).toMatchObject({ exit_status: '-1', signal: 'SIGTERM', signal_reason: 'cancel' });
    expect(said(on.plane.logText(job))).toEqual(['post true', 'exit']);
  });

  test('hooks that never end are ended after a cancel', async () => {
    writeFiles(hooksPath, { 'pre-exit': 'echo said exit; trap "" TERM; sleep 60 & wait; sleep 60' });
    const job = on.plane.addJob('echo started; sleep 60');
    const { exit } = on.start({ disconnectAfterJob: true, hooksPath, cancelGracePeriod: 0.2 });
    await on.plane.until(() => on.plane.logText(job).includes('\nstarted\n'));
    job.state = 'canceling';
    await exit;
    expect(job.finish).toMatchObject({ exit_status: '-1', signal_reason: 'cancel' });
  });

  test('an agent that runs no hooks of repositories fails the jobs of one that has them', async () => {
    repository.commit({ '.buildkite/hooks/pre-command': 'echo said theirs' });
    const job = await on.run(on.plane.addJob('echo said command', source()), { repositoryHooksEnabled: false });
    expect(job.finish).toMatchObject({ exit_status: '1' });
    expect(said(on.plane.logText(job))).toEqual([]);
    expect(on.plane.logText(job)).toContain('This agent does not run hooks of repositories');
  });
});
