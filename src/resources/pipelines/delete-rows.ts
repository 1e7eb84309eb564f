import { sql } from 'kysely';
import type { Context } from '../../request/context.js';
import { cancelUnfinished } from '../../engine/builds/cancel-unfinished.js';
import type { PipelineRow } from '../../entities/database.js';
import { queueDeletions } from '../installation/deletions/queue-deletions.js';

/** Unfinished jobs, and builds, that end with the deletion itself; of more, the first ones that the purge ends. */
const endedAtOnce = 500;

/** Tables with what pipelines are set up with: some rows for each pipeline, however many builds it has. */
const settings = [
  'pipeline_schedules',
  'pipeline_triggers',
  'pipeline_webhooks',
  'team_pipelines',
  'pipeline_favorites',
  'branch_checks',
] as const;

/**
 * Deletes pipelines of an organization, whose rows are locked, with what they are set up with, and ends what runs.
 * Nobody finds their builds from the commit on, since every way to a build goes through its pipeline's row; the builds
 * are purged in the background.
 */
export async function deletePipelineRows(
  context: Context,
  organizationId: string,
  pipelines: readonly Pick<PipelineRow, 'id' | 'slug'>[],
): Promise<void> {
  const { db } = context;
  const pipelineIds = pipelines.map(({ id }) => id);
  if (pipelineIds.length === 0) return;
  const ids = sql`any(${pipelineIds}::uuid[])`;
  await cancelUnfinished(context, { organizationId, pipelineIds }, endedAtOnce);
  for (const table of settings)
    await db
      .deleteFrom(table)
      .where(sql<boolean>`pipeline_id = ${ids}`)
      .execute();
  await db
    .deleteFrom('rules')
    .where(sql<boolean>`source_pipeline_id = ${ids} or target_pipeline_id = ${ids}`)
    .execute();
  await queueDeletions(
    context,
    pipelines.map(({ id, slug }) => ({ organizationId, resource: 'pipeline', resourceId: id, name: slug })),
  );
  await db
    .deleteFrom('pipelines')
    .where(sql<boolean>`id = ${ids}`)
    .execute();
}
