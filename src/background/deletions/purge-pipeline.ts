import pLimit from 'p-limit';
import { sql } from 'kysely';
import type { Services } from '../../services/services.js';
import { buildFolder } from '../../core/build-folder.js';
import { asSystem } from '../../core/system-transaction.js';
import { inTransaction } from '../../database/transaction.js';
import { isBuildFinished, type BuildState } from '../../domain/builds/build-state.js';
import { cancelUnfinished } from '../../engine/builds/cancel-unfinished.js';
import { endJob } from '../../engine/builds/end-job.js';
import { lockJob } from '../../engine/builds/lock-job.js';
import { finishTriggerJob } from '../../engine/triggers/finish-trigger-job.js';
import { deleteSome, deleteWith, type DoomedRows } from './delete-some.js';
import type { Purge } from './purge.js';
import { lockBuilds, ofBuilds } from './rows-of-builds.js';

/** Builds of a batch: few rows for each on average, and a folder of bytes. */
const buildsAtOnce = 100;
const rowsOfBuild = 10;
const foldersAtOnce = 8;
/** Trigger jobs of other pipelines that one round ends, each in a transaction. */
const triggersAtOnce = 20;

const ofPipeline = (pipelineId: string): DoomedRows[] => {
  const where = sql`pipeline_id = ${pipelineId}`;
  return [
    { table: 'webhook_delivery_builds', where },
    { table: 'webhook_deliveries', where },
    { table: 'pull_requests', where },
    { table: 'passed_logs', where },
    // A check of branches may have enrolled it again while it was deleted.
    { table: 'branch_checks', where },
    { table: 'insight_rollups', where },
    { table: 'storage_sizes', where: sql`owner_id = ${pipelineId}` },
  ];
};

/**
 * Purges builds of a deleted pipeline: what still runs ends, then rows below builds go, then their bytes, then the
 * builds themselves; at last what belongs to no build. Each step may be repeated, so a process may die at any moment.
 */
export const pipelinePurge: Purge = {
  count: async ({ db }, { resourceId }) => {
    const { rows } = await sql<{
      count: number;
    }>`select count(*)::int as count from builds where pipeline_id = ${resourceId}`.execute(db);
    return rows[0]?.count ?? 0;
  },

  prepare: async (services, { organizationId, resourceId }, most) => {
    const canceled = await asSystem(services, 'deletion', (context) =>
      cancelUnfinished(context, { organizationId, pipelineIds: [resourceId] }, most),
    );
    return canceled + (await endWaitingTriggers(services, resourceId));
  },

  batch: async (services, { organizationId, resourceId }, most) => {
    const { db, storage } = services;
    const builds = await db
      .selectFrom('builds')
      .select('id')
      .where('pipelineId', '=', resourceId)
      .orderBy('number')
      .limit(Math.min(buildsAtOnce, Math.ceil(most / rowsOfBuild)))
      .execute();
    const ids = builds.map(({ id }) => id);
    if (ids.length === 0) {
      const rows = await deleteSome(db, ofPipeline(resourceId), most);
      return { rows, items: 0, ended: rows < most };
    }
    const rows = await inTransaction(db, 'deletion', async (trx) => {
      await lockBuilds(trx, ids);
      return deleteSome(trx, ofBuilds(ids), most);
    });
    if (rows === most) return { rows, items: 0, ended: false };
    const inTurn = pLimit(foldersAtOnce);
    await Promise.all(ids.map((id) => inTurn(() => storage.deletePrefix(buildFolder(organizationId, id)))));
    const last = await inTransaction(db, 'deletion', async (trx) => {
      await lockBuilds(trx, ids);
      await trx.updateTable('suite_runs').set({ buildId: null }).where('buildId', 'in', ids).execute();
      // A command that had begun before the deletion may have waited for the lock and added something.
      return deleteWith(trx, ofBuilds(ids), { table: 'builds', where: sql`id = any(${ids}::uuid[])` });
    });
    return { rows: rows + last, items: ids.length, ended: false };
  },
};

/**
 * Ends trigger jobs of other pipelines that wait for builds of the deleted one: by the result of a build that had
 * ended, else as failed. Returns their number.
 */
async function endWaitingTriggers(services: Services, pipelineId: string): Promise<number> {
  const { rows } = await sql<{ jobId: string; childId: string; state: BuildState }>`
    select j.id as job_id, c.id as child_id, c.state from jobs j
    join builds c on c.id = j.triggered_build_id join pipelines p on p.id = j.pipeline_id
    where j.type = 'trigger' and j.state = 'running' and c.pipeline_id = ${pipelineId}
    order by j.build_id, j.id limit ${triggersAtOnce}`.execute(services.db);
  for (const { jobId, childId, state } of rows)
    await asSystem(services, 'deletion', async (context) => {
      if (isBuildFinished(state) && state !== 'canceled') await finishTriggerJob(context, childId);
      const locked = await lockJob(context, { id: jobId });
      if (locked?.job.state !== 'running' || locked.job.triggeredBuildId !== childId) return;
      await endJob(context, locked.build, locked.job, {
        event: 'fail',
        exitStatus: 1,
        reason: 'triggered build deleted',
      });
    });
  return rows.length;
}
