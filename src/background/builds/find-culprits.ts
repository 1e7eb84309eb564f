import type { Services } from '../../services/services.js';
import type { CulpritSearchRow } from '../../entities/database.js';
import { limits } from '../../domain/limits/limits.js';
import { advanceSearch } from '../../engine/culprits/advance-search.js';
import { endSearch } from '../../engine/culprits/end-search.js';
import { type CommitList, listCommits } from '../../engine/culprits/list-commits.js';
import { asSystem } from '../../core/system-transaction.js';
import { eachAlone } from '../each-alone.js';

const atOnce = 20;
/** A search that is being looked at, or could not be, is looked at again after this. */
const leaseMs = 60_000;

/**
 * Looks at the searches for culprits that are due: lists the commits of new ones, takes others on where no build's end
 * does, and ends those that take too long. Returns the number of searches.
 */
export async function findCulprits(services: Services): Promise<number> {
  const due = await asSystem(services, 'culprits', async ({ db, now }) => {
    const rows = await db
      .selectFrom('culprit_searches')
      .select(['id', 'state'])
      .where('nextLookAt', '<=', now)
      .orderBy('nextLookAt')
      .limit(atOnce)
      .forUpdate()
      .skipLocked()
      .execute();
    const ids = rows.map(({ id }) => id);
    const nextLookAt = new Date(now.getTime() + leaseMs);
    if (ids.length > 0) await db.updateTable('culprit_searches').set({ nextLookAt }).where('id', 'in', ids).execute();
    return rows;
  });
  return eachAlone(services, 'culprits', due, lookAt);
}

async function lookAt(services: Services, { id, state }: Pick<CulpritSearchRow, 'id' | 'state'>): Promise<boolean> {
  if (state === 'preparing') await prepare(services, id);
  return asSystem(services, 'culprits', (context) => advanceSearch(context, id));
}

/** Lists the commits of a search, and stores them if nobody has meanwhile. */
async function prepare(services: Services, id: string): Promise<void> {
  const search = await services.db.selectFrom('culprit_searches').selectAll().where('id', '=', id).executeTakeFirst();
  if (!search) return;
  const list = await listCommits(services, search);
  await asSystem(services, 'culprits', async (context) => {
    const { db } = context;
    const locked = await db
      .selectFrom('culprit_searches')
      .selectAll()
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst();
    if (locked?.state !== 'preparing') return;
    if (list.commits.length > limits.culpritCommits) {
      const reason = `There are more than ${limits.culpritCommits} commits since the last passed build.`;
      await endSearch(context, locked, { state: 'failed', span: null, reason });
    } else await begin(context.db, locked, list);
  });
}

async function begin(db: Services['db'], { id }: CulpritSearchRow, { commits, from }: CommitList): Promise<void> {
  await db
    .updateTable('culprit_searches')
    .set({ state: 'running', commits, commitsFrom: from, firstSuspect: 1, lastSuspect: commits.length })
    .where('id', '=', id)
    .execute();
}
