import type { Services } from '../../services/services.js';
import { afterSilence, runDeadline } from '../../domain/suites/suite-run-state.js';
import { recordRun } from '../../resources/suites/suite-runs/record.js';
import { asSystem } from '../../core/system-transaction.js';
import { eachAlone } from '../each-alone.js';

const atOnce = 50;
/** A run that could not be finished is retried after this, so that it holds up no others. */
const postponedMs = 60_000;

/**
 * Finishes suite runs without recent uploads, and makes runs without any result stale, each in its own transaction.
 * Returns the number of runs it changed.
 */
export async function finishSuiteRuns(services: Services): Promise<number> {
  const now = services.clock.now();
  const due = await services.db
    .selectFrom('suite_runs')
    .select('id')
    .where('deadlineAt', '<=', now)
    .orderBy('deadlineAt')
    .limit(atOnce)
    .execute();
  return eachAlone(services, 'test-runs', due, settleOne, async ({ id }) => {
    await services.db
      .updateTable('suite_runs')
      .set({ deadlineAt: new Date(now.getTime() + postponedMs) })
      .where('id', '=', id)
      .where('deadlineAt', '<=', now)
      .execute();
  });
}

/** False if an upload has locked the run, or has postponed its end meanwhile. */
async function settleOne(services: Services, { id }: { id: string }): Promise<boolean> {
  return asSystem(services, 'test-runs', async (context) => {
    const run = await context.db
      .selectFrom('suite_runs')
      .selectAll()
      .where('id', '=', id)
      .forUpdate()
      .skipLocked()
      .executeTakeFirst();
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
