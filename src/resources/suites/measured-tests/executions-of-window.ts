import { sql } from 'kysely';
import { idMayDifferMs, lowestIdAt } from '../../../database/ids.js';
import { limits } from '../../../domain/limits/limits.js';
import { Problem } from '../../../domain/problem.js';
import type { Context } from '../../../request/context.js';

/**
 * The executions of a suite in the runs that began in a time. Throws `invalid` where they are more than one request
 * reads.
 */
export async function executionsOfWindow(
  { db }: Context,
  suiteId: string,
  { from, to }: { from: Date; to: Date | null },
) {
  let runs = db
    .selectFrom('suite_runs as r')
    .where('r.suiteId', '=', suiteId)
    .where('r.id', '>=', lowestIdAt(from.getTime() - idMayDifferMs))
    .where('r.createdAt', '>=', from);
  if (to) runs = runs.where('r.id', '<', lowestIdAt(to.getTime() + idMayDifferMs)).where('r.createdAt', '<', to);
  const { count } = await runs
    .select(sql<number>`coalesce(sum(r.kept_count), 0)::float8`.as('count'))
    .executeTakeFirstOrThrow();
  const most = limits.measuredExecutions;
  if (count > most)
    throw new Problem('invalid', `The suite has more than ${most} executions in this time: choose a shorter one`);
  return runs.innerJoin('suite_executions as e', 'e.runId', 'r.id');
}
