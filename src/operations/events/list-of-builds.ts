import { sql } from 'kysely';
import { z } from 'zod';
import type { BuildRow, EventRow } from '../../entities/database.js';
import { visiblePipelineIds } from '../find.js';
import { defineOperation } from '../operation.js';
import { type Page, paginateByParent, stretchPaging } from '../paging.js';
import type { Subject } from '../subject.js';
import { text } from '../text.js';
import { bySequence, eventsOfJob } from './order.js';

/** What happened to each of several builds, a page each, in one statement, in order. Builds the caller may not see have no entry. */
export const listEventsOfBuilds = defineOperation({
  name: 'event.list-of-builds',
  summary: 'Lists events of several builds at once.',
  kind: 'query',
  batchOf: 'event.list',
  scope: 'read_builds',
  access: 'visible',
  input: z.object({ buildIds: z.array(z.uuid()).max(10_000), job: text(300).nullish(), paging: stretchPaging }),
  subject: async (): Promise<Subject> => ({ everywhere: true }),
  run: async (context, { buildIds, job, paging }): Promise<Map<string, Page<EventRow>>> => {
    const builds = (await context.load.build.loadMany(buildIds)).filter((build): build is BuildRow => build !== null && !(build instanceof Error));
    const seen = new Set(await visiblePipelineIds(context, [...new Set(builds.map((build) => build.pipelineId))]));
    const visible = builds.filter((build) => seen.has(build.pipelineId)).map((build) => build.id);
    const events = context.db.selectFrom('events as e').selectAll('e').where(sql<boolean>`e.build_id = parent.id and e.subject in ('build', 'job')`).where(eventsOfJob(job));
    return paginateByParent(context.db, visible, events, bySequence, paging);
  },
});
