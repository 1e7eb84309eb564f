import { sql } from 'kysely';
import { z } from 'zod';
import type { BuildRow, EventRow } from '../../../entities/database.js';
import { visiblePipelineIds } from '../../../core/find.js';
import { defineOperation } from '../../../core/operation.js';
import { type Page, paginateByParent, stretchPaging } from '../../../core/paging.js';
import type { EverywhereSubject } from '../../../core/subject.js';
import { text } from '../../../domain/input-text.js';
import { bySequence } from '../../../resources/builds/events/order.js';
import { rowsOfJob } from '../../../resources/builds/jobs/rows-of-job.js';

/**
 * Lists the events of several builds in order, a page each, in one statement. Builds the caller may not see have no
 * entry.
 */
export const listEventsOfBuilds = defineOperation({
  name: 'event.list-of-builds',
  summary: 'Lists events of several builds at once.',
  kind: 'query',
  batchOf: 'event.list',
  scope: 'read_builds',
  access: 'visible',
  input: z.object({ buildIds: z.array(z.uuid()).max(10_000), job: text(300).nullish(), paging: stretchPaging }),
  subject: async (): Promise<EverywhereSubject> => ({ everywhere: true }),
  run: async (context, { buildIds, job, paging }): Promise<Map<string, Page<EventRow>>> => {
    const builds = (await context.uncheckedRows.build.loadMany(buildIds)).filter(
      (build): build is BuildRow => build !== null && !(build instanceof Error),
    );
    const visibleIds = new Set(
      await visiblePipelineIds(context, [...new Set(builds.map((build) => build.pipelineId))]),
    );
    const visible = builds.filter((build) => visibleIds.has(build.pipelineId)).map((build) => build.id);
    const events = context.db
      .selectFrom('events as e')
      .selectAll('e')
      .where(sql<boolean>`e.build_id = parent.id and e.subject in ('build', 'job')`)
      .where(rowsOfJob('e', job));
    return paginateByParent(context.db, visible, events, bySequence, paging);
  },
});
