import { z } from 'zod';
import type { EventRow } from '../../entities/database.js';
import { buildAddress, isId } from '../address.js';
import { findBuild } from '../find.js';
import { defineOperation } from '../operation.js';
import type { BuildSubject } from '../subject.js';

/** One event of a build or of a job of it; `build` says which build's it must be. */
export const getEvent = defineOperation({
  name: 'event.get',
  summary: 'Returns one event of a build or job.',
  kind: 'query',
  scope: 'read_builds',
  access: 'visible',
  input: z.object({ id: z.string().max(300), build: buildAddress.optional() }),
  subject: async (context, { id, build }): Promise<(BuildSubject & { event: EventRow }) | null> => {
    const event = isId(id) ? await context.db.selectFrom('events').selectAll().where('id', '=', id).where('subject', 'in', ['build', 'job']).executeTakeFirst() : undefined;
    const found = event?.buildId ? await findBuild(context, build ?? { id: event.buildId }) : null;
    return event && found && found.build.id === event.buildId ? { ...found, event } : null;
  },
  run: async (_context, _input, { event }): Promise<EventRow> => event,
});
