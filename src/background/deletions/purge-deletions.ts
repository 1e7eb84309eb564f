import { sql } from 'kysely';
import { DatabaseUnavailableError } from '../../database/faults.js';
import type { DeletionRow, Patch } from '../../entities/database.js';
import type { PurgedResource } from '../../entities/installation/deletion.js';
import type { Services } from '../../services/services.js';
import { Pace } from '../pace.js';
import { currentClaims } from '../work/work-claims.js';
import type { Purge } from './purge.js';
import { clusterPurge } from './purge-cluster.js';
import { organizationPurge } from './purge-organization.js';
import { pipelinePurge } from './purge-pipeline.js';
import { suitePurge } from './purge-suite.js';

const purges: Readonly<Record<PurgedResource, Purge>> = {
  pipeline: pipelinePurge,
  suite: suitePurge,
  cluster: clusterPurge,
  organization: organizationPurge,
};

/** A round is one process's for as long; what a process has left that died, another takes up then. */
const leaseMs = 5_000;
/** Time that a round works. */
const roundMs = 1_000;
/** An organization waits for what is purged before it. */
const waitMs = 1_000;
const firstDelayMs = 1_000;
const longestDelayMs = 10 * 60_000;
const reportEveryMs = 10_000;

/**
 * Purges what belongs to deleted resources, in batches that are committed one by one: the rows that are left say what
 * is left to do, so another process goes on where one has died. Requests go first: batches are as large as fits a
 * tenth of a second, with pauses of the same length.
 */
export class DeletionPurge {
  private readonly pace = new Pace();
  private reportedAt = 0;

  /** Works on the deletion that has waited longest, for about a second. False if none is due. */
  async round(services: Services, signal?: AbortSignal): Promise<boolean> {
    const deletion = await this.claim(services);
    if (!deletion) return false;
    const claims = currentClaims();
    const attempt = () => this.attempt(services, deletion, signal);
    if (claims)
      await claims.each(
        'deletions',
        [deletion],
        // A death after progress says nothing of the work that is left: a unit is what begins at one place.
        ({ id, purgedRows }) => `${id} ${purgedRows}`,
        attempt,
        () => this.postpone(services, deletion, new Error('it is set aside: it has ended the server twice')),
      );
    else await attempt();
    return true;
  }

  private async attempt(services: Services, deletion: DeletionRow, signal: AbortSignal | undefined): Promise<void> {
    try {
      await this.work(services, deletion, signal);
    } catch (error) {
      // The deletion is not to blame: its lease ends by itself.
      if (error instanceof DatabaseUnavailableError) throw error;
      await this.postpone(services, deletion, error);
    }
  }

  private async claim({ db, clock }: Services): Promise<DeletionRow | null> {
    const now = clock.now();
    const due = db
      .selectFrom('deletions')
      .select('id')
      .where('availableAt', '<=', now)
      .orderBy('availableAt')
      .orderBy('id')
      .limit(1)
      .forUpdate()
      .skipLocked();
    const row = await db
      .updateTable('deletions')
      .set({ availableAt: new Date(now.getTime() + leaseMs) })
      .where('id', '=', due)
      .returningAll()
      .executeTakeFirst();
    return row ?? null;
  }

  private async work(services: Services, deletion: DeletionRow, signal: AbortSignal | undefined): Promise<void> {
    const { clock } = services;
    const purge = purges[deletion.resource];
    let { remaining, purgedRows } = deletion;
    if (remaining === null) {
      if ((await this.pace.timed(() => purge.prepare(services, deletion, this.pace.rows))) > 0) {
        await this.pace.rest(signal);
        return this.update(services, deletion, {
          availableAt: new Date(clock.now().getTime() + (deletion.resource === 'organization' ? waitMs : 0)),
        });
      }
      remaining = await purge.count(services, deletion);
      await this.update(services, deletion, { remaining });
      this.report(services, deletion, { remaining, purgedRows }, 'purging what a deletion has left');
    }
    const endsAt = performance.now() + roundMs;
    while (performance.now() < endsAt && !signal?.aborted) {
      const batch = await this.pace.timed(() => purge.batch(services, deletion, this.pace.rows));
      purgedRows += batch.rows;
      remaining = Math.max(0, remaining - batch.items);
      if (batch.ended) return this.end(services, deletion, purgedRows);
      await this.update(services, deletion, {
        remaining,
        purgedRows,
        attempts: 0,
        lastError: null,
        availableAt: new Date(clock.now().getTime() + leaseMs),
      });
      await this.pace.rest(signal);
    }
    if (Date.now() - this.reportedAt > reportEveryMs)
      this.report(services, deletion, { remaining, purgedRows }, 'purging what a deletion has left');
    await this.update(services, deletion, { availableAt: clock.now() });
  }

  private async end(services: Services, deletion: DeletionRow, purgedRows: number): Promise<void> {
    await services.db.deleteFrom('deletions').where('id', '=', deletion.id).execute();
    const seconds = (services.clock.now().getTime() - deletion.createdAt.getTime()) / 1000;
    this.report(services, deletion, { purgedRows, seconds }, 'everything that a deletion has left is purged');
  }

  private report({ log }: Services, deletion: DeletionRow, figures: object, message: string): void {
    const { resource, resourceId, organizationId, name } = deletion;
    this.reportedAt = Date.now();
    log.info({ resource, resourceId, organizationId, name, ...figures }, message);
  }

  /** It goes on for ever, at growing pauses: what people have deleted must not stay. */
  private async postpone(services: Services, deletion: DeletionRow, error: unknown): Promise<void> {
    const attempts = deletion.attempts + 1;
    const { resource, resourceId, name } = deletion;
    services.log.error({ resource, resourceId, name, attempts, err: error }, 'a deletion could not be purged');
    const delay = Math.min(longestDelayMs, firstDelayMs * 2 ** Math.min(attempts - 1, 20));
    await this.update(services, deletion, {
      attempts,
      lastError: String(error).slice(0, 2000),
      availableAt: new Date(services.clock.now().getTime() + delay),
    });
  }

  private async update({ db }: Services, { id }: DeletionRow, patch: Patch<'deletions'>): Promise<void> {
    await db.updateTable('deletions').set(patch).where('id', '=', id).execute();
  }
}

/** Deletions that are not purged yet, by what was deleted. */
export interface DeletionCounts {
  resource: PurgedResource;
  deletions: number;
  /** Builds, suite runs and agents yet to be purged, as far as they are counted. */
  remaining: number;
}

export async function countDeletions({ db }: Pick<Services, 'db'>): Promise<DeletionCounts[]> {
  return db
    .selectFrom('deletions')
    .select([
      'resource',
      sql<number>`count(*)::int`.as('deletions'),
      sql<number>`coalesce(sum(remaining), 0)::float8`.as('remaining'),
    ])
    .groupBy('resource')
    .execute();
}
