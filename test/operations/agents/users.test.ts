import type { Express } from 'express';
import { getAgent } from '../../../src/operations/agents/get.js';
import { listAgents } from '../../../src/operations/agents/list.js';
import { pauseAgent } from '../../../src/operations/agents/pause.js';
import { registerAgent } from '../../../src/operations/agents/register.js';
import { resumeAgent } from '../../../src/operations/agents/resume.js';
import { stopAgent } from '../../../src/operations/agents/stop.js';
import { agentApp, buildNow, buildOf, jobNow, ScriptedAgent } from '../../support/scripted-agent.js';
import { refusal } from '../../support/refusal.js';
import { World } from '../../support/world.js';

describe('reading and controlling agents as a user', () => {
  let world: World;
  let app: Express;
  beforeAll(async () => {
    world = await World.create();
    app = agentApp(world);
  });
  afterAll(() => world.close());

  const connected = (fields: object = {}) => ScriptedAgent.connected(app, world.agentToken, fields as never);
  const act = (
    operation: typeof stopAgent | typeof pauseAgent | typeof resumeAgent,
    agent: ScriptedAgent,
    fields: object = {},
    person = world.admin,
  ) => world.perform(person, operation, { agent: { organization: 'acme', id: agent.id }, ...fields });

  test('connected agents are listed and can be filtered by every property', async () => {
    const [mac, linux, gone] = [
      await connected({ name: 'mac-1', meta_data: ['queue=macos', 'os=mac'], version: '4.0.0' }),
      await connected({ name: 'linux-1', hostname: 'iron', meta_data: ['os=linux'] }),
      await connected({ name: 'gone' }),
    ];
    await gone.call('post', '/disconnect');
    const names = async (filters: object) =>
      (
        await world.perform(world.member, listAgents, {
          organization: { slug: 'acme' },
          paging: { page: 1, perPage: 10 },
          ...filters,
        })
      ).rows.map((agent) => agent.name);
    expect(await names({})).toEqual(['linux-1', 'mac-1']);
    expect(await names({ name: 'mac-1' })).toEqual(['mac-1']);
    expect(await names({ name: 'mac' })).toEqual([]);
    expect(await names({ hostname: 'iron' })).toEqual(['linux-1']);
    expect(await names({ version: '4.0.0' })).toEqual(['mac-1']);
    expect(await names({ clusterQueueIds: [world.queues.macos] })).toEqual(['mac-1']);
    expect(await names({ clusterId: world.clusterId })).toEqual(['linux-1', 'mac-1']);
    expect(await names({ clustered: false })).toEqual([]);
    expect(await names({ metaData: ['os=linux', 'queue=default'] })).toEqual(['linux-1']);
    expect(await names({ search: 'LINUX' })).toEqual(['linux-1']);
    expect(await names({ search: 'queue=mac' })).toEqual(['mac-1']);
    await act(pauseAgent, mac);
    expect(await names({ paused: true })).toEqual(['mac-1']);
    expect(await names({ paused: false })).toEqual(['linux-1']);
    await buildOf(world, 'steps: [{ command: "a" }]');
    const job = await linux.takeJob();
    expect(await names({ isRunningJob: true })).toEqual(['linux-1']);
    expect(await names({ isRunningJob: false })).toEqual(['mac-1']);
    await linux.finish(job);
    for (const agent of [mac, linux]) await agent.call('post', '/disconnect');
    expect(
      (await world.perform(world.member, getAgent, { agent: { organization: 'acme', id: gone.id } })).agent
        .connectionState,
    ).toBe('disconnected');
  });

  test('agents are hidden from strangers, and tokens without the scope cannot change them', async () => {
    const agent = await connected();
    expect((await refusal(act(stopAgent, agent, {}, world.outsider))).code).toBe('not_found');
    expect((await refusal(world.perform(world.outsider, getAgent, { agent: { id: agent.id } }))).code).toBe(
      'not_found',
    );
    const reader = await world.person({ organizationId: world.organization.id, scopes: ['read_agents'] });
    expect(await refusal(act(pauseAgent, agent, {}, reader))).toMatchObject({
      code: 'scope_missing',
      details: { scope: 'write_agents' },
    });
    expect((await refusal(world.perform(world.admin, registerAgent, { name: 'x' }))).code).toBe('forbidden');
    expect((await refusal(world.perform(world.admin, stopAgent, {}))).code).toBe('not_found');
    await agent.call('post', '/disconnect');
  });

  test('an agent is paused and resumed once each, and a disconnected agent can be neither paused nor stopped', async () => {
    const agent = await connected();
    expect((await act(pauseAgent, agent, { note: 'lunch' })).agent).toMatchObject({
      pausedAt: world.clock.now(),
      pausedById: world.admin.id,
      pausedNote: 'lunch',
      pausedTimeoutInMinutes: 5,
    });
    expect(await refusal(act(pauseAgent, agent))).toMatchObject({
      code: 'wrong_state',
      message: 'Agent is already paused',
    });
    expect((await act(resumeAgent, agent)).agent).toMatchObject({ pausedAt: null, pausedById: null, pausedNote: null });
    expect(await refusal(act(resumeAgent, agent))).toMatchObject({
      code: 'wrong_state',
      message: 'Agent is not paused',
    });
    await agent.call('post', '/disconnect');
    expect(await refusal(act(pauseAgent, agent))).toMatchObject({
      code: 'wrong_state',
      message: 'Only connected agents may be paused',
    });
    expect(await refusal(act(stopAgent, agent))).toMatchObject({
      code: 'not_applicable',
      message: 'Can only stop connected agents',
    });
    const audited = await world.services.db
      .selectFrom('audit_events')
      .select(['operation', 'actorId'])
      .where('subjectId', '=', agent.id)
      .orderBy('id')
      .execute();
    expect(audited).toEqual([
      { operation: 'agent.pause', actorId: world.admin.id },
      { operation: 'agent.resume', actorId: world.admin.id },
    ]);
  });

  test('a graceful stop lets the job finish, and a forced stop afterwards cancels the job and its build', async () => {
    const { build, first } = await buildOf(world, 'steps: [{ command: "a" }, wait, { command: "b" }]');
    const agent = await connected();
    await agent.takeJob();
    expect((await act(stopAgent, agent, { force: false })).agent).toMatchObject({
      connectionState: 'stopping',
      stoppedGracefullyById: world.admin.id,
      stopForcedAt: null,
    });
    expect((await jobNow(world, first.id)).state).toBe('running');
    expect((await act(stopAgent, agent, { force: true })).agent).toMatchObject({
      connectionState: 'stopping',
      stopForcedById: world.admin.id,
    });
    expect((await jobNow(world, first.id)).state).toBe('canceling');
    await agent.finish(first.id, { exit_status: '-1', signal_reason: 'cancel' }).expect(200);
    expect(await buildNow(world, build.id)).toMatchObject({ state: 'canceled', canceledById: world.admin.id });
    expect(await agent.ping()).toMatchObject({ action: 'disconnect' });
  });
});
