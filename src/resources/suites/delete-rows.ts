import { sql } from 'kysely';
import type { Context } from '../../request/context.js';
import type { SuiteRow } from '../../entities/database.js';
import { queueDeletions } from '../installation/deletions/queue-deletions.js';

/**
 * Deletes suites of an organization, whose rows are locked. Nobody finds their runs and tests from the commit on, since
 * every way to them goes through the suite's row; they are purged in the background.
 */
export async function deleteSuiteRows(
  context: Context,
  organizationId: string,
  suites: readonly Pick<SuiteRow, 'id' | 'slug'>[],
): Promise<void> {
  const { db } = context;
  if (suites.length === 0) return;
  const ids = sql`any(${suites.map(({ id }) => id)}::uuid[])`;
  // Runs that were still to finish shall notify nobody.
  await db
    .updateTable('suite_runs')
    .set({ deadlineAt: null })
    .where(sql<boolean>`suite_id = ${ids}`)
    .where('deadlineAt', 'is not', null)
    .execute();
  await db
    .deleteFrom('team_suites')
    .where(sql<boolean>`suite_id = ${ids}`)
    .execute();
  await queueDeletions(
    context,
    suites.map(({ id, slug }) => ({ organizationId, resource: 'suite', resourceId: id, name: slug })),
  );
  await db
    .deleteFrom('suites')
    .where(sql<boolean>`id = ${ids}`)
    .execute();
}
