import { EventEmitter } from 'node:events';

import { listenForStopSignals } from '../../src/agent/session/stop-signals.js';
import { AgentOnFake } from '../support/agent-on-fake.js';

describe('the session of the bundled agent', () => {
  let on: AgentOnFake;
  beforeEach(async () => {
    on = await AgentOnFake.open();
  });
  afterEach(async () => {
    await on.dispose();
  });

  const pings = () => on.plane.callsTo('GET', /^\/ping/).length;

  test("a wrong agent token ends the agent at once with the server's message", async () => {
    await expect(on.start({ token: 'wrong' }).exit).resolves.toMatchObject({
      code: 1,
      reason: 'failed',
      message: expect.stringMatching(/401: Unknown agent token/),
    });
    expect(on.plane.calls).toHaveLength(1);
  });

  test('register and connect are retried, connect even after a 4xx', async () => {
    on.plane.fail('POST', /register/, { status: 503 }, { status: 429 });
    on.plane.fail('POST', /connect/, { status: 404 });
    const { exit, stop } = on.start();
    await on.plane.until(() => pings() > 0);
    stop.abort();
    await expect(exit).resolves.toMatchObject({ code: 0 });
    expect(on.plane.calls.map((call) => call.path).filter((path) => path !== '/ping')).toEqual([
      '/register',
      '/register',
      '/register',
      '/connect',
      '/connect',
      '/disconnect',
    ]);
  });

  test('the agent continues after pings that fail with 503, 429 or an unreadable body', async () => {
    on.plane.fail('GET', /ping/, { status: 503 }, { status: 429 }, { status: 200, body: '' });
    const job = await on.run(on.plane.addJob('echo fine'));
    expect(job.finish).toMatchObject({ exit_status: '0' });
  });

  test('a ping refused with 4xx ends the agent after it disconnects', async () => {
    on.plane.fail('GET', /ping/, { status: 401 });
    await expect(on.start().exit).resolves.toMatchObject({ code: 1, reason: 'failed' });
    expect(on.plane.calls.at(-1)?.path).toBe('/disconnect');
  });

  test('the ping action disconnect ends the agent with exit code 0', async () => {
    on.plane.pingExtra = { action: 'disconnect', message: 'bye' };
    await expect(on.start().exit).resolves.toEqual({ code: 0, reason: 'disconnected' });
  });

  test('the ping action pause keeps the agent waiting without work until it is resumed', async () => {
    on.plane.pingExtra = { action: 'pause' };
    const job = on.plane.addJob('echo at last');
    const { exit } = on.start({ disconnectAfterJob: true, disconnectAfterIdleTimeout: 0 });
    await on.plane.until(() => pings() >= 5);
    expect(on.plane.callsTo('PUT', /accept/)).toEqual([]);
    on.plane.pingExtra = {};
    await exit;
    expect(job.finish).toMatchObject({ exit_status: '0' });
  });

  test('heartbeats continue during a job, and a failed one is retried', async () => {
    on.plane.intervals.heartbeat = 0.05;
    on.plane.fail('POST', /heartbeat/, { status: 500 }, { status: 200, body: 'nonsense' });
    const job = await on.run(on.plane.addJob('sleep 0.5'));
    expect(job.finish).toMatchObject({ exit_status: '0' });
    const beats = on.plane.callsTo('POST', /heartbeat/);
    expect(beats.length).toBeGreaterThanOrEqual(3);
    expect(beats[0]?.json).toEqual({ sent_at: expect.stringMatching(/Z$/) });
  });

  test('a heartbeat refused with 4xx cancels the job and ends the agent', async () => {
    on.plane.intervals.heartbeat = 0.3;
    on.plane.fail('POST', /heartbeat/, { status: 404 });
    const job = on.plane.addJob('sleep 30');
    await expect(on.start().exit).resolves.toMatchObject({ code: 1, reason: 'failed' });
    expect(job.finish).toMatchObject({ exit_status: '-1', signal_reason: 'agent_stop' });
  });

  test('a refused accept returns the agent to pinging, and a refused start drops the job without a finish', async () => {
    on.plane.fail('PUT', /accept/, { status: 422 }, { status: 500 });
    const first = on.plane.addJob('echo one');
    on.plane.fail('PUT', /start/, { status: 422 });
    const { stop, exit } = on.start();
    await on.plane.until(() => on.plane.callsTo('PUT', /start/).length === 1);
    const second = on.plane.addJob('echo two');
    await on.plane.until(() => second.finish !== undefined);
    stop.abort();
    await exit;
    expect(on.plane.callsTo('PUT', new RegExp(`${first.id}/accept`))).toHaveLength(3);
    expect(first.finish).toBeUndefined();
  });

  test('an accept that a busy server answers 503 is repeated, after the time that it names', async () => {
    on.plane.fail('PUT', /accept/, { status: 503, headers: { 'Retry-After': '0.3' } }, { status: 429 });
    const job = await on.run(on.plane.addJob('true'));
    expect(job.finish).toMatchObject({ exit_status: '0' });
    const calls = on.plane.calls
      .filter(({ path }) => /accept|ping/.test(path))
      .map(({ path }) => path.split('/').at(-1));
    expect(calls.slice(0, 4)).toEqual(['ping', 'accept', 'accept', 'accept']);
  });

  test('agents of one process register one after another', async () => {
    let [open, most] = [0, 0];
    for (let index = 0; index < 4; index += 1)
      on.plane.on('POST', /register/, () => {
        most = Math.max(most, ++open);
        setTimeout(() => (open -= 1), 40);
        return { status: 0, delayMs: 50 };
      });
    await on.start({ spawn: 4, disconnectAfterIdleTimeout: 0.1 }).exit;
    expect([most, on.plane.callsTo('POST', /register/).length]).toEqual([1, 4]);
  });

  test('finish is retried until the server accepts it', async () => {
    on.plane.fail('PUT', /finish/, { status: 500 }, { status: 429 }, { status: 503 });
    const job = await on.run(on.plane.addJob('true'));
    const finishes = on.plane.callsTo('PUT', /finish/);
    expect(finishes).toHaveLength(4);
    expect(finishes.map((call) => call.json)).toEqual(finishes.map(() => job.finish));
  });

  test('chunks that are lost for good are counted, retried chunks are not, and later chunks keep their offsets', async () => {
    on.plane.fail('POST', /chunks/, { status: 500 }, { status: 413 }, { status: 429 }, { status: 502 });
    const job = await on.run(on.plane.addJob('seq 1 20000', {}, { chunksMaxSizeBytes: 10_000 }));
    expect(job.finish).toMatchObject({ exit_status: '0', chunks_failed_count: 2 });
    const sent = new Map<number, { offset: number; size: number }>();
    for (const { path } of on.plane.callsTo('POST', /chunks/)) {
      const [sequence, offset, size] = ['sequence', 'offset', 'size'].map((name) =>
        Number(new URLSearchParams(path.split('?')[1]).get(name)),
      );
      sent.set(sequence ?? 0, { offset: offset ?? 0, size: size ?? 0 });
    }
    expect(sent.size - job.chunks.length).toBe(2);
    let end = 0;
    for (let sequence = 1; sequence <= sent.size; sequence += 1) {
      expect(sent.get(sequence)?.offset).toBe(end);
      end += sent.get(sequence)?.size ?? 0;
    }
  });

  test('chunks that arrive out of order form one log', async () => {
    on.plane.fail('POST', /chunks/, { status: 0, delayMs: 150 }, { status: 0, delayMs: 80 });
    const job = await on.run(on.plane.addJob('seq 1 20000', {}, { chunksMaxSizeBytes: 40_000 }));
    const order = job.chunks.map((chunk) => chunk.sequence);
    expect(order).not.toEqual([...order].sort((a, b) => a - b));
    expect(on.plane.logText(job)).toContain(
      `\n${Array.from({ length: 20_000 }, (_, index) => index + 1).join('\n')}\n`,
    );
  });

  test('several agents in one process have separate sessions, and leave together when idle', async () => {
    const job = on.plane.addJob('sleep 0.4');
    await expect(on.start({ spawn: 2, disconnectAfterIdleTimeout: 0.2, name: 'box-%spawn' }).exit).resolves.toEqual({
      code: 0,
      reason: 'idle',
    });
    expect(job.finish).toMatchObject({ exit_status: '0' });
    expect(
      on.plane
        .callsTo('POST', /register/)
        .map((call) => call.json['name'])
        .sort(),
    ).toEqual(['box-1', 'box-2']);
    const goodbyes = on.plane.calls
      .map((call) => call.path)
      .slice(-8)
      .filter((path) => path === '/disconnect');
    expect(goodbyes).toHaveLength(2);
  });

  test('an agent with disconnectAfterJob runs one job and leaves', async () => {
    const [first, second] = [on.plane.addJob('echo one'), on.plane.addJob('echo two')];
    await expect(on.start({ disconnectAfterJob: true }).exit).resolves.toEqual({ code: 0, reason: 'job_done' });
    expect([first.state, second.state]).toEqual(['finished', 'assigned']);
  });

  test('the agent moves to an endpoint named by the server only if that endpoint answers', async () => {
    on.plane.pingExtra = { endpoint: 'http://127.0.0.1:1/v3' };
    const { exit, stop } = on.start();
    await on.plane.until(() => pings() >= 2);
    on.plane.pingExtra = { endpoint: `${on.plane.endpoint}/` };
    const job = on.plane.addJob('echo "at $BUILDKITE_AGENT_ENDPOINT"');
    await on.plane.until(() => job.finish !== undefined);
    stop.abort();
    await exit;
    expect(on.plane.logText(job)).toContain(`\nat ${on.plane.endpoint}/\n`);
  });

  test('an agent acquires a job by its id once the job is runnable', async () => {
    on.plane.pingExtra = { action: 'idle' };
    const job = on.plane.addJob('echo mine');
    on.plane.fail('PUT', /acquire/, { status: 423, headers: { 'Retry-After': '0.05' } });
    await expect(on.start({ acquireJob: job.id }).exit).resolves.toEqual({ code: 0, reason: 'job_done' });
    expect(on.plane.calls[0]?.json).toMatchObject({ ignore_in_dispatches: true });
    expect(
      on.plane
        .callsTo('PUT', /acquire/)
        .map((call) => [call.headers['x-buildkite-lock-acquire-job'], call.headers['x-buildkite-backoff-sequence']]),
    ).toEqual([
      ['1', '0'],
      ['1', '1'],
    ]);
    await expect(on.start({ acquireJob: job.id }).exit).resolves.toMatchObject({ code: 27, reason: 'job_rejected' });
  });

  test('request headers that the server asks for are sent from then on and passed to jobs', async () => {
    on.plane.registrationExtra = { request_headers: { 'Buildkite-Cell': 'seven', Cookie: 'no' } };
    const job = await on.run(on.plane.addJob('echo cell $BUILDKITE_REQUEST_HEADER_CELL'));
    expect(on.plane.logText(job)).toContain('\ncell seven\n');
    expect(on.plane.callsTo('GET', /ping/)[0]?.headers).toMatchObject({ 'buildkite-cell': 'seven' });
    expect(on.plane.callsTo('GET', /ping/)[0]?.headers.cookie).toBeUndefined();
  });

  test('invalid options are refused by name', async () => {
    await expect(on.start({ endpoint: 'nowhere' }).exit).rejects.toThrow('endpoint');
    await expect(on.start({ tags: ['novalue'] }).exit).rejects.toThrow('tags');
    await expect(on.start({ spawn: 0 }).exit).rejects.toThrow('spawn');
  });
});

test('the first SIGTERM stops the agent gracefully, the second at once, and SIGQUIT at once', () => {
  const source = new EventEmitter();
  const first = listenForStopSignals(source);
  source.emit('SIGTERM');
  expect([first.graceful.aborted, first.now.aborted]).toEqual([true, false]);
  source.emit('SIGINT');
  expect(first.now.aborted).toBe(true);
  first.dispose();
  expect(source.eventNames()).toEqual([]);
  const second = listenForStopSignals(source);
  source.emit('SIGQUIT');
  expect(second.now.aborted).toBe(true);
});
