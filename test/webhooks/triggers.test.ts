import { createHmac } from 'node:crypto';
import express, { type Express } from 'express';
import supertest from 'supertest';
import { limits } from '../../src/domain/limits/limits.js';
import { valueOf } from '../../src/resources/builds/meta-data/value-of.js';
import type { PipelineRow } from '../../src/entities/database.js';
import { webhookRouter } from '../../src/webhooks/router.js';
import { BothSurfaces, type Data } from '../support/both-surfaces.js';

let surfaces: BothSurfaces;
let app: Express;
let pipeline: PipelineRow;
beforeAll(async () => {
  surfaces = await BothSurfaces.open();
  app = express();
  app.use('/webhooks', webhookRouter(surfaces.world.services));
});
afterAll(() => surfaces.close());
beforeEach(async () => {
  await surfaces.world.services.db.deleteFrom('trigger_usage').execute();
  pipeline = await surfaces.world.pipeline('steps:\n  - command: "true"\n', { branchConfiguration: 'nothing-else' });
});

const at = () => `/organizations/acme/pipelines/${pipeline.slug}/triggers`;
const make = (given: object = {}): Promise<Data> => surfaces.read(['post', at(), given]);
const post = (token: string, body: object | string = {}, headers: Record<string, string> = {}) =>
  supertest(app).post(`/webhooks/deliver/${token}`).set(headers).type('json').send(body);
const buildOf = (id: string) =>
  surfaces.world.services.db.selectFrom('builds').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

describe('pipeline triggers', () => {
  test('a pipeline trigger builds from any payload, with its own branch, commit and message and the payload as meta-data', async () => {
    const made = await make();
    expect(made).toEqual({
      id: expect.any(String),
      url: expect.stringContaining(`${at()}/`),
      kind: 'generic',
      description: null,
      branch: 'main',
      commit: 'HEAD',
      message: 'Triggered build',
      env: {},
      enabled: true,
      signed: false,
      created_at: expect.any(String),
      token: expect.stringMatching(/^bktr_[0-9a-f]{40}$/),
      trigger_url: `http://slipway.test/webhooks/deliver/${made.token}`,
    });
    const reply = await post(made.token, { alarm: 'high' });
    expect([reply.status, reply.body]).toEqual([201, { id: expect.any(String) }]);
    expect(await buildOf(reply.body.id)).toMatchObject({
      branch: 'main',
      commit: 'HEAD',
      message: 'Triggered build',
      source: 'webhook',
      state: 'scheduled',
      creatorId: surfaces.world.admin.id,
    });
    expect(await valueOf(surfaces.world.system(), reply.body.id, 'buildkite:webhook')).toBe('{"alarm":"high"}');
    expect((await post(made.token, { alarm: 'high' })).body.id).not.toBe(reply.body.id);
    const stored = await surfaces.world.services.db
      .selectFrom('pipeline_triggers')
      .selectAll()
      .where('id', '=', made.id)
      .executeTakeFirstOrThrow();
    expect(JSON.stringify(stored)).not.toContain(made.token);
  });

  test("both surfaces show a pipeline trigger's settings", async () => {
    const {
      token,
      trigger_url: _url,
      ...made
    } = await make({
      description: 'alarms',
      branch: 'release',
      commit: 'v1',
      message: 'Alarm',
      env: { LEVEL: 'high' },
    });
    const { body } = await post(token);
    expect(await buildOf(body.id)).toMatchObject({
      branch: 'release',
      commit: 'v1',
      message: 'Alarm',
      env: { LEVEL: 'high' },
    });
    expect(await surfaces.read(['get', at()])).toEqual([made]);
    expect(await surfaces.read(['get', `${at()}/${made.id}`])).toEqual(made);
    const query =
      'query ($id: ID!, $uuid: ID!) { node(id: $id) { ... on Pipeline { trigger(uuid: $uuid) { uuid kind description branch commit message env enabled signed createdAt } triggers { nodes { uuid } } } } }';
    const { node } = await surfaces.select([
      query,
      { id: Buffer.from(`Pipeline---${pipeline.id}`).toString('base64'), uuid: made.id },
    ]);
    const { uuid, createdAt, env, ...rest } = node.trigger;
    expect({
      ...rest,
      id: uuid,
      url: made.url,
      env: typeof env === 'string' ? JSON.parse(env) : env,
      created_at: createdAt,
    }).toEqual(made);
    expect(node.triggers.nodes).toEqual([{ uuid: made.id }]);
  });

  test.each([
    ['github', 'X-Hub-Signature-256', 'sha256='],
    ['linear', 'Linear-Signature', ''],
  ])('a pipeline trigger of kind %s checks the signature', async (kind, header, prefix) => {
    const { token } = await make({ kind, secret: 'signed with this' });
    const body = '{"a":1}';
    const signature = (secret: string) => ({
      [header]: prefix + createHmac('sha256', secret).update(body).digest('hex'),
    });
    expect([
      (await post(token, body)).status,
      (await post(token, body, signature('another'))).status,
      (await post(token, body, signature('signed with this'))).status,
    ]).toEqual([401, 401, 201]);
  });

  test('a pipeline trigger is refused with the documented status and message', async () => {
    const { id, token } = await make();
    const answer = async (word: string) => {
      const { status, body } = await post(word);
      return [status, body.message];
    };
    expect(await answer('bktr_x')).toEqual([400, 'Invalid pipeline trigger token']);
    expect(await answer(`bktr_${'0'.repeat(40)}`)).toEqual([404, 'Pipeline trigger not found']);
    await surfaces.read(['patch', `${at()}/${id}`, { enabled: false }]);
    expect(await answer(token)).toEqual([403, 'Pipeline trigger is disabled']);
    await surfaces.read(['patch', `${at()}/${id}`, { enabled: true }]);
    expect((await post(token, `{"a":"${'x'.repeat(limits.triggerBodyBytes)}"}`)).status).toBe(413);
    expect((await post(token, '[')).status).toBe(400);
    await surfaces.world.services.db
      .updateTable('pipelines')
      .set({ archivedAt: surfaces.world.clock.now() })
      .where('id', '=', pipeline.id)
      .execute();
    expect((await answer(token))[0]).toBe(422);
    await surfaces.world.services.db
      .updateTable('pipelines')
      .set({ archivedAt: null })
      .where('id', '=', pipeline.id)
      .execute();
    await surfaces.read(['delete', `${at()}/${id}`]);
    expect(await answer(token)).toEqual([404, 'Pipeline trigger not found']);
  });

  test('a pipeline has at most ten triggers, each used at most 300 times an hour', async () => {
    const { token } = await make();
    for (let count = 1; count < limits.triggersPerPipeline; count += 1) await make();
    expect((await surfaces.rest(['post', at(), {}])).body).toEqual({
      message: 'A pipeline may have at most 10 triggers',
    });
    expect((await post(token)).status).toBe(201);
    await surfaces.world.services.db.updateTable('trigger_usage').set({ count: limits.triggersPerHour }).execute();
    const reply = await post(token);
    expect([reply.status, Number(reply.headers['retry-after']) > 0]).toEqual([429, true]);
    surfaces.world.clock.advance(3_600_000);
    expect((await post(token)).status).toBe(201);
  });
});
