import { FakeControlPlane } from '../../support/fake-control-plane.js';
import { type CommandEnd, runCommandLine } from '../../support/job-command.js';

describe('commands in a job that call the server', () => {
  let plane: FakeControlPlane;
  let env: Record<string, string>;
  const run = (line: readonly string[], more: Record<string, string> = {}, stdin?: string): Promise<CommandEnd> =>
    runCommandLine(line, { ...env, ...more }, { stdin });

  beforeEach(async () => {
    plane = await FakeControlPlane.start();
    const job = plane.addJob('true');
    env = {
      BUILDKITE_AGENT_ENDPOINT: plane.endpoint,
      BUILDKITE_AGENT_ACCESS_TOKEN: job.token,
      BUILDKITE_JOB_ID: job.id,
      BUILDKITE_BUILD_ID: 'build-1',
      BUILDKITE_STEP_ID: 'step-1',
      BUILDKITE_REDACTED_VARS: '*_TOKEN,*_PASSWORD',
    };
  });
  afterEach(() => plane.stop());

  test.each<[string, string[], string, RegExp, unknown, string | undefined, string]>([
    ['meta-data set', ['meta-data', 'set', 'k', 'v'], 'POST', /data\/set$/, { key: 'k', value: 'v' }, undefined, ''],
    [
      'meta-data set of standard input',
      ['meta-data', 'set', 'k'],
      'POST',
      /data\/set$/,
      { key: 'k', value: 'a\nb' },
      'a\nb',
      '',
    ],
    [
      'meta-data set-batch',
      ['meta-data', 'set-batch', 'a=1', 'b=2=3'],
      'POST',
      /data\/set-batch$/,
      {
        items: [
          { key: 'a', value: '1' },
          { key: 'b', value: '2=3' },
        ],
      },
      undefined,
      '',
    ],
    [
      'meta-data get of another build',
      ['meta-data', 'get', 'k', '--build', 'b2'],
      'POST',
      /^\/builds\/b2\/data\/get$/,
      { key: 'k' },
      undefined,
      'the value\n',
    ],
    ['meta-data keys', ['meta-data', 'keys'], 'POST', /data\/keys$/, {}, undefined, 'a\nb\n'],
    [
      'annotate',
      ['annotate', 'Text', '--style', 'info', '--context', 'c', '--append', '--priority', '7'],
      'POST',
      /annotations$/,
      { body: 'Text', style: 'info', context: 'c', append: true, priority: 7, scope: 'build' },
      undefined,
      '',
    ],
    [
      'annotate of standard input',
      ['annotate', '--scope', 'job'],
      'POST',
      /annotations$/,
      { body: 'piped', priority: 3, scope: 'job' },
      'piped',
      '',
    ],
    [
      'annotation remove',
      ['annotation', 'remove', '--context', 'a/b.c'],
      'DELETE',
      /annotations\/a%2Fb%2Ec/,
      {},
      undefined,
      '',
    ],
    [
      'step get',
      ['step', 'get', 'outcome', '--step', 'tests/unit'],
      'POST',
      /^\/steps\/tests%2Funit\/export$/,
      { attribute: 'outcome', build_id: 'build-1' },
      undefined,
      'passed\n',
    ],
    [
      'step update',
      ['step', 'update', 'label', ' more', '--append'],
      'PUT',
      /^\/steps\/step-1$/,
      {
        idempotency_uuid: expect.any(String) as string,
        build_id: 'build-1',
        attribute: 'label',
        value: ' more',
        append: true,
      },
      undefined,
      '',
    ],
    [
      'step cancel',
      ['step', 'cancel', '--step', 'tests', '--force'],
      'POST',
      /^\/steps\/tests\/cancel$/,
      { build_id: 'build-1', force: true, force_grace_period: 15 },
      undefined,
      '',
    ],
    ['job update', ['job', 'update', 'timeout', '20'], 'PUT', /^\/jobs\/[^/]+$/, { timeout: '20' }, undefined, ''],
    [
      'job promise-failure',
      ['job', 'promise-failure', '3', '--reason', 'broken'],
      'PUT',
      /promise_failure$/,
      { exit_status: 3, reason: 'broken' },
      undefined,
      '',
    ],
    ['build cancel', ['build', 'cancel'], 'POST', /^\/builds\/build-1\/cancel$/, {}, undefined, ''],
    ['stop', ['stop'], 'POST', /^\/stop$/, {}, undefined, ''],
    ['stop --force', ['stop', '--force'], 'POST', /^\/stop$/, { force: true }, undefined, ''],
    [
      'pause',
      ['pause', '--note', 'too warm', '--timeout-in-minutes', '60'],
      'POST',
      /^\/pause$/,
      { note: 'too warm', timeout_in_minutes: 60 },
      undefined,
      '',
    ],
    ['resume', ['resume'], 'POST', /^\/resume$/, {}, undefined, ''],
    ['secret get', ['secret', 'get', 'K', '--skip-redaction'], 'GET', /secrets$/, {}, undefined, 'the value\n'],
    [
      'oidc request-token',
      ['oidc', 'request-token', '--audience', 'a', '--lifetime', '60', '--claim', 'x,y', '--skip-redaction'],
      'POST',
      /oidc\/tokens$/,
      { audience: 'a', lifetime: 60, claims: ['x', 'y'] },
      undefined,
      'a.b.c\n',
    ],
  ])('%s makes the call of the protocol', async (...[, line, method, path, json, stdin, out]) => {
    const replies = { value: 'the value', output: 'passed', uuid: 'u-1', token: 'a.b.c', id: 'j' };
    plane.reply(method, path, line.includes('keys') ? ['a', 'b'] : replies);
    const end = await run(line, {}, stdin);
    expect(end).toMatchObject({ code: 0, out });
    expect(plane.calls).toHaveLength(1);
    expect(plane.calls[0]).toMatchObject({ method, token: env['BUILDKITE_AGENT_ACCESS_TOKEN'] });
    expect(plane.calls[0]?.json).toEqual(json);
  });

  test('meta-data get prints its default for a missing key only, and exists tells by its exit code', async () => {
    plane.reply('POST', /data\/get/, { message: 'No such key' }, 404);
    expect(await run(['meta-data', 'get', 'k', '--default', ''])).toMatchObject({ code: 0, out: '\n' });
    plane.reply('POST', /data\/get/, { message: 'No such key' }, 404);
    expect(await run(['meta-data', 'get', 'k'])).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringMatching(/No such key/) as string,
    });
    plane.reply('POST', /data\/get/, { message: 'Not yours' }, 403);
    expect(await run(['meta-data', 'get', 'k', '--default', 'd'])).toMatchObject({ code: 1, out: '' });
    expect((await run(['meta-data', 'exists', 'k'])).code).toBe(100);
    plane.metaData.set('k', 'v');
    expect((await run(['meta-data', 'exists', 'k'])).code).toBe(0);
  });

  test('calls are repeated while the server is away, and refusals are not', async () => {
    plane.fail('POST', /data\/set/, { status: 503 }, { status: 429 });
    expect((await run(['meta-data', 'set', 'k', 'v'])).code).toBe(0);
    expect(plane.calls).toHaveLength(3);
    plane.fail('POST', /annotations/, { status: 422 });
    expect(await run(['annotate', 'x', '--style', 'loud'])).toMatchObject({
      code: 1,
      err: expect.stringMatching(/fault 422/) as string,
    });
    expect(plane.callsTo('POST', /annotations/)).toHaveLength(1);
  });

  test('the values of secret variables are redacted in what is stored at the server', async () => {
    plane.reply('POST', /annotations/, {});
    const end = await run(['annotate', 'uses hunter22!'], { DB_PASSWORD: 'hunter22' });
    expect(plane.calls[0]?.json['body']).toBe('uses [REDACTED]!');
    expect(end.err).toContain('were redacted');
    plane.reply('POST', /annotations/, {});
    await run(['annotate', 'uses hunter22!', '--redacted-vars', ''], { DB_PASSWORD: 'hunter22' });
    expect(plane.calls[1]?.json['body']).toBe('uses hunter22!');
  });

  test.each([
    ['an unknown command', ['artefact'], 'unknown command'],
    ['an unknown option', ['meta-data', 'get', 'k', '--nope'], "unknown option '--nope'"],
    ['a missing argument', ['meta-data', 'get'], "missing required argument 'key'"],
    ['a blank value', ['meta-data', 'set', 'k', ' '], 'must not be blank'],
    ['a body that is too large', ['annotate', 'x'.repeat(1024 * 1024 + 1)], 'larger than 1048576 bytes'],
    ['an unknown format', ['secret', 'get', 'K', '--format', 'xml'], 'default, json or env'],
    ['storage of its own for artifacts', ['artifact', 'upload', 'x', 's3://bucket'], 'at the server only'],
  ])('%s is refused with exit code 1 before any call', async (_, line, message) => {
    const end = await run(line);
    expect(end).toMatchObject({ code: 1, out: '' });
    expect(end.err).toContain(message);
    expect(plane.calls).toEqual([]);
  });

  test('outside a job a command names the variable that is missing', async () => {
    expect(await runCommandLine(['meta-data', 'get', 'k', '--job', 'x'])).toMatchObject({
      code: 1,
      err: expect.stringMatching(/BUILDKITE_AGENT_ENDPOINT/) as string,
    });
    expect(await runCommandLine(['env', 'get'])).toMatchObject({
      code: 1,
      err: expect.stringMatching(/BUILDKITE_AGENT_JOB_API_SOCKET/) as string,
    });
  });
});
