import { z } from 'zod';
import type { EventRow } from '../../../entities/database.js';
import { buildAddress, isId } from '../../../core/address.js';
import { findBuild } from '../../../core/find.js';
import { defineOperation } from '../../../core/operation.js';
import type { BuildSubject } from '../../../core/subject.js';

/** Returns one event of a build or of one of its jobs; `build` names the build that it must belong to. */
export const getEvent = defineOperation({
  name: 'event.get',
  summary: 'Returns one event of a build or job.',
  kind: 'query',
  scope: 'read_builds',
  access: 'visible',
  input: z.object({ id: z.string().max(300), build: buildAddress.optional() }),
  subject: async (context, { id, build }): Promise<(BuildSubject & { event: EventRow }) | null> => {
    const event = isId(id)
      ? await context.db
          .selectFrom('events')
          .selectAll()
          .where('id', '=', id)
          .where('subject', 'in', ['build', 'job'])
          .executeTakeFirst()
      : undefined;
    const subject = event?.buildId ? await findBuild(context, build ?? { id: event.buildId }) : null;
    return event && subject && subject.build.id === event.buildId ? { ...subject, event } : null;
  },
  run: async (_context, _input, { event }): Promise<EventRow> => event,
});
