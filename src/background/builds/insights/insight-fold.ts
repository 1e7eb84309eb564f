import { sql } from 'kysely';
import { type Lease, newHolder, releaseLease, saveLeased, takeLease } from '../../../core/lease.js';
import { idMayDifferMs } from '../../../database/ids.js';
import { rollupSpans } from '../../../domain/builds/insights/rollup.js';
import { keptSince } from '../../../domain/builds/insights/rollup-spans.js';
import type { Services } from '../../../services/services.js';
import { deleteSome } from '../../deletions/delete-some.js';
import { Pace } from '../../pace.js';
import { foldEnded } from './fold-ended.js';

const lease: Lease<'insight_folds'> = { table: 'insight_folds', name: 'this', ms: 60_000 };
/** Time between two passes. */
const everyMs = 5 * 60_000;
/** Builds that ended just now may not be committed yet. */
const soonMs = 2 * 60_000;
/** Time that a round works. */
const roundMs = 1_000;
const deletedAtOnce = 1_000;

/** How far a fold is: `untilAt` and `againUntilAt` are times at which builds ended. */
interface Progress {
  foldedUntilAt: Date;
  foldedAgainUntilAt: Date;
}

/**
 * Keeps rollups of insights: computes the hours in which builds ended since the last pass anew from their rows, and the
 * days and months of these hours from shorter rollups; then deletes rollups that are older than they are kept for. It
 * begins with the oldest build and works about a second a round, and any process goes on where another one has died.
 */
export class InsightFold {
  private readonly pace = new Pace();

  /**
   * Makes a round if a pass is under way or due; true if another should follow at once.
   *
   * @param options.agesCount whether the clock is trusted for deletion by age
   */
  async round(
    services: Services,
    signal: AbortSignal | undefined,
    { agesCount }: { agesCount: boolean },
  ): Promise<boolean> {
    const holder = newHolder();
    const row = await takeLease(services, lease, holder);
    if (!row) return false;
    try {
      const now = services.clock.now().getTime();
      const target = now - soonMs;
      const from = row.foldedUntilAt?.getTime() ?? 0;
      const age = row.endedAt === null ? Infinity : now - row.endedAt.getTime();
      if (age >= 0 && age < everyMs) return false;
      // Times that have not come yet are those of a clock that was set back since: they hide no builds.
      let progress: Progress = {
        foldedUntilAt: new Date(Math.min(from, target)),
        foldedAgainUntilAt: new Date(Math.min(row.foldedAgainUntilAt?.getTime() ?? target, target)),
      };
      const endsAt = performance.now() + roundMs;
      for (;;) {
        const before = progress;
        progress = await this.pace.measure(() => this.step(services, before, target));
        await saveLeased(services, lease, holder, { ...progress });
        if (isDone(progress, target)) break;
        if (performance.now() >= endsAt || signal?.aborted) return !signal?.aborted;
        await this.pace.rest(signal);
      }
      const hasMore = agesCount && (await forgetRollups(services, progress.foldedUntilAt.getTime()));
      if (!hasMore) await saveLeased(services, lease, holder, { endedAt: services.clock.now() });
      return hasMore;
    } finally {
      await releaseLease(services, lease, holder);
    }
  }

  private async step(services: Services, progress: Progress, target: number): Promise<Progress> {
    const { foldedUntilAt, foldedAgainUntilAt } = progress;
    const fold = async (from: Date, to: number) => foldEnded(services.db, from, new Date(to));
    if (foldedUntilAt.getTime() < target) return { ...progress, foldedUntilAt: await fold(foldedUntilAt, target) };
    const again = againTarget(target);
    if (foldedAgainUntilAt.getTime() >= again) return progress;
    return { ...progress, foldedAgainUntilAt: await fold(foldedAgainUntilAt, again) };
  }
}

const againTarget = (target: number): number => target - idMayDifferMs;

const isDone = ({ foldedUntilAt, foldedAgainUntilAt }: Progress, target: number): boolean =>
  foldedUntilAt.getTime() >= target && foldedAgainUntilAt.getTime() >= againTarget(target);

/** Deletes some rollups that are older than they are kept for; true if there are more. */
async function forgetRollups({ db }: Services, foldedUntil: number): Promise<boolean> {
  const old = rollupSpans.flatMap((span) => {
    const where = sql`span = ${span} and begins_at < ${new Date(keptSince(span, foldedUntil))}`;
    return [
      { table: 'insight_rollups' as const, where },
      { table: 'agent_time_rollups' as const, where },
    ];
  });
  return (await deleteSome(db, old, deletedAtOnce)) >= deletedAtOnce;
}
