import { newHolder, readLeased, releaseLease, saveLeased, takeLease } from '../../../core/lease.js';
import { isPassDue } from '../../../domain/installation/hourly-pass.js';
import { newPass, type PassProgress, type RetentionReport, sumsByKind } from '../../../domain/retention/pass.js';
import type { Services } from '../../../services/services.js';
import type { Row } from '../../../entities/database.js';
import { Pace } from '../../pace.js';
import { passLease } from './pass-lease.js';
import { step } from './stages.js';

/** How often the log says how far a long pass is. */
const reportEveryMs = 60_000;
/** Fewer would cost as much: a batch is some ten statements, whatever it deletes. */
const leastRows = 1_000;
/** Time that a round works. */
const roundMs = 1_000;

type PassRow = Pick<Row<'retention_passes'>, 'progress' | 'startedAt'>;

/** Outcome of a round: `busy` while another process has the pass, `resting` between two passes. */
export type PassRound = 'busy' | 'resting' | 'under way' | RetentionReport;

/**
 * Deletes what policies let go, a bounded part each round, at most a pass an hour over all replicas. How far a pass has
 * come is stored after each round, and every deletion is committed by itself, so another process goes on where one has
 * died.
 */
export class Retention {
  private readonly pace = new Pace(leastRows);
  private reportedAt = 0;

  /** Makes a round if the pass is under way or one is due. True if another should follow at once. */
  async round(services: Services, signal?: AbortSignal): Promise<boolean> {
    const holder = newHolder();
    const isDue = (row: PassRow) => isPassDue(row, services.clock.now());
    try {
      const round = await this.advance(services, { holder, isDue, signal });
      services.retentionReport =
        typeof round === 'object' ? round : ((await readLeased(services, passLease))?.report ?? undefined);
      return round === 'under way' && !signal?.aborted;
    } finally {
      await releaseLease(services, passLease, holder);
    }
  }

  /** Makes the next round of the pass under way, or the first one of a new pass; `anew` begins one in any case. */
  async advance(
    services: Services,
    options: {
      holder: string;
      anew?: boolean;
      isDue?: (row: PassRow) => boolean;
      signal?: AbortSignal | undefined;
    },
  ): Promise<PassRound> {
    const { holder, anew = false, isDue = () => true, signal } = options;
    const row = await takeLease(services, passLease, holder);
    if (row === null) return 'busy';
    if (!isDue(row)) return 'resting';
    const isNew = anew || row.progress === null;
    const renew = () => takeLease(services, passLease, holder);
    const from = isNew || row.progress === null ? newPass() : row.progress;
    const progress = await this.work(services, from, renew, signal);
    const now = services.clock.now();
    const started = isNew ? { startedAt: now } : {};
    if (progress.stage !== 'ended') {
      await saveLeased(services, passLease, holder, { progress, ...started });
      this.reportProgress(services, progress);
      return 'under way';
    }
    const report: RetentionReport = { endedAt: now.toISOString(), gone: progress.gone };
    await saveLeased(services, passLease, holder, { progress: null, report, ...started });
    const sums = sumsByKind(report.gone);
    if (report.gone.length > 0) services.log.info({ ...sums }, 'retention deleted what is past its time');
    return report;
  }

  private reportProgress({ log }: Services, { stage, gone }: PassProgress): void {
    if (gone.length === 0 || Date.now() - this.reportedAt < reportEveryMs) return;
    this.reportedAt = Date.now();
    log.info({ stage, ...sumsByKind(gone) }, 'retention deletes what is past its time');
  }

  /** Works for about a second, or until the pass has ended. */
  private async work(
    services: Services,
    from: PassProgress,
    renew: () => Promise<unknown>,
    signal: AbortSignal | undefined,
  ): Promise<PassProgress> {
    const endsAt = performance.now() + roundMs;
    const isOver = () => performance.now() >= endsAt || (signal?.aborted ?? false);
    let progress = from;
    do progress = await step({ services, pace: this.pace, progress, isOver, renew, signal });
    while (progress.stage !== 'ended' && !isOver());
    return progress;
  }
}
