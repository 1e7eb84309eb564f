import type { Express } from 'express';
import { createSecret } from '../../../src/operations/agents/secrets/create.js';
import { updateSecretValue } from '../../../src/operations/agents/secrets/update-value.js';
import { updateSecret } from '../../../src/operations/agents/secrets/update.js';
import { agentApp, buildOf, ScriptedAgent } from '../../support/scripted-agent.js';
import { World } from '../../support/world.js';

let world: World;
let app: Express;
let agent: ScriptedAgent;
let job: string;
beforeAll(async () => {
  world = await World.create();
  app = agentApp(world);
  await buildOf(world, 'steps: [{ command: a }]');
  agent = await ScriptedAgent.connected(app, world.agentToken);
  job = await agent.takeJob();
});
afterAll(() => world.close());

const value = 'correct horse battery staple';
const create = (key: string, fields: object = {}) =>
  world.perform(world.admin, createSecret, { cluster: { id: world.clusterId }, key, value, ...fields });
const ask = (key: string, token = agent.jobToken) => agent.call('get', `/jobs/${job}/secrets?key=${key}`, token);

test('a running job reads a secret of its cluster by a key in any case', async () => {
  const { secret } = await create('DEPLOY_KEY');
  for (const key of ['DEPLOY_KEY', 'deploy_key'])
    await ask(key).expect(200, { key: 'DEPLOY_KEY', value, uuid: secret.id });
  await world.perform(world.admin, updateSecretValue, { secret: { id: secret.id }, value: 'new' });
  await ask('DEPLOY_KEY').expect(200, { key: 'DEPLOY_KEY', value: 'new', uuid: secret.id });
  const row = await world.services.db
    .selectFrom('cluster_secrets')
    .selectAll()
    .where('id', '=', secret.id)
    .executeTakeFirstOrThrow();
  expect(row.lastReadAt).toEqual(world.clock.now());
});

test('a missing secret is answered 404, and so is a secret of another cluster', async () => {
  const clusterId = await world.insert('clusters', { organizationId: world.organization.id, name: 'Other' });
  await world.perform(world.admin, createSecret, { cluster: { id: clusterId }, key: 'ELSEWHERE', value });
  for (const key of ['NOTHING', 'ELSEWHERE', '']) expect((await ask(key)).status).toBe(404);
  // Text that no key can be is refused by the rule of every surface, before anything is looked for.
  await ask('%00').expect(422);
  expect((await ask('NOTHING')).body).toEqual({ message: 'Secret NOTHING not found' });
});

test('the policy of a secret decides who reads it, and a denial is answered 403 with the reason', async () => {
  const { secret } = await create('GUARDED', { policy: '- build_branch: release' });
  await ask('GUARDED').expect(403, { message: 'The policy of secret GUARDED does not let this job read it' });
  for (const policy of [
    '- build_branch: main\n  cluster_queue_key: default',
    `- build_creator: ${world.admin.email}`,
    `- build_source: [api, schedule]`,
  ]) {
    await world.perform(world.admin, updateSecret, { secret: { id: secret.id }, policy });
    await ask('GUARDED').expect(200);
  }
  await world.perform(world.admin, updateSecret, { secret: { id: secret.id }, policy: '- build_creator_team: ops' });
  await ask('GUARDED').expect(403);
});

test("only the token of a running job reads a secret, never a user's or a registration token", async () => {
  await create('MINE');
  await buildOf(world, 'steps: [{ command: b }]');
  const other = await ScriptedAgent.connected(app, world.agentToken);
  const otherJob = await other.takeJob();
  await agent.call('get', `/jobs/${otherJob}/secrets?key=MINE`, agent.jobToken).expect(404);
  expect((await ask('MINE', other.jobToken)).status).toBeGreaterThanOrEqual(400);
  await ask('MINE', world.agentToken).expect(403);
  await ask('MINE', world.admin.token).expect(401);
  await agent.finish(job).expect(200);
  await ask('MINE').expect(403, { message: 'Only a running job may read secrets' });
});

test("no table row contains a secret's value, and a ciphertext moved to another row cannot be opened", async () => {
  const { db } = world.services;
  for (const table of [
    'cluster_secrets',
    'events',
    'audit_events',
    'outbox_messages',
    'idempotency_keys',
    'jobs',
  ] as const)
    expect(JSON.stringify(await db.selectFrom(table).selectAll().execute())).not.toContain(value);
  expect(await db.selectFrom('events').select('type').where('type', '=', 'secret.read').limit(1).execute()).toEqual([
    { type: 'secret.read' },
  ]);
});
