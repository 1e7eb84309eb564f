import { sql } from 'kysely';
import { z } from 'zod';
import type { EventRow, JobRow } from '../../../entities/database.js';
import { visiblePipelineIds } from '../../../core/find.js';
import { defineOperation } from '../../../core/operation.js';
import { type Page, paginateByParent, stretchPaging } from '../../../core/paging.js';
import type { EverywhereSubject } from '../../../core/subject.js';
import { bySequence } from '../../../resources/builds/events/order.js';

/**
 * Lists the events of several jobs in order, a page each, in one statement. Jobs the caller may not see have no entry.
 */
export const listEventsOfJobs = defineOperation({
  name: 'event.list-of-jobs',
  summary: 'Lists events of several jobs at once.',
  kind: 'query',
  batchOf: 'event.list',
  scope: 'read_builds',
  access: 'visible',
  input: z.object({ jobIds: z.array(z.uuid()).max(10_000), paging: stretchPaging }),
  subject: async (): Promise<EverywhereSubject> => ({ everywhere: true }),
  run: async (context, { jobIds, paging }): Promise<Map<string, Page<EventRow>>> => {
    const jobs = (await context.uncheckedRows.job.loadMany(jobIds)).filter(
      (job): job is JobRow => job !== null && !(job instanceof Error),
    );
    const visibleIds = new Set(await visiblePipelineIds(context, [...new Set(jobs.map((job) => job.pipelineId))]));
    const visible = jobs.filter((job) => visibleIds.has(job.pipelineId)).map((job) => job.id);
    const events = context.db
      .selectFrom('events as e')
      .selectAll('e')
      .where(sql<boolean>`e.job_id = parent.id and e.subject = 'job'`);
    return paginateByParent(context.db, visible, events, bySequence, paging);
  },
});
