import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { streamPingsPath, streamPingsRouter } from '../../../src/agent-api/streamed-pings.js';
import { runUntilIdle } from '../../support/run-until-idle.js';
import { expireOverdueJobs } from '../../../src/background/builds/expire-overdue-jobs.js';
import { endPauses } from '../../../src/background/agents/end-pauses.js';
import { AgentDispatch } from '../../../src/dispatch/agent-dispatch.js';
import { encodeStreamRequest, frame } from '../../../src/domain/agents/stream-messages.js';
import { pauseAgent } from '../../../src/operations/agents/pause.js';
import { pauseDispatch } from '../../../src/operations/agents/queues/pause-dispatch.js';
import { resumeDispatch } from '../../../src/operations/agents/queues/resume-dispatch.js';
import { resumeAgent } from '../../../src/operations/agents/resume.js';
import { stopAgent } from '../../../src/operations/agents/stop.js';
import { cancelJob } from '../../../src/operations/builds/jobs/cancel.js';
import { PingStream } from '../../support/ping-stream.js';
import { agentApp, buildOf, dispatchOf, jobNow, ScriptedAgent } from '../../support/scripted-agent.js';
import { World } from '../../support/world.js';

const oneCommand = 'steps: [{ command: "true" }]';
const resume = { kind: 'resume' };

describe('an agent that streams its pings', () => {
  let world: World;
  let app: ReturnType<typeof agentApp>;
  let server: Server;
  let url: string;
  let open: PingStream[] = [];
  beforeAll(async () => {
    world = await World.create();
    app = agentApp(world);
    server = createServer(app);
    url = await listening(server);
  });
  afterEach(async () => {
    for (const stream of open) stream.leave();
    open = [];
    await world.services.db.updateTable('jobs').set({ state: 'canceled', deadlineAt: null }).execute();
    await world.services.db.updateTable('agents').set({ connectionState: 'disconnected' }).execute();
  });
  afterAll(async () => {
    await dispatchOf(world).stop();
    server.closeAllConnections();
    server.close();
    await world.close();
  });

  const connected = (fields: object = {}) => ScriptedAgent.connected(app, world.agentToken, fields as never);
  function stream(agent: ScriptedAgent): PingStream {
    const opened = PingStream.open(url, agent);
    open.push(opened);
    return opened;
  }
  /** An agent whose stream is open and has said that it may work. */
  async function waitingAgent(fields: object = {}): Promise<{ agent: ScriptedAgent; pings: PingStream }> {
    const agent = await connected(fields);
    const pings = stream(agent);
    expect(await pings.next()).toEqual(resume);
    return { agent, pings };
  }
  const ofAgent = (agent: ScriptedAgent) => ({
    agent: { organization: world.organization.slug, id: agent.id },
  });
  const ofQueue = () => ({ queue: { organization: world.organization.slug, id: world.queues.default } });

  describe('is told its state when the stream opens', () => {
    test('an idle agent may work', async () => {
      await waitingAgent();
    });

    test('an agent that was offered a job is told of it, again on each stream until it accepts', async () => {
      const agent = await connected();
      const { first } = await buildOf(world, oneCommand);
      await agent.ping();
      for (let time = 0; time < 2; time += 1)
        expect(await stream(agent).next()).toEqual({ kind: 'job', jobId: first.id });
      expect((await agent.accept(first.id)).status).toBe(200);
      expect(await stream(agent).next()).toEqual(resume);
    });

    test('a job that already waits is offered at once', async () => {
      const { first } = await buildOf(world, oneCommand);
      const pings = stream(await connected());
      expect(await pings.next()).toEqual(resume);
      expect(await pings.next()).toEqual({ kind: 'job', jobId: first.id });
    });

    test('a paused agent is told the reason, one that shall stop to disconnect', async () => {
      const agent = await connected();
      await agent.call('post', '/pause').send({ note: 'for a look' }).expect(200);
      expect(await stream(agent).next()).toEqual({ kind: 'pause', reason: 'for a look' });
      await agent.call('post', '/resume').expect(200);
      await agent.call('post', '/stop').send({}).expect(200);
      expect(await stream(agent).next()).toEqual({ kind: 'disconnect', reason: 'This agent was asked to stop' });
    });

    test('a lost agent that opens a stream is connected again', async () => {
      const agent = await connected();
      await world.services.db
        .updateTable('agents')
        .set({ connectionState: 'lost' })
        .where('id', '=', agent.id)
        .execute();
      expect(await stream(agent).next()).toEqual(resume);
      const row = await world.services.db
        .selectFrom('agents')
        .select(['connectionState'])
        .where('id', '=', agent.id)
        .executeTakeFirstOrThrow();
      expect(row.connectionState).toBe('connected');
    });
  });

  describe('is offered jobs', () => {
    test('as soon as they are ready, and the next one as soon as it has finished', async () => {
      const { agent, pings } = await waitingAgent();
      const { jobs } = await buildOf(world, 'steps: [{ command: "one" }, { command: "two" }]');
      for (const { id } of jobs) {
        expect(await pings.next()).toEqual({ kind: 'job', jobId: id });
        expect((await agent.accept(id)).status).toBe(200);
        await agent.start(id).expect(200);
        await agent.finish(id).expect(200);
      }
      expect(pings.unread).toEqual([]);
    });

    test('two agents and one job: one is offered it, the other stays free', async () => {
      const agents = [await waitingAgent(), await waitingAgent()];
      const { first } = await buildOf(world, oneCommand);
      const offered = await Promise.race(agents.map(async (each) => ({ ...each, message: await each.pings.next() })));
      expect(offered.message).toEqual({ kind: 'job', jobId: first.id });
      expect((await jobNow(world, first.id)).agentId).toBe(offered.agent.id);
      const other = agents.find(({ agent }) => agent !== offered.agent);
      const second = await buildOf(world, oneCommand);
      expect(await other?.pings.next()).toEqual({ kind: 'job', jobId: second.first.id });
    });

    test('one job makes a pass or two over its queue, however many agents wait', async () => {
      const agents = await Promise.all(Array.from({ length: 8 }, () => waitingAgent()));
      const before = dispatchOf(world).counts();
      const { first } = await buildOf(world, oneCommand);
      const message = await Promise.race(agents.map(({ pings }) => pings.next()));
      expect(message).toEqual({ kind: 'job', jobId: first.id });
      const after = dispatchOf(world).counts();
      expect(after.offers - before.offers).toBe(1);
      // The second if the last agent came while another changed, so that the queue was looked into again.
      expect(after.passes - before.passes).toBeLessThanOrEqual(2);
    });

    test('the agent of the highest priority gets the first job, the job of the highest priority goes first', async () => {
      const low = await waitingAgent({ priority: '1' });
      const high = await waitingAgent({ priority: '7' });
      const { jobs } = await buildOf(world, 'steps: [{ command: "later" }, { command: "first", priority: 3 }]');
      const [later, first] = jobs;
      expect(await high.pings.next()).toEqual({ kind: 'job', jobId: first?.id });
      expect(await low.pings.next()).toEqual({ kind: 'job', jobId: later?.id });
    });

    test('only those that its tags match', async () => {
      const { pings } = await waitingAgent({ meta_data: ['queue=default', 'os=linux'] });
      const { jobs } = await buildOf(
        world,
        'steps: [{ command: "mac", agents: { os: mac } }, { command: "linux", agents: { os: linux } }]',
      );
      expect(await pings.next()).toEqual({ kind: 'job', jobId: jobs[1]?.id });
    });

    test('a queue that is paused gives none until it is resumed', async () => {
      const { pings, agent } = await waitingAgent();
      await world.perform(world.admin, pauseDispatch, ofQueue());
      const { first } = await buildOf(world, oneCommand);
      await world.perform(world.admin, pauseAgent, ofAgent(agent));
      expect(await pings.next()).toMatchObject({ kind: 'pause' });
      await world.perform(world.admin, resumeAgent, ofAgent(agent));
      expect(await pings.next()).toEqual(resume);
      await world.perform(world.admin, resumeDispatch, ofQueue());
      expect(await pings.next()).toEqual({ kind: 'job', jobId: first.id });
    });

    test('a full concurrency group gives the next job once its slot is free', async () => {
      const [one, two] = [await waitingAgent(), await waitingAgent()];
      const step = 'concurrency: 1, concurrency_group: gate';
      const { jobs } = await buildOf(world, `steps: [{ command: "a", ${step} }, { command: "b", ${step} }]`);
      await runUntilIdle(world.services);
      const { agent, message } = await Promise.race(
        [one, two].map(async (each) => ({ ...each, message: await each.pings.next() })),
      );
      expect(message).toEqual({ kind: 'job', jobId: jobs[0]?.id });
      await agent.accept(jobs[0]?.id ?? '');
      await agent.start(jobs[0]?.id ?? '').expect(200);
      expect((await jobNow(world, jobs[1]?.id ?? '')).state).toBe('limited');
      await agent.finish(jobs[0]?.id ?? '').expect(200);
      await runUntilIdle(world.services);
      const next = await Promise.race([one, two].map((each) => each.pings.next()));
      expect(next).toEqual({ kind: 'job', jobId: jobs[1]?.id });
    });

    test('an offer that is not accepted is taken back, and goes to an agent that is there', async () => {
      const silent = await waitingAgent({ priority: '9' });
      const { first } = await buildOf(world, oneCommand);
      expect(await silent.pings.next()).toEqual({ kind: 'job', jobId: first.id });
      const other = await waitingAgent();
      world.clock.advance(31);
      await expireOverdueJobs(world.services);
      // Its stream ends as healthy: an agent that is there opens the next one.
      expect(await silent.pings.ended).toEqual({ status: 200, grpcStatus: '4' });
      world.clock.advance(10);
      await buildOf(world, oneCommand);
      expect(await other.pings.next()).toEqual({ kind: 'job', jobId: first.id });
      expect((await jobNow(world, first.id)).attempt).toBe(2);
    });

    test('an offer that was canceled is not the last: the next stream brings another', async () => {
      const { agent, pings } = await waitingAgent();
      const { first } = await buildOf(world, oneCommand);
      expect(await pings.next()).toEqual({ kind: 'job', jobId: first.id });
      await world.perform(world.admin, cancelJob, { job: { id: first.id } });
      expect(await pings.ended).toMatchObject({ grpcStatus: '4' });
      const second = await buildOf(world, oneCommand);
      const next = stream(agent);
      expect([await next.next(), await next.next()]).toEqual([resume, { kind: 'job', jobId: second.first.id }]);
    });
  });

  describe('hears what is asked of it', () => {
    test('a pause with its note, and the end of the pause', async () => {
      const { agent, pings } = await waitingAgent();
      await world.perform(world.admin, pauseAgent, { ...ofAgent(agent), note: 'upgrade', timeoutInMinutes: 1 });
      expect(await pings.next()).toEqual({ kind: 'pause', reason: 'upgrade' });
      const { first } = await buildOf(world, oneCommand);
      world.clock.advance(61);
      await endPauses(world.services);
      expect(await pings.next()).toEqual(resume);
      expect(await pings.next()).toEqual({ kind: 'job', jobId: first.id });
    });

    test('an offer it has not accepted goes back to the queue when it is paused', async () => {
      const { agent, pings } = await waitingAgent();
      const { first } = await buildOf(world, oneCommand);
      expect(await pings.next()).toEqual({ kind: 'job', jobId: first.id });
      await world.perform(world.admin, pauseAgent, ofAgent(agent));
      expect(await pings.next()).toMatchObject({ kind: 'pause' });
      expect(await jobNow(world, first.id)).toMatchObject({ state: 'scheduled', agentId: null });
    });

    test('a stop', async () => {
      const { agent, pings } = await waitingAgent();
      await world.perform(world.admin, stopAgent, ofAgent(agent));
      expect(await pings.next()).toEqual({ kind: 'disconnect', reason: 'This agent was asked to stop' });
    });

    test('the end of its session ends the stream', async () => {
      const { agent, pings } = await waitingAgent();
      await agent.call('post', '/disconnect').expect(200);
      expect(await pings.ended).toEqual({ status: 200, grpcStatus: '16' });
    });

    test('another stream of the agent takes the place of the first', async () => {
      const { agent, pings } = await waitingAgent();
      const second = stream(agent);
      expect(await second.next()).toEqual(resume);
      expect(await pings.ended).toEqual({ status: 200, grpcStatus: '10' });
      const { first } = await buildOf(world, oneCommand);
      expect(await second.next()).toEqual({ kind: 'job', jobId: first.id });
    });

    test('an agent that left is offered nothing, and is offered jobs again when it is back', async () => {
      const { agent, pings } = await waitingAgent();
      const before = dispatchOf(world).counts().ended['left'] ?? 0;
      pings.leave();
      await vi.waitFor(() => expect(dispatchOf(world).counts().ended['left']).toBe(before + 1));
      const { first } = await buildOf(world, oneCommand);
      expect((await jobNow(world, first.id)).state).toBe('scheduled');
      const back = stream(agent);
      expect([await back.next(), await back.next()]).toEqual([resume, { kind: 'job', jobId: first.id }]);
    });
  });

  describe('is refused', () => {
    test.each([
      ['an unknown token', 401, 'The agent token is not valid', () => ({ session: 'bkaa_unknown', id: 'x' })],
      ['a registration token', 403, /session token/, () => ({ session: world.agentToken, id: 'x' })],
    ])('with %s', async (_what, status, message, caller) => {
      expect(await PingStream.open(url, caller()).ended).toEqual({
        status,
        message: typeof message === 'string' ? message : expect.stringMatching(message),
      });
    });

    test.each([
      ['for another agent', {}, '00000000-0000-7000-8000-000000000000', 403],
      ['with a body that is no message', { body: Buffer.from([0, 0, 0, 0, 2, 0xff, 0xff]) }, '', 400],
      ['with a compressed message', { body: Buffer.from([1, 0, 0, 0, 0]) }, '', 400],
      ['without a message', { body: Buffer.alloc(0) }, '', 400],
      ['with a large body', { body: frame(encodeStreamRequest('x'.repeat(5_000))) }, '', 413],
      ['with JSON', { type: 'application/json' }, '', 415],
      ['by GET', { method: 'GET' }, '', 405],
    ])('%s', async (_what, fields, id, status) => {
      const agent = await connected();
      const ending = await PingStream.open(url, { session: agent.session, id: id || agent.id, ...fields }).ended;
      expect(ending).toEqual({ status, message: expect.any(String) });
    });

    test('with the token of a job', async () => {
      await buildOf(world, oneCommand);
      const agent = await connected();
      await agent.takeJob();
      expect(await PingStream.open(url, { session: agent.jobToken, id: agent.id }).ended).toMatchObject({
        status: 403,
      });
    });

    test('after its session has ended', async () => {
      const agent = await connected();
      await agent.call('post', '/disconnect').expect(200);
      expect(await PingStream.open(url, agent).ended).toMatchObject({ status: 401 });
    });
  });

  test('a process that stops ends its streams and opens no more', async () => {
    const agent = await connected();
    const dispatch = new AgentDispatch(world.services);
    const stopping = createServer(express().use(streamPingsPath, streamPingsRouter(world.services, dispatch)));
    const root = await listening(stopping);
    const pings = PingStream.open(root, agent);
    expect(await pings.next()).toEqual(resume);
    expect(dispatch.counts().streams).toBe(1);
    dispatch.drain();
    expect(await pings.ended).toEqual({ status: 200, grpcStatus: '14' });
    expect(await PingStream.open(root, agent).ended).toMatchObject({ status: 503 });
    await dispatch.stop();
    stopping.close();
  });
});

/** Listens on a free port; returns the root of its URLs. */
async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
