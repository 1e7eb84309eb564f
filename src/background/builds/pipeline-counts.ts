import { foldedAtOnce, foldPipelineCounts, recountPipelines } from '../../loaders/pipeline-counts.js';
import type { Services } from '../../services/services.js';

/** Replaces the changes of pipelines' counts with their sums; true if there were more than one statement takes. */
export async function foldCounts({ db }: Pick<Services, 'db'>): Promise<boolean> {
  return (await foldPipelineCounts(db)) >= foldedAtOnce;
}

/**
 * Counts what pipelines have, and corrects and reports counts that differ, which only a change past the triggers can
 * cause.
 */
export async function recount({ db, log }: Pick<Services, 'db' | 'log'>): Promise<boolean> {
  const wrong = await recountPipelines(db, { correct: true });
  for (const { pipelineId, ...missing } of wrong)
    log.error({ pipelineId, missing }, 'the counts of a pipeline were not those of its builds and jobs; they are now');
  return false;
}
