import type { Express } from 'express';
import { updateAgentToken } from '../../src/operations/agents/agent-tokens/update.js';
import { agentApp, buildOf, jobNow, ScriptedAgent } from '../support/scripted-agent.js';
import { ChannelWorld } from '../support/channel-world.js';

describe('events of webhooks beside those of states', () => {
  let channels: ChannelWorld;
  let app: Express;
  beforeAll(async () => {
    channels = await ChannelWorld.create();
    app = agentApp(channels.world);
  });
  afterEach(() => channels.reset());
  afterAll(() => channels.world.close());

  const webhook = (events: string[]) => channels.service('webhook', { url: 'https://hooks.example.com/', events });
  const allow = async (allowedIpAddresses: string | null) => {
    const { world, services } = channels;
    const token = await services.db.selectFrom('agent_tokens').select('id').executeTakeFirstOrThrow();
    await world.perform(world.admin, updateAgentToken, { agentToken: { id: token.id }, allowedIpAddresses });
    return token.id;
  };

  test('a promised failure is told once, with its reason, and the job is not said to have started again', async () => {
    await webhook(['job.started', 'job.promised_exit_status']);
    const { first } = await buildOf(channels.world, 'steps: [{ command: "true" }]');
    const agent = await ScriptedAgent.connected(app, channels.world.agentToken);
    await agent.takeJob();
    await agent
      .call('put', `/jobs/${first.id}/promise_failure`, agent.jobToken)
      .send({ exit_status: 3, reason: 'a test failed' })
      .expect(204);
    await channels.deliver();
    const bodies = channels.bodies().filter(({ event }) => event !== 'ping');
    expect(bodies.map(({ event }) => event)).toEqual(['job.started', 'job.promised_exit_status']);
    expect(bodies[1]).toMatchObject({
      job: { id: first.id, state: 'running', promised_exit_status: 3, promised_exit_status_at: expect.any(String) },
      build: { state: 'failing' },
      promised_exit_status_reason: 'a test failed',
    });
    await agent.finish(first.id).expect(200);
  });

  test('an agent at an address that its token does not allow any more is disconnected, and its job released', async () => {
    await webhook(['agent.blocked']);
    const { first } = await buildOf(channels.world, 'steps: [{ command: "true" }]');
    const agent = await ScriptedAgent.connected(app, channels.world.agentToken);
    await agent.takeJob();
    const tokenId = await allow('203.0.113.0/24');
    await channels.deliver();
    const told = channels.bodies().filter(({ event }) => event === 'agent.blocked');
    expect(told.at(-1)).toMatchObject({
      event: 'agent.blocked',
      blocked_ip: expect.stringMatching(/127\.0\.0\.1|::1/),
      agent: { connection_state: 'disconnected' },
      cluster_token: { id: tokenId, allowed_ip_addresses: '203.0.113.0/24' },
      sender: { id: channels.world.admin.id },
    });
    expect(JSON.stringify(told)).not.toContain(channels.world.agentToken);
    expect(await jobNow(channels.world, first.id)).toMatchObject({ exitStatus: -1 });
    await agent.call('get', '/ping').expect(401);
    await allow(null);
  });

  test('a refused registration is told once a minute for an address, though its own transaction is rolled back', async () => {
    await webhook(['cluster_token.registration_blocked']);
    const tokenId = await allow('203.0.113.0/24');
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const { status } = await new ScriptedAgent(app, channels.world.agentToken).register({ name: 'rogue' });
      expect(status).toBe(403);
    }
    await channels.deliver();
    const told = channels.bodies().filter(({ event }) => event !== 'ping');
    expect(told).toEqual([
      {
        event: 'cluster_token.registration_blocked',
        blocked_ip: expect.stringMatching(/127\.0\.0\.1|::1/),
        cluster_token: expect.objectContaining({ id: tokenId }),
        sender: expect.objectContaining({ id: channels.world.admin.id }),
      },
    ]);
    await allow(null);
  });
});
