import { statSync } from 'node:fs';

import { AgentOnFake } from '../support/agent-on-fake.js';

describe('the bundled agent stopping a job', () => {
  let on: AgentOnFake;
  beforeEach(async () => {
    on = await AgentOnFake.open();
  });
  afterEach(async () => {
    await on.dispose();
  });

  const started = (text: string) =>
    on.plane.until(() => on.plane.jobs.some((job) => on.plane.logText(job).includes(text)));

  test.each(['canceling', 'canceled', 'timing_out', 'timed_out'])(
    'the job state %s makes the agent send SIGTERM and report the signal with reason cancel',
    async (state) => {
      const job = on.plane.addJob('echo "re"ady; sleep 30');
      const { exit } = on.start({ disconnectAfterJob: true });
      await started('\nready\n');
      job.state = state;
      await exit;
      expect(job.finish).toMatchObject({ exit_status: '-1', signal: 'SIGTERM', signal_reason: 'cancel' });
    },
  );

  test('a command that traps TERM and exits counts as canceled, and its last output reaches the log', async () => {
    const job = on.plane.addJob('trap "echo last words; exit 7" TERM; echo "re"ady; while true; do sleep 0.05; done');
    const { exit } = on.start({ disconnectAfterJob: true });
    await started('\nready\n');
    job.state = 'canceling';
    await exit;
    expect(job.finish).toMatchObject({ exit_status: '-1', signal: 'SIGTERM', signal_reason: 'cancel' });
    expect(on.plane.logText(job)).toContain('last words\n');
  });

  test('a command that ignores TERM is killed after the grace period, together with its children', async () => {
    const job = on.plane.addJob(
      'trap "" TERM; (while true; do echo x >> beats; sleep 0.02; done) & echo "re"ady; sleep 30',
    );
    const { exit } = on.start({ disconnectAfterJob: true, cancelGracePeriod: 0.3 });
    await started('\nready');
    job.state = 'canceling';
    const asked = Date.now();
    await exit;
    expect(Date.now() - asked).toBeGreaterThanOrEqual(290);
    expect(job.finish).toMatchObject({ exit_status: '-1', signal: 'SIGKILL', signal_reason: 'cancel' });
    const beats = () => statSync(`${on.buildPath}/agent-1/acme/widgets/beats`).size;
    const atTheEnd = beats();
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect([atTheEnd > 0, beats()]).toEqual([true, atTheEnd]);
  });

  test('a revoked job token (401) cancels the job', async () => {
    const job = on.plane.addJob('echo "re"ady; sleep 30');
    const { exit } = on.start({ disconnectAfterJob: true });
    await started('\nready\n');
    on.plane.fail('GET', /^\/jobs\/[^/]+$/, { status: 401 });
    await exit;
    expect(job.finish).toMatchObject({ exit_status: '-1', signal: 'SIGTERM', signal_reason: 'cancel' });
  });

  test('other errors of the state poll leave the job running', async () => {
    on.plane.fail('GET', /^\/jobs\/[^/]+$/, { status: 404 }, { status: 500 }, { status: 200, body: 'not json' });
    const job = await on.run(on.plane.addJob('sleep 0.5; echo survived'));
    expect(job.finish).toMatchObject({ exit_status: '0' });
  });

  test('an agent asked to stop finishes its job and accepts no other', async () => {
    const job = on.plane.addJob('echo "re"ady; sleep 0.5; echo done');
    const { exit, stop } = on.start();
    await started('\nready\n');
    on.plane.addJob('echo never');
    stop.abort();
    await expect(exit).resolves.toEqual({ code: 0, reason: 'stopped' });
    expect(job.finish).toMatchObject({ exit_status: '0' });
    expect(on.plane.callsTo('PUT', /accept/)).toHaveLength(1);
    expect(on.plane.calls.at(-1)?.path).toBe('/disconnect');
  });

  test('an agent asked to stop at once cancels its job with agent_stop', async () => {
    const job = on.plane.addJob('echo "re"ady; sleep 30');
    const { exit, stop, stopNow } = on.start();
    await started('\nready\n');
    stop.abort();
    stopNow.abort();
    await expect(exit).resolves.toEqual({ code: 0, reason: 'stopped' });
    expect(job.finish).toMatchObject({ exit_status: '-1', signal: 'SIGTERM', signal_reason: 'agent_stop' });
    expect(on.plane.calls.at(-1)?.path).toBe('/disconnect');
  });
});
