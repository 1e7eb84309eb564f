import { sql } from 'kysely';
import type { AgentState } from '../../../../domain/agents/agent-state.js';
import { isActive, type JobState } from '../../../../domain/builds/job-state.js';
import type { BuildRow, Db, JobRow } from '../../../../entities/database.js';
import { readParts, type SchedulableJob, type SchedulableStep } from '../../../../engine/builds/load-facts.js';

const buildColumns = [
  'id',
  'organizationId',
  'pipelineId',
  'number',
  'state',
  'failing',
  'blockedState',
  'eventSequence',
  'uploadCount',
  'createdAt',
  'startedAt',
  'finishedAt',
  'cancelRequestedAt',
] as const satisfies readonly (keyof BuildRow)[];
type CheckedRow = Pick<BuildRow, (typeof buildColumns)[number]>;

const jobColumns = [
  'id',
  'organizationId',
  'buildId',
  'state',
  'type',
  'retried',
  'retriedInJobId',
  'retrySourceId',
  'retriesCount',
  'agentId',
  'triggeredBuildId',
  'timeoutInMinutes',
  'deadlineAt',
  'createdAt',
  'runnableAt',
  'assignedAt',
  'acceptedAt',
  'startedAt',
  'finishedAt',
] as const satisfies readonly (keyof JobRow)[];
type CheckedJob = Pick<JobRow, (typeof jobColumns)[number]>;

/** Everything that rows say of a build. */
export interface CheckedBuild {
  build: CheckedRow;
  /** As messages name it: `build acme/app #12`. */
  name: string;
  jobs: CheckedJob[];
  /** The same jobs and the steps as scheduling looks at them. */
  scheduled: { steps: SchedulableStep[]; jobs: SchedulableJob[] };
  /** States of the agents that hold a job, by their ids. */
  agents: ReadonlyMap<string, AgentState>;
  /** Builds that running trigger jobs wait for, as far as they exist. */
  children: ReadonlySet<string>;
  /** The events that are there: old ones are deleted. */
  events: { first: number; last: number; count: number; numbers: number } | null;
  /** The state that the last event of each job names, by the job's id. */
  lastStates: ReadonlyMap<string, JobState>;
  appliedUploads: number;
}

type NamedBuild = CheckedRow & { organizationSlug: string; pipelineSlug: string };

/** Builds of pipelines that are not deleted, with the names of what they belong to. */
export function namedBuilds(db: Db) {
  return db
    .selectFrom('builds as b')
    .innerJoin('pipelines as p', 'p.id', 'b.pipelineId')
    .innerJoin('organizations as o', 'o.id', 'p.organizationId')
    .select(buildColumns.map((name) => `b.${name}` as const))
    .select(['o.slug as organizationSlug', 'p.slug as pipelineSlug']);
}

/** Reads what belongs to builds, some statements for all. */
export async function readBuilds(db: Db, builds: readonly NamedBuild[]): Promise<CheckedBuild[]> {
  if (builds.length === 0) return [];
  const ids = builds.map(({ id }) => id);
  const parts = await readParts(db, ids);
  const jobs = await db
    .selectFrom('jobs')
    .select(jobColumns)
    .where('buildId', 'in', ids)
    .orderBy('position')
    .orderBy('id')
    .execute();
  const agents = await readAgents(db, jobs);
  const children = await readChildren(db, jobs);
  const events = await readEvents(db, ids);
  const lastStates = await readLastStates(db, ids);
  const uploads = await readUploads(db, ids);
  const ofBuilds = new Map<string, CheckedJob[]>(ids.map((id) => [id, []]));
  for (const job of jobs) ofBuilds.get(job.buildId)?.push(job);
  return builds.map(({ organizationSlug, pipelineSlug, ...build }) => ({
    build,
    name: `build ${organizationSlug}/${pipelineSlug} #${build.number}`,
    jobs: ofBuilds.get(build.id) ?? [],
    scheduled: parts.get(build.id) ?? { steps: [], jobs: [] },
    agents,
    children,
    events: events.get(build.id) ?? null,
    lastStates,
    appliedUploads: uploads.get(build.id) ?? 0,
  }));
}

async function readAgents(db: Db, jobs: readonly CheckedJob[]): Promise<Map<string, AgentState>> {
  const ids = jobs.flatMap(({ state, agentId }) => (agentId !== null && isActive(state) ? [agentId] : []));
  if (ids.length === 0) return new Map();
  const rows = await db.selectFrom('agents').select(['id', 'connectionState']).where('id', 'in', ids).execute();
  return new Map(rows.map(({ id, connectionState }) => [id, connectionState]));
}

async function readChildren(db: Db, jobs: readonly CheckedJob[]): Promise<Set<string>> {
  const ids = jobs.flatMap(({ type, state, triggeredBuildId }) =>
    type === 'trigger' && state === 'running' && triggeredBuildId !== null ? [triggeredBuildId] : [],
  );
  if (ids.length === 0) return new Set();
  const rows = await db.selectFrom('builds').select('id').where('id', 'in', ids).execute();
  return new Set(rows.map(({ id }) => id));
}

async function readEvents(db: Db, ids: readonly string[]) {
  const { rows } = await sql<{ buildId: string; first: number; last: number; count: number; numbers: number }>`
    select build_id, min(sequence) as first, max(sequence) as last, count(*)::int as count,
      count(distinct sequence)::int as numbers
    from events where build_id = any(${[...ids]}::uuid[]) group by build_id`.execute(db);
  return new Map(rows.map((row) => [row.buildId, row]));
}

async function readLastStates(db: Db, ids: readonly string[]): Promise<Map<string, JobState>> {
  const { rows } = await sql<{ jobId: string; toState: JobState }>`
    select distinct on (job_id) job_id, to_state from events
    where build_id = any(${[...ids]}::uuid[]) and subject = 'job' and to_state is not null and job_id is not null
    order by job_id, sequence desc`.execute(db);
  return new Map(rows.map(({ jobId, toState }) => [jobId, toState]));
}

async function readUploads(db: Db, ids: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ buildId: string; count: number }>`
    select build_id, count(*)::int as count from step_uploads
    where build_id = any(${[...ids]}::uuid[]) and state = 'applied' group by build_id`.execute(db);
  return new Map(rows.map(({ buildId, count }) => [buildId, count]));
}
