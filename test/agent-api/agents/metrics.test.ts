import type { Express } from 'express';
import { agentApp, buildOf, ScriptedAgent } from '../../support/scripted-agent.js';
import { World } from '../../support/world.js';

describe('GET /v3/metrics', () => {
  let world: World;
  let app: Express;
  beforeAll(async () => {
    world = await World.create();
    app = agentApp(world);
  });
  afterAll(() => world.close());

  test('GET /v3/metrics counts agents and jobs by queue', async () => {
    const [busy, idle] = [
      await ScriptedAgent.connected(app, world.agentToken),
      await ScriptedAgent.connected(app, world.agentToken, { meta_data: ['queue=macos'] }),
    ];
    await buildOf(
      world,
      'steps: [{ command: "a" }, { command: "b" }, wait, { command: "c", agents: { queue: macos } }]',
    );
    await busy.takeJob();
    const { body, headers } = await idle.call('get', '/metrics', world.agentToken).expect(200);
    expect(body).toEqual({
      agents: {
        idle: 1,
        busy: 1,
        total: 2,
        queues: { default: { idle: 0, busy: 1, total: 1 }, macos: { idle: 1, busy: 0, total: 1 } },
      },
      jobs: {
        scheduled: 1,
        running: 1,
        waiting: 1,
        total: 3,
        queues: {
          default: { scheduled: 1, running: 1, waiting: 0, total: 2 },
          macos: { scheduled: 0, running: 0, waiting: 1, total: 1 },
        },
      },
      organization: { slug: 'acme' },
      cluster: { name: 'Default cluster' },
    });
    expect(headers['buildkite-agent-metrics-poll-duration']).toBe('10');
    const one = await idle.call('get', '/metrics/queue?name=macos', world.agentToken).expect(200);
    expect(one.body).toEqual({
      agents: { idle: 1, busy: 0, total: 1 },
      jobs: { scheduled: 0, running: 0, waiting: 1, total: 1 },
      organization: { slug: 'acme' },
      cluster: { name: 'Default cluster' },
    });
    await idle.call('get', '/metrics/queue?name=nowhere', world.agentToken).expect(404);
    await idle.call('get', '/metrics').expect(403);
  });
});
