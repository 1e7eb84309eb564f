import type { Db } from '../../../src/entities/database.js';
import { recountPipelines } from '../../../src/loaders/pipeline-counts.js';

/** I21: what is kept of a pipeline's unfinished builds and jobs is what counting its rows gives. */
export async function wrongCounts(db: Db): Promise<string[]> {
  const wrong = await recountPipelines(db, { correct: false });
  return wrong.map(
    ({ pipelineId, ...missing }) => `I21 the counts of pipeline ${pipelineId} lack ${JSON.stringify(missing)}`,
  );
}
