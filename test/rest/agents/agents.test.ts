import type { Express } from 'express';
import { agentApp, buildNow, buildOf, jobNow, ScriptedAgent } from '../../support/scripted-agent.js';
import { expectShape } from '../reply-shape.js';
import { RestWorld } from '../rest-world.js';

let rest: RestWorld;
let app: Express;
beforeAll(async () => {
  rest = await RestWorld.create();
  app = agentApp(rest.world);
});
afterAll(() => rest.close());

const agents = '/organizations/acme/agents';
const connected = (fields: object = {}) => ScriptedAgent.connected(app, rest.world.agentToken, fields as never);
const put = (agent: ScriptedAgent, verb: string, body?: object) => rest.put(`${agents}/${agent.id}/${verb}`).send(body);
const names = async (query: string) =>
  (await rest.get(`${agents}${query}`)).body.map((agent: { name: string }) => agent.name);

test('GET agents lists connected agents, paused ones included, with filters and pages, at the URL of the organization [compat:5-7]', async () => {
  const [mac, linux, gone] = [
    await connected({ name: 'mac', hostname: 'one', version: '4.0.0', meta_data: ['queue=macos'] }),
    await connected({ name: 'linux' }),
    await connected({ name: 'gone' }),
  ];
  await gone.call('post', '/disconnect');
  await put(mac, 'pause').expect(204);
  const { agents_url } = (await rest.get('/organizations/acme')).body;
  const list = await rest.get(agents_url.replace('http://slipway.test/v2', ''));
  expect(list.body.map((agent: { name: string }) => agent.name)).toEqual(['linux', 'mac']);
  expect(list.body[0].meta_data).toEqual(['queue=default']);
  for (const agent of list.body) expectShape('AgentWithJob', agent);
  expect(await names('/?name=mac')).toEqual(['mac']);
  expect(await names('?hostname=one')).toEqual(['mac']);
  expect(await names('?version=4.0.0')).toEqual(['mac']);
  for (const query of [
    `cluster_queue_id=${rest.world.queues.macos}`,
    `cluster_queue_id%5B%5D=${rest.world.queues.macos}`,
  ])
    expect(await names(`?${query}`)).toEqual(['mac']);
  expect(await names('?include_paused=True&per_page=100&page=0')).toEqual(['linux', 'mac']);
  expect((await rest.get(`${agents}?per_page=1`)).headers['link']).toContain('?page=2&per_page=1>; rel="next"');
  for (const agent of [mac, linux]) await agent.call('post', '/disconnect');
});

test('GET an agent returns it in any state, at the URL in its list, with tags as an array of strings [compat:18]', async () => {
  const agent = await connected({ name: 'box', meta_data: ['queue=default', 'os=linux'], os: 'Debian' });
  const { body } = await rest.get(`${agents}/${agent.id}`);
  expectShape('AgentWithJob', body);
  expect(body).toMatchObject({
    name: 'box',
    connection_state: 'connected',
    meta_data: ['queue=default', 'os=linux'],
    queue: 'default',
    os_id: 'Debian',
    job: null,
    creator: null,
    paused: false,
    priority: null,
  });
  expect((await rest.get(body.url.replace('http://slipway.test/v2', ''))).body).toEqual(body);
  await agent.call('post', '/disconnect');
  expect((await rest.get(`${agents}/${agent.id}`)).body).toMatchObject({
    connection_state: 'disconnected',
    disconnected_at: expect.any(String),
  });
});

test("an agent's job is shown only to callers who may see the job", async () => {
  const { first } = await buildOf(rest.world, 'steps: [{ command: "a" }]');
  const agent = await connected();
  await agent.takeJob();
  const { body } = await rest.get(`${agents}/${agent.id}`);
  expectShape('AgentWithJob', body);
  expect(body.job).toMatchObject({
    id: first.id,
    type: 'script',
    state: 'running',
    agent: { id: agent.id, job: null },
  });
  const { db } = rest.world.services;
  await db.updateTable('organizations').set({ teamsEnabled: true }).execute();
  expect((await rest.get(`${agents}/${agent.id}`, rest.world.member)).body.job).toBeNull();
  await db.updateTable('organizations').set({ teamsEnabled: false }).execute();
  expect(await rest.statements(async () => rest.get(agents))).toBeLessThan(20);
  await agent.finish(first.id);
  await agent.call('post', '/disconnect');
});

test('an agent is paused and resumed once each, and a pause request is validated', async () => {
  const agent = await connected();
  await put(agent, 'pause', { note: 'lunch', timeout_in_minutes: 60 }).expect(204, '');
  expect((await rest.get(`${agents}/${agent.id}`)).body).toMatchObject({
    paused: true,
    paused_note: 'lunch',
    paused_timeout_in_minutes: 60,
    paused_by: { id: rest.world.admin.id },
    paused_at: expect.any(String),
  });
  await put(agent, 'pause').expect(422, { message: 'Agent is already paused' });
  await put(agent, 'resume', {}).expect(204, '');
  await put(agent, 'resume', {}).expect(422, { message: 'Agent is not paused' });
  await put(agent, 'pause', { timeout_in_minutes: 'long' }).expect(422, /Validation failed: Timeout in minutes/);
  await agent.call('post', '/disconnect');
  await put(agent, 'pause').expect(422, { message: 'Only connected agents may be paused' });
});

test("PUT stop cancels the agent's job and build unless force is false", async () => {
  const { build, first } = await buildOf(rest.world, 'steps: [{ command: "a" }]');
  const agent = await connected();
  await agent.takeJob();
  await put(agent, 'stop', { force: false }).expect(204, '');
  expect((await jobNow(rest.world, first.id)).state).toBe('running');
  await put(agent, 'stop').expect(204, '');
  expect((await buildNow(rest.world, build.id)).state).toBe('canceling');
  await agent.finish(first.id, { exit_status: '-1', signal_reason: 'cancel' });
  await agent.call('post', '/disconnect');
  await put(agent, 'stop').expect(400, { message: 'Can only stop connected agents' });
  await rest.put(`${agents}/${agent.id}/stop`, rest.world.outsider).expect(404, { message: 'Not Found' });
});
