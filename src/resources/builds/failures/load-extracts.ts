import { sql } from 'kysely';
import { pipelineOfRowIsVisible } from '../../../core/find.js';
import type { JobFailure } from '../../../domain/builds/failures/job-failure.js';
import type { ExtractKind } from '../../../domain/builds/failures/extract.js';
import { limits } from '../../../domain/limits/limits.js';
import type { JobRow } from '../../../entities/database.js';
import type { Context } from '../../../request/context.js';

type FactsOfExtract = Pick<JobFailure, 'lines' | 'cluster' | 'sameFailures'>;

export const noExtract: FactsOfExtract = { lines: [], cluster: null, sameFailures: 0 };

interface ExtractRow {
  jobId: string;
  content: string;
  places: [line: number, kind: ExtractKind][];
  cluster: string | null;
  sameFailures: number;
}

/** Of a job `j`: that nobody has deleted its log. One that has expired counts as deleted, and leaves its extract. */
export const showsExtract = sql<boolean>`(j.log_deleted_at is null or j.log_expired_at is not null)`;

/** What is kept of failed jobs that the caller may see, and how many others failed alike. */
export async function loadExtracts(context: Context, jobs: readonly JobRow[]): Promise<Map<string, FactsOfExtract>> {
  const ids = jobs.map(({ id }) => id);
  if (ids.length === 0) return new Map();
  const { rows } = await sql<ExtractRow>`
    select x.job_id, x.content, x.places, x.cluster, coalesce(others.count, 0) as same_failures
    from log_extracts x join jobs j on j.id = x.job_id and ${showsExtract} left join lateral (
      select count(*)::int as count from (
        select from log_extracts o
        where o.organization_id = x.organization_id and o.cluster = x.cluster and o.job_id <> x.job_id
          and ${pipelineOfRowIsVisible(context, 'o.pipelineId', null)}
        limit ${limits.sameFailures}
      ) as alike
    ) as others on x.cluster is not null
    where x.job_id = any(${sql.val(ids)}::uuid[])`.execute(context.db);
  return new Map(
    rows.map(({ jobId, content, places, cluster, sameFailures }) => {
      const texts = content.split('\n');
      const lines = places.map(([line, kind], index) => ({ line: line + 1, text: texts[index] ?? '', kind }));
      return [jobId, { lines, cluster, sameFailures }];
    }),
  );
}
