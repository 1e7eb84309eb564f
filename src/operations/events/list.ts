import { z } from 'zod';
import type { EventRow } from '../../entities/database.js';
import { buildAddress } from '../address.js';
import { findBuild } from '../find.js';
import { defineOperation } from '../operation.js';
import { defaultPaging, type Page, paginate, paging } from '../paging.js';
import type { BuildSubject } from '../subject.js';
import { text } from '../text.js';
import { bySequence, eventsOfJob } from './order.js';

/** What happened to a build and its jobs, in order (I4): who, what, from which state to which, and why. `job`: only to that one. */
export const listEvents = defineOperation({
  name: 'event.list',
  summary: 'Lists what happened to a build and its jobs, in order.',
  kind: 'query',
  scope: 'read_builds',
  access: 'visible',
  refusal: 'sentence',
  input: z.object({ build: buildAddress, job: text(300).nullish(), paging: paging.default(defaultPaging) }),
  subject: (context, { build }) => findBuild(context, build),
  run: async (context, { job, paging: asked }, { build }: BuildSubject): Promise<Page<EventRow>> => {
    const query = context.db.selectFrom('events as e').selectAll('e').where('e.buildId', '=', build.id).where('e.subject', 'in', ['build', 'job']);
    return paginate(context.db, query.where(eventsOfJob(job)), bySequence, asked);
  },
});
