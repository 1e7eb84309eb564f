import { once } from 'node:events';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { runUntilIdle } from '../../support/run-until-idle.js';
import { deletePipeline } from '../../../src/operations/pipelines/delete.js';
import { announced, ArtifactWorld, type Holder } from '../../support/artifact-world.js';
import { describeWithVectors, readVectors } from '../../support/vectors.js';
import type { Person } from '../../support/world.js';
import { expectShape } from '../reply-shape.js';

let on: ArtifactWorld;
let holder: Holder;
let ids: string[];
let build: string;
let job: string;
let short: string;
beforeAll(async () => {
  on = await ArtifactWorld.create();
  holder = await on.holding();
  ids = await on.upload(holder, { 'dist/a.txt': 'hello artifact', 'dist/sub/b.txt': 'b', 'c.txt': 'c' });
  build = `/organizations/acme/pipelines/${holder.slug}/builds/${holder.build.number}`;
  job = `${build}/jobs/${holder.job}`;
  short = `/organizations/acme/jobs/${holder.job}`;
});
afterAll(() => on.close());

const paths = (body: { path: string }[]) => body.map(({ path }) => path);

describe('artifacts', () => {
  test('artifacts are listed under the build, the job, and the job of the organization, with or without a trailing slash [compat:5]', async () => {
    for (const parent of [build, job, short]) {
      for (const slash of ['', '/']) {
        const list = await on.rest('get', `${parent}/artifacts${slash}`).expect(200);
        expect(paths(list.body)).toEqual(['c.txt', 'dist/sub/b.txt', 'dist/a.txt']);
        const one = await on.rest('get', `${parent}/artifacts/${ids[0]}${slash}`).expect(200);
        expect(one.body).toEqual(list.body[2]);
        await on.rest('get', `${parent}/artifacts/${ids[0]}/download${slash}`).expect(302);
      }
    }
  });

  test('artifacts have the documented fields, and every URL in them resolves', async () => {
    const { body } = await on.rest('get', `${build}/artifacts/${ids[0]}`).expect(200);
    const url = `http://slipway.test/v2${job}/artifacts/${ids[0]}`;
    expect(body).toEqual({
      id: ids[0],
      job_id: holder.job,
      url,
      download_url: `${url}/download`,
      state: 'finished',
      path: 'dist/a.txt',
      dirname: 'dist',
      filename: 'a.txt',
      mime_type: 'text/plain',
      file_size: 14,
      glob_path: '**/*',
      original_path: '/work/dist/a.txt',
      sha1sum: expect.stringMatching(/^[0-9a-f]{40}$/),
    });
    expectShape('Artifact', body);
    await on.rest('get', new URL(body.url).pathname.replace('/v2', '')).expect(200);
    await on.rest('get', new URL(body.download_url).pathname.replace('/v2', '')).expect(302);
  });

  test('the artifacts_url of a job leads to its list [api-v2:ojgfal]', async () => {
    const { body } = await on.rest('get', job).expect(200);
    const list = await on.rest('get', new URL(body.artifacts_url).pathname.replace('/v2', '')).expect(200);
    expect(list.body).toHaveLength(3);
  });

  test.each([
    ['?path=c.txt', ['c.txt']],
    ['?path=dist/*', ['dist/sub/b.txt', 'dist/a.txt']],
    ['?path=*.txt&state=finished', ['c.txt', 'dist/sub/b.txt', 'dist/a.txt']],
    ['?path=%25.txt', []],
    ['?state=new', []],
    ['?state=error', []],
    ['?state=expired', []],
    ['?path=', ['c.txt', 'dist/sub/b.txt', 'dist/a.txt']],
  ])('artifacts are filtered by %s', async (query, expected) => {
    for (const parent of [build, job, short])
      expect(paths((await on.rest('get', `${parent}/artifacts${query}`).expect(200)).body)).toEqual(expected);
  });

  test('an unknown artifact state is refused', async () => {
    const { status, body } = await on.rest('get', `${build}/artifacts?state=gone`);
    expect([status, body.message, body.errors]).toEqual([
      422,
      'Validation Failed',
      [{ field: 'state', code: 'must be one of new, error, finished, deleted, expired' }],
    ]);
  });

  test('artifacts are listed in linked pages', async () => {
    const first = await on.rest('get', `${build}/artifacts?per_page=2`).expect(200);
    expect(paths(first.body)).toEqual(['c.txt', 'dist/sub/b.txt']);
    expect(first.headers['link']).toBe(
      `<http://slipway.test/v2${build}/artifacts?page=2&per_page=2>; rel="next", <http://slipway.test/v2${build}/artifacts?page=2&per_page=2>; rel="last"`,
    );
    expect(paths((await on.rest('get', `${build}/artifacts?page=2&per_page=2`)).body)).toEqual(['dist/a.txt']);
  });

  test('artifacts of another build, job or organization are hidden', async () => {
    const other = await on.holding();
    const otherBuild = `/organizations/acme/pipelines/${other.slug}/builds/${other.build.number}`;
    const missing = (await on.rest('get', `${build}/artifacts/${holder.job}`)).text;
    for (const path of [
      `${otherBuild}/artifacts/${ids[0]}`,
      `${otherBuild}/jobs/${other.job}/artifacts/${ids[0]}`,
      `/organizations/acme/jobs/${other.job}/artifacts/${ids[0]}`,
      `/organizations/other/jobs/${holder.job}/artifacts/${ids[0]}`,
      `${build}/artifacts/nonsense`,
    ]) {
      for (const [method, suffix] of [
        ['get', ''],
        ['get', '/download'],
        ['delete', ''],
      ] as const) {
        const { status, text } = await on.rest(method, path + suffix);
        expect([path, status, text]).toEqual([path, 404, missing]);
      }
    }
    expect((await on.row(ids[0] ?? '')).state).toBe('finished');
  });
});

describe('downloading an artifact', () => {
  const link = async (person?: Person, id = ids[0]) =>
    String((await on.rest('get', `${build}/artifacts/${id}/download`, person).expect(302)).headers['location']);

  test('a download redirects to our own host for a minute, at a URL that needs no credential and ignores any', async () => {
    const reply = await on
      .rest('get', `${build}/artifacts/${ids[0]}/download`)
      .set('Accept', 'application/octet-stream')
      .expect(302);
    const url = String(reply.headers['location']);
    expect(reply.body).toEqual({ url });
    expectShape('Link', reply.body);
    expect(url).toMatch(/^http:\/\/slipway\.test\/files\/artifacts\//);
    const plain = await on.follow('get', url).expect(200);
    const odd = await on.follow('get', url).set('Authorization', 'Bearer nonsense').expect(200);
    const own = await on.follow('get', url).set('Authorization', on.world.admin.authorization).expect(200);
    expect([plain.text, odd.text, own.text]).toEqual(['hello artifact', 'hello artifact', 'hello artifact']);
    expect(plain.headers).toMatchObject({
      'content-type': 'text/plain',
      'content-length': '14',
      'accept-ranges': 'bytes',
      'content-disposition': 'inline; filename=a.txt',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining('sandbox'),
    });
    on.world.clock.advance(62);
    expect((await on.follow('get', url)).body).toEqual({ message: 'The link has expired' });
    expect((await on.follow('get', url)).status).toBe(410);
  });

  test.each([
    ['bytes=0-4', 206, 'hello', 'bytes 0-4/14'],
    ['bytes=6-', 206, 'artifact', 'bytes 6-13/14'],
    ['bytes=-3', 206, 'act', 'bytes 11-13/14'],
    ['bytes=6-999', 206, 'artifact', 'bytes 6-13/14'],
    ['bytes=0-0,2-3', 200, 'hello artifact', undefined],
    ['lines=1-2', 200, 'hello artifact', undefined],
    ['nonsense', 200, 'hello artifact', undefined],
  ])('downloading the range %s answers %d', async (range, status, text, contentRange) => {
    const reply = await on.follow('get', await link()).set('Range', range);
    expect([reply.status, reply.text, reply.headers['content-range'], reply.headers['content-length']]).toEqual([
      status,
      text,
      contentRange,
      String(text.length),
    ]);
  });

  test('a download answers ranges past the end, matching ETags, changed files and HEAD', async () => {
    const url = await link();
    const past = await on.follow('get', url).set('Range', 'bytes=14-');
    expect([past.status, past.headers['content-range'], typeof past.body.message]).toEqual([
      416,
      'bytes */14',
      'string',
    ]);
    const head = await on.follow('head', url).expect(200);
    expect([head.headers['content-length'], head.text]).toEqual(['14', undefined]);
    const etag = String(head.headers['etag']);
    await on.follow('get', url).set('If-None-Match', etag).expect(304);
    expect((await on.follow('get', url).set({ Range: 'bytes=0-4', 'If-Range': etag })).status).toBe(206);
    expect((await on.follow('get', url).set({ Range: 'bytes=0-4', 'If-Range': '"other"' })).status).toBe(200);
  });

  test('files that a browser would execute are sent as attachments', async () => {
    const [html] = (await on.upload(
      holder,
      { 'näme.html': '<script>alert(1)</script>' },
      { content_type: 'text/html' },
    )) as [string];
    const reply = await on.follow('get', await link(undefined, html)).expect(200);
    expect(reply.headers['content-disposition']).toBe(
      `attachment; filename="n?me.html"; filename*=UTF-8''n%C3%A4me.html`,
    );
    expect(reply.headers['content-security-policy']).toMatch(/default-src 'none'.*sandbox/);
  });

  test('an empty file and an artifact stored elsewhere can be downloaded', async () => {
    const [empty] = (await on.upload(holder, { 'empty.txt': '' })) as [string];
    expect((await on.follow('get', await link(undefined, empty)).expect(200)).headers['content-length']).toBe('0');
    const { body } = await on
      .register(
        holder,
        [announced('far.txt', 'x', { url: 'https://bucket.example/far.txt' }), announced('lost.txt', 'x')],
        { upload_destination: 's3://bucket' },
      )
      .expect(201);
    await on
      .states(
        holder,
        body.artifact_ids.map((id: string) => ({ id, state: 'finished' })),
      )
      .expect(200);
    expect(await link(undefined, body.artifact_ids[0])).toBe('https://bucket.example/far.txt');
    await on.rest('get', `${build}/artifacts/${body.artifact_ids[1]}/download`).expect(404);
  });

  test('a wrong signature, an unfinished artifact and lost bytes are answered 404', async () => {
    const url = await link();
    for (const wrong of [
      url.replace(/signature=./, 'signature=x'),
      url.replace(/expires=\d/, 'expires=9'),
      url.replace(String(ids[0]), String(ids[1])),
      url.split('?')[0] ?? '',
      url.replace(String(ids[0]), 'x'),
    ]) {
      expect((await on.follow('get', wrong)).body).toEqual({ message: 'Not Found' });
    }
    const { body } = await on.register(holder, [announced('new.txt', 'x')]).expect(201);
    await on.rest('get', `${build}/artifacts/${body.artifact_ids[0]}/download`).expect(404);
    const [lost] = (await on.upload(holder, { 'lost.txt': 'lost' })) as [string];
    const before = await link(undefined, lost);
    const [key] = (await on.stored()).filter((each) => each.includes(lost)) as [string];
    await on.world.services.storage.delete(key);
    await on.follow('get', before).expect(404);
  });
});

describe('an upload that is interrupted', () => {
  test.each(['put', 'form'])('an interrupted upload leaves nothing behind (%s)', async (style) => {
    const server = on.app.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { body } = await on
      .register(holder, [announced('big.bin', 'x'.repeat(100_000))], { multipart_supported: true })
      .expect(201);
    const [id] = body.artifact_ids as [string];
    const before = await on.stored();
    const { pathname, search } = new URL(body.per_artifact_instructions[id].actions[0].url);
    const fields = Object.entries(body.upload_instructions.data as Record<string, string>).map(
      ([name, value]) =>
        `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value.replace('${artifact:path}', 'big.bin')}\r\n`,
    );
    const form = `${fields.join('')}--b\r\nContent-Disposition: form-data; name="file"; filename="big.bin"\r\n\r\n${'x'.repeat(50_000)}`;
    const head =
      style === 'put'
        ? `PUT ${pathname}${search} HTTP/1.1\r\nContent-Length: 100000\r\n`
        : 'POST /files/uploads HTTP/1.1\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 200000\r\n';
    const arrived = once(server, 'request');
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    await once(socket, 'connect');
    await new Promise<void>(
      (sent) => void socket.write(`${head}Host: x\r\n\r\n${style === 'put' ? 'x'.repeat(50_000) : form}`, () => sent()),
    );
    await arrived;
    socket.destroy();
    server.close();
    await once(server, 'close');
    await on.states(holder, [{ id, state: 'finished' }]).expect(422);
    expect(await on.stored()).toEqual(before);
    await on.sendForm(body.upload_instructions, 'big.bin', 'x'.repeat(100_000)).expect(204);
    await on.states(holder, [{ id, state: 'finished' }]).expect(200);
  });
});

describe('deleting an artifact', () => {
  test('deleting an artifact keeps the record in state deleted, collects the bytes, and may be repeated', async () => {
    const [id, kept] = (await on.upload(holder, { 'x/delete.txt': 'x', 'x/keep.txt': 'x' })) as [string, string];
    const url = String((await on.rest('get', `${build}/artifacts/${id}/download`).expect(302)).headers['location']);
    const reply = await on.rest('delete', `${job}/artifacts/${id}/`).expect(204);
    expect(reply.text).toBe('');
    const list = await on.rest('get', `${build}/artifacts?path=x/*`).expect(200);
    expect(list.body.map(({ state }: { state: string }) => state)).toEqual(['finished', 'deleted']);
    expect(paths((await on.rest('get', `${build}/artifacts?state=deleted&path=x/*`)).body)).toEqual(['x/delete.txt']);
    expect((await on.rest('get', `${build}/artifacts/${id}`).expect(200)).body.state).toBe('deleted');
    await on.rest('get', `${build}/artifacts/${id}/download`).expect(404);
    await on.follow('get', url).expect(404);
    const events = async () =>
      (
        await on.world.services.db
          .selectFrom('events')
          .select('id')
          .where('type', '=', 'job.artifact_deleted')
          .execute()
      ).length;
    const before = await events();
    await on.rest('delete', `${job}/artifacts/${id}`).expect(204);
    expect(await events()).toBe(before);
    await runUntilIdle(on.world.services);
    const stored = (await on.stored()).join();
    expect([stored.includes(id), stored.includes(kept)]).toEqual([false, true]);
    const audit = await on.world.services.db
      .selectFrom('audit_events')
      .selectAll()
      .where('operation', '=', 'artifact.delete')
      .execute();
    expect(audit[0]).toMatchObject({ subject: 'artifact', subjectId: id, actorId: on.world.admin.id });
  });

  test('ten simultaneous deletions record one event, and a deletion wins over the end of its upload', async () => {
    const [id] = (await on.upload(holder, { 'race.txt': 'x' })) as [string];
    const replies = await Promise.all(Array.from({ length: 10 }, () => on.rest('delete', `${job}/artifacts/${id}`)));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([204]));
    const events = await on.world.services.db
      .selectFrom('events')
      .select('data')
      .where('type', '=', 'job.artifact_deleted')
      .execute();
    expect(events.filter(({ data }) => data?.['artifactId'] === id)).toHaveLength(1);
    const { body } = await on.register(holder, [announced('end.txt', 'x')]).expect(201);
    await on.sendForm(body.upload_instructions, 'end.txt', 'x').expect(204);
    const [ended, deleted] = await Promise.all([
      on.states(holder, [{ id: body.artifact_ids[0], state: 'finished' }]),
      on.rest('delete', `${job}/artifacts/${body.artifact_ids[0]}`),
    ]);
    expect([ended.status, deleted.status]).toEqual([200, 204]);
    expect((await on.row(body.artifact_ids[0])).state).toBe('deleted');
  });

  test('deleting a pipeline deletes its artifacts; deleting a log does not', async () => {
    const other = await on.holding();
    const [id] = (await on.upload(other, { 'gone.txt': 'gone' })) as [string];
    await other.agent.finish(other.job).expect(200);
    await on.rest('delete', `/organizations/acme/jobs/${other.job}/log`).expect(204);
    expect((await on.rest('get', `/organizations/acme/jobs/${other.job}/artifacts`)).body).toHaveLength(1);
    await on.world.perform(on.world.admin, deletePipeline, { pipeline: { id: other.build.pipelineId } });
    await runUntilIdle(on.world.services);
    expect(await on.world.services.db.selectFrom('artifacts').select('id').where('id', '=', id).execute()).toEqual([]);
    expect((await on.stored()).join()).not.toContain(id);
  });
});

describeWithVectors('recorded artifact replies', () => {
  test.each(['cas-013', 'cas-040'])(
    'our reply has every key of the recording %s, with values of the recorded types',
    async (id) => {
      const { cases } = readVectors('rest/cassettes.json') as {
        cases: { id: string; response_json: Record<string, unknown>[] }[];
      };
      const [recorded = {}] = cases.find((each) => each.id === id)?.response_json ?? [];
      const { body } = await on.rest('get', `${build}/artifacts/${ids[0]}`);
      expect(Object.keys(body)).toEqual(Object.keys(recorded));
      expect(
        Object.entries(recorded).filter(([key, value]) => value !== null && typeof value !== typeof body[key]),
      ).toEqual([]);
    },
  );

  test.each([
    ['GET /v2/organizations/{org}/jobs/{job}/artifacts', 'items'],
    ['GET /v2/organizations/{org}/jobs/{job}/artifacts/{artifact}', null],
    ['GET /v2/organizations/{org}/pipelines/{pipeline}/builds/{number}/artifacts', 'items'],
  ])('the reply to %s has every documented key', async (endpoint, inner) => {
    const { endpoints } = readVectors('rest/shapes-docs.json') as {
      endpoints: Record<string, { scopes: string[]; response: { keys: object; items?: { keys: object } } }>;
    };
    const described = endpoints[endpoint];
    const keys = inner === 'items' ? described?.response.items?.keys : described?.response.keys;
    const { body, headers } = await on.rest('get', `${build}/artifacts/${ids[0]}`);
    expect(Object.keys(keys ?? {}).filter((key) => !(key in body))).toEqual([]);
    expect(described?.scopes.join()).toContain(headers['x-accepted-oauth-scopes']);
  });
});
