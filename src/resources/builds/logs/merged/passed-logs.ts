import { sql } from 'kysely';
import { limits } from '../../../../domain/limits/limits.js';
import { inTransaction } from '../../../../database/transaction.js';
import type { Db } from '../../../../entities/database.js';
import type { Services } from '../../../../services/services.js';
import { digested, type LogReader } from './log-reader.js';

/** A job of a step, whose jobs on the default branch are beside those on all others. */
export interface JobOfStep {
  jobId: string;
  organizationId: string;
  pipelineId: string;
  step: string;
  isDefaultBranch: boolean;
}

/** A step that passes more often has its lines hashed no more often than this, once there are enough. */
const pauseMs = 10 * 60_000;

/** Hashes of the newest passed logs of the step of a job: on the default branch, and on others. */
export async function hashesOfPassed(db: Db, { pipelineId, step }: JobOfStep): Promise<Uint8Array[]> {
  const rows = await db
    .selectFrom('passed_logs')
    .select('hashes')
    .where('pipelineId', '=', pipelineId)
    .where('step', '=', step)
    .orderBy('isDefaultBranch', 'desc')
    .orderBy('jobId', 'desc')
    .limit(2 * limits.passedLogsOfStep)
    .execute();
  return rows.map(({ hashes }) => hashes);
}

/** Whether hashes of a passed job are of use: fewer are stored than may be, or those are older. */
export async function isWanted({ db, clock }: Services, job: JobOfStep): Promise<boolean> {
  const stored = await db
    .selectFrom('passed_logs')
    .select(['jobId', 'createdAt'])
    .where('pipelineId', '=', job.pipelineId)
    .where('step', '=', job.step)
    .where('isDefaultBranch', '=', job.isDefaultBranch)
    .orderBy('jobId', 'desc')
    .limit(limits.passedLogsOfStep)
    .execute();
  if (stored.some(({ jobId }) => jobId === job.jobId)) return false;
  if (stored.length < limits.passedLogsOfStep) return true;
  const isOlder = stored.every(({ jobId }) => jobId > job.jobId);
  return !isOlder && stored.every(({ createdAt }) => clock.now().getTime() - createdAt.getTime() >= pauseMs);
}

/** Makes the hashes of the lines of a passed job's log; a log with more lines that differ than may be has none. */
export class PassedLogWriter implements LogReader {
  private hashes: Uint8Array = new Uint8Array();

  constructor(
    private readonly services: Services,
    private readonly job: JobOfStep,
  ) {}

  async part(bytes: Buffer): Promise<boolean> {
    const { hashes: known } = this;
    const output = await digested(this.services, 'log.hash', { bytes, known, most: limits.passedLogLines });
    if (!output?.hashes) return false;
    this.hashes = output.hashes;
    return true;
  }

  async end(): Promise<void> {
    const { services, job } = this;
    const hashes = Buffer.from(this.hashes.buffer, this.hashes.byteOffset, this.hashes.byteLength);
    if (hashes.length > 0)
      await inTransaction(services.db, 'log.passed', (trx) => store(trx, job, hashes, services.clock.now()));
  }
}

/** Stores hashes in place of those of older jobs. The purge of a pipeline waits for the job, which it deletes first. */
async function store(trx: Db, job: JobOfStep, hashes: Buffer, now: Date): Promise<void> {
  const { jobId, pipelineId, step, isDefaultBranch } = job;
  await sql`
    insert into passed_logs (pipeline_id, step, is_default_branch, job_id, organization_id, hashes, created_at)
    select pipeline_id, ${step}, ${isDefaultBranch}, id, organization_id, ${hashes}, ${now} from jobs
    where id = ${jobId} for key share
    on conflict do nothing`.execute(trx);
  await sql`
    delete from passed_logs p using (
      select job_id from passed_logs where pipeline_id = ${pipelineId} and step = ${step}
        and is_default_branch = ${isDefaultBranch}
      order by job_id desc offset ${limits.passedLogsOfStep}
    ) as old
    where p.pipeline_id = ${pipelineId} and p.step = ${step} and p.is_default_branch = ${isDefaultBranch}
      and p.job_id = old.job_id`.execute(trx);
  // Steps that are no more go before those that still pass.
  await sql`
    delete from passed_logs p using (
      select step, is_default_branch, job_id from passed_logs where pipeline_id = ${pipelineId}
      order by job_id desc offset ${limits.passedLogsOfPipeline}
    ) as old
    where p.pipeline_id = ${pipelineId} and p.step = old.step and p.is_default_branch = old.is_default_branch
      and p.job_id = old.job_id`.execute(trx);
}
