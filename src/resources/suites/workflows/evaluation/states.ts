import { sql } from 'kysely';
import type { RememberedTest } from '../../../../entities/suites/test-workflow-state.js';
import type { TestWorkflowRow } from '../../../../entities/database.js';
import type { Context } from '../../../../request/context.js';
import { slicesOf } from './slices.js';

/** What a workflow remembers of a test. */
export interface TestState {
  memory: RememberedTest;
  inAlarm: boolean;
}

const nothing: TestState = { memory: {}, inAlarm: false };

/** What a workflow remembers of these tests, in the order of their ids, with their rows locked: made where absent. */
export async function lockStates(
  { db }: Context,
  { id: workflowId, suiteId, generation }: TestWorkflowRow,
  testIds: readonly string[],
): Promise<Map<string, TestState>> {
  const states = new Map<string, TestState>();
  for (const ids of slicesOf(testIds)) {
    await sql`insert into test_workflow_states (workflow_id, test_id, suite_id, generation, memory)
      select ${workflowId}::uuid, id, ${suiteId}::uuid, ${generation}::int, '{}'::jsonb
      from unnest(${ids}::uuid[]) with ordinality as wanted(id, place) order by place
      on conflict do nothing`.execute(db);
    const { rows } = await sql<{ testId: string; generation: number; memory: RememberedTest; alarmId: string | null }>`
      select s.test_id, s.generation, s.memory, s.alarm_id from test_workflow_states s
      where s.workflow_id = ${workflowId} and s.test_id in (select unnest(${ids}::uuid[]))
      order by s.test_id for update`.execute(db);
    for (const row of rows)
      states.set(
        row.testId,
        row.generation === generation ? { memory: row.memory, inAlarm: row.alarmId !== null } : nothing,
      );
  }
  return states;
}

/** Those of these tests that are in alarm. */
export async function inAlarm(
  { db }: Context,
  { id, generation }: TestWorkflowRow,
  testIds: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ testId: string }>`select test_id from test_workflow_states
    where workflow_id = ${id} and generation = ${generation} and alarm_id is not null
      and test_id in (select unnest(${[...testIds]}::uuid[]))`.execute(db);
  return rows.map(({ testId }) => testId);
}

/** What is remembered of a test from now on; `alarm` is the event of a new alarm, null after a recovery. */
export interface NewState {
  testId: string;
  memory: RememberedTest;
  /** Absent where the test stays in alarm, or out of it. */
  alarm?: string | null;
}

/** Stores what a workflow remembers of tests, whose rows are locked. */
export async function storeStates(
  { db, now }: Context,
  { id: workflowId, generation }: TestWorkflowRow,
  states: readonly NewState[],
): Promise<void> {
  for (const slice of slicesOf(states)) {
    const rows = slice.map(({ testId, memory, alarm }) => ({
      test_id: testId,
      memory,
      changes: alarm !== undefined,
      alarm_id: alarm ?? null,
    }));
    // An alarm of an earlier generation is none: what is remembered of it ends here.
    await sql`update test_workflow_states s set generation = ${generation}, memory = v.memory,
      alarm_id = case when v.changes then v.alarm_id when s.generation = ${generation} then s.alarm_id end,
      alarm_at = case when v.changes then case when v.alarm_id is null then null else ${now}::timestamptz end
        when s.generation = ${generation} then s.alarm_at end
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        as v(test_id uuid, memory jsonb, changes boolean, alarm_id uuid)
      where s.workflow_id = ${workflowId} and s.test_id = v.test_id`.execute(db);
  }
}
