import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { type EndedJob, hasFailed } from '../../../../domain/builds/failures/job-failure.js';
import type { Db, JobRow } from '../../../../entities/database.js';
import type { Services } from '../../../../services/services.js';
import { ExtractWriter } from './log-extracts.js';
import type { LogReader } from './log-reader.js';
import type { LogState } from './log-state.js';
import { hashesOfPassed, isWanted, PassedLogWriter } from './passed-logs.js';

interface JobOfLines extends EndedJob {
  organizationId: string;
  pipelineId: string;
  command: string | null;
  stepKey: string | null;
  stepLabel: string | null;
  isDefaultBranch: boolean;
}

/** What is made of the lines of a job's log: an extract if it has failed, hashes if it has passed; else null. */
export async function readerOfLines(
  services: Services,
  job: Pick<JobRow, 'id' | 'organizationId'>,
  state: LogState,
): Promise<LogReader | null> {
  const { db } = services;
  const row = await readJob(db, job.id);
  if (!row) return null;
  const { command, pipelineId, organizationId, isDefaultBranch } = row;
  const of = { jobId: job.id, organizationId, pipelineId, step: digestOfStep(row), isDefaultBranch };
  if (hasFailed(row))
    return new ExtractWriter(services, state, { ...of, command, passed: await hashesOfPassed(db, of) });
  if (row.state !== 'finished' || !(await isWanted(services, of))) return null;
  return new PassedLogWriter(services, of);
}

async function readJob(db: Db, jobId: string): Promise<JobOfLines | undefined> {
  return db
    .selectFrom('jobs as j')
    .innerJoin('steps as s', 's.id', 'j.stepId')
    .innerJoin('builds as b', 'b.id', 'j.buildId')
    .innerJoin('pipelines as p', 'p.id', 'j.pipelineId')
    .select(['j.organizationId', 'j.pipelineId', 'j.type', 'j.state', 'j.passed', 'j.exitStatus', 'j.signal'])
    .select(['j.signalReason', 'j.timeoutInMinutes', 'j.command', 's.key as stepKey', 's.label as stepLabel'])
    .select(sql<boolean>`b.branch = p.default_branch`.as('isDefaultBranch'))
    .where('j.id', '=', jobId)
    .executeTakeFirst();
}

/** A step is known by its key, else by its label or command; its parallel jobs are one. */
function digestOfStep({ stepKey, stepLabel, command }: JobOfLines): string {
  const unnamed = stepLabel === null ? ['command', command] : ['label', stepLabel];
  const name = stepKey === null ? unnamed : ['key', stepKey];
  return createHash('sha256').update(JSON.stringify(name)).digest('hex').slice(0, 32);
}
