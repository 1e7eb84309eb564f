import { sql } from 'kysely';
import { isId } from '../../../core/address.js';
import type { Context } from '../../../request/context.js';
import { compiled } from '../../../database/compiled.js';
import { rowAsColumns, storedName } from '../../../database/row-conversion.js';
import type { Subject } from '../../../core/subject.js';
import type { AgentRow, Db, JobRow } from '../../../entities/database.js';
import type { SharedRows } from '../../../request/shared-rows.js';
import type { ChunkPosition } from '../../../storage/logs/chunk-index.js';
import { callingAgent, isOfAgent, mayNameJob, requireHolder } from '../jobs/held-job.js';
import { type FoundPosition, positionColumns, positionJoins, placeOf } from './chunk-index.js';

/** A job that the agent holds, with the place of a chunk in its log. */
export interface HeldLog extends Subject {
  job: LogJob;
  agent: AgentRow;
  place: ChunkPosition;
}

const columnsOfJob = [
  'id',
  'organizationId',
  'buildId',
  'clusterId',
  'type',
  'state',
  'agentId',
  'attempt',
  'startedAt',
  'finishedAt',
  'logDeletedAt',
] as const satisfies readonly (keyof JobRow)[];
/** What appending to a log looks at. */
export type LogJob = Pick<JobRow, (typeof columnsOfJob)[number]>;

interface AskedLog {
  jobId: string;
  sequence: number;
}
interface FoundLog extends FoundPosition {
  job: LogJob;
  agent: AgentRow | { id: null };
  asked: string;
}

const logsWithPlaces = compiled<{ jobIds: string[]; sequences: number[] }, FoundLog>(
  'logs-with-places',
  (_db, { jobIds, sequences }) => sql`
    select ${sql.raw(columnsOfJob.map((name) => `job.${storedName(name)} as "job.${storedName(name)}"`).join(', '))},
      ${rowAsColumns('agents', 'a', 'agent')}, job.id || ' ' || asked.sequence as asked, ${positionColumns}
    from unnest(${jobIds}::uuid[], ${sequences}::int[]) as asked(job_id, sequence)
    join jobs job on job.id = asked.job_id
    join pipelines p on p.id = job.pipeline_id left join agents a on a.id = job.agent_id
    ${positionJoins(sql.raw('asked.sequence'))}`,
);

const about = ({ jobId, sequence }: AskedLog) => `${jobId.toLowerCase()} ${sequence}`;

/**
 * Reads, with one statement, jobs and the places of chunks in their logs, for calls that are answered together, without
 * a lock; gives the agent that holds each job.
 */
export async function loadHeldLogs(
  db: Db,
  rows: SharedRows,
  requests: readonly AskedLog[],
): Promise<Map<string, { job: LogJob; agent: AgentRow }>> {
  const heldJobs = new Map<string, { job: LogJob; agent: AgentRow }>();
  const distinct = [...new Map(requests.map((each) => [about(each), each])).values()];
  const parameters = {
    jobIds: distinct.map(({ jobId }) => jobId),
    sequences: distinct.map(({ sequence }) => sequence),
  };
  for (const row of await logsWithPlaces(db, parameters)) {
    rows.addBeside(row.asked, row);
    if (row.agent.id !== null) heldJobs.set(row.job.id, { job: row.job, agent: row.agent });
  }
  return heldJobs;
}

/** Finds a job that the agent holds, without a lock, and the place of a chunk in its log. */
export async function findHeldLog(context: Context, id: string, sequence: number): Promise<HeldLog | null> {
  if (!isId(id) || !mayNameJob(context, id)) return null;
  const known = context.shared?.besides(about({ jobId: id, sequence })) as FoundLog | undefined;
  const [row] = known ? [known] : await logsWithPlaces(context.db, { jobIds: [id], sequences: [sequence] });
  if (!row || !isOfAgent(context, row.job)) return null;
  requireHolder(context, row.job);
  return { job: row.job, agent: callingAgent(context).agent, place: placeOf(row) };
}
