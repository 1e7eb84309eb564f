import { sql } from 'kysely';
import { type Lease, newHolder, releaseLease, saveLeased, takeLease } from '../../core/lease.js';
import type { Db, JobRow } from '../../entities/database.js';
import { digestLog } from '../../resources/builds/logs/merged/digest-log.js';
import type { Services } from '../../services/services.js';
import { Pace } from '../pace.js';

/** A large log takes longer than the lease: where another process goes on with it meanwhile, both do the same. */
const lease: Lease<'retention_passes'> = { table: 'retention_passes', name: 'log-filters', ms: 60_000 };
/** Jobs that are looked at in one statement. */
const jobsAtOnce = 500;
/** Time that a round works. */
const roundMs = 1_000;
/** Before all jobs: the work has ended. */
const end = '00000000-0000-0000-0000-000000000000';

type OldJob = Pick<JobRow, 'id' | 'organizationId'> & { isWithout: boolean };

/**
 * Makes filters and extracts of the logs that were merged before there were any, from the newest job to the oldest,
 * once. How far it has come is stored, so any replica goes on.
 */
export class OldLogFilters {
  private readonly pace = new Pace();
  private hasEnded = false;

  /** Works for about a second; true while there are jobs left. */
  async round(services: Services, signal?: AbortSignal): Promise<boolean> {
    if (this.hasEnded) return false;
    const holder = newHolder();
    const row = await takeLease(services, lease, holder);
    if (row === null) return false;
    try {
      const filteredFrom = await this.work(services, row.filteredFrom, signal);
      await saveLeased(services, lease, holder, { filteredFrom });
      this.hasEnded = filteredFrom === end;
      return !this.hasEnded && !signal?.aborted;
    } finally {
      await releaseLease(services, lease, holder);
    }
  }

  /** Goes on below a job; gives the job that it has come to. */
  private async work(services: Services, below: string | null, signal?: AbortSignal): Promise<string> {
    if (below === end) return end;
    const endsAt = performance.now() + roundMs;
    const jobs = await jobsBelow(services.db, below);
    for (const job of jobs) {
      if (!job.isWithout) continue;
      await this.pace.measure(() => digestLog(services, job));
      if (performance.now() >= endsAt || signal?.aborted) return job.id;
      await this.pace.rest(signal);
    }
    return jobs.length < jobsAtOnce ? end : (jobs.at(-1)?.id ?? end);
  }
}

async function jobsBelow(db: Db, below: string | null): Promise<OldJob[]> {
  const { rows } = await sql<OldJob>`
    with page as materialized (
      select id, organization_id, log_size, log_compacted_at, log_expired_at from jobs
      where ${below}::uuid is null or id < ${below}::uuid order by id desc limit ${jobsAtOnce}
    )
    select id, organization_id, log_size > 0 and log_compacted_at is not null and log_expired_at is null
      and not exists (select from log_filters f where f.job_id = page.id and f.log_entries is not null) as is_without
    from page order by id desc`.execute(db);
  return rows;
}
