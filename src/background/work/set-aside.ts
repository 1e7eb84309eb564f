import { sql } from 'kysely';
import type { Services } from '../../services/services.js';
import { asSystem } from '../../core/system-transaction.js';
import { effects } from './set-aside-effects.js';

/** Processes that may die of a unit before it is set aside. */
const deathsAtMost = 2;
const atOnce = 50;

/** What owners read of a unit of theirs that is set aside. */
export const setAsideReason =
  'The server ended twice while it worked on this: it is set aside until an operator releases it (slipway set-aside)';

/**
 * Whether the units of a task have owners who learn that one is set aside, after which it is not due any more by
 * itself.
 */
export const hasEffect = (task: string): boolean => task in effects;

/** Ends the leases of units whose process has died, so that the next attempt need not wait for them. */
export async function endLeases(services: Services, units: readonly { task: string; unit: string }[]): Promise<void> {
  for (const [task, { endLeases: end }] of Object.entries(effects)) {
    const ids = units.filter((each) => each.task === task).map(({ unit }) => unit);
    if (ids.length > 0 && end) await end(services, ids);
  }
}

/**
 * Sets aside the suspects that have ended two processes: their owners learn of it, and the log and the metrics say so.
 */
export async function setAsideSuspects(services: Services): Promise<void> {
  for (;;) {
    const set = await asSystem(services, 'set-aside', async (context) => {
      const { rows } = await sql<{ id: string; task: string; unit: string }>`
        select id, task, unit from work_suspects
        where set_aside_at is null and cardinality(process_ids) >= ${deathsAtMost}
        order by created_at, id limit ${atOnce} for update skip locked`.execute(context.db);
      for (const row of rows) {
        const effect = effects[row.task];
        const applies = effect ? await effect.setAside(context, row.unit, setAsideReason) : true;
        if (applies)
          await sql`update work_suspects set set_aside_at = clock_timestamp() where id = ${row.id}`.execute(context.db);
        else await context.db.deleteFrom('work_suspects').where('id', '=', row.id).execute();
        if (applies)
          services.log.error(
            { task: row.task, unit: row.unit, id: row.id, release: `slipway set-aside release ${row.id}` },
            'background work that has ended the process twice is set aside',
          );
      }
      return rows.length;
    });
    if (set < atOnce) return;
  }
}

export interface SetAsideUnit {
  id: string;
  task: string;
  unit: string;
  setAsideAt: Date;
}

/** Units that are set aside, oldest first; at most a thousand. */
export async function listSetAside({ db }: Pick<Services, 'db'>): Promise<SetAsideUnit[]> {
  const rows = await db
    .selectFrom('work_suspects')
    .select(['id', 'task', 'unit', 'setAsideAt'])
    .where('setAsideAt', 'is not', null)
    .orderBy('setAsideAt')
    .orderBy('id')
    .limit(1_000)
    .execute();
  return rows.flatMap(({ setAsideAt, ...row }) => (setAsideAt ? [{ ...row, setAsideAt }] : []));
}

/** Numbers of units that are set aside, by task. */
export async function countSetAside({ db }: Pick<Services, 'db'>): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('work_suspects')
    .select(['task', sql<number>`count(*)::int`.as('units')])
    .where('setAsideAt', 'is not', null)
    .groupBy('task')
    .execute();
  return new Map(rows.map(({ task, units }) => [task, units]));
}

/**
 * Releases the unit `id`, or all units if it is null, so that they are begun again. Returns the units that were set
 * aside.
 */
export async function releaseSetAside(services: Services, id: string | null): Promise<SetAsideUnit[]> {
  return asSystem(services, 'set-aside', async (context) => {
    const query = context.db.deleteFrom('work_suspects').where('setAsideAt', 'is not', null);
    const rows = await (id === null ? query : query.where('id', '=', id))
      .returning(['id', 'task', 'unit', 'setAsideAt'])
      .execute();
    for (const { task, unit } of rows) await effects[task]?.release(context, unit);
    return rows.flatMap(({ setAsideAt, ...row }) => (setAsideAt ? [{ ...row, setAsideAt }] : []));
  });
}
