import { limits } from '../../../../domain/limits/limits.js';
import { newTestFacts } from '../../../../domain/suites/workflows/event-facts.js';
import { isMeasuring } from '../../../../domain/suites/workflows/monitor.js';
import type { SuiteRunRow, TestWorkflowRow } from '../../../../entities/database.js';
import type { Context } from '../../../../request/context.js';
import type { StoredExecutions } from '../../uploads/store-executions.js';
import { countedExecutions } from './counted-executions.js';
import { measuredVerdicts } from './measured.js';
import { retriedVerdicts } from './retried.js';
import { type NewState, storeStates } from './states.js';
import { type ExecutionsByTest, type Judgment, latestOf, type Verdict, type WorkflowVerdict } from './verdict.js';

/** An upload whose executions are stored, with its tests that have passed and failed on the commit. */
type JudgedUpload = StoredExecutions & { flaky: readonly string[] };

/**
 * Has the workflows of a suite look at an upload: each remembers what it saw, and says which tests got into alarm or
 * recovered, as many as it may say in a minute. A verdict beyond that is dropped, and the test is where it was.
 */
export async function judgeTests(context: Context, run: SuiteRunRow, upload: JudgedUpload): Promise<WorkflowVerdict[]> {
  if (upload.executions.length === 0) return [];
  const workflows = await context.db
    .selectFrom('test_workflows')
    .selectAll()
    .where('suiteId', '=', run.suiteId)
    .where('enabled', '=', true)
    .where('removedAt', 'is', null)
    .orderBy('id')
    .limit(limits.testWorkflows)
    // None is purged before the upload is stored.
    .forKeyShare()
    .execute();
  const verdicts: WorkflowVerdict[] = [];
  for (const workflow of workflows) {
    const executions = countedExecutions(workflow, run, upload.executions);
    if (executions.size > 0) verdicts.push(...(await judge(context, { workflow, run, upload, executions })));
  }
  return verdicts;
}

interface Case {
  workflow: TestWorkflowRow;
  run: SuiteRunRow;
  upload: JudgedUpload;
  executions: ExecutionsByTest;
}

async function judge(context: Context, { workflow, run, upload, executions }: Case): Promise<WorkflowVerdict[]> {
  const { verdicts, states } = await judgmentOf(context, { workflow, run, upload, executions });
  const granted = verdicts.slice(0, await takeEvents(context, workflow, verdicts.length));
  const events = granted.map((verdict) => ({ ...verdict, id: context.newId(), workflow }));
  const eventOf = new Map(events.map((event) => [event.testId, event]));
  const dropped = new Set(verdicts.slice(granted.length).map(({ testId }) => testId));
  const stored = states
    // What is remembered of a measured test holds; that of others is of the alarm itself.
    .filter(({ testId }) => isMeasuring(workflow.monitor.type) || !dropped.has(testId))
    .map((state): NewState => {
      const event = eventOf.get(state.testId);
      return event ? { ...state, alarm: event.event === 'alarm' ? event.id : null } : state;
    });
  await storeStates(context, workflow, stored);
  return events;
}

async function judgmentOf(context: Context, { workflow, run, upload, executions }: Case): Promise<Judgment> {
  const { type } = workflow.monitor;
  if (type === 'new_test') {
    const verdicts = [...executions].flatMap(([testId, own]): Verdict[] =>
      upload.newTests.has(testId) ? [{ testId, event: 'alarm', facts: newTestFacts(latestOf(context, run, own)) }] : [],
    );
    return { verdicts, states: [] };
  }
  if (type === 'passed_on_retry') return retriedVerdicts(context, { workflow, run, executions, flaky: upload.flaky });
  return measuredVerdicts(context, { workflow, run, executions });
}

const minuteMs = 60_000;

/** Takes events of a workflow, as many as it may have in this minute at most. Returns their number. */
async function takeEvents({ db, now }: Context, { id }: TestWorkflowRow, most: number): Promise<number> {
  if (most === 0) return 0;
  const minute = new Date(Math.floor(now.getTime() / minuteMs) * minuteMs);
  const row = await db
    .selectFrom('test_workflows')
    .select(['minuteAt', 'minuteEvents'])
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();
  const had = row?.minuteAt?.getTime() === minute.getTime() ? row.minuteEvents : 0;
  const count = Math.min(most, Math.max(0, limits.testWorkflowEventsPerMinute - had));
  if (count > 0)
    await db
      .updateTable('test_workflows')
      .set({ minuteAt: minute, minuteEvents: had + count })
      .where('id', '=', id)
      .execute();
  return count;
}
