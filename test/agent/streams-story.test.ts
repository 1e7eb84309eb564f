import { writeFileSync } from 'node:fs';

import { AgentOnFake } from '../support/agent-on-fake.js';
import type { FakePingStream } from '../support/fake-control-plane.js';

describe('the bundled agent and streams of pings', () => {
  let on: AgentOnFake;
  beforeEach(async () => {
    on = await AgentOnFake.open();
    on.plane.streamStatus = null;
  });
  afterEach(async () => {
    await on.dispose();
  });

  const pings = () => on.plane.callsTo('GET', /^\/ping/).length;
  async function opened(count = 1): Promise<FakePingStream> {
    await on.plane.until(() => on.plane.streams.length >= count);
    return on.plane.streams[count - 1] as FakePingStream;
  }
  const say = { resume: { kind: 'resume' }, pause: { kind: 'pause', reason: 'later' } } as const;

  test('an agent takes its jobs from the stream and sends no ping', async () => {
    const { exit } = on.start();
    const stream = await opened();
    stream.say(say.resume);
    for (const command of ['echo one', 'echo two']) {
      const job = on.plane.addJob(command);
      stream.say({ kind: 'job', jobId: job.id });
      await on.plane.until(() => job.finish !== undefined);
    }
    stream.say({ kind: 'disconnect', reason: 'enough' });
    await expect(exit).resolves.toEqual({ code: 0, reason: 'disconnected' });
    expect([pings(), on.plane.streams.length]).toEqual([0, 1]);
  });

  test('a stream whose time is up is followed by the next one, without a ping in between', async () => {
    const { exit } = on.start();
    (await opened()).say(say.resume).end(4);
    const job = on.plane.addJob('echo fine');
    (await opened(2)).say({ kind: 'job', jobId: job.id });
    await on.plane.until(() => job.finish !== undefined);
    (await opened(2)).say({ kind: 'disconnect', reason: '' });
    await exit;
    expect(pings()).toBe(0);
  });

  test('a job that a stream offers again while it runs is accepted once', async () => {
    const { exit } = on.start();
    const job = on.plane.addJob(`until [ -e ${on.buildPath}/go ]; do sleep 0.02; done`);
    const next = on.plane.addJob('true');
    (await opened()).say(say.resume).say({ kind: 'job', jobId: job.id });
    await on.plane.until(() => job.state === 'running');
    (await opened()).end(4);
    const second = await opened(2);
    second.say({ kind: 'job', jobId: job.id }).say({ kind: 'job', jobId: next.id });
    writeFileSync(`${on.buildPath}/go`, '');
    await on.plane.until(() => next.finish !== undefined);
    second.say({ kind: 'disconnect', reason: '' });
    await exit;
    expect(on.plane.callsTo('PUT', new RegExp(`${job.id}/accept`))).toHaveLength(1);
  });

  test.each([401, 403, 404])('a server that answers %i is asked for work, and for no other stream', async (status) => {
    on.plane.streamStatus = status;
    const job = await on.run(on.plane.addJob('echo fine'));
    expect(job.finish).toMatchObject({ exit_status: '0' });
    expect(on.plane.streams).toHaveLength(1);
  });

  test.each([400, 405, 429, 503])('after %i the agent asks for work, until a later stream works', async (status) => {
    on.plane.streamStatus = status;
    const { exit } = on.start();
    await on.plane.until(() => pings() > 0);
    on.plane.streamStatus = null;
    const before = on.plane.streams.length;
    (await opened(before + 1)).say({ kind: 'disconnect', reason: '' });
    await expect(exit).resolves.toEqual({ code: 0, reason: 'disconnected' });
  });

  test('a stream that breaks, or ends with another status, gives way to pings', async () => {
    const { exit, stop } = on.start();
    (await opened()).say(say.resume).cut();
    await on.plane.until(() => pings() > 0);
    const before = pings();
    const at = on.plane.streams.length;
    (await opened(at)).say(say.resume);
    (await opened(at)).end(14);
    await on.plane.until(() => pings() > before);
    stop.abort();
    await expect(exit).resolves.toEqual({ code: 0, reason: 'stopped' });
  });

  test('a one-shot agent leaves once it has had its job, and not while it is paused', async () => {
    const { exit } = on.start({ disconnectAfterJob: true });
    const job = on.plane.addJob('echo fine');
    const stream = await opened();
    stream.say(say.pause).say({ kind: 'job', jobId: job.id });
    await expect(exit).resolves.toEqual({ code: 0, reason: 'job_done' });
    expect(job.finish).toMatchObject({ exit_status: '0', ignore_agent_in_dispatches: true });
  });

  test('an agent that was told to leave after some idle time does so on a stream too', async () => {
    const { exit } = on.start({ disconnectAfterIdleTimeout: 0 });
    (await opened()).say(say.resume);
    await expect(exit).resolves.toEqual({ code: 0, reason: 'idle' });
  });

  test('--ping-mode poll-only opens no stream, stream-only does not do without', async () => {
    const job = await on.run(on.plane.addJob('echo fine'), { pingMode: 'poll-only' });
    expect(job.finish).toMatchObject({ exit_status: '0' });
    expect(on.plane.streams).toHaveLength(0);
    on.plane.streamStatus = 404;
    await expect(on.start({ pingMode: 'stream-only' }).exit).resolves.toMatchObject({
      code: 1,
      reason: 'failed',
      message: 'The server does not stream pings',
    });
  });
});
