import type { Services } from '../../context.js';
import { afterSilence, runDeadline } from '../../domain/run-state.js';
import { recordRun } from '../runs/record.js';
import { asSystem } from '../system-transaction.js';
import { eachAlone } from './each-alone.js';

const atOnce = 50;
/** A run that could not be settled is looked at again after this, so that it holds up no others. */
const postponedMs = 60_000;

/**
 * Finishes runs to which no upload came for a while, and makes stale those that never got a result (api-v2.md, Test
 * run states). Each in its own transaction; the number that were dealt with.
 */
export async function settleRuns(services: Services): Promise<number> {
  const now = services.clock.now();
  const due = await services.db.selectFrom('suite_runs').select('id').where('deadlineAt', '<=', now).orderBy('deadlineAt').limit(atOnce).execute();
  return eachAlone(services, due, settleOne, async ({ id }) => {
    await services.db.updateTable('suite_runs').set({ deadlineAt: new Date(now.getTime() + postponedMs) }).where('id', '=', id).where('deadlineAt', '<=', now).execute();
  });
}

/** False where an upload holds the run, or has put its end off meanwhile. */
async function settleOne(services: Services, { id }: { id: string }): Promise<boolean> {
  return asSystem(services, 'test-runs', async (context) => {
    const run = await context.db.selectFrom('suite_runs').selectAll().where('id', '=', id).forUpdate().skipLocked().executeTakeFirst();
    if (!run || run.deadlineAt === null || run.deadlineAt > context.now) return false;
    const standing = afterSilence(run, run.lastUploadAt, context.now);
    const finishedAt = run.state === standing.state ? run.finishedAt : context.now;
    const row = await context.db
      .updateTable('suite_runs')
      .set({ ...standing, finishedAt, deadlineAt: runDeadline(standing, run.lastUploadAt) })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
    recordRun(context, row, run, 'nothing more was uploaded');
    return true;
  });
}
