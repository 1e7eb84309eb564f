import { NotificationSender } from '../../../src/background/integrations/notifications/deliver-notifications.js';
import { purgeTestWorkflows } from '../../../src/background/retention/forget-test-workflows.js';
import { limits } from '../../../src/domain/limits/limits.js';
import { BothSurfaces, type Data } from '../../support/both-surfaces.js';
import { Receiver } from '../../support/receiver.js';
import { newSuite, result, upload } from '../../support/suites.js';

const [one, other] = ['a', 'b'].map((letter) => letter.repeat(40));

describe('the workflows of a suite', () => {
  let surfaces: BothSurfaces;
  let suite: Awaited<ReturnType<typeof newSuite>>;
  let receiver: Receiver;
  let uploads = 0;
  beforeAll(async () => {
    receiver = await Receiver.open();
  });
  beforeEach(async () => {
    surfaces = await BothSurfaces.open();
    suite = await newSuite(surfaces, 'RSpec');
    receiver.received.length = 0;
    receiver.answer = () => 200;
  });
  afterEach(() => surfaces.close());
  afterAll(() => receiver.close());

  const create = (fields: object): Promise<Data> =>
    surfaces.read(['post', `${suite.path}/workflows`, { name: 'W', ...fields }]);
  /** Sends results; a text of a result, or a number of seconds of a pass. */
  const send = (
    results: Readonly<Record<string, string | number>>,
    runEnv: object = { branch: 'main' },
    tags: object = {},
  ) =>
    upload(
      surfaces,
      suite.authorization,
      `K${(uploads += 1)}`,
      Object.entries(results).map(([name, came]) =>
        result(
          name.trim(),
          typeof came === 'string'
            ? { result: came }
            : { history: { section: 'top', start_at: 0, end_at: came, duration: came } },
        ),
      ),
      { runEnv, tags },
    );
  const events = async ({ id }: Data): Promise<string[]> => {
    const all = await surfaces.read(['get', `${suite.path}/workflows/${id}/events?per_page=100`]);
    return all.map(({ event, test }: Data) => `${event} ${test.name}`).reverse();
  };
  const alarms = async ({ id }: Data): Promise<string[]> => {
    const all = await surfaces.read(['get', `${suite.path}/workflows/${id}/alarms`]);
    return all.map(({ test }: Data) => test.name).sort();
  };
  const testNamed = (name: string): Promise<Data> =>
    surfaces.read(['post', `${suite.path}/tests/find`, { scope: 'a scope', name }]);
  const deliver = async () => {
    const sender = new NotificationSender(surfaces.world.services);
    await sender.begin();
    await sender.settle();
  };
  const transitions = { type: 'transition_count', branch: 'main', window: 4, alarm: 0.5, recover: 0.25 };

  test('of transitions alarm once, recover once, and only on their branch', async () => {
    const workflow = await create({
      monitor: transitions,
      alarm_actions: [
        { type: 'add_label', label: 'turns' },
        { type: 'change_state', state: 'muted' },
      ],
      recover_actions: [
        { type: 'remove_label', label: 'turns' },
        { type: 'change_state', state: 'enabled' },
      ],
    });
    await send({ a: 'passed', steady: 'passed' });
    await send({ a: 'failed', steady: 'passed' });
    await send({ a: 'passed' }, { branch: 'topic' });
    expect(await alarms(workflow)).toEqual([]);
    await send({ a: 'passed', steady: 'passed' });
    expect(await alarms(workflow)).toEqual(['a']);
    expect(await testNamed('a')).toMatchObject({ labels: ['turns'], state: 'muted' });
    expect(await testNamed('steady')).toMatchObject({ labels: [], state: 'enabled' });
    await send({ a: 'failed' });
    expect(await events(workflow)).toEqual(['alarm a']);
    await send({ a: 'failed' });
    expect(await alarms(workflow)).toEqual(['a']);
    await send({ a: 'failed' });
    expect(await events(workflow)).toEqual(['alarm a', 'recover a']);
    expect(await alarms(workflow)).toEqual([]);
    expect(await testNamed('a')).toMatchObject({ labels: [], state: 'enabled' });
    await send({ a: 'failed' });
    expect(await events(workflow)).toEqual(['alarm a', 'recover a']);
  });

  test('of durations compare the median of whole windows', async () => {
    const workflow = await create({ monitor: { type: 'duration', window: 3, alarm: 10, recover: 2 } });
    await send({ a: 60, b: 1 });
    await send({ a: 60, b: 1 });
    expect(await events(workflow)).toEqual([]);
    await send({ a: 1, b: 60 });
    expect(await events(workflow)).toEqual(['alarm a']);
    await send({ a: 1 });
    expect(await events(workflow)).toEqual(['alarm a', 'recover a']);
    const [recovery] = await surfaces.read(['get', `${suite.path}/workflows/${workflow.id}/events`]);
    expect(recovery.workflow_event).toMatchObject({
      type: 'duration',
      duration_p50: 1,
      duration_p50_threshold_high: 10,
      duration_p50_threshold_low: 2,
      window_executions: 3,
      executions_in_window: 3,
    });
  });

  test('of new tests tell of each once, and of none before them', async () => {
    await send({ old: 'passed' });
    const workflow = await create({
      monitor: { type: 'new_test' },
      alarm_actions: [{ type: 'add_label', label: 'new' }],
    });
    await send({ old: 'passed', young: 'failed' });
    await send({ old: 'passed', young: 'passed' });
    expect(await events(workflow)).toEqual(['alarm young']);
    expect(await alarms(workflow)).toEqual([]);
    expect(await testNamed('young')).toMatchObject({ labels: ['new'] });
  });

  test('of passes on retry see one commit once, and recover after days without another', async () => {
    const workflow = await create({ monitor: { type: 'passed_on_retry' } });
    const on = (commit: string | undefined) => ({ commit_sha: commit, branch: 'main' });
    await send({ a: 'failed', steady: 'passed' }, on(one));
    await send({ a: 'passed', steady: 'passed' }, on(other));
    expect(await events(workflow)).toEqual([]);
    await send({ a: 'passed', steady: 'passed' }, on(one));
    await send({ a: 'failed' }, on(one));
    await send({ a: 'failed' }, on(other));
    expect(await events(workflow)).toEqual(['alarm a']);
    const [alarm] = await surfaces.read(['get', `${suite.path}/workflows/${workflow.id}/events`]);
    expect(alarm.workflow_event).toMatchObject({ commit_count: 1, executions_in_window: 3, execution_commit_sha: one });
    surfaces.world.clock.advance(6 * 86_400);
    await send({ a: 'passed' }, on(undefined));
    expect(await alarms(workflow)).toEqual(['a']);
    surfaces.world.clock.advance(86_400);
    await send({ a: 'passed' }, on(undefined));
    expect(await events(workflow)).toEqual(['alarm a', 'recover a']);
    // What the suite itself says of it is as it always was.
    expect((await testNamed('a')).labels).toEqual([]);
  });

  test('look at executions with their tags only', async () => {
    const monitor = { type: 'duration', window: 1, alarm: 10, recover: 2 };
    const linux = await create({ monitor, tag_filters: ['os:linux', 'scm.branch:main'] });
    const retried = await create({ monitor: { type: 'passed_on_retry' }, tag_filters: ['os:linux'] });
    await send({ a: 60 }, { branch: 'main' }, { os: 'windows' });
    await send({ b: 60 }, { branch: 'topic' }, { os: 'linux' });
    await send({ c: 60 }, { branch: 'main' }, { os: 'linux' });
    expect(await events(linux)).toEqual(['alarm c']);
    const on = { commit_sha: one };
    await send({ d: 'failed', e: 'failed' }, on, { os: 'windows' });
    await send({ d: 'passed', e: 'passed' }, on, { os: 'linux' });
    await send({ d: 'failed' }, on, { os: 'linux' });
    expect(await events(retried)).toEqual(['alarm d']);
  });

  test('post what the field posts, again where they are asked to, and say what came of it', async () => {
    const workflow = await create({
      monitor: { type: 'passed_on_retry' },
      alarm_actions: [
        { type: 'webhook', url: receiver.url },
        { type: 'slack', channel: '#nowhere' },
      ],
    });
    receiver.answer = () => 500;
    const env = { commit_sha: one, branch: 'main' };
    await send({ a: 'failed' }, env);
    await send({ a: 'passed' }, env);
    await deliver();
    const [event] = await surfaces.read(['get', `${suite.path}/workflows/${workflow.id}/events`]);
    expect(event.problems).toEqual(['No such channel: no enabled Slack service of the organization reaches #nowhere.']);
    const sent = `${suite.path}/workflows/${workflow.id}/events/${event.id}/deliveries`;
    expect(await surfaces.read(['get', sent])).toMatchObject([
      { state: 'pending', attempts: 1, response_status: 500, receiver_url: receiver.url },
    ]);
    receiver.answer = () => 200;
    surfaces.world.clock.advance(60);
    await deliver();
    const [delivery] = await surfaces.read(['get', sent]);
    expect(delivery).toMatchObject({ state: 'delivered', attempts: 2 });
    await surfaces.read(['post', `${sent}/${delivery.id}/redeliver`]);
    await deliver();
    expect(await surfaces.read(['get', sent])).toHaveLength(2);
    expect(receiver.received).toHaveLength(3);
    const [first, , again] = receiver.received;
    expect(again!.raw).toBe(first!.raw);
    expect(first!.headers).toMatchObject({ 'x-buildkite-event': 'workflow.alarm' });
    const { id, web_url, location } = await testNamed('a');
    expect(first!.body).toEqual({
      subject: {
        type: 'test',
        test_id: id,
        test_full_name: 'a scope a',
        test_location: location,
        test_url: web_url,
      },
      workflow_id: workflow.id,
      workflow_url: workflow.web_url,
      event: 'workflow.alarm',
      workflow_event: {
        type: 'passed_on_retry',
        execution_id: expect.any(String),
        timestamp: event.created_at,
        execution_run_id: expect.any(String),
        execution_commit_sha: one,
        execution_branch: 'main',
        window_days: 7,
        window_executions: 100,
        commit_count_threshold_high: 1,
        commit_count_threshold_low: 0,
        executions_in_window: 2,
        days_in_window: 0,
        commit_count: 1,
      },
    });
  });

  test('begin anew with another monitor, rest while they are disabled, and leave nothing when they are deleted', async () => {
    const monitor = { type: 'duration', window: 1, alarm: 10, recover: 2 };
    const workflow = await create({ monitor });
    const path = `${suite.path}/workflows/${workflow.id}`;
    await send({ a: 60 });
    expect(await alarms(workflow)).toEqual(['a']);
    await surfaces.read(['patch', path, { name: 'Slow' }]);
    expect(await alarms(workflow)).toEqual(['a']);
    await surfaces.read(['patch', path, { monitor: { ...monitor, alarm: 30 } }]);
    expect(await alarms(workflow)).toEqual([]);
    await send({ a: 60 });
    expect(await events(workflow)).toEqual(['alarm a', 'alarm a']);
    await surfaces.read(['patch', path, { enabled: false }]);
    await send({ a: 1, b: 60 });
    expect(await events(workflow)).toEqual(['alarm a', 'alarm a']);
    await surfaces.rest(['delete', path]);
    expect((await surfaces.rest(['get', path])).status).toBe(404);
    const { db } = surfaces.world.services;
    while ((await purgeTestWorkflows({ db })) > 0);
    for (const table of ['test_workflows', 'test_workflow_states', 'test_workflow_events'] as const)
      expect(await db.selectFrom(table).select('suiteId').execute()).toEqual([]);
  });

  test('say no more in a minute than they may: what is dropped is said later', async () => {
    const workflow = await create({ monitor: { type: 'duration', window: 1, alarm: 10, recover: 2 } });
    const slow = Object.fromEntries(
      Array.from({ length: limits.testWorkflowEventsPerMinute + 20 }, (_, index) => [`t${index}`, 60]),
    );
    const count = async () => {
      const { db } = surfaces.world.services;
      const rows = await db.selectFrom('test_workflow_events').select('testId').execute();
      return new Set(rows.map(({ testId }) => testId)).size;
    };
    await send(slow);
    expect(await count()).toBe(limits.testWorkflowEventsPerMinute);
    await send(slow);
    expect(await count()).toBe(limits.testWorkflowEventsPerMinute);
    surfaces.world.clock.advance(60);
    await send(slow);
    expect(await count()).toBe(limits.testWorkflowEventsPerMinute + 20);
    expect(await alarms(workflow)).toHaveLength(30);
  });

  test('are as many as a suite may have, and what is wrong with one is named', async () => {
    const monitor = { type: 'new_test' };
    const refusal = async (body: object) => {
      const { status, body: reply } = await surfaces.rest(['post', `${suite.path}/workflows`, { name: 'W', ...body }]);
      return `${status} ${reply.message}`;
    };
    expect(await refusal({})).toMatch(/^422 .*monitor/i);
    expect(await refusal({ monitor: { type: 'probabilistic_flakiness' } })).toMatch(/^422 .*not available/);
    expect(await refusal({ monitor: { type: 'transition_count', window: 5, alarm: 1, recover: 0 } })).toMatch(
      /^422 .*monitor\.branch/i,
    );
    expect(await refusal({ monitor, alarm_actions: [{ type: 'webhook' }] })).toMatch(
      /^422 .*Alarm actions\.0\.url is missing/,
    );
    expect(await refusal({ monitor, recover_actions: [{ type: 'add_label', label: 'x' }] })).toMatch(/^422 .*recover/i);
    expect(await refusal({ monitor, tag_filters: ['a:b', 'c:d', 'e:f', 'g:h', 'i:j'] })).toMatch(/^422 .*more than 4/);
    expect(await refusal({ monitor, tag_filters: ['result:~failed'] })).toMatch(/^422 /);
    for (let count = 0; count < limits.testWorkflows; count += 1) await create({ monitor });
    expect(await refusal({ monitor })).toMatch(/^422 .*at most 10 workflows/);
  });
});
