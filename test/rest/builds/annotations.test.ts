import { runUntilIdle } from '../../support/run-until-idle.js';
import { limits } from '../../../src/domain/limits/limits.js';
import { createBuild } from '../../../src/operations/builds/create.js';
import { deletePipeline } from '../../../src/operations/pipelines/delete.js';
import { rebuildBuild } from '../../../src/operations/builds/rebuild.js';
import { describeWithVectors, readVectors } from '../../support/vectors.js';
import { expectShape } from '../reply-shape.js';
import { everyKind, RestWorld } from '../rest-world.js';

let rest: RestWorld;
let job: string;
let waiter: string;
let build: string;
let number: number;
let path: string;
beforeAll(async () => {
  rest = await RestWorld.create();
  await rest.world.pipeline(everyKind, { slug: 'app' });
});
afterAll(() => rest.close());

/** Each test has a build of its own. */
beforeEach(async () => {
  const { world } = rest;
  world.clock.advance(60);
  ({
    build: { id: build, number },
  } = await world.perform(world.admin, createBuild, {
    pipeline: { organization: 'acme', slug: 'app' },
    commit: 'HEAD',
    branch: 'main',
  }));
  const jobs = await world.services.db.selectFrom('jobs').select(['id', 'type']).where('buildId', '=', build).execute();
  job = jobs.find(({ type }) => type === 'command')!.id;
  waiter = jobs.find(({ type }) => type === 'wait')!.id;
  path = `/organizations/acme/pipelines/app/builds/${number}/annotations`;
});

const jobPaths = () => [
  `/organizations/acme/pipelines/app/builds/${number}/jobs/${job}/annotations`,
  `/organizations/acme/jobs/${job}/annotations`,
];
const create = async (body: object, at = path) => {
  const reply = await rest.post(at, body);
  expect([reply.status, reply.body.message]).toEqual([201, undefined]);
  expectShape('Annotation', reply.body);
  return reply.body;
};
const rowsOf = () =>
  rest.world.services.db.selectFrom('annotations').selectAll().where('buildId', '=', build).orderBy('id').execute();
const events = async () =>
  await rest.world.services.db
    .selectFrom('events')
    .select(['type', 'subject', 'subjectId', 'data', 'sequence'])
    .where('buildId', '=', build)
    .where('type', 'like', 'annotation.%')
    .orderBy('sequence')
    .execute();

describe('POST annotations', () => {
  test('POST annotations answers 201 with the id, context, style, priority, body_html and times [api-v2:gjbnam,mdppbh,hechie,elnlbh,bdpkgb,dhbibd,ednbba,hldlko,ejpkbf,hncimj]', async () => {
    const shown = await create({ body: 'Hello world!', style: 'success', priority: 5, context: 'greeting' });
    const now = rest.world.clock.now().toISOString();
    expect(shown).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      context: 'greeting',
      style: 'success',
      scope: 'build',
      job_id: null,
      priority: 5,
      body_html: '<p>Hello world!</p>\n',
      created_at: now,
      updated_at: now,
    });
    expect(Object.keys(shown)).toEqual([
      'id',
      'context',
      'style',
      'scope',
      'job_id',
      'priority',
      'body_html',
      'created_at',
      'updated_at',
    ]);
  });

  test('POST annotations without append, context and style uses the default context, priority 3 and no style [api-v2:cnoool,kepnda] [compat:10]', async () => {
    expect(await create({ body: 'x', append: false })).toMatchObject({
      context: 'default',
      priority: 3,
      style: 'info',
      scope: 'build',
    });
    expect(await rowsOf()).toMatchObject([{ style: null, priority: 3, jobId: null }]);
  });

  test.each(['success', 'info', 'warning', 'error'])(
    'POST annotations accepts the style %s [api-v2:elnlbh,dojejl]',
    async (style) => {
      expect(await create({ body: 'x', style })).toMatchObject({ style });
    },
  );

  test.each([1, 10])('POST annotations accepts the priority %i [api-v2:bdpkgb,cnoool,kepnda]', async (priority) => {
    expect(await create({ body: 'x', priority })).toMatchObject({ priority });
  });

  test('POST annotations accepts Markdown and HTML [api-v2:cahapb,hncimj]', async () => {
    expect(await create({ body: '# Title\n\n| a |\n|---|\n| *b* |' })).toMatchObject({
      body_html:
        '<h1>Title</h1>\n<table>\n<thead>\n<tr>\n<th>a</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td><em>b</em></td>\n</tr>\n</tbody>\n</table>\n',
    });
    expect(await create({ body: '<h1>Title</h1>\n<p class="bold">b</p>' })).toMatchObject({
      body_html: '<h1>Title</h1>\n<p class="bold">b</p>',
    });
  });

  test('POST annotations with an existing context replaces the annotation in place [api-v2:hechie,hldlko,eanllf,lnnkpg]', async () => {
    const first = await create({ body: 'one', context: 'c', style: 'error', priority: 9 });
    rest.world.clock.advance(5);
    const second = await create({ body: 'two', context: 'c' });
    expect(second).toEqual({
      ...first,
      style: 'info',
      priority: 3,
      body_html: '<p>two</p>\n',
      updated_at: rest.world.clock.now().toISOString(),
    });
    expect(await rowsOf()).toHaveLength(1);
  });

  test('POST annotations with append extends the body and keeps style and priority unless given [api-v2:hldlko,hdeemd]', async () => {
    const first = await create({ body: 'one', context: 'c', style: 'error', priority: 9 });
    rest.world.clock.advance(5);
    const added = await create({ body: '\n\ntwo', context: 'c', append: true });
    expect(added).toEqual({
      ...first,
      body_html: '<p>one</p>\n<p>two</p>\n',
      updated_at: rest.world.clock.now().toISOString(),
    });
    expect(await create({ body: '!', context: 'c', append: true, style: 'success', priority: 1 })).toMatchObject({
      style: 'success',
      priority: 1,
      body_html: '<p>one</p>\n<p>two!</p>\n',
    });
  });

  test('POST annotations with append creates a missing annotation [api-v2:hdeemd]', async () => {
    expect(await create({ body: 'x', context: 'new', append: true })).toMatchObject({
      context: 'new',
      body_html: '<p>x</p>\n',
    });
  });

  test('each change of an annotation records one event, in the order of the build', async () => {
    const { id } = await create({ body: 'a' });
    await create({ body: 'b', append: true });
    await rest.request('delete', `${path}/${id}`);
    const told = await events();
    expect(told.map(({ type, subject, subjectId }) => [type, subject, subjectId])).toEqual(
      ['create', 'update', 'delete'].map((verb) => [`annotation.${verb}`, 'build', build]),
    );
    expect(told[0]?.data).toEqual({ annotationId: id, context: 'default', style: null, priority: 3 });
  });

  test.each<[string, object, object[]]>([
    ['no body [api-v2:hncimj]', {}, [{ field: 'body', code: 'missing' }]],
    ['a body of null [api-v2:hncimj]', { body: null }, [{ field: 'body', code: 'missing' }]],
    ['a blank body [api-v2:hncimj]', { body: ' \n' }, [{ field: 'body', code: "can't be blank" }]],
    ['a body that is no text [api-v2:hncimj]', { body: 7 }, [{ field: 'body', code: 'must be a string' }]],
    [
      'a style that is none [api-v2:elnlbh,dojejl]',
      { body: 'x', style: 'red' },
      [{ field: 'style', code: 'must be one of success, info, warning, error, default' }],
    ],
    [
      'priority 0 [api-v2:bdpkgb,cnoool,kepnda]',
      { body: 'x', priority: 0 },
      [{ field: 'priority', code: 'must be a whole number from 1 to 10' }],
    ],
    [
      'priority 11 [api-v2:bdpkgb,cnoool,kepnda]',
      { body: 'x', priority: 11 },
      [{ field: 'priority', code: 'must be a whole number from 1 to 10' }],
    ],
    [
      'priority 2.5 [api-v2:cnoool]',
      { body: 'x', priority: 2.5 },
      [{ field: 'priority', code: 'must be a whole number from 1 to 10' }],
    ],
    [
      'append that is no boolean [api-v2:hdeemd]',
      { body: 'x', append: 'yes' },
      [{ field: 'append', code: 'must be true or false' }],
    ],
    [
      'a context of 101 characters',
      { body: 'x', context: 'c'.repeat(101) },
      [{ field: 'context', code: 'is too long (maximum is 100 characters)' }],
    ],
    [
      'a context that is no text [api-v2:eanllf]',
      { body: 'x', context: {} },
      [{ field: 'context', code: 'must be a string' }],
    ],
    [
      'several things at once',
      { priority: 0, style: 'x' },
      [
        { field: 'style', code: expect.any(String) },
        { field: 'priority', code: expect.any(String) },
      ],
    ],
  ])('POST annotations refuses %s', async (_what, body, errors) => {
    const reply = await rest.post(path, body);
    expect([reply.status, reply.body]).toEqual([422, { message: 'Validation Failed', errors }]);
    expect(await rowsOf()).toEqual([]);
    expect(await events()).toEqual([]);
  });

  test("an annotation's body holds at most 1 MiB, appended text included", async () => {
    const text = (bytes: number) => `${'word and word '.repeat(bytes / 14 + 1)}`.slice(0, bytes);
    const tooLarge = {
      message: 'Validation Failed',
      errors: [{ field: 'body', code: expect.stringContaining(`maximum is ${limits.annotationBodyBytes} bytes`) }],
    };
    await create({ body: text(limits.annotationBodyBytes) });
    const before = await rowsOf();
    for (const body of [
      { body: '!', append: true },
      { body: text(limits.annotationBodyBytes + 1) },
      { body: 'é'.repeat(limits.annotationBodyBytes / 2 + 1) },
    ]) {
      const reply = await rest.post(path, body);
      expect([reply.status, reply.body]).toEqual([422, tooLarge]);
    }
    expect(await rowsOf()).toEqual(before);
  });

  test('a build and its jobs hold at most 10,000 annotations', async () => {
    const { db } = rest.world.services;
    const now = rest.world.clock.now();
    const rows = Array.from({ length: limits.annotationsPerBuild }, (_, index) => ({
      id: rest.world.system().newId(),
      organizationId: rest.world.organization.id,
      buildId: build,
      jobId: index % 2 ? job : null,
      context: String(index),
      style: null,
      priority: 3,
      body: 'x',
      bodyHtml: 'x',
      createdAt: now,
      updatedAt: now,
    }));
    for (let at = 0; at < rows.length; at += 2000)
      await db
        .insertInto('annotations')
        .values(rows.slice(at, at + 2000))
        .execute();
    for (const one of [path, ...jobPaths()])
      expect([(await rest.post(one, { body: 'x', context: 'one more' })).status]).toEqual([422]);
    await create({ body: 'y', context: '0' });
    const page = await rest.get(`${path}?scope=all&per_page=100&page=100`);
    expect(page.body).toHaveLength(100);
  });

  test('POST annotations ignores unknown keys and null values', async () => {
    expect(
      await create({
        body: 'x',
        scope: 'job',
        job_id: job,
        of: 1,
        looks_alone: true,
        style: null,
        priority: null,
        context: null,
        append: null,
      }),
    ).toMatchObject({ scope: 'build', job_id: null, context: 'default' });
  });

  test('repeating POST annotations with its Idempotency-Key has no second effect', async () => {
    const say = () => rest.post(path, { body: 'x', append: true }).set('Idempotency-Key', 'once');
    const [first, again] = [await say(), await say()];
    expect(again.body).toEqual(first.body);
    expect(await rowsOf()).toMatchObject([{ body: 'x' }]);
  });
});

describe('GET annotations', () => {
  const contexts = async (query = '', at = path) => {
    const { status, body } = await rest.get(`${at}${query}`);
    expect(status).toBe(200);
    return body.map(({ context }: { context: string }) => context);
  };

  test("GET annotations lists a build's annotations by priority from 10 to 1, then by creation [api-v2:mnfdla,cnoool]", async () => {
    expect((await rest.get(path)).body).toEqual([]);
    const made = [];
    for (const [context, priority] of [
      ['low', 1],
      ['a', 3],
      ['high', 10],
      ['b', 3],
    ] as const)
      made.push(await create({ body: context, context, priority }));
    const reply = await rest.get(path);
    expect(reply.body).toEqual([made[2], made[1], made[3], made[0]]);
    for (const shown of reply.body) expectShape('Annotation', shown);
    expect((await rest.get(path.replace(String(number), build))).status).toBe(404);
  });

  test('GET annotations accepts a trailing slash [compat:5]', async () => {
    await create({ body: 'x' }, `${path}/`);
    expect(await contexts('/')).toEqual(['default']);
  });

  test('GET annotations lists those of the build, of its jobs or of both, and omits bodies on request', async () => {
    await create({ body: 'b', context: 'of build' });
    await create({ body: 'j', context: 'of job', priority: 9 }, jobPaths()[0]);
    expect(await contexts()).toEqual(['of build']);
    expect(await contexts('?scope=build')).toEqual(['of build']);
    expect(await contexts('?scope=job')).toEqual(['of job']);
    expect(await contexts('?scope=all')).toEqual(['of job', 'of build']);
    const { body: bare } = await rest.get(`${path}?scope=all&omit_body=true`);
    expect(bare.map((shown: object) => 'body_html' in shown)).toEqual([false, false]);
    for (const shown of bare) expectShape('Annotation', shown);
    for (const [query, message] of [
      ['?scope=x', 'The scope parameter must be one of build, job, all'],
      ['?omit_body=x', 'The omit_body parameter must be true or false'],
    ]) {
      expect(await rest.get(path + query)).toMatchObject({ status: 400, body: { message } });
    }
  });

  test('GET annotations returns pages with Link headers', async () => {
    for (let index = 0; index < 5; index += 1) await create({ body: 'x', context: String(index) });
    const reply = await rest.get(`${path}?page=2&per_page=2`);
    expect(reply.body.map(({ context }: { context: string }) => context)).toEqual(['2', '3']);
    expect(reply.headers['link']).toContain('rel="next"');
    expect(await contexts('?per_page=2&page=3')).toEqual(['4']);
  });

  test('GET annotations runs as many statements for a full page as for one annotation', async () => {
    await create({ body: 'x', context: '0' });
    const one = await rest.statements(() => rest.get(path));
    for (let index = 1; index < 12; index += 1) await create({ body: 'x', context: String(index) });
    expect(await rest.statements(() => rest.get(path))).toBe(one);
  });

  test('GET annotations refuses a reply too large for memory, unless bodies are omitted', async () => {
    for (const context of ['a', 'b']) await create({ body: 'x', context });
    await rest.world.services.db
      .updateTable('annotations')
      .set({ bodyHtml: 'x'.repeat(limits.annotationReplyBytes / 2 + 1) })
      .where('buildId', '=', build)
      .execute();
    expect(await rest.get(path)).toMatchObject({
      status: 413,
      body: { message: expect.stringContaining('ask for fewer') },
    });
    expect(await contexts('?omit_body=true')).toEqual(['a', 'b']);
  });
});

describe('annotations of a job', () => {
  test('annotations of a job are available below its build and below its organization', async () => {
    for (const [index, at] of jobPaths().entries()) {
      const made = await create({ body: 'x', style: 'warning', context: String(index) }, at);
      expect(made).toMatchObject({ scope: 'job', job_id: job, style: 'warning' });
      for (const other of jobPaths()) {
        expect((await rest.get(other)).body).toContainEqual(made);
        expect((await rest.get(`${other}/${made.id}`)).body).toEqual(made);
      }
      expect((await rest.get(`${path}/${made.id}`)).body).toEqual(made);
    }
    const told = await events();
    expect(told.map(({ subject, subjectId }) => [subject, subjectId])).toEqual([
      ['job', job],
      ['job', job],
    ]);
  });

  test('a context is unique within a job, and separate from the same context of the build', async () => {
    await create({ body: 'of build' });
    await create({ body: 'one' }, jobPaths()[0]);
    await create({ body: 'two' }, jobPaths()[1]);
    expect((await rowsOf()).map(({ body }) => body)).toEqual(['of build', 'two']);
  });

  test('only command jobs have annotations', async () => {
    const at = `/organizations/acme/jobs/${waiter}/annotations`;
    for (const reply of [await rest.get(at), await rest.post(at, { body: 'x' })])
      expect([reply.status, reply.body]).toEqual([404, { message: 'Not Found' }]);
  });
});

describe('DELETE an annotation', () => {
  test('DELETE an annotation answers 204, and 404 from then on', async () => {
    const { id } = await create({ body: 'x' });
    const kept = await create({ body: 'y', context: 'kept' });
    const reply = await rest.request('delete', `${path}/${id}`);
    expect([reply.status, reply.text]).toEqual([204, '']);
    for (const method of ['get', 'delete'] as const)
      expect((await rest.request(method, `${path}/${id}`)).body).toEqual({ message: 'Not Found' });
    expect((await rowsOf()).map((row) => row.id)).toEqual([kept.id]);
  });

  test("DELETE removes a job's annotation below both paths of the job and below the build", async () => {
    for (const at of [...jobPaths(), path]) {
      const { id } = await create({ body: 'x' }, jobPaths()[0]);
      expect((await rest.request('delete', `${at}/${id}`)).status).toBe(204);
    }
  });

  test('DELETE below a build or job that the annotation does not belong to answers 404', async () => {
    const { id } = await create({ body: 'x' });
    const { world } = rest;
    const other = await world.perform(world.admin, createBuild, {
      pipeline: { organization: 'acme', slug: 'app' },
      commit: 'HEAD',
      branch: 'main',
    });
    const elsewhere = [
      path.replace(`builds/${number}`, `builds/${other.build.number}`),
      ...jobPaths(),
      path.replace('acme', 'other'),
    ];
    for (const at of elsewhere)
      expect([(await rest.request('delete', `${at}/${id}`)).status, (await rest.get(`${at}/${id}`)).status]).toEqual([
        404, 404,
      ]);
    for (const word of ['x', 'default', '%00'])
      expect((await rest.request('delete', `${path}/${word}`)).status).toBe(404);
    expect(await rowsOf()).toHaveLength(1);
  });
});

describe('the lifetime of annotations', () => {
  test('a rebuild has no annotations, and deleting a pipeline deletes its annotations', async () => {
    const { world } = rest;
    const pipeline = await world.pipeline(everyKind, { slug: 'gone' });
    const { build: first } = await world.perform(world.admin, createBuild, {
      pipeline: { id: pipeline.id },
      commit: 'HEAD',
      branch: 'main',
    });
    await create({ body: 'x' }, '/organizations/acme/pipelines/gone/builds/1/annotations');
    await world.perform(world.admin, rebuildBuild, { build: { id: first.id } });
    expect((await rest.get('/organizations/acme/pipelines/gone/builds/2/annotations?scope=all')).body).toEqual([]);
    await world.perform(world.admin, deletePipeline, { pipeline: { id: pipeline.id } });
    await runUntilIdle(world.services);
    expect(
      await world.services.db.selectFrom('annotations').select('id').where('buildId', '=', first.id).execute(),
    ).toEqual([]);
  });
});

interface Documented {
  id: string;
  method?: string;
  path?: string;
  request_body?: object;
  requests?: { method: string; path: string; body: object | null }[];
  responses?: { json: Data }[];
  response_json?: Data;
}
type Data = Record<string, unknown> | Record<string, unknown>[];

describeWithVectors('the documented annotation requests', () => {
  const { cases } = readVectors<{ cases: Documented[] }>('rest/docs.json');
  const recorded = readVectors<{ cases: Documented[] }>('rest/cassettes.json').cases.find(({ id }) => id === 'cas-036');
  const asked = cases.flatMap(({ id, requests = [], responses = [] }) =>
    requests
      .filter((each) => each.path.includes('/annotations'))
      .map((request) => ({ id, ...request, shown: [responses[0]?.json ?? []].flat()[0] })),
  );

  test.each(asked)(
    'the documented request is answered with the documented keys ($id $method $path)',
    async ({ method, path: template, body, shown }) => {
      const { id } = await create({ body: 'x' }, template.includes('{job.id}') ? jobPaths()[0] : path);
      const at = template
        .replace(/^\/v2/, '')
        .replace('{org.slug}', 'acme')
        .replace('{pipeline.slug}', 'app')
        .replace('{build.number}', String(number))
        .replace('{job.id}', job)
        .replace('{annotation.uuid}', id);
      const reply = await rest.request(method.toLowerCase() as 'get', at).send(body ?? undefined);
      expect(reply.status).toBe({ GET: 200, POST: 201, DELETE: 204 }[method]);
      if (!shown) return;
      const ours = [reply.body].flat()[0];
      expect(Object.keys(ours)).toEqual(Object.keys(shown));
      if (method === 'POST')
        expect(ours).toEqual({
          ...shown,
          id: ours.id,
          job_id: ours.job_id,
          created_at: ours.created_at,
          updated_at: ours.updated_at,
        });
    },
  );

  test('our annotations have every key of the recorded list', async () => {
    const ours = await create({ body: 'x' });
    const theirs = [recorded?.response_json ?? {}].flat()[0] ?? {};
    expect(Object.keys(theirs).filter((key) => !(key in ours))).toEqual([]);
  });
});
