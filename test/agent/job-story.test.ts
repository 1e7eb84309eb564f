import { existsSync } from 'node:fs';

import { AgentOnFake } from '../support/agent-on-fake.js';
import { commandProgram } from '../support/program.js';

describe('the bundled agent running a job', () => {
  let on: AgentOnFake;
  // Builds the program, which takes longer than a test may on a busy machine.
  beforeAll(() => void commandProgram(), 120_000);
  beforeEach(async () => {
    on = await AgentOnFake.open();
  });
  afterEach(async () => {
    await on.dispose();
  });

  test('a passing command makes the documented calls in order, logs its exact output and reports exit status 0', async () => {
    const job = await on.run(on.plane.addJob('echo hello; echo problem >&2; echo last'), {
      tags: ['os=linux'],
      queue: 'fast',
      priority: 3,
    });

    const path = `${on.buildPath}/agent-1/acme/widgets`;
    expect(on.plane.logText(job)).toBe(
      [
        '~~~ Preparing working directory',
        `$ cd ${path}`,
        'Skipping checkout',
        '~~~ Running commands',
        '$ echo hello; echo problem >&2; echo last',
        'hello',
        'problem',
        'last',
        '',
      ].join('\n'),
    );

    expect(on.plane.log(job).toString()).toMatch(/^(\x1b_bk;t=\d{13}\x07[^\x1b\n]*\n){8}$/);
    expect(job.finish).toEqual({
      exit_status: '0',
      chunks_failed_count: 0,
      finished_at: expect.stringMatching(/^\d{4}-.*Z$/),
      ignore_agent_in_dispatches: true,
    });

    const once = on.plane.calls
      .map(({ method, path: to }) => `${method} ${to.replace(job.id, 'J').replace(/\?.*/, '')}`)
      .filter((call) => call !== 'GET /jobs/J')
      .filter((call, index, all) => call !== all[index - 1]);
    expect(once).toEqual([
      'POST /register',
      'POST /connect',
      'GET /ping',
      'PUT /jobs/J/accept',
      'PUT /jobs/J/start',
      'POST /jobs/J/chunks',
      'PUT /jobs/J/finish',
      'GET /ping',
      'POST /disconnect',
    ]);
    const [register] = on.plane.calls;
    expect(register?.json).toMatchObject({
      meta_data: ['os=linux', 'queue=fast'],
      priority: '3',
      version: '1.2.3',
      script_eval_enabled: true,
      ignore_in_dispatches: false,
      features: ['disconnect-after-job'],
    });
    expect(register?.headers['user-agent']).toMatch(/^slipway-agent\/1\.2\.3\.x \(\w+; \w+\)$/);
    expect(on.plane.callsTo('PUT', /accept/)[0]?.token).toBe('session-token-1');
    expect(on.plane.callsTo('PUT', /start|finish/).map((call) => call.token)).toEqual([job.token, job.token]);
  });

  test.each([
    ['exit 3', '3'],
    ['false; echo not reached', '1'],
    ['kill -9 $$', '255'],
    ['no-such-program-anywhere', '127'],
  ])('the command `%s` reports exit status %s and no signal', async (command, status) => {
    const job = await on.run(on.plane.addJob(command));
    expect(job.finish).toMatchObject({ exit_status: status });
    expect(job.finish).not.toHaveProperty('signal');
    expect(job.finish).not.toHaveProperty('signal_reason');
    expect(on.plane.logText(job)).toContain('^^^ +++\n🚨 Error: The command ');
  });

  test('a missing shell is reported as a failure of the agent, not of the command', async () => {
    const job = await on.run(on.plane.addJob('true'), { shell: '/no/such/shell -c' });
    expect(job.finish).toMatchObject({ exit_status: '-1', signal_reason: 'process_run_error' });
  });

  test('a megabyte of output arrives whole, in contiguous numbered chunks, at most three at a time', async () => {
    const job = await on.run(on.plane.addJob('head -c 1048576 /dev/zero | tr "\\0" x'));
    const chunks = [...job.chunks].sort((a, b) => a.sequence - b.sequence);
    let offset = 0;
    chunks.forEach((chunk, index) => {
      expect(chunk).toMatchObject({ sequence: index + 1, offset, size: chunk.bytes.length });
      expect(chunk.bytes.length).toBeLessThanOrEqual(job.chunksMaxSizeBytes);
      offset += chunk.size;
    });
    expect(on.plane.logText(job).split('\n').at(-1)).toBe('x'.repeat(1_048_576));
  });

  test('secrets are redacted from the log whatever their source and however the output is cut into chunks', async () => {
    on.plane.secrets.set('DEPLOY', 'from-the-vault');
    const job = await on.run(
      on.plane.addJob(
        'echo $API_TOKEN; printf my-sec; sleep 0.2; printf ret-value; echo; echo $DEPLOY_KEY $BUILDKITE_AGENT_ACCESS_TOKEN; echo typed my-secret-value',
        { API_TOKEN: 'my-secret-value' },
        { step: { secrets: [{ key: 'DEPLOY', environment_variable: 'DEPLOY_KEY' }] } },
      ),
    );
    const text = on.plane.logText(job);
    expect(text.split('\n').slice(-5)).toEqual([
      '[REDACTED]',
      '[REDACTED]',
      '[REDACTED] [REDACTED]',
      'typed [REDACTED]',
      '',
    ]);
    for (const secret of ['my-secret-value', 'from-the-vault', job.token])
      expect(on.plane.log(job).toString()).not.toContain(secret);
    expect(job.chunks.length).toBeGreaterThan(1);
  });

  test('a secret and a token that the command fetches are hidden from the log before they are printed', async () => {
    on.plane.secrets.set('DEPLOY', 'from-the-vault');
    on.plane.reply('POST', /oidc\/tokens$/, { token: 'header.claims.signature' });
    const job = await on.run(
      on.plane.addJob(
        'buildkite-agent secret get DEPLOY; buildkite-agent oidc request-token; buildkite-agent secret get NOPE || echo "exit $?"',
      ),
      { commandProgram: commandProgram() },
    );
    const text = on.plane.logText(job);
    expect(text).toContain('\n[REDACTED]\n[REDACTED]\n');
    expect(text).toMatch(/\nfatal: GET .*No such secret\nexit 1\n$/);
    expect(text).not.toMatch(/from-the-vault|header\.claims/);
  });

  test('a secret that cannot be read fails the job before its command runs', async () => {
    const job = await on.run(on.plane.addJob('echo ran', {}, { step: { secrets: ['NOPE'] } }));
    expect(job.finish).toMatchObject({ exit_status: '-1', signal_reason: 'process_run_error' });
    expect(on.plane.logText(job)).toMatch(/Error: secret NOPE: .*No such secret/);
  });

  test('the variables that the server sent are in two files, each on a line of its own and as JSON, which end with the job', async () => {
    const names = 'sed "s/=.*//" "$BUILDKITE_ENV_FILE" | sort | tail -3';
    const job = await on.run(
      on.plane.addJob(
        `${names}; grep -c . "$BUILDKITE_ENV_FILE"; grep ^MULTI "$BUILDKITE_ENV_FILE"; cat "$BUILDKITE_ENV_JSON_FILE"; echo; ls -l "$BUILDKITE_ENV_FILE"`,
        { MULTI: 'one "line"\nand another', ZULU: '', BUILDKITE_AGENT_TOKEN: 'never' },
      ),
    );
    const lines = on.plane.logText(job).split('\n');
    const at = lines.indexOf('BUILDKITE_SKIP_CHECKOUT');
    const sent = Object.entries(job.env).filter(([name]) => name !== 'BUILDKITE_AGENT_TOKEN');
    expect(lines.slice(at, at + 5)).toEqual([
      'BUILDKITE_SKIP_CHECKOUT',
      'MULTI',
      'ZULU',
      String(sent.length),
      'MULTI="one \\"line\\"\\nand another"',
    ]);
    expect(JSON.parse(lines[at + 5] ?? '')).toEqual(Object.fromEntries(sent));
    const [mode, path] = [/^\S+/, /\S+$/].map((part) => part.exec(lines[at + 6] ?? '')?.[0]);
    expect(mode).toMatch(/^-rw-------/);
    expect(existsSync(path ?? '/')).toBe(false);
  });

  test("the command sees the job's variables and a small base environment, and no other variable of the agent", async () => {
    const job = await on.run(
      on.plane.addJob('env', { GREETING: 'hi', BUILDKITE_SHELL: 'theirs', BUILDKITE_AGENT_TOKEN: 'never' }),
      {
        environment: {
          PATH: process.env['PATH'],
          HOME: '/home/of-agent',
          SECRET_KEY: 'of the server',
          DATABASE_URL: 'of the server',
        },
      },
    );
    const lines = on.plane.logText(job).split('\n');
    expect(lines).toEqual(
      expect.arrayContaining([
        'GREETING=hi',
        'CI=true',
        'HOME=/home/of-agent',
        'BUILDKITE_AGENT_NAME=agent-1',
        `BUILDKITE_AGENT_ENDPOINT=${on.plane.endpoint}`,
        `BUILDKITE_BUILD_PATH=${on.buildPath}`,
        `BUILDKITE_BUILD_CHECKOUT_PATH=${on.buildPath}/agent-1/acme/widgets`,
        expect.stringMatching(/^BUILDKITE_SHELL=\/bin\/(ba)?sh -e -c$/),
        'GIT_TERMINAL_PROMPT=0',
        expect.stringMatching(/Ignored.*: BUILDKITE_SHELL, BUILDKITE_AGENT_TOKEN$/),
      ]),
    );
    expect(lines.join('\n')).not.toMatch(/of the server|BUILDKITE_AGENT_TOKEN=|registration-token/);
  });

  test.each([
    ['no branch', { BUILDKITE_BRANCH: '' }, undefined, { exit_status: '1' }, 'Missing BUILDKITE_BRANCH.'],
    [
      'no repository to check out',
      { BUILDKITE_REPO: '', BUILDKITE_SKIP_CHECKOUT: '' },
      undefined,
      { exit_status: '1' },
      'Missing BUILDKITE_REPO.',
    ],
    ['no command', { BUILDKITE_COMMAND: '' }, undefined, { exit_status: '1' }, 'the step has no command'],
    [
      'a signature',
      {},
      { signature: { value: 'x' } },
      { exit_status: '-1', signal_reason: 'signature_rejected' },
      'has no keys',
    ],
  ])('a job with %s is not run, and its log gives the reason', async (_, env, step, finish, message) => {
    const job = await on.run(on.plane.addJob('echo ran', env, { step }));
    expect(job.finish).toMatchObject(finish);
    expect(on.plane.logText(job)).toContain(message);
    expect(on.plane.logText(job)).not.toContain('Running commands');
  });

  test('a repository or plugin that the agent does not allow is refused, and others run', async () => {
    const options = {
      allowedRepositories: [/^git@example\.com:ours\//],
      allowedPlugins: [/^https:\/\/github\.com\/buildkite-plugins\//],
    };
    const refused = { exit_status: '-1', signal_reason: 'agent_refused' };
    const theirs = await on.run(on.plane.addJob('echo ran', { BUILDKITE_REPO: 'git@example.com:theirs/x' }), options);
    expect(theirs.finish).toMatchObject(refused);
    expect(on.plane.logText(theirs)).toBe(
      '🚨 Error: This agent does not allow the repository git@example.com:theirs/x.\n',
    );
    const ours = { BUILDKITE_REPO: 'git@example.com:ours/x' };
    const plugin = { ...ours, BUILDKITE_PLUGINS: '["docker#v5", {"github.com/acme/own#v1": null}]' };
    const foreign = await on.run(on.plane.addJob('echo ran', plugin), options);
    expect(foreign.finish).toMatchObject(refused);
    expect(on.plane.logText(foreign)).toContain('does not allow the plugin github.com/acme/own#v1');
    expect((await on.run(on.plane.addJob('true', ours), options)).finish).toMatchObject({ exit_status: '0' });
  });

  test('a job without a repository name that skips the checkout runs in an empty folder', async () => {
    await on.run(on.plane.addJob('touch left-over', { BUILDKITE_REPO: '' }));
    const job = await on.run(on.plane.addJob('ls -A | wc -l', { BUILDKITE_REPO: '' }));
    expect(job.finish).toMatchObject({ exit_status: '0' });
    expect(on.plane.logText(job)).toMatch(/\n\s*0\n$/);
  });

  test('a command that is longer than the name of a file can be runs as a command', async () => {
    const job = await on.run(on.plane.addJob(`echo ${'long '.repeat(100)}`));
    expect(job.finish).toMatchObject({ exit_status: '0' });
    expect(on.plane.logText(job)).toContain('\nlong long');
  });

  test('processes left running by a command do not delay the end of the job', async () => {
    const job = await on.run(on.plane.addJob('sleep 30 & echo started'));
    expect(job.finish).toMatchObject({ exit_status: '0' });
    expect(on.plane.logText(job)).toContain('\nstarted\n');
  });

  test('programs that open /dev/stderr by name can write to it', async () => {
    const job = await on.run(on.plane.addJob('echo by name > /dev/stderr'));
    expect(job.finish).toMatchObject({ exit_status: '0' });
    expect(on.plane.logText(job)).toMatch(/\nby name\n$/);
  });
});
