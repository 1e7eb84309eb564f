import { createTestWorkflow } from '../../src/operations/suites/workflows/create.js';
import type { Person, World } from './world.js';

/** Leaves a workflow of a suite with a test that is in alarm, its event, and a webhook that it sent. */
export async function leaveWorkflow(
  world: World,
  { suite, test, person = world.admin }: { suite: string; test: string; person?: Person },
): Promise<{ workflow: string; workflowEvent: string; workflowDelivery: string }> {
  const { workflow } = await world.perform(person, createTestWorkflow, {
    suite: { id: suite },
    name: 'Slow tests',
    monitor: { type: 'duration', branch: 'main', window: 1, alarm: 10, recover: 5 },
    tagFilters: ['os:linux'],
    alarmActions: [
      { type: 'add_label', label: 'slow' },
      { type: 'change_state', state: 'muted' },
      { type: 'webhook', url: 'http://127.0.0.1:9/tests' },
      { type: 'slack', channel: '#tests', message: 'Slow again' },
    ],
    recoverActions: [
      { type: 'remove_label', label: 'slow' },
      { type: 'change_state', state: 'enabled' },
      { type: 'webhook', url: 'http://127.0.0.1:9/tests' },
      { type: 'slack', channel: '#tests', message: 'Fast again' },
    ],
  });
  const workflowEvent = await leaveEvent(world, { workflow: workflow.id, suite, test });
  return { workflow: workflow.id, ...workflowEvent };
}

/** Leaves an event of a workflow about a test, which is in alarm since then, and a webhook that it sent. */
export async function leaveEvent(
  world: World,
  { workflow: workflowId, suite: suiteId, test: testId }: { workflow: string; suite: string; test: string },
): Promise<{ workflowEvent: string; workflowDelivery: string }> {
  const { db } = world.services;
  const now = world.clock.now();
  const organizationId = world.organization.id;
  const [id, delivery] = [world.system().newId(), world.system().newId()];
  const problems = ['No such channel.'];
  const event = { id, organizationId, suiteId, workflowId, testId, event: 'alarm' as const, problems, createdAt: now };
  await db
    .insertInto('test_workflow_events')
    .values({ ...event, facts: { type: 'duration', duration_p50: 12 } })
    .execute();
  await db
    .insertInto('test_workflow_states')
    .values({ workflowId, testId, suiteId, generation: 1, memory: { durations: [12] }, alarmId: id, alarmAt: now })
    .onConflict((conflict) => conflict.columns(['workflowId', 'testId']).doUpdateSet({ alarmId: id, alarmAt: now }))
    .execute();
  await db
    .insertInto('notifications')
    .values({ id, organizationId, event: 'workflow.alarm', payload: '{"event":"workflow.alarm"}', createdAt: now })
    .execute();
  const url = 'http://127.0.0.1:9/tests';
  const row = { organizationId, notificationId: id, url, receiver: url, orderKey: testId, sequence: 0, createdAt: now };
  await db
    .insertInto('notification_deliveries')
    .values({ ...row, id: delivery, state: 'failed', nextAttemptAt: now })
    .execute();
  return { workflowEvent: id, workflowDelivery: delivery };
}
