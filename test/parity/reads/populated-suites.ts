import { perform } from '../../../src/core/operation.js';
import { createUpload } from '../../../src/operations/suites/uploads/create.js';
import type { World } from '../../support/world.js';
import { leaveEvent, leaveWorkflow } from '../../support/one-workflow.js';
import { planOfEverything } from './test-plans.js';

/** A run of the first build with a test of each sort, two of them set aside in pairs. */
export async function uploadResults(world: World, at: Readonly<Record<string, string>>): Promise<void> {
  const { db } = world.services;
  const suite = await db.selectFrom('suites').selectAll().where('slug', '=', 'rspec').executeTakeFirstOrThrow();
  const build = await db.selectFrom('builds').select('id').where('number', '=', 1).executeTakeFirstOrThrow();
  const failure = {
    result: 'failed',
    failure_reason: 'no',
    failure_expanded: [{ expanded: ['x'], backtrace: ['y'] }],
    location: 'b:1',
    file_name: 'b',
    tags: { os: 'linux' },
  };
  const history = { section: 'top', start_at: 1, end_at: 1.5, duration: 0.5 };
  const data = ['b', 'c', 'd', 'e', 'f'].map((name) => ({ scope: 'a', name, history, ...failure }));
  const sent = async (key: string, more: object) =>
    perform(createUpload, world.context({ kind: 'suite', suiteId: suite.id, organizationId: suite.organizationId }), {
      format: 'json',
      runEnv: { key, ...more },
      data,
    });
  await sent('K', {});
  await sent(build.id, { message: 'a run', branch: 'main', commitSha: 'abc' });
  const setTests = (names: string[], values: object) =>
    db.updateTable('suite_tests').set(values).where('name', 'in', names).execute();
  const now = world.clock.now();
  const flaky = { flakySince: now, flakyAt: now, flakyResolvedAt: now, flakyCommitSha: 'abc', flakyCount: 2 };
  await setTests(['c', 'd'], { owners: ['everyone'], state: 'muted', stateUntil: new Date('2099-01-01'), ...flaky });
  await setTests(['e', 'f'], { state: 'skipped' });
  const named = { labels: ['slow'], location: 'a:1', fileName: 'a' };
  await db
    .updateTable('suite_tests')
    .set(named)
    .where('id', '=', at['test'] ?? '')
    .execute();
  const ownership = { organizationId: suite.organizationId, content: '* everyone', storedAt: now };
  await db
    .insertInto('test_ownerships')
    .values({ suiteId: suite.id, ...ownership })
    .onConflict((conflict) => conflict.column('suiteId').doUpdateSet(ownership))
    .execute();
  await leaveWorkflows(world, suite.id);
  await world.insert('test_plans', { organizationId: suite.organizationId, suiteId: suite.id, ...planOfEverything });
}

/** A second of each: workflow, test in alarm, event, and webhook, this one tried. */
async function leaveWorkflows(world: World, suite: string): Promise<void> {
  const { db } = world.services;
  const known = await db.selectFrom('test_workflow_events').selectAll().orderBy('id').executeTakeFirstOrThrow();
  const other = await db
    .selectFrom('suite_tests')
    .select('id')
    .where('id', '!=', known.testId)
    .limit(1)
    .executeTakeFirstOrThrow();
  for (const test of [known.testId, other.id]) await leaveEvent(world, { workflow: known.workflowId, suite, test });
  await leaveWorkflow(world, { suite, test: other.id });
  const first = await db
    .selectFrom('notification_deliveries')
    .selectAll()
    .where('notificationId', '=', known.id)
    .executeTakeFirstOrThrow();
  const now = world.clock.now();
  const reply = { responseStatus: 502, responseBody: 'no', requestBody: 'hello', lastError: 'it said no' };
  const times = { attemptedAt: now, deliveredAt: now, durationMs: 7 };
  await db
    .insertInto('notification_deliveries')
    .values({ ...first, ...reply, ...times, id: world.system().newId(), state: 'pending', redeliveryOfId: first.id })
    .execute();
}
