import { z } from 'zod';
import type { EventRow } from '../../../entities/database.js';
import { buildAddress } from '../../../core/address.js';
import { findBuild } from '../../../core/find.js';
import { defineOperation } from '../../../core/operation.js';
import { defaultPaging, type Page, paginate, paging } from '../../../core/paging.js';
import type { BuildSubject } from '../../../core/subject.js';
import { text } from '../../../domain/input-text.js';
import { bySequence } from '../../../resources/builds/events/order.js';
import { rowsOfJob } from '../../../resources/builds/jobs/rows-of-job.js';

/**
 * Lists the events of a build and its jobs in order: actor, change of state and reason. `job`: only the events of that
 * job.
 */
export const listEvents = defineOperation({
  name: 'event.list',
  summary: 'Lists the events of a build and its jobs, in order.',
  kind: 'query',
  scope: 'read_builds',
  access: 'visible',
  refusal: 'sentence',
  input: z.object({ build: buildAddress, job: text(300).nullish(), paging: paging.default(defaultPaging) }),
  subject: (context, { build }) => findBuild(context, build),
  run: async (context, { job, paging: page }, { build }: BuildSubject): Promise<Page<EventRow>> => {
    const query = context.db
      .selectFrom('events as e')
      .selectAll('e')
      .where('e.buildId', '=', build.id)
      .where('e.subject', 'in', ['build', 'job']);
    return paginate(context.db, query.where(rowsOfJob('e', job)), bySequence, page);
  },
});
