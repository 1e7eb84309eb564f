import { sql } from 'kysely';
import { z } from 'zod';
import type { EventRow, JobRow } from '../../entities/database.js';
import { visiblePipelineIds } from '../find.js';
import { defineOperation } from '../operation.js';
import { type Page, paginateByParent, stretchPaging } from '../paging.js';
import type { Subject } from '../subject.js';
import { bySequence } from './order.js';

/** What happened to each of several jobs, a page each, in one statement, in order. Jobs the caller may not see have no entry. */
export const listEventsOfJobs = defineOperation({
  name: 'event.list-of-jobs',
  summary: 'Lists events of several jobs at once.',
  kind: 'query',
  batchOf: 'event.list',
  scope: 'read_builds',
  access: 'visible',
  input: z.object({ jobIds: z.array(z.uuid()).max(10_000), paging: stretchPaging }),
  subject: async (): Promise<Subject> => ({ everywhere: true }),
  run: async (context, { jobIds, paging }): Promise<Map<string, Page<EventRow>>> => {
    const jobs = (await context.load.job.loadMany(jobIds)).filter((job): job is JobRow => job !== null && !(job instanceof Error));
    const seen = new Set(await visiblePipelineIds(context, [...new Set(jobs.map((job) => job.pipelineId))]));
    const visible = jobs.filter((job) => seen.has(job.pipelineId)).map((job) => job.id);
    const events = context.db.selectFrom('events as e').selectAll('e').where(sql<boolean>`e.job_id = parent.id and e.subject = 'job'`);
    return paginateByParent(context.db, visible, events, bySequence, paging);
  },
});
