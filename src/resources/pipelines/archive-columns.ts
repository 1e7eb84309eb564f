import type { Context } from '../../request/context.js';
import { wrongState } from '../../domain/problem.js';
import type { NewRow, PipelineRow } from '../../entities/database.js';
import { recordPipeline } from './record.js';

/**
 * Columns that archive or unarchive a pipeline, for every operation that does so; throws where the pipeline is in that
 * state already.
 */
export function archiveColumns(
  context: Context,
  pipeline: PipelineRow,
  archived: boolean,
): Pick<NewRow<'pipelines'>, 'archivedAt' | 'archivedById'> {
  if (archived === (pipeline.archivedAt !== null))
    throw wrongState(`Pipeline could not be ${archived ? 'archived' : 'unarchived'}.`);
  return archived
    ? { archivedAt: context.now, archivedById: context.userId }
    : { archivedAt: null, archivedById: null };
}

/** Records that a pipeline was archived or unarchived. */
export function recordArchiving(context: Context, pipeline: PipelineRow, archived: boolean): void {
  recordPipeline(
    context,
    pipeline,
    archived
      ? { type: 'pipeline.archive', from: 'active', to: 'archived' }
      : { type: 'pipeline.unarchive', from: 'archived', to: 'active' },
  );
}
