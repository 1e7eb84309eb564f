import { z } from 'zod';
import { buildAddress } from '../../../core/address.js';
import { findBuild } from '../../../core/find.js';
import { defineOperation } from '../../../core/operation.js';
import { type Page, paginate, paging } from '../../../core/paging.js';
import { withVersion } from '../../../database/row-version.js';
import type { JobFailure } from '../../../domain/builds/failures/job-failure.js';
import type { JobRow } from '../../../entities/database.js';
import { jobHasFailed } from '../../../resources/builds/failures/job-has-failed.js';
import { loadFailures } from '../../../resources/builds/failures/load-failures.js';
import { jobOrderings } from './list.js';

/** A failed job with its failure; lists of failures are in the order of jobs. */
export type FailedJob = JobRow & { failure: JobFailure };

/**
 * GET failures: tells why a build failed, by its failed command jobs in pipeline order, softly failed ones included.
 * Attempts that were retried are left out.
 */
export const listJobFailures = defineOperation({
  name: 'job-failure.list',
  summary: 'Tells why a build failed: its failed jobs, each with the parts of its log that matter.',
  kind: 'query',
  scope: 'read_build_logs',
  access: 'visible',
  input: z.object({ build: buildAddress, paging }),
  subject: (context, { build }) => findBuild(context, build),
  run: async (context, input, { build }): Promise<Page<FailedJob>> => {
    const query = withVersion(context.db.selectFrom('jobs as j').selectAll('j'), 'j')
      .where('j.buildId', '=', build.id)
      .where('j.retried', '=', false)
      .where(jobHasFailed('j'));
    const page = await paginate(context.db, query, jobOrderings.pipeline, input.paging);
    const failures = await loadFailures(context, page.rows);
    const rows = page.rows.flatMap((job) => {
      const failure = failures.get(job.id);
      return failure ? [{ ...job, failure }] : [];
    });
    return { ...page, rows };
  },
});
