import { sql } from 'kysely';
import type { Db, JobRow, NewRow } from '../../../../entities/database.js';
import type { Services } from '../../../../services/services.js';
import { digested, type LogReader } from '../merged/log-reader.js';
import { inUnchangedLog, type LogState } from '../merged/log-state.js';

/** Filters that are stored together; as many are held in memory. */
const filtersTogether = 16;

type NewFilter = NewRow<'log_filters'>;

/**
 * Makes the filters of a finished job's log. A log that changes meanwhile, or of which bytes are missing, has none: it
 * is searched without.
 */
export class FilterWriter implements LogReader {
  private filters: NewFilter[] = [];
  private offset = 0;
  private line = 0;

  constructor(
    private readonly services: Services,
    private readonly job: Pick<JobRow, 'id' | 'organizationId'>,
    private readonly state: LogState,
  ) {}

  async part(bytes: Buffer, isDamaged: () => boolean): Promise<boolean> {
    const { job } = this;
    const filter = await digested(this.services, 'log.filter', { bytes });
    if (isDamaged() || filter === null) return this.giveUp();
    if (this.filters.length === filtersTogether) {
      if (!(await this.insert(this.filters))) return this.giveUp();
      this.filters = [];
    }
    this.filters.push({
      jobId: job.id,
      organizationId: job.organizationId,
      startOffset: this.offset,
      size: bytes.length,
      firstLine: this.line,
      trigrams: Buffer.from(filter.trigrams),
      logEntries: null,
      logBytes: null,
    });
    this.offset += bytes.length;
    this.line += filter.lines;
    return true;
  }

  async end(): Promise<void> {
    const last = this.filters.pop();
    const { entries: logEntries, bytes: logBytes } = this.state;
    if (!last || !(await this.insert([...this.filters, { ...last, logEntries, logBytes }]))) await this.giveUp();
  }

  private async giveUp(): Promise<false> {
    await this.services.db.deleteFrom('log_filters').where('jobId', '=', this.job.id).execute();
    return false;
  }

  private insert(filters: readonly NewFilter[]): Promise<boolean> {
    return inUnchangedLog(this.services.db, this.job.id, this.state, (trx) => insertFilters(trx, this.job.id, filters));
  }
}

/** Stores filters behind those that are there. False, and nothing done, if those have changed. */
async function insertFilters(trx: Db, jobId: string, filters: readonly NewFilter[]): Promise<boolean> {
  const start = filters[0]?.startOffset ?? 0;
  if (start === 0) await trx.deleteFrom('log_filters').where('jobId', '=', jobId).execute();
  else {
    const { rows } = await sql<{ startOffset: number }>`
      select coalesce(max(start_offset + size), 0)::bigint as start_offset from log_filters
      where job_id = ${jobId}`.execute(trx);
    if (rows[0]?.startOffset !== start) return false;
  }
  await trx
    .insertInto('log_filters')
    .values([...filters])
    .execute();
  return true;
}
