import { sql } from 'kysely';
import type { SuiteSubject } from '../../../../core/find-suite.js';
import { limits } from '../../../../domain/limits/limits.js';
import { labelsAfter, stateAfter } from '../../../../domain/suites/workflows/action.js';
import type { NewRow } from '../../../../entities/database.js';
import type { Context } from '../../../../request/context.js';
import { recordSuite } from '../../record.js';
import { sendVerdicts } from './send.js';
import { slicesOf } from './slices.js';
import type { ActedTest, TestVerdict, WorkflowVerdict } from './verdict.js';

/**
 * Does what the workflows of a suite do about verdicts: changes the tests, queues webhooks and messages, and stores the
 * events.
 */
export async function actOnVerdicts(
  context: Context,
  subject: SuiteSubject,
  verdicts: readonly WorkflowVerdict[],
): Promise<void> {
  if (verdicts.length === 0) return;
  const tests = await lockTests(context, [...new Set(verdicts.map(({ testId }) => testId))]);
  const about = verdicts.flatMap((verdict): TestVerdict[] => {
    const { workflow, event, testId } = verdict;
    const test = tests.get(testId);
    const actions = event === 'alarm' ? workflow.alarmActions : workflow.recoverActions;
    return test ? [{ verdict, test, actions, problems: [] }] : [];
  });
  await changeTests(context, subject, about);
  await sendVerdicts(context, subject, about);
  await storeEvents(context, about);
}

async function lockTests({ db }: Context, ids: readonly string[]): Promise<Map<string, ActedTest>> {
  const rows = await db
    .selectFrom('suite_tests')
    .select(['id', 'scope', 'name', 'location', 'labels', 'state'])
    .where(sql<boolean>`id in (select unnest(${[...ids]}::uuid[]))`)
    .orderBy('id')
    .forUpdate()
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/** Gives tests the labels and states that the verdicts about them give, one after another. */
async function changeTests(context: Context, { suite }: SuiteSubject, about: readonly TestVerdict[]): Promise<void> {
  const after = new Map<string, Pick<ActedTest, 'labels' | 'state'>>();
  for (const { test, actions, verdict, problems } of about) {
    const before = after.get(test.id) ?? test;
    const labels = labelsAfter(before.labels, actions);
    const state = stateAfter(actions) ?? before.state;
    const workflow = verdict.workflow.id;
    if (actions.some(({ type, label }) => type === 'add_label' && label !== null && !labels.includes(label)))
      problems.push(`A label was not added: a test has at most ${limits.testLabels}, or it was removed again.`);
    if (labels.join('\n') !== before.labels.join('\n'))
      recordSuite(context, suite, { type: 'suite.test.label', data: { test: test.id, labels, workflow } });
    if (state !== before.state)
      recordSuite(context, suite, {
        type: 'suite.test.state',
        data: { test: test.id, from: before.state, to: state, until: null, workflow },
      });
    after.set(test.id, { labels, state });
  }
  const changes = about.flatMap(({ test }) => {
    const next = after.get(test.id);
    after.delete(test.id);
    const isSame = !next || (next.state === test.state && next.labels.join('\n') === test.labels.join('\n'));
    return isSame ? [] : [{ id: test.id, ...next }];
  });
  for (const rows of slicesOf(changes))
    await sql`update suite_tests t set labels = array(select jsonb_array_elements_text(v.labels)),
      state = v.state, state_until = case when t.state = v.state then t.state_until end
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as v(id uuid, labels jsonb, state text)
      where t.id = v.id`.execute(context.db);
}

/** Stores the events, and forgets those of their workflows that are too many. */
async function storeEvents(context: Context, about: readonly TestVerdict[]): Promise<void> {
  const { db, now } = context;
  const rows = about.map(({ verdict, problems }): NewRow<'test_workflow_events'> => ({
    id: verdict.id,
    organizationId: verdict.workflow.organizationId,
    suiteId: verdict.workflow.suiteId,
    workflowId: verdict.workflow.id,
    testId: verdict.testId,
    event: verdict.event,
    facts: verdict.facts,
    problems,
    createdAt: now,
  }));
  for (const slice of slicesOf(rows)) await db.insertInto('test_workflow_events').values(slice).execute();
  for (const workflowId of new Set(rows.map((row) => row.workflowId)))
    await sql`delete from test_workflow_events where workflow_id = ${workflowId} and id < (
      select id from test_workflow_events where workflow_id = ${workflowId}
      order by id desc offset ${limits.testWorkflowEventsKept - 1} limit 1)`.execute(db);
}
