import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { temporaryDirectory } from '../../support/database.js';
import { FakeControlPlane, type FakeJob } from '../../support/fake-control-plane.js';
import { type CommandEnd, runCommandLine } from '../../support/job-command.js';

describe('pipeline upload', () => {
  let plane: FakeControlPlane;
  let job: FakeJob;
  const folder = temporaryDirectory();
  const run = (args: readonly string[], env: Record<string, string> = {}, stdin?: string): Promise<CommandEnd> =>
    runCommandLine(
      ['pipeline', 'upload', ...args],
      {
        BUILDKITE_AGENT_ENDPOINT: plane.endpoint,
        BUILDKITE_AGENT_ACCESS_TOKEN: job.token,
        BUILDKITE_JOB_ID: job.id,
        ...env,
      },
      { cwd: folder.path, stdin },
    );
  const uploads = () => plane.callsTo('POST', /\/pipelines\?async=true$/).map(({ json }) => json);

  beforeEach(async () => {
    plane = await FakeControlPlane.start();
    job = plane.addJob('true');
  });
  afterEach(() => plane.stop());
  afterAll(() => folder.remove());

  test('a pipeline from standard input is interpolated and uploaded under one UUID', async () => {
    plane.reply('POST', /pipelines/, {});
    const text = 'env:\n  A: "1"\n  B: $A-$OUT\nsteps:\n  - command: echo $B $$HOME\n  - wait\n';
    const end = await run([], { OUT: 'x', A: 'outer' }, text);
    expect(end).toMatchObject({
      code: 0,
      out: '',
      err: expect.stringMatching(/Uploaded pipeline 1 of 1 from standard input/) as string,
    });
    expect(uploads()).toEqual([
      {
        uuid: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
        pipeline: { env: { A: '1', B: '1-x' }, steps: [{ command: 'echo 1-x $HOME' }, 'wait'] },
      },
    ]);
  });

  test('a repeated attempt has the same UUID, and --replace is sent', async () => {
    plane.fail('POST', /pipelines/, { status: 502 }, { status: 200, body: '{}' });
    expect((await run(['--replace'], {}, 'steps: [wait]')).code).toBe(0);
    const [first, second, ...more] = uploads();
    expect(more).toEqual([]);
    expect(second).toEqual(first);
    expect(first).toMatchObject({ replace: true });
  });

  test('a refused pipeline is not uploaded again, and the reason is printed', async () => {
    plane.reply('POST', /pipelines/, { message: 'steps[0]: no such thing at line 3, column 5' }, 422);
    expect(await run([], {}, 'steps: [wait]')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/no such thing at line 3, column 5/) as string,
    });
    expect(uploads()).toHaveLength(1);
  });

  test.each([
    ['applied', 0, ''],
    ['rejected', 1, 'the pipeline was rejected: too many steps'],
    ['failed', 1, 'the pipeline was failed: too many steps'],
    ['baked', 1, 'the pipeline was baked'],
  ])('a server that answers later is asked until the upload is %s', async (state, code, message) => {
    plane.on('POST', /pipelines$/, ({ json }) => ({
      status: 202,
      body: '{}',
      headers: { Location: `/v3/jobs/${job.id}/pipelines/${String(json['uuid'])}`, 'Retry-After': '0.5' },
    }));
    for (const each of ['pending', 'processing', state])
      plane.reply('GET', /pipelines\//, { state: each, message: 'too many steps' });
    const end = await run([], {}, 'steps: [wait]');
    expect(end.code).toBe(code);
    expect(end.err).toContain(message);
    expect(plane.callsTo('GET', /pipelines\//)).toHaveLength(3);
  });

  test('several documents and files are several uploads in order, and nothing is uploaded when the last is wrong', async () => {
    writeFileSync(join(folder.path, 'a.yml'), 'steps: [{command: one}]\n---\n- command: two\n---\n');
    writeFileSync(join(folder.path, 'b.json'), '{"steps": ["wait"]}');
    writeFileSync(join(folder.path, 'bad.yml'), 'steps:\n  - command: "${NEEDED?is not there}"\n');
    expect(await run(['a.yml', 'bad.yml'])).toMatchObject({
      code: 1,
      err: expect.stringMatching(/steps\[0\]\.command: \$NEEDED: is not there/) as string,
    });
    expect(uploads()).toEqual([]);
    for (let upload = 0; upload < 3; upload += 1) plane.reply('POST', /pipelines/, {});
    expect((await run(['a.yml', 'b.json'])).code).toBe(0);
    expect(uploads().map(({ pipeline }) => pipeline)).toEqual([
      { steps: [{ command: 'one' }] },
      { steps: [{ command: 'two' }] },
      { steps: ['wait'] },
    ]);
    expect(new Set(uploads().map(({ uuid }) => uuid)).size).toBe(3);
  });

  test('without a file the one pipeline file of the repository is uploaded', async () => {
    expect(await run([])).toMatchObject({
      code: 1,
      err: expect.stringMatching(/no pipeline file; looked for buildkite\.yml/) as string,
    });
    mkdirSync(join(folder.path, '.buildkite'));
    writeFileSync(join(folder.path, '.buildkite/pipeline.yml'), 'steps: [{command: found}]');
    plane.reply('POST', /pipelines/, {});
    expect((await run([])).code).toBe(0);
    expect(uploads()[0]).toMatchObject({ pipeline: { steps: [{ command: 'found' }] } });
    writeFileSync(join(folder.path, 'buildkite.json'), '{}');
    expect(await run([])).toMatchObject({
      code: 1,
      err: expect.stringMatching(/several pipeline files: buildkite\.json, \.buildkite/) as string,
    });
  });

  test('a dry run prints the pipeline as JSON or YAML and calls nobody', async () => {
    const text = 'steps:\n  - command: echo $X\n    parallelism: 2\n';
    expect(await run(['--dry-run'], { X: 'y' }, text)).toMatchObject({
      code: 0,
      out: '{\n  "steps": [\n    {\n      "command": "echo y",\n      "parallelism": 2\n    }\n  ]\n}\n',
    });
    expect((await run(['--dry-run', '--format', 'yaml', '--no-interpolation'], { X: 'y' }, text)).out).toBe(text);
    expect((await run(['--dry-run=true', '--format=yaml', '--no-interpolation=true'], {}, text)).out).toBe(text);
    expect((await run(['--dry-run', '--no-interpolation=false'], { X: 'y' }, text)).out).toContain('echo y');
    expect((await run(['--dry-run', '--format', 'xml'], {}, text)).code).toBe(1);
    expect(plane.calls).toEqual([]);
  });

  test('a pipeline with the value of a secret is uploaded with a warning, and refused with --reject-secrets', async () => {
    const env = { DB_PASSWORD: 'a "quoted" one', BUILDKITE_REDACTED_VARS: '*_PASSWORD' };
    const text = 'steps: [{command: "psql $DB_PASSWORD"}]';
    expect(await run(['--reject-secrets'], env, text)).toMatchObject({
      code: 1,
      err: expect.stringMatching(/DB_PASSWORD; it is not uploaded/) as string,
    });
    expect(uploads()).toEqual([]);
    plane.reply('POST', /pipelines/, {});
    expect(await run([], env, text)).toMatchObject({
      code: 0,
      err: expect.stringMatching(/warning: .*secret variables: DB_PASSWORD/) as string,
    });
  });

  test.each([
    ['not YAML', 'steps: [', /at line 1, column 9/],
    ['a repeated key', 'steps: []\nsteps: []', /unique/],
    ['a text', 'just words', /mapping with "steps"/],
    ['nothing', '# nothing\n', /is empty/],
    ['an alias inside itself', 'steps: &a [*a]', /./],
    [
      'aliases that grow without bound',
      `a0: &a0 [x]\n${Array.from({ length: 30 }, (_, n) => `a${n + 1}: &a${n + 1} [*a${n}, *a${n}]`).join('\n')}`,
      /./,
    ],
    [
      'variables that grow without bound',
      `env: {A0: "${'x'.repeat(64)}"${Array.from({ length: 40 }, (_, n) => `, A${n + 1}: "$A${n}$A${n}"`).join('')}}`,
      /longer than/,
    ],
  ])('%s is refused before anything is uploaded', async (_, text, message) => {
    const end = await run([], {}, text);
    expect(end.code).toBe(1);
    expect(end.err).toMatch(/^fatal: [^\n]*\n$/);
    expect(end.err).toMatch(message);
    expect(uploads()).toEqual([]);
  });
});
