import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { limits } from '../../src/domain/limits/limits.js';
import { BothSurfaces, type Data } from '../support/both-surfaces.js';
import { newSuite, result, upload } from '../support/suites.js';
import { describeWithVectors, readVectors, vectorsDir, vectorsPresent } from '../support/vectors.js';

let surfaces: BothSurfaces;
let suite: Awaited<ReturnType<typeof newSuite>>;
let keys = 0;
const newKey = () => `key-${(keys += 1)}`;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
beforeAll(async () => {
  surfaces = await BothSurfaces.open();
  suite = await newSuite(surfaces, 'RSpec');
});
afterAll(() => surfaces.close());

const run = (id: string) => surfaces.read(['get', `${suite.path}/runs/${id}`]);
const executions = (id: string) =>
  surfaces.read(['get', `${suite.path}/runs/${id}/executions?include_failure_expanded=true&per_page=100`]);
const post = () => surfaces.collector(suite.authorization);
const xml = '<testsuite><testcase classname="A" name="b" time="0.5"/><testcase name="no class"/></testsuite>';

describe('a test upload', () => {
  test('an upload of JSON is answered with every field that a collector reads', async () => {
    const receipt = await upload(surfaces, suite.authorization, newKey(), [
      result('one'),
      result('two', { result: 'failed' }),
      { scope: 'x' },
    ]);
    expect(receipt).toEqual({
      id: expect.stringMatching(uuid),
      upload_id: receipt.id,
      run_id: expect.stringMatching(uuid),
      queued: 2,
      skipped: 1,
      errors: ['Result 3: name is missing'],
      run_url: `http://slipway.test/organizations/acme/analytics/suites/rspec/runs/${receipt.run_id}`,
      upload_url: receipt.run_url,
    });
    expect(await run(receipt.run_id)).toMatchObject({ state: 'running', result: 'failed' });
  });

  test('a JUnit XML upload refuses invalid results one by one', async () => {
    const reply = await post()
      .field('format', 'junit')
      .field('run_env[key]', newKey())
      .field('run_env[branch]', 'topic')
      .field('run_env[commit_sha]', 'abc')
      .field('tags[team]', 'core')
      .attach('data', Buffer.from(xml), 'junit.xml');
    expect([reply.status, reply.body]).toEqual([
      202,
      expect.objectContaining({ queued: 1, skipped: 1, errors: ['Result 2: testcase has no classname'] }),
    ]);
    expect(await run(reply.body.run_id)).toMatchObject({ branch: 'topic', commit_sha: 'abc', result: 'passed' });
    expect(await executions(reply.body.run_id)).toMatchObject([
      { test_name: 'b', duration: 0.5, tags: { team: 'core' } },
    ]);
  });

  test('a gzipped body or file gives the same result as a plain one', async () => {
    const whole = await post()
      .set('Content-Type', 'application/json')
      .set('Content-Encoding', 'gzip')
      .serialize((body) => body as unknown as string)
      .send(
        gzipSync(
          JSON.stringify({ format: 'json', run_env: { key: newKey() }, data: [result('one')] }),
        ) as unknown as string,
      );
    expect([whole.status, whole.body.queued]).toEqual([202, 1]);
    const file = await post()
      .field('format', 'junit')
      .field('run_env[key]', newKey())
      .attach('data', gzipSync(xml), 'junit.xml.gz');
    expect([file.status, file.body.queued]).toEqual([202, 1]);
  });

  test("an upload accepts a trailing slash, and the form's data as a field", async () => {
    const reply = await post()
      .field('format', 'json')
      .field('run_env[key]', newKey())
      .field('data', JSON.stringify([result('one')]));
    expect([reply.status, reply.body.queued]).toEqual([202, 1]);
  });

  test('an upload without any valid result is accepted, and its run stays pending', async () => {
    const receipt = await upload(surfaces, suite.authorization, newKey(), [{}, 7 as unknown as object]);
    expect(receipt).toMatchObject({ queued: 0, skipped: 2 });
    expect(await run(receipt.run_id)).toMatchObject({ state: 'running', result: 'pending' });
  });

  test('repeating an upload changes nothing and is answered as before', async () => {
    const key = newKey();
    const first = await upload(surfaces, suite.authorization, key, [result('one'), {}]);
    const second = await upload(surfaces, suite.authorization, key, [result('one'), {}]);
    expect(second).toEqual(first);
    expect(await executions(first.run_id)).toHaveLength(1);
    const other = await upload(surfaces, suite.authorization, key, [result('one'), {}], {
      runEnv: { job_id: 'another job' },
    });
    expect([other.run_id, other.id === first.id]).toEqual([first.run_id, false]);
    expect(await executions(first.run_id)).toHaveLength(2);
  });

  test('an upload with an Idempotency-Key is stored once, and the key is refused for another upload', async () => {
    const body = { format: 'json', run_env: { key: newKey() }, data: [result('one')] };
    const send = (over: object) =>
      post()
        .set('Idempotency-Key', 'once')
        .send({ ...body, ...over });
    const [first, second] = [await send({}), await send({})];
    expect([first.status, second.body]).toEqual([202, first.body]);
    expect((await send({ data: [result('two')] })).status).toBe(409);
    expect((await send({ run_env: { key: newKey() } })).status).toBe(409);
  });

  test('an upload joins the run with its key, and results keep the order of their arrival', async () => {
    const key = newKey();
    const first = await upload(surfaces, suite.authorization, key, [result('b'), result('a')]);
    const second = await upload(surfaces, suite.authorization, key, [
      result('c', { result: 'failed', failure_reason: 'no' }),
    ]);
    expect(second.run_id).toBe(first.run_id);
    expect((await executions(first.run_id)).map((each: Data) => [each.test_name, each.result])).toEqual([
      ['b', 'passed'],
      ['a', 'passed'],
      ['c', 'failed'],
    ]);
    expect((await run(first.run_id)).result).toBe('failed');
  });

  test("an execution's own fields win over those of its upload", async () => {
    const { run_id: id } = await upload(
      surfaces,
      suite.authorization,
      newKey(),
      [result('one', { tags: { team: 'own' } }), result('two')],
      { tags: { team: 'all', os: 'linux' } },
    );
    expect((await executions(id)).map((each: Data) => each.tags)).toEqual([
      { team: 'own', os: 'linux' },
      { team: 'all', os: 'linux' },
    ]);
  });

  test('unmapped results, moved tests and characters that cannot be stored are accepted', async () => {
    const first = await upload(surfaces, suite.authorization, newKey(), [
      result('nul \0 byte', { result: undefined, location: 'a.rb:1', file_name: 'a.rb' }),
      result('waits', { result: 'pending', history: undefined }),
    ]);
    expect((await executions(first.run_id)).map((each: Data) => [each.test_name, each.result, each.duration])).toEqual([
      ['nul \uFFFD byte', 'unknown', 0.5],
      ['waits', 'pending', null],
    ]);
    const second = await upload(surfaces, suite.authorization, newKey(), [
      result('nul \0 byte', { location: 'b.rb:2', file_name: 'b.rb' }),
    ]);
    const [before] = await executions(first.run_id);
    const [after] = await executions(second.run_id);
    expect([before.location, after.location, before.test_id]).toEqual(['a.rb:1', 'b.rb:2', after.test_id]);
    expect(await surfaces.read(['get', `${suite.path}/tests/${after.test_id}`])).toMatchObject({
      location: 'b.rb:2',
      file_name: 'b.rb',
    });
  });
});

describe('the build of a run', () => {
  let build: Data;
  beforeAll(async () => {
    const { world } = surfaces;
    await world.pipeline('steps: [{ command: make }]', { slug: 'app' });
    build = await surfaces.read([
      'post',
      '/organizations/acme/pipelines/app/builds',
      { commit: 'HEAD', branch: 'topic' },
    ]);
  });

  test('a run whose key is the id of a build belongs to it and takes branch and commit from it', async () => {
    const { run_id: id } = await upload(surfaces, suite.authorization, build.id, [result('one')]);
    expect(await run(id)).toMatchObject({ build_id: build.id, branch: 'topic', commit_sha: 'HEAD' });
  });

  test('a run whose URL is the page of a build belongs to that build', async () => {
    const { run_id: id } = await upload(surfaces, suite.authorization, newKey(), [result('one')], {
      runEnv: { url: build.web_url, branch: 'own' },
    });
    expect(await run(id)).toMatchObject({ build_id: build.id, branch: 'own' });
  });

  test.each([
    'https://elsewhere.test/acme/app/builds/1',
    'http://slipway.test/other/app/builds/1',
    'http://slipway.test/acme/app/builds/99',
    'nonsense',
  ])('a run with the URL %s belongs to no build', async (url) => {
    const { run_id: id } = await upload(surfaces, suite.authorization, newKey(), [result('one')], { runEnv: { url } });
    expect(await run(id)).toMatchObject({ build_id: null, branch: '', commit_sha: '' });
  });
});

describe('refused test uploads', () => {
  const good = () => ({ format: 'json', run_env: { key: newKey() }, data: [result('one')] });

  test.each([null, 'Bearer x', 'Token token="unknown-token-of-nobody"', 'Token', 'Token token=""'])(
    'an upload with the credential %j is refused',
    async (authorization) => {
      const reply = await surfaces.collector(authorization).send(good());
      expect([reply.status, reply.body]).toEqual([
        401,
        { message: 'Authentication required. Please supply a valid test suite token' },
      ]);
    },
  );

  test('an upload accepts an unquoted token, with or without `token=`', async () => {
    for (const authorization of [`Token token=${suite.token}`, `Token ${suite.token}`, `token token="${suite.token}"`])
      expect((await surfaces.collector(authorization).send(good())).status).toBe(202);
  });

  test.each<[string, object, string]>([
    ['no format', { format: undefined }, 'Format is missing'],
    [
      'an unknown format',
      { format: 'tap' },
      'Format must be one of json, junit, rspec-json, jest-json, playwright-json, cucumber-json',
    ],
    ['no run_env', { run_env: undefined }, 'Run_env is missing'],
    ['no key', { run_env: { branch: 'x' } }, 'Run_env.key is missing'],
    [
      'a key that is too long',
      { run_env: { key: 'x'.repeat(256) } },
      'Run_env.key is too long (maximum is 255 characters)',
    ],
    ['no data', { data: undefined }, 'Data is missing'],
    ['data that is not a list', { data: {} }, 'Data is not a list of results'],
    ['malformed XML', { format: 'junit', data: '<testsuite>' }, 'Data is not well-formed XML'],
    ['XML that is not JUnit', { format: 'junit', data: '<html></html>' }, 'Data has no testsuites element'],
    [
      'XML that is nested too deep',
      { format: 'junit', data: '<testsuite>'.repeat(200) + '</testsuite>'.repeat(200) },
      'Data is nested more than 50 levels deep',
    ],
    [
      'an invalid tag',
      { tags: { '1x': 'a' } },
      'Tags tag 1x must begin with a letter, consist of letters, digits, _, - and ., and be shorter than 64 bytes',
    ],
  ])('an upload with %s is refused with the reason', async (_what, over, message) => {
    const reply = await post().send({ ...good(), ...over });
    expect([reply.status, reply.body]).toEqual([422, { message: `Validation failed: ${message}` }]);
  });

  test('a body that is unreadable, too large or of another media type is refused', async () => {
    const json = (text: string) => post().set('Content-Type', 'application/json').send(text);
    expect((await json('{')).status).toBe(400);
    expect((await json('[]')).status).toBe(400);
    expect((await post().set('Content-Type', 'text/xml').send(xml)).status).toBe(415);
    expect((await post().set('Content-Type', 'application/x-www-form-urlencoded').send('a=b')).status).toBe(415);
    expect((await post().set('Content-Type', 'multipart/form-data').send('x')).status).toBe(400);
    expect((await post().set('Content-Encoding', 'br').send('{}')).status).toBe(415);
    const packed = (bytes: Buffer) =>
      post()
        .set('Content-Type', 'application/json')
        .set('Content-Encoding', 'gzip')
        .serialize((body) => body as unknown as string)
        .send(bytes as unknown as string);
    expect((await packed(Buffer.from('no gzip'))).status).toBe(400);
    expect((await packed(gzipSync(Buffer.alloc(limits.testUploadBytes + 1, ' ')))).status).toBe(413);
    const file = await post()
      .field('format', 'json')
      .field('run_env[key]', 'k')
      .attach('data', gzipSync(Buffer.alloc(limits.testUploadBytes + 1, ' ')), 'x.gz');
    expect(file.status).toBe(413);
  });

  test('XML entities are not expanded', async () => {
    const bomb =
      '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;">]><testsuite><testcase classname="&b;" name="&lt;b&gt; &#x41;&amp;"/></testsuite>';
    const reply = await post().send({ format: 'junit', run_env: { key: newKey() }, data: bomb });
    if (reply.status === 422) expect(reply.body.message).toBe('Validation failed: Data is not well-formed XML');
    else expect((await executions(reply.body.run_id)).map((each: Data) => each.test_name)).toEqual(['<b> A&']);
  });

  test('a refused upload stores nothing', async () => {
    const { db } = surfaces.world.services;
    const count = async () => (await db.selectFrom('suite_runs').select('id').execute()).length;
    const before = await count();
    await post().send({ ...good(), data: 'x' });
    await post().send({ ...good(), tags: { 'mut.x': 'y' } });
    expect(await count()).toBe(before);
  });
});

interface Captured {
  id: string;
  file: string;
  request: { fields?: Record<string, string> };
  expected: {
    status: number;
    response_keys?: string[];
    run?: { branch: string; commit_sha: string };
    tests: number;
    passed: number;
    failed: number;
    skipped: number;
    run_result: string;
  };
}
const { cases } = vectorsPresent
  ? readVectors<{ cases: Captured[] }>('test-results/collector-index.json')
  : { cases: [] };

describeWithVectors('requests captured from collectors', () => {
  test.each(cases.map((each) => [each.id, each] as const))(
    'the captured request %s is accepted with the expected counts and result',
    async (_id, { file, request, expected }) => {
      const text = readFileSync(join(vectorsDir, 'test-results', file), 'utf8');
      const own = await newSuite(surfaces, file);
      let sent = surfaces.collector(own.authorization);
      if (request.fields) {
        for (const [name, value] of Object.entries(request.fields))
          sent = value === '@file' ? sent.attach(name, Buffer.from(text), 'data.json') : sent.field(name, value);
      } else
        sent = sent
          .set('Content-Type', 'application/json')
          .send(JSON.stringify((JSON.parse(text) as { body_json: object }).body_json));
      const reply = await sent;
      expect([reply.status, reply.body]).toEqual([
        expected.status,
        expect.objectContaining({ queued: expected.tests, skipped: 0, errors: [] }),
      ]);
      for (const key of expected.response_keys ?? []) expect(reply.body).toHaveProperty(key);
      const shown = await surfaces.read(['get', `${own.path}/runs/${reply.body.run_id}`]);
      expect(shown).toMatchObject({
        result: expected.run_result,
        ...(expected.run ? { branch: expected.run.branch, commit_sha: expected.run.commit_sha } : {}),
      });
      const results = (await surfaces.read(['get', `${own.path}/runs/${reply.body.run_id}/executions`])).map(
        (each: Data) => each.result,
      );
      const count = (word: string) => results.filter((each: string) => each === word).length;
      expect([results.length, count('passed'), count('failed'), count('skipped')]).toEqual([
        expected.tests,
        expected.passed,
        expected.failed,
        expected.skipped,
      ]);
    },
  );
});
