import { sql } from 'kysely';
import type { Context } from '../../request/context.js';
import { compiled } from '../../database/compiled.js';
import { rowAs } from '../../database/row-conversion.js';
import type { AgentRow, BuildRow, Db, JobRow } from '../../entities/database.js';
import type { SharedRows } from '../../request/shared-rows.js';

export interface LockedJob {
  job: JobRow;
  build: BuildRow;
}

/**
 * A job with its build; none where their pipeline is deleted. Rows are locked in the order in which the locks name
 * them, the build first, and each is returned as it is once it is locked, however long that took; without the job's own
 * lock its row would be the one from before.
 */
const jobWithBuild = (db: Db, id: string) =>
  db
    .selectFrom('builds as b')
    .innerJoin('jobs as j', 'j.buildId', 'b.id')
    .innerJoin('pipelines as p', 'p.id', 'b.pipelineId')
    .select(rowAs('builds', 'b', 'build'))
    .select(rowAs('jobs', 'j', 'job'))
    .where('j.id', '=', id);

const buildThenJob = sql`for update of b for no key update of j`;

const waitForJob = compiled<{ id: string }, LockedJob>('lock-job', (db, { id }) =>
  jobWithBuild(db, id).modifyEnd(buildThenJob),
);

const tryJob = compiled<{ id: string }, LockedJob>('try-job', (db, { id }) =>
  jobWithBuild(db, id).modifyEnd(sql`for update of b skip locked for no key update of j skip locked`),
);

const waitForJobOfCluster = compiled<{ id: string; organizationId: string; clusterId: string | null }, LockedJob>(
  'lock-job-of-cluster',
  (db, { id, organizationId, clusterId }) =>
    jobWithBuild(db, id)
      .where('j.organizationId', '=', organizationId)
      .where(sql<boolean>`j.cluster_id is not distinct from ${clusterId}`)
      .where('j.type', '=', 'command')
      .modifyEnd(buildThenJob),
);

/**
 * Locks a job's build, then the job, and reads both. `skipLocked`: returns null if another transaction holds a lock.
 */
export async function lockJob(
  context: Context,
  { id }: Pick<JobRow, 'id'>,
  { skipLocked = false } = {},
): Promise<LockedJob | null> {
  const [locked] = await (skipLocked ? tryJob : waitForJob)(context.db, { id });
  return locked ?? null;
}

/**
 * Locks jobs with their builds, in the order of their ids, and reads them with the agents that hold them. What another
 * transaction holds is left out, and what does not exist.
 */
const jobsThatAreFree = compiled<{ ids: string[] }, LockedJob & { agent: AgentRow | { id: null } }>(
  'lock-free-jobs',
  (db, { ids }) =>
    db
      .selectFrom('builds as b')
      .innerJoin('jobs as j', 'j.buildId', 'b.id')
      .innerJoin('pipelines as p', 'p.id', 'b.pipelineId')
      .leftJoin('agents as a', 'a.id', 'j.agentId')
      .select(rowAs('builds', 'b', 'build'))
      .select(rowAs('jobs', 'j', 'job'))
      .select(rowAs('agents', 'a', 'agent') as never)
      .where(sql<boolean>`j.id = any(${ids}::uuid[])`)
      .orderBy('b.id')
      .orderBy('j.id')
      .modifyEnd(sql`for update of b skip locked for no key update of j skip locked`) as never,
);

/** Locks the jobs that no other transaction holds, for the commands that a transaction carries out. */
export async function lockFreeJobs(db: Db, rows: SharedRows, ids: readonly string[]): Promise<void> {
  for (const { job, build, agent } of await jobsThatAreFree(db, { ids: [...ids] }))
    rows.addJob(job, build, agent.id === null ? null : agent);
}

/** Like {@link lockJob}, for a command job of an organization's cluster; null, without a lock, for any other. */
export async function lockJobOfCluster(
  context: Context,
  { id, organizationId, clusterId }: Pick<JobRow, 'id' | 'organizationId' | 'clusterId'>,
): Promise<LockedJob | null> {
  const known = context.shared?.job(id);
  if (known) {
    const { job, build } = known;
    const isFound = job.organizationId === organizationId && job.clusterId === clusterId && job.type === 'command';
    return isFound ? { job, build } : null;
  }
  const [locked] = await waitForJobOfCluster(context.db, { id, organizationId, clusterId });
  return locked ?? null;
}
