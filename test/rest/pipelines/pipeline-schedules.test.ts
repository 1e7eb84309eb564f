import { runUntilIdle } from '../../support/run-until-idle.js';
import type { Person } from '../../support/world.js';
import { expectShape } from '../reply-shape.js';
import { RestWorld } from '../rest-world.js';

let rest: RestWorld;
let schedules: string;
beforeAll(async () => {
  rest = await RestWorld.create();
  await rest.world.pipeline('steps: [{ command: a }]', { slug: 'app', defaultBranch: 'trunk' });
  schedules = '/organizations/acme/pipelines/app/schedules';
});
afterAll(() => rest.close());

const path = (url: string) => url.replace('http://slipway.test/v2', '');
const send = (method: 'post' | 'put' | 'patch' | 'delete', to: string, body: object = {}, person?: Person) =>
  rest.request(method, to, person).send(body);
const made = async (body: object) => (await send('post', schedules, body).expect(201)).body;

test('a schedule is created with its defaults, listed newest first, read and deleted', async () => {
  const least = await made({ cronline: '@hourly' });
  expectShape('PipelineSchedule', least);
  expect(least).toMatchObject({
    label: '',
    cronline: '@hourly',
    message: null,
    commit: 'HEAD',
    branch: 'trunk',
    env: {},
    enabled: true,
    next_build_at: '2026-01-02T04:00:00.000Z',
    failed_at: null,
    failed_message: null,
    created_by: { id: rest.world.admin.id },
    pipeline: { slug: 'app', url: 'http://slipway.test/v2/organizations/acme/pipelines/app' },
  });
  const whole = await made({
    label: 'Nightly',
    cronline: '0 8 * * * America/Vancouver',
    message: 'night',
    commit: 'abc',
    branch: 'main',
    env: { A: '1', N: 2 },
    enabled: false,
    unknown: true,
  });
  expect(whole).toMatchObject({
    label: 'Nightly',
    message: 'night',
    commit: 'abc',
    branch: 'main',
    env: { A: '1', N: '2' },
    enabled: false,
    next_build_at: null,
  });
  expect((await rest.get(schedules)).body).toEqual([whole, least]);
  expect((await rest.get(`${schedules}/?per_page=1&page=2`)).body).toEqual([least]);
  expect((await rest.get(path(least.url))).body).toEqual(least);
  for (const { url } of [least, whole]) await send('delete', path(url)).expect(204, '');
  await rest.get(path(least.url)).expect(404, { message: 'Not Found' });
});

test.each(['put', 'patch'] as const)(
  '%s changes the given fields of a schedule, and enabling it clears the failure and computes the next build',
  async (method) => {
    const { url } = await made({ cronline: '@daily', message: 'm', branch: 'b', commit: 'c', env: { A: '1' } });
    expect((await send(method, path(url), { label: 'L' })).body).toMatchObject({
      label: 'L',
      message: 'm',
      branch: 'b',
      commit: 'c',
      env: { A: '1' },
      next_build_at: '2026-01-03T00:00:00.000Z',
    });
    expect(
      (await send(method, path(url), { message: null, branch: null, commit: '', env: null, label: null })).body,
    ).toMatchObject({ label: '', message: null, branch: 'trunk', commit: 'HEAD', env: {} });
    expect((await send(method, path(url), { cronline: '0 12 * * *' })).body).toMatchObject({
      next_build_at: '2026-01-02T12:00:00.000Z',
    });
    expect((await send(method, path(url), { enabled: false })).body).toMatchObject({
      enabled: false,
      next_build_at: null,
    });
    await rest.world.services.db
      .updateTable('pipeline_schedules')
      .set({ failedAt: rest.world.clock.now(), failedMessage: 'why' })
      .execute();
    expect((await send(method, path(url), { label: 'still off' })).body).toMatchObject({
      enabled: false,
      failed_message: 'why',
    });
    expect((await send(method, path(url), { enabled: true })).body).toMatchObject({
      enabled: true,
      failed_at: null,
      failed_message: null,
      next_build_at: '2026-01-02T12:00:00.000Z',
    });
    await send('delete', path(url)).expect(204);
  },
);

test('an invalid schedule is refused with a message', async () => {
  for (const [body, message] of [
    [{}, 'Validation failed: Cronline is missing'],
    [{ cronline: '0 ~ * * *' }, 'Validation failed: Cronline has a minute, hour or month that cannot be read'],
    [
      { cronline: '@sometimes' },
      'Validation failed: Cronline is not one of @hourly, @daily, @midnight, @weekly, @monthly, @yearly',
    ],
    [{ cronline: '0 0 30 2 *' }, 'Validation failed: Cronline names a time that never comes'],
    [
      { cronline: '@daily', env: { 'A=B': 'x' } },
      'Validation failed: Env has a name that no environment variable can have',
    ],
    [{ cronline: '@daily', enabled: 'yes' }, 'Validation failed: Enabled must be true or false'],
    [
      { cronline: '@daily', branch: 'x'.repeat(300) },
      'Validation failed: Branch is too long (maximum is 255 characters)',
    ],
  ] as const)
    await send('post', schedules, body).expect(422, { message });
  expect((await rest.get(schedules)).body).toEqual([]);
  const { organization, admin } = rest.world;
  const pipeline = await rest.world.pipeline('steps: [{ command: a }]', { slug: 'full' });
  const row = {
    organizationId: organization.id,
    pipelineId: pipeline.id,
    label: '',
    cronline: '@daily',
    commit: 'HEAD',
    branch: 'main',
    env: '{}' as never,
    enabled: false,
    createdById: admin.id,
    createdAt: rest.world.clock.now(),
  };
  await rest.world.services.db
    .insertInto('pipeline_schedules')
    .values(Array.from({ length: 100 }, () => ({ ...row, id: rest.world.system().newId() })))
    .execute();
  await send('post', '/organizations/acme/pipelines/full/schedules', { cronline: '@daily' }).expect(422, {
    message: 'A pipeline may have at most 100 schedules',
  });
  await send('delete', '/organizations/acme/pipelines/full').expect(204);
  expect(await rest.world.services.db.selectFrom('pipeline_schedules').selectAll().execute()).toEqual([]);
});

test('schedules are hidden from strangers and readers of a public pipeline, and an archived pipeline accepts none', async () => {
  await rest.world.pipeline('steps: [{ command: a }]', { slug: 'open', visibility: 'public' });
  const open = '/organizations/acme/pipelines/open';
  const { url } = (await send('post', `${open}/schedules`, { cronline: '@daily' }).expect(201)).body;
  await rest.get(open, rest.world.outsider).expect(200);
  await rest.get(`${open}/schedules`, rest.world.outsider).expect(404, { message: 'Not Found' });
  await rest.get(path(url), rest.world.outsider).expect(404, { message: 'Not Found' });
  await rest.get(path(url).replace('/open/', '/app/')).expect(404);
  await send('post', `${open}/archive`).expect(200);
  await send('post', `${open}/schedules`, { cronline: '@daily' }).expect(422, {
    message: 'Pipeline is archived and cannot be changed. Unarchive it first.',
  });
  await send('patch', path(url), { label: 'x' }).expect(422);
  await send('delete', open).expect(204);
});

test('builds of a schedule are ordinary builds whose source is schedule', async () => {
  const { id } = await made({ cronline: '*/10 * * * *', message: 'tick', env: { A: '1' } });
  rest.world.clock.advance(600);
  await runUntilIdle(rest.world.services);
  const [build] = (await rest.get('/organizations/acme/pipelines/app/builds')).body;
  expectShape('Build', build);
  expect(build).toMatchObject({
    source: 'schedule',
    message: 'tick',
    env: { A: '1' },
    branch: 'trunk',
    commit: 'HEAD',
    creator: null,
    state: 'scheduled',
  });
  expect((await rest.get(`${schedules}/${id}`)).body).toMatchObject({
    next_build_at: '2026-01-02T03:20:00.000Z',
    enabled: true,
  });
});
