import { type Lease, newHolder, releaseLease, saveLeased, takeLease } from '../../../core/lease.js';
import { type CountProgress, newCount } from '../../../domain/retention/sizes.js';
import type { Services } from '../../../services/services.js';
import { Pace } from '../../pace.js';
import { countSizes } from './count-sizes.js';

const lease: Lease<'retention_passes'> = { table: 'retention_passes', name: 'sizes', ms: 15_000 };
/** A count looks this often for owners that are due. */
const countEveryMs = 60 * 60_000;
/** Each owner is counted this often. */
const dueAfterMs = 24 * 60 * 60_000;
/** Time that a round works. */
const roundMs = 1_000;

/** Outcome of a round: `busy` while another process counts, `resting` between two counts. */
type CountRound = 'busy' | 'resting' | 'ended' | CountProgress;

/**
 * Counts the rows and bytes of pipelines, suites and organizations, a bounded part each round, each owner once a day
 * over all replicas. It is no part of a pass of retention: counting a million builds takes longer than deletions may
 * wait for. How far it has come is stored after each round, so another process goes on where one has died.
 */
export class SizeCount {
  private readonly pace = new Pace();

  /** Makes a round if a count is under way or due. True if another should follow at once. */
  async round(services: Services, signal?: AbortSignal): Promise<boolean> {
    const holder = newHolder();
    try {
      const since = new Date(services.clock.now().getTime() - dueAfterMs);
      const round = await this.advance(services, { holder, since, signal });
      return typeof round === 'object' && !signal?.aborted;
    } finally {
      await this.release(services, holder);
    }
  }

  /**
   * Makes the next round of the count under way, or the first one of a new count.
   *
   * @param options.since owners that were counted before are counted
   * @param options.anew begins a new count in any case
   */
  async advance(
    services: Services,
    options: { holder: string; since: Date; anew?: boolean; signal?: AbortSignal | undefined },
  ): Promise<CountRound> {
    const { holder, since, anew = false, signal } = options;
    const row = await takeLease(services, lease, holder);
    if (row === null) return 'busy';
    const now = services.clock.now();
    const age = row.startedAt === null ? Infinity : now.getTime() - row.startedAt.getTime();
    const isUnderWay = row.counted !== null && !anew;
    if (!isUnderWay && !anew && age >= 0 && age < countEveryMs) return 'resting';
    const started = isUnderWay ? {} : { startedAt: now };
    const counted = await this.work(services, isUnderWay ? row.counted : newCount(), since, signal);
    await saveLeased(services, lease, holder, { counted, ...started });
    return counted ?? 'ended';
  }

  release = (services: Services, holder: string): Promise<void> => releaseLease(services, lease, holder);

  /** Works for about a second; null once all owners that are due have been counted. */
  private async work(
    services: Services,
    from: CountProgress | null,
    since: Date,
    signal: AbortSignal | undefined,
  ): Promise<CountProgress | null> {
    const endsAt = performance.now() + roundMs;
    let progress = from;
    while (progress !== null) {
      const before: CountProgress = progress;
      progress = await this.pace.measure(() => countSizes(services, before, since));
      if (progress === null || performance.now() >= endsAt || signal?.aborted) break;
      await this.pace.rest(signal);
    }
    return progress;
  }
}
