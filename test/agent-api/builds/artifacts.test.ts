import { createHash, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { ReadMemory } from '../../../src/database/read-memory.js';
import { runUntilIdle } from '../../support/run-until-idle.js';
import { createRule } from '../../../src/operations/agents/rules/create.js';
import { deleteRule } from '../../../src/operations/agents/rules/delete.js';
import { updateRule } from '../../../src/operations/agents/rules/update.js';
import { failUnfinishedArtifacts } from '../../../src/background/builds/fail-unfinished-artifacts.js';
import { StatementGauge } from '../../support/statement-gauge.js';
import { S3Storage } from '../../../src/storage/s3-storage.js';
import { announced, ArtifactWorld, type Holder } from '../../support/artifact-world.js';
import { S3Server } from '../../storage/s3-server.js';
import { describeWithVectors, readVectors } from '../../support/vectors.js';

let on: ArtifactWorld;
beforeAll(async () => void (on = await ArtifactWorld.create()));
afterAll(() => on.close());

const hour = 3_600;

describe('a batch of artifacts', () => {
  let holder: Holder;
  beforeAll(async () => void (holder = await on.holding()));

  test('a batch is registered, uploaded by the form in the reply without a credential, and finished (T17)', async () => {
    const files = [
      announced('dist/a.txt', 'hello'),
      announced('ünï côdé/${x}.bin', Buffer.from([0, 255, 13, 10]), { content_type: '' }),
      announced('empty', ''),
    ];
    const { body } = await on.register(holder, files).expect(201);
    expect(body).toEqual({
      id: expect.any(String),
      artifact_ids: [expect.any(String), expect.any(String), expect.any(String)],
      upload_instructions: {
        data: {
          job: holder.job,
          batch: body.id,
          key: '${artifact:path}',
          expires: expect.stringMatching(/^\d+$/),
          signature: expect.any(String),
        },
        action: { url: 'http://slipway.test', method: 'POST', path: '/files/uploads', file_input: 'file' },
      },
    });
    for (const [path, bytes] of [
      ['dist/a.txt', 'hello'],
      ['ünï côdé/${x}.bin', Buffer.from([0, 255, 13, 10])],
      ['empty', ''],
    ] as const) {
      await on.sendForm(body.upload_instructions, path, bytes).expect(204);
    }
    await on
      .states(
        holder,
        body.artifact_ids.map((id: string) => ({ id, state: 'finished' })),
      )
      .expect(200);
    const rows = await Promise.all(body.artifact_ids.map((id: string) => on.row(id)));
    expect(rows).toMatchObject([
      {
        state: 'finished',
        path: 'dist/a.txt',
        absolutePath: '/work/dist/a.txt',
        globPath: '**/*',
        fileSize: 5,
        contentType: 'text/plain',
        position: 0,
      },
      {
        state: 'finished',
        path: 'ünï côdé/${x}.bin',
        fileSize: 4,
        contentType: 'application/octet-stream',
        position: 1,
      },
      { state: 'finished', path: 'empty', fileSize: 0 },
    ]);
    await on.states(holder, [{ id: body.artifact_ids[0], state: 'finished' }]).expect(200);
  });

  test('an agent with multipart support gets a PUT URL for each file and an ETag for each part', async () => {
    const { body } = await on
      .register(holder, [announced('put.txt', 'put me')], { multipart_supported: true })
      .expect(201);
    const [id] = body.artifact_ids as [string];
    const { actions, data } = body.per_artifact_instructions[id];
    expect([actions.length, actions[0].method, actions[0].part_number, data]).toEqual([1, 'PUT', 1, {}]);
    expect(body.upload_instructions.action.file_input).toBe('file');
    const put = await on.follow('put', actions[0].url).set('Content-Type', 'text/plain').send('put me').expect(200);
    expect(put.headers['etag']).toMatch(/^"[0-9a-f]{40}"$/);
    await on
      .states(holder, [
        { id, state: 'finished', multipart: true, multipart_etags: [{ part_number: 1, etag: put.headers['etag'] }] },
      ])
      .expect(200);
    expect(await on.row(id)).toMatchObject({ state: 'finished' });
  });

  test('registering a batch again under its id returns the same artifacts, and other files under that id are refused', async () => {
    const id = randomUUID();
    const files = [announced('once.txt', 'once')];
    const [first, again] = [
      await on.register(holder, files, { id }).expect(201),
      await on.register(holder, files, { id }).expect(201),
    ];
    expect([first.body.id, again.body.artifact_ids]).toEqual([id, first.body.artifact_ids]);
    await on.register(holder, [announced('other.txt', 'once')], { id }).expect(422);
    await on.register(holder, [...files, ...files], { id }).expect(422);
  });

  test('a batch registered ten times at once under one id is stored once', async () => {
    const id = randomUUID();
    const replies = await Promise.all(
      Array.from({ length: 10 }, () =>
        on.register(holder, [announced('ten.txt', 'x'), announced('times.txt', 'x')], { id }),
      ),
    );
    expect(new Set(replies.map(({ status, body }) => `${status} ${body.artifact_ids?.join()}`)).size).toBe(1);
    expect(
      await on.world.services.db.selectFrom('artifacts').select('id').where('batchId', '=', id).execute(),
    ).toHaveLength(2);
  });

  test('an artifact of an old agent, which sends no SHA-256, gets one computed on arrival', async () => {
    const [id] = (await on.upload(holder, { 'old.txt': 'old' }, { sha256sum: undefined })) as [string];
    expect((await on.row(id)).sha256sum).toBe(createHash('sha256').update('old').digest('hex'));
  });

  test.each<[string, object[], object]>([
    ['31 files', Array.from({ length: 31 }, (_, n) => announced(`f${n}`, '')), {}],
    ['no file', [], {}],
    ['a list of files that is a text', 'x' as never, {}],
    ['a file that is a number', [5 as never], {}],
    ['a blank path', [announced(' ', '')], {}],
    ['a long path', [announced('x'.repeat(4097), '')], {}],
    ['more than 10 GiB', [announced('a', '', { file_size: 10 * 1024 ** 3 + 1 })], {}],
    [
      'more than 50 GiB together',
      Array.from({ length: 6 }, (_, n) => announced(`f${n}`, '', { file_size: 9 * 1024 ** 3 })),
      {},
    ],
    ['a size that is a text', [announced('a', '', { file_size: '5' })], {}],
    ['an invalid checksum', [announced('a', '', { sha1sum: 'x' })], {}],
    ['an invalid id', [announced('a', '')], { id: 'x' }],
  ])('batches with %s are refused with a message, and no row is written', async (_what, files, more) => {
    const count = async () => (await on.world.services.db.selectFrom('artifacts').select('id').execute()).length;
    const before = await count();
    const { status, body } = await on.register(holder, files, more);
    expect([status, Object.keys(body), typeof body.message]).toEqual([422, ['message'], 'string']);
    expect(await count()).toBe(before);
  });

  test('files that the agent stores elsewhere are recorded without an upload', async () => {
    const { body } = await on
      .register(
        holder,
        [
          announced('s3.txt', 'elsewhere', { url: 'https://bucket.example/s3.txt' }),
          announced('odd', 'x', { url: 'javascript:alert(1)' }),
        ],
        { upload_destination: 's3://bucket' },
      )
      .expect(201);
    await on
      .states(
        holder,
        body.artifact_ids.map((id: string) => ({ id, state: 'finished' })),
      )
      .expect(200);
    const rows = await Promise.all(body.artifact_ids.map((id: string) => on.row(id)));
    expect(rows).toMatchObject([
      { state: 'finished', uploadDestination: 's3://bucket', url: 'https://bucket.example/s3.txt' },
      { url: null },
    ]);
    await on.sendForm(body.upload_instructions, 's3.txt', 'elsewhere').expect(422);
  });

  test('a batch for a job that another agent holds, or that has not started, is refused', async () => {
    const other = await on.holding();
    await on.register({ ...holder, agent: other.agent }, [announced('a', '')]).expect(404);
    await on.states({ ...holder, agent: other.agent }, []).expect(404);
    const mine = await on.upload(holder, { 'mine.txt': 'mine' });
    await on.states(other, [{ id: mine[0], state: 'error' }]).expect(422);
    expect(await on.row(mine[0] ?? '')).toMatchObject({ state: 'finished' });
    await on.states(other, [{ id: 'x', state: 'finished' }]).expect(422);
    await on.states(other, [{ id: mine[0], state: 'deleted' }]).expect(422);
  });

  test('a job has at most 5,000 artifacts', async () => {
    const full = await on.holding();
    const [id] = (await on.upload(full, { 'one.txt': '1' })) as [string];
    const row = await on.row(id);
    const rows = Array.from({ length: 4_998 }, (_, position) => ({
      ...row,
      id: randomUUID(),
      batchId: randomUUID(),
      position,
    }));
    for (let start = 0; start < rows.length; start += 500)
      await on.world.services.db
        .insertInto('artifacts')
        .values(rows.slice(start, start + 500))
        .execute();
    await on.register(full, [announced('a', ''), announced('b', '')]).expect(422);
    await on.register(full, [announced('a', '')]).expect(201);
  });
});

describe('an artifact upload', () => {
  let holder: Holder;
  beforeAll(async () => void (holder = await on.holding()));

  async function announcedPut(bytes: string) {
    const { body } = await on
      .register(holder, [announced('file.txt', bytes)], { multipart_supported: true })
      .expect(201);
    const [id] = body.artifact_ids as [string];
    return { id, url: body.per_artifact_instructions[id].actions[0].url as string, form: body.upload_instructions };
  }

  test.each([
    ['too long', 'hello world', 413],
    ['too short', 'hell', 422],
    ['another text', 'HELLO', 422],
  ])(
    'bytes that differ from the announcement (%s) are refused, store nothing, and the upload may be repeated',
    async (_what, sent, status) => {
      const { id, url, form } = await announcedPut('hello');
      const before = await on.stored();
      const put = await on.follow('put', url).send(sent);
      expect([put.status, typeof put.body.message]).toEqual([status, 'string']);
      expect((await on.sendForm(form, 'file.txt', sent)).status).toBe(status);
      expect(await on.stored()).toEqual(before);
      await on.states(holder, [{ id, state: 'finished' }]).expect(422);
      await on.follow('put', url).send('hello').expect(200);
      await on.states(holder, [{ id, state: 'finished' }]).expect(200);
      await on.follow('put', url).send('hello').expect(422);
    },
  );

  test('wrong signatures, unknown files and bodies that are no form are refused', async () => {
    const { url, form } = await announcedPut('hello');
    await on
      .follow('put', url.replace(/signature=./, 'signature=x'))
      .send('hello')
      .expect(404);
    await on
      .follow('put', url.replace(/expires=\d+/, 'expires=99999999999'))
      .send('hello')
      .expect(404);
    await on
      .follow('put', url.split('?')[0] ?? '')
      .send('hello')
      .expect(404);
    await on
      .follow('put', url.replace(/uploads\/[^?]+/, `uploads/${randomUUID()}`))
      .send('hello')
      .expect(404);
    await on.sendForm(form, 'no-such-file.txt', 'hello').expect(404);
    await on.sendForm({ ...form, data: { ...form.data, batch: randomUUID() } }, 'file.txt', 'hello').expect(404);
    const post = () => on.follow('post', 'http://slipway.test/files/uploads');
    expect((await post().type('text/plain').send('x')).status).toBe(415);
    expect((await post().field('job', holder.job)).status).toBe(400);
    expect((await on.follow('get', 'http://slipway.test/files/nothing')).body).toEqual({ message: 'Not Found' });
  });

  test('bytes that arrive after their artifact was deleted are dropped', async () => {
    const { id, url } = await announcedPut('late');
    const { storage } = on.world.services;
    const put = storage.put;
    storage.put = async (...given) => {
      const size = await put.apply(storage, given);
      await on.world.services.db.updateTable('artifacts').set({ state: 'deleted' }).where('id', '=', id).execute();
      return size;
    };
    await on.follow('put', url).send('late').expect(422);
    storage.put = put;
    expect((await on.stored()).join()).not.toContain(id);
  });

  test('an upload URL expires after a day', async () => {
    const { url } = await announcedPut('hello');
    on.world.clock.advance(24 * hour + 2);
    expect((await on.follow('put', url).send('hello')).status).toBe(410);
  });

  test('an artifact whose upload the agent abandons or never finishes becomes an error, and its bytes are collected', async () => {
    const given = await announcedPut('given up');
    const left = await announcedPut('left behind');
    const whole = await announcedPut('whole');
    for (const [upload, bytes] of [
      [given, 'given up'],
      [left, 'left behind'],
      [whole, 'whole'],
    ] as const)
      await on.follow('put', upload.url).send(bytes).expect(200);
    await on
      .states(holder, [
        { id: given.id, state: 'error' },
        { id: whole.id, state: 'finished' },
      ])
      .expect(200);
    await on.states(holder, [{ id: given.id, state: 'finished' }]).expect(422);
    on.world.clock.advance(23 * hour);
    await failUnfinishedArtifacts(on.world.services);
    expect(await on.row(left.id)).toMatchObject({ state: 'new' });
    on.world.clock.advance(hour);
    expect(await failUnfinishedArtifacts(on.world.services)).toBeGreaterThan(0);
    expect(await failUnfinishedArtifacts(on.world.services)).toBe(0);
    await runUntilIdle(on.world.services);
    expect(await Promise.all([given, left, whole].map(async ({ id }) => (await on.row(id)).state))).toEqual([
      'error',
      'error',
      'finished',
    ]);
    const stored = (await on.stored()).join();
    expect([given, left, whole].map(({ id }) => stored.includes(id))).toEqual([false, false, true]);
  });

  test('an upload is refused an hour after its job ended', async () => {
    const ended = await on.holding();
    const { body } = await on.register(ended, [announced('a', 'a')]).expect(201);
    await ended.agent.finish(ended.job).expect(200);
    await on.sendForm(body.upload_instructions, 'a', 'a').expect(204);
    on.world.clock.advance(hour + 1);
    await failUnfinishedArtifacts(on.world.services);
    expect(await on.row(body.artifact_ids[0])).toMatchObject({ state: 'error' });
    await on.register(ended, [announced('b', 'b')]).expect(401);
  });
});

describe('the artifact search', () => {
  let holder: Holder;
  let found: (query: Record<string, string>) => Promise<{ path: string; url: string; id: string }[]>;
  beforeAll(async () => {
    holder = await on.holding();
    await on.upload(holder, { 'dist/a.txt': 'a', 'dist/sub/b.txt': 'b', 'c.bin': 'c' });
    await on.upload(holder, { 'dist/a.txt': 'newer' });
    found = async (query) =>
      (
        await holder.agent
          .call(
            'get',
            `/builds/${holder.build.id}/artifacts/search?${new URLSearchParams(query).toString()}`,
            holder.agent.jobToken,
          )
          .expect(200)
      ).body;
  });
  const paths = (list: { path: string }[]) => list.map(({ path }) => path);

  test('search results have every field that agents decode, and URLs that need no credential (T18)', async () => {
    const [first] = await found({ query: 'c.bin', state: 'finished' });
    expect(first).toEqual({
      id: expect.any(String),
      job_id: holder.job,
      path: 'c.bin',
      absolute_path: '/work/c.bin',
      glob_path: '**/*',
      file_size: 1,
      sha1sum: expect.stringMatching(/^[0-9a-f]{40}$/),
      sha256sum: expect.stringMatching(/^[0-9a-f]{64}$/),
      url: expect.stringMatching(/^http:\/\/slipway\.test\/files\/artifacts\//),
      upload_destination: '',
      content_type: 'text/plain',
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    });
    expect((await on.follow('get', first?.url ?? '')).text).toBe('c');
  });

  test('a star in a search path matches across folders, and the search returns the latest artifact of each path or all of them', async () => {
    expect(paths(await found({ query: 'dist/*' }))).toEqual(['dist/sub/b.txt', 'dist/a.txt']);
    expect(paths(await found({ query: '*.txt', include_duplicates: 'true' }))).toEqual([
      'dist/a.txt',
      'dist/sub/b.txt',
      'dist/a.txt',
    ]);
    expect(paths(await found({ query: 'a.txt' }))).toEqual([]);
    expect(paths(await found({ query: 'dist_a.txt' }))).toEqual([]);
    const [latest] = await found({ query: 'dist/a.txt' });
    expect((await on.follow('get', latest?.url ?? '')).text).toBe('newer');
  });

  test.each<[Record<string, string>, number]>([
    [{ scope: 'make' }, 3],
    [{ scope: 'Make' }, 3],
    [{ scope: 'other' }, 0],
    [{ state: 'new' }, 0],
    [{ state: 'nonsense' }, 0],
    [{ state: '' }, 3],
  ])('a search narrowed by %j finds %d artifacts', async (more, count) => {
    expect(await found({ query: '*', ...more })).toHaveLength(count);
  });

  test('searching by job id returns artifacts of retried jobs only on request', async () => {
    expect(await found({ query: '*', scope: holder.job })).toHaveLength(3);
    await on.world.services.db.updateTable('jobs').set({ retried: true }).where('id', '=', holder.job).execute();
    expect(await found({ query: '*' })).toEqual([]);
    expect(await found({ query: '*', include_retried_jobs: 'true' })).toHaveLength(3);
    await on.world.services.db.updateTable('jobs').set({ retried: false }).where('id', '=', holder.job).execute();
  });

  test('searching another build returns nothing, without an error that agents would retry', async () => {
    const other = await on.holding();
    const ask = (build: string) =>
      other.agent.call('get', `/builds/${build}/artifacts/search?query=*`, other.agent.jobToken);
    await ask(holder.build.id).expect(200, []);
    await ask('nonsense').expect(200, []);
    await ask(other.build.id).expect(200, []);
    await other.agent.call('get', `/builds/${other.build.id}/artifacts/search?query=*`).expect(200, []);
  });

  test('searching a build of another pipeline returns artifacts only where a rule allows the searching pipeline to read them', async () => {
    const { world } = on;
    const other = await on.holding();
    const ask = async (from: Holder, build: string) =>
      (await from.agent.call('get', `/builds/${build}/artifacts/search?query=*`, from.agent.jobToken).expect(200)).body
        .length;
    const pipelineOf = async ({ build }: Holder) =>
      (
        await world.services.db
          .selectFrom('builds')
          .select('pipelineId')
          .where('id', '=', build.id)
          .executeTakeFirstOrThrow()
      ).pipelineId;
    const value = { source_pipeline: await pipelineOf(other), target_pipeline: await pipelineOf(holder) };
    const { rule } = await world.perform(world.admin, createRule, {
      organization: { slug: 'acme' },
      type: 'pipeline.trigger_build.pipeline',
      value,
    });
    expect(await ask(other, holder.build.id)).toBe(0);
    const { rule: opening } = await world.perform(world.admin, createRule, {
      organization: { slug: 'acme' },
      type: 'pipeline.artifacts_read.pipeline',
      value,
    });
    expect(await ask(other, holder.build.id)).toBe(3);
    expect(await ask(holder, other.build.id)).toBe(0);
    const { branch } = await world.services.db
      .selectFrom('builds')
      .select('branch')
      .where('id', '=', other.build.id)
      .executeTakeFirstOrThrow();
    const conditional = (conditions: string[]) =>
      world.perform(world.admin, updateRule, { rule: { id: opening.id }, value: { ...value, conditions } });
    await conditional([`source.build.branch != "${branch}"`]);
    expect(await ask(other, holder.build.id)).toBe(0);
    await conditional([`source.build.branch == "${branch}"`]);
    expect(await ask(other, holder.build.id)).toBe(3);
    for (const { id } of [rule, opening]) await world.perform(world.admin, deleteRule, { rule: { id } });
    expect(await ask(other, holder.build.id)).toBe(0);
  });
});

test('artifacts are uploaded, refused and downloaded the same when a bucket stores their bytes', async () => {
  const server = new S3Server();
  const endpoint = await server.start();
  const { services } = on.world;
  const onDisk = services.storage;
  services.storage = new S3Storage({
    bucket: 'bucket',
    prefix: 'ci',
    region: 'here',
    endpoint,
    credentials: { accessKeyId: 'id', secretAccessKey: 'key' },
  });
  try {
    const holder = await on.holding();
    const [id] = (await on.upload(holder, { 'a.txt': 'in a bucket', empty: '' })) as [string];
    const { body } = await on.register(holder, [announced('wrong.txt', 'hello')]).expect(201);
    await on.sendForm(body.upload_instructions, 'wrong.txt', 'HELLO').expect(422);
    expect((await on.stored()).filter((key) => key.includes(body.artifact_ids[0]))).toEqual([]);
    const url = String(
      (await on.rest('get', `/organizations/acme/jobs/${holder.job}/artifacts/${id}/download`).expect(302)).headers[
        'location'
      ],
    );
    expect((await on.follow('get', url).set('Range', 'bytes=3-').expect(206)).text).toBe('a bucket');
  } finally {
    services.storage = onDisk;
    await server.stop();
  }
});

describeWithVectors('the shapes recorded in agent-protocol/endpoints.json', () => {
  interface Field {
    field: string;
    type: string;
    omitempty: boolean;
  }
  const fits: Record<string, (value: unknown) => boolean> = {
    string: (value) => typeof value === 'string',
    int64: Number.isInteger,
    int: Number.isInteger,
    '[]string': (value) => Array.isArray(value) && value.every((each) => typeof each === 'string'),
    'time.Time': (value) => typeof value === 'string' && !Number.isNaN(Date.parse(value)),
    'map[string]string': (value) =>
      typeof value === 'object' && Object.values(value as object).every((each) => typeof each === 'string'),
  };
  const misfits = (type: string, value: Record<string, unknown>): string[] => {
    const { types } = readVectors('agent-protocol/endpoints.json') as { types: Record<string, Field[]> };
    return (types[type] ?? [])
      .filter(({ field, type: of }) => field in value && fits[of]?.(value[field]) === false)
      .map(({ field }) => `${type}.${field}`);
  };

  test('replies decode into the types that real agents expect', async () => {
    const holder = await on.holding();
    const { body } = await on.register(holder, [announced('a.txt', 'a')], { multipart_supported: true }).expect(201);
    await on.sendForm(body.upload_instructions, 'a.txt', 'a').expect(204);
    await on.states(holder, [{ id: body.artifact_ids[0], state: 'finished' }]).expect(200);
    const search = await holder.agent
      .call('get', `/builds/${holder.build.id}/artifacts/search?query=*`, holder.agent.jobToken)
      .expect(200);
    const instructions = [
      body.upload_instructions,
      ...Object.values<Record<string, unknown>>(body.per_artifact_instructions),
    ];
    expect([
      ...misfits('ArtifactBatchCreateResponse', body),
      ...instructions.flatMap((each) => misfits('ArtifactUploadInstructions', each)),
      ...instructions.flatMap(({ action, actions }) =>
        [action, ...((actions as unknown[]) ?? [])]
          .filter(Boolean)
          .flatMap((each) => misfits('ArtifactUploadAction', each as never)),
      ),
      ...search.body.flatMap((each: Record<string, unknown>) => misfits('Artifact', each)),
    ]).toEqual([]);
    expect(search.body).toHaveLength(1);
  });
});

test('a search is answered whole, however many pages its artifacts take: each path once, in the order of upload', async () => {
  const holder = await on.holding();
  await on.upload(holder, { first: 'a' });
  const { db } = on.world.services;
  const long = 4_000;
  await sql`insert into artifacts select (jsonb_populate_record(a, jsonb_build_object('id', gen_random_uuid(), 'position', n,
      'path', case when n % 2 = 0 then 'even' else n || repeat('/x', ${long / 2}::int) end, 'absolute_path', repeat('y', ${long}::int), 'glob_path', repeat('z', ${long}::int)))).*
    from artifacts a, generate_series(1, 1200) n where a.job_id = ${holder.job}`.execute(db);
  const path = `/builds/${holder.build.id}/artifacts/search?query=*`;
  const search = async (more = '') =>
    (await holder.agent.call('get', path + more, holder.agent.jobToken).expect(200)).body as { id: string }[];
  const gauge = await StatementGauge.during(on.world.services, async () => {
    const latest = await search();
    expect(latest).toHaveLength(1 + 600 + 1);
    expect(latest.map(({ id }) => id)).toEqual([...latest].map(({ id }) => id).sort());
  });
  // Each page reads about a megabyte.
  expect(gauge.statements.filter(({ sql: text }) => /^select \* from "artifacts"/.test(text)).length).toBeGreaterThan(
    5,
  );
  expect(await search('&include_duplicates=true')).toHaveLength(1 + 1_200);
  // The rows of all pages are three times as large: what was read for a page is given back once it was sent.
  const memory = new ReadMemory(4 * 1024 * 1024);
  on.world.services.readMemory = memory;
  expect(await search('&include_duplicates=true')).toHaveLength(1 + 1_200);
  delete on.world.services.readMemory;
  expect(memory.counts.refused).toBe(0);
  await vi.waitFor(() => expect(memory.used).toBe(0));
});
