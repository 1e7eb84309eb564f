import type { Express } from 'express';
import { ReadMemory } from '../../../src/database/read-memory.js';
import { onPostgres } from '../../support/database.js';
import { agentApp, buildOf, ScriptedAgent } from '../../support/scripted-agent.js';
import { World } from '../../support/world.js';

const KiB = 1024;
const text = (bytes: number) => 'x'.repeat(bytes);

describe(`what agents read (${onPostgres ? 'PostgreSQL' : 'embedded'})`, () => {
  let world: World;
  let app: Express;
  beforeAll(async () => {
    world = await World.create();
    app = agentApp(world);
  });
  afterAll(() => world.close());
  afterEach(() => {
    delete world.services.readMemory;
  });

  /** Has one request read so much. */
  function bound(bytes: number): ReadMemory {
    const memory = new ReadMemory(bytes, 1024 * KiB, 4 * KiB);
    world.services.readMemory = memory;
    return memory;
  }

  async function running(pipeline: string) {
    await buildOf(world, pipeline);
    const agent = await ScriptedAgent.connected(app, world.agentToken);
    const job = await agent.takeJob();
    const data = (verb: string, body: object) =>
      agent.call('post', `/jobs/${job}/data/${verb}`, agent.jobToken).send(body);
    return { agent, data };
  }

  test('is refused with 413, which no agent repeats, where meta-data is larger than the bound, and other reads of the job are not', async () => {
    const { data } = await running('steps: [{ command: a }]');
    await data('set', { key: 'large', value: text(96 * KiB) }).expect(200);
    await data('set', { key: 'small', value: 'one' }).expect(200);
    const memory = bound(64 * KiB);
    const refused = await data('get', { key: 'large' });
    expect([refused.status, refused.body]).toEqual([413, { message: expect.stringContaining('more than 64 KiB') }]);
    expect(refused.headers['retry-after']).toBeUndefined();
    await data('get', { key: 'small' }).expect(200);
    await vi.waitFor(() => expect(memory.used).toBe(0));
    expect(memory.counts.refused).toBe(1);
  });

  test('is refused where the step is larger than the bound', async () => {
    const { agent } = await running(`steps: [{ key: large, command: a, env: { LARGE: "${text(90 * KiB)}" } }]`);
    const read = () =>
      agent
        .call('post', '/steps/large/export', agent.jobToken)
        .send({ attribute: 'key' })
        .ok(() => true);
    expect((await read()).body).toEqual({ output: 'large' });
    bound(64 * KiB);
    expect((await read()).status).toBe(413);
  });

  test('is refused where the environment of a job that it accepts is larger than the bound, and the job can be accepted after', async () => {
    await buildOf(world, `env: { LARGE: "${text(60 * KiB)}" }\nsteps: [{ command: a }]`);
    const agent = await ScriptedAgent.connected(app, world.agentToken);
    const ping = await agent.call('get', '/ping').expect(200);
    const id = String(ping.body.job?.id);
    bound(32 * KiB);
    const accept = () => agent.call('put', `/jobs/${id}/accept`).send({});
    expect((await accept()).status).toBe(413);
    delete world.services.readMemory;
    await accept().expect(200);
  });
});
