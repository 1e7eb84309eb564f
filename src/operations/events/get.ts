import { z } from 'zod';
import type { EventRow } from '../../entities/database.js';
import { isId } from '../address.js';
import { findJob } from '../find.js';
import { defineOperation } from '../operation.js';
import type { JobSubject } from '../subject.js';

/** One event of a job. */
export const getEvent = defineOperation({
  name: 'event.get',
  summary: 'Returns one event of a job.',
  kind: 'query',
  scope: 'read_builds',
  access: 'visible',
  input: z.object({ id: z.string().max(300) }),
  subject: async (context, { id }): Promise<(JobSubject & { event: EventRow }) | null> => {
    const event = isId(id) ? await context.db.selectFrom('events').selectAll().where('id', '=', id).where('subject', '=', 'job').executeTakeFirst() : undefined;
    const found = event?.jobId ? await findJob(context, { id: event.jobId }) : null;
    return event && found ? { ...found, event } : null;
  },
  run: async (_context, _input, { event }): Promise<EventRow> => event,
});
