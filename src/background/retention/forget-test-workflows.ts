import { sql } from 'kysely';
import { limits } from '../../domain/limits/limits.js';
import type { Services } from '../../services/services.js';
import { deleteSome } from '../deletions/delete-some.js';
import { oldBefore } from './pass/old-rows.js';

const atOnce = 1_000;
const workflowsAtOnce = 10;

/** Deletes events of workflows of tests that are too old. Returns the number deleted, at most a thousand. */
export function forgetTestWorkflows({ db, clock }: Pick<Services, 'db' | 'clock'>): Promise<number> {
  const before = oldBefore(clock.now(), limits.testWorkflowEventDays);
  return deleteSome(db, [{ table: 'test_workflow_events', where: sql`created_at < ${before}::timestamptz` }], atOnce);
}

/**
 * Deletes what is left of deleted workflows, at most a thousand rows; a workflow goes last. Returns the number of rows.
 */
export async function purgeTestWorkflows({ db }: Pick<Services, 'db'>): Promise<number> {
  const deleted = await db
    .selectFrom('test_workflows')
    .select('id')
    .where('removedAt', 'is not', null)
    .orderBy('removedAt')
    .limit(workflowsAtOnce)
    .execute();
  if (deleted.length === 0) return 0;
  const ids = sql`any(${deleted.map(({ id }) => id)}::uuid[])`;
  return deleteSome(
    db,
    [
      { table: 'test_workflow_states', where: sql`workflow_id = ${ids}` },
      { table: 'test_workflow_events', where: sql`workflow_id = ${ids}` },
      { table: 'test_workflows', where: sql`id = ${ids} and removed_at is not null` },
    ],
    atOnce,
  );
}
