import type { Context } from '../../context.js';
import { wrongState } from '../../domain/problem.js';
import type { NewRow, PipelineRow } from '../../entities/database.js';
import { recordPipeline } from './record.js';

/**
 * The columns that put a pipeline into the archive, or take it out, for the one rule behind every way to ask for it:
 * what is so already is refused (api-v2, Pipeline lifecycle).
 */
export function archiveColumns(context: Context, pipeline: PipelineRow, archived: boolean): Pick<NewRow<'pipelines'>, 'archivedAt' | 'archivedById'> {
  if (archived === (pipeline.archivedAt !== null)) throw wrongState(`Pipeline could not be ${archived ? 'archived' : 'unarchived'}.`);
  return archived ? { archivedAt: context.now, archivedById: context.userId } : { archivedAt: null, archivedById: null };
}

/** Remembers that a pipeline went into the archive, or came out of it. */
export function recordArchiving(context: Context, pipeline: PipelineRow, archived: boolean): void {
  recordPipeline(context, pipeline, archived ? { type: 'pipeline.archive', from: 'active', to: 'archived' } : { type: 'pipeline.unarchive', from: 'archived', to: 'active' });
}
