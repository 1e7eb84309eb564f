import { sql } from 'kysely';
import type { Db } from '../../../entities/database.js';
import { type Check, defineCheck, examineLocked, findingOf, firstId, pageOf } from './check.js';

const atOnce = 500;

interface Stream {
  last: number;
  highest: number;
}

async function readStream(db: Db): Promise<Stream[]> {
  const { rows } = await sql<Stream>`
    select s.last_position::float8 as last, coalesce((select max(position) from events), 0)::float8 as highest
    from event_streams s where s.name = 'events'`.execute(db);
  return rows.filter(({ last, highest }) => last < highest);
}

/** No position of the event stream is given twice (I13): the next one is after all that were given. */
export const streamPositions: Check = defineCheck<Stream>({
  name: 'stream',
  ofInstallation: true,
  page: async ({ db }) => {
    const suspects = await readStream(db);
    return { count: 1, suspects, next: null };
  },
  examine: examineLocked(async ({ db }, _stream, repairs) => {
    await db.selectFrom('event_streams').select('name').where('name', '=', 'events').forUpdate().execute();
    const wrong = await readStream(db);
    for (const { highest } of repairs ? wrong : [])
      await db.updateTable('event_streams').set({ lastPosition: highest }).where('name', '=', 'events').execute();
    return wrong.map(({ last, highest }) =>
      findingOf(
        {
          promise: 'I13',
          subject: 'event stream',
          is: `last position ${last}: subscriptions get no new event`,
          expected: `${highest}, the highest that was given`,
          remedy: 'set it to the highest',
        },
        repairs,
      ),
    );
  }),
});

interface FailedMessage {
  id: string;
  topic: string;
  lastError: string | null;
}

const failedMessages = (db: Db) =>
  db.selectFrom('outbox_messages').select(['id', 'topic', 'lastError']).where('failedAt', 'is not', null);

/** Every effect of a change is carried out (I10): none was given up. */
export const effects: Check = defineCheck<FailedMessage>({
  name: 'effects',
  page: async ({ db }, after, organizationId) => {
    const rows = await failedMessages(db)
      .where('id', '>', after ?? firstId)
      .$if(organizationId !== null, (query) => query.where('organizationId', '=', organizationId))
      .orderBy('id')
      .limit(atOnce)
      .execute();
    return pageOf(rows, atOnce, rows);
  },
  examine: examineLocked(async ({ db, now }, { id }, repairs) => {
    const rows = await failedMessages(db).where('id', '=', id).forUpdate().execute();
    if (repairs && rows.length > 0)
      await db
        .updateTable('outbox_messages')
        .set({ failedAt: null, attempts: 0, availableAt: now })
        .where('id', '=', id)
        .execute();
    return rows.map(({ topic, lastError }) =>
      findingOf(
        {
          promise: 'I10',
          subject: `message ${topic} ${id}`,
          is: `given up: ${lastError ?? 'no reason'}`,
          expected: 'carried out',
          remedy: 'queued it again, for a server to carry out',
        },
        repairs,
      ),
    );
  }),
});

/** Rounds of a purge that may fail one after another before it is a finding. */
const failuresAtMost = 5;

/** What was deleted is purged (I19). */
export const purges: Check = defineCheck<{ id: string }>({
  name: 'purges',
  page: async ({ db }, after, organizationId) => {
    const rows = await db
      .selectFrom('deletions')
      .select('id')
      .$if(organizationId !== null, (query) => query.where('organizationId', '=', organizationId ?? ''))
      .where('attempts', '>', failuresAtMost)
      .where('id', '>', after ?? firstId)
      .orderBy('id')
      .limit(atOnce)
      .execute();
    return pageOf(rows, atOnce, rows);
  },
  examine: async ({ db }, { id }, repairs) => {
    const rows = await db
      .selectFrom('deletions')
      .selectAll()
      .where('id', '=', id)
      .where('attempts', '>', failuresAtMost)
      .execute();
    return rows.map(({ resource, name, resourceId, attempts, lastError }) =>
      findingOf(
        {
          promise: 'I19',
          subject: `deleted ${resource} ${name} (${resourceId})`,
          is: `not purged after ${attempts} rounds that failed: ${lastError ?? 'no reason'}`,
          expected: 'purged, or being purged',
          remedy: null,
          advice: 'remove the reason: servers go on trying by themselves',
        },
        repairs,
      ),
    );
  },
});
