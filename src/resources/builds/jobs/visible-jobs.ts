import type { Context } from '../../../request/context.js';
import type { JobRow } from '../../../entities/database.js';
import { visiblePipelineIds } from '../../../core/find.js';

/** Returns, of these ids, the command jobs whose pipelines the caller may see. */
export async function visibleCommandJobs(context: Context, ids: readonly string[]): Promise<JobRow[]> {
  const rows = await context.uncheckedRows.job.loadMany(ids);
  const jobs = rows.filter((row): row is JobRow => {
    if (row instanceof Error) throw row;
    return row?.type === 'command';
  });
  const visible = new Set(await visiblePipelineIds(context, [...new Set(jobs.map((job) => job.pipelineId))]));
  return jobs.filter((job) => visible.has(job.pipelineId));
}
