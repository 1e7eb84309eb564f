import { sql } from 'kysely';
import { isBuildFinished, unfinishedBuildStates } from '../../../domain/builds/build-state.js';
import { dueKinds, latestFinish, type OldestOf, type RetentionFacts } from '../../../domain/retention/due.js';
import { type BuildKind, policyOfBranch } from '../../../domain/retention/policy.js';
import type { BuildRow, Db } from '../../../entities/database.js';
import type { AgingPipeline } from './policies.js';

const columns = [
  'id',
  'number',
  'branch',
  'state',
  'createdAt',
  'finishedAt',
  'pinnedAt',
  'logsExpiredAt',
  'artifactsExpiredAt',
  'eventSequence',
] as const;
type Narrow = Pick<BuildRow, (typeof columns)[number]>;

/** A build of which something goes. */
export interface DueBuild {
  id: string;
  kinds: readonly BuildKind[];
  /** Number of its last event. */
  eventSequence: number;
}

export interface SizedBuild extends DueBuild {
  jobs: number;
}

export interface Page {
  due: SizedBuild[];
  /** The number to go on after; null once all builds were looked at that may be due. */
  last: number | null;
}

/** Oldest numbers among the newest builds of the pipeline, by count: read once for a pipeline and pass. */
export type Oldest = Record<string, number>;

const pageSize = 500;
const nothingCounts = { pipeline: () => Infinity, branch: () => Infinity };

/**
 * Looks at the next builds of a pipeline, oldest first, and decides what goes of each. `oldest` is filled with the
 * numbers that it lacks.
 */
export async function pageOfDueBuilds(
  db: Db,
  pipeline: AgingPipeline,
  after: number,
  oldest: Oldest,
  now: Date,
): Promise<Page> {
  const latest = latestFinish(pipeline.policy, now);
  if (latest === null) return { due: [], last: null };
  const rows = await db
    .selectFrom('builds')
    .select(columns)
    .where('pipelineId', '=', pipeline.id)
    .where('number', '>', after)
    .orderBy('number')
    .limit(pageSize)
    .execute();
  const due = await dueOf(db, pipeline, rows, oldest, now);
  const last = rows.at(-1);
  // A build ends after it was made, so nothing that comes is due.
  const isOver = !last || rows.length < pageSize || last.createdAt > latest;
  return { due: await sized(db, due), last: isOver ? null : last.number };
}

async function sized(db: Db, builds: readonly DueBuild[]): Promise<SizedBuild[]> {
  if (builds.length === 0) return [];
  const { rows } = await sql<{ buildId: string; jobs: number }>`
    select build_id, count(*)::int as jobs from jobs
    where build_id = any(${sql.val(builds.map(({ id }) => id))}::uuid[]) group by 1`.execute(db);
  const jobs = new Map(rows.map((row) => [row.buildId, row.jobs]));
  return builds.map((build) => ({ ...build, jobs: jobs.get(build.id) ?? 0 }));
}

/** Locks builds and decides again what goes of each: a person may have pinned or retried one meanwhile. */
export async function lockDueBuilds(
  trx: Db,
  pipeline: AgingPipeline,
  ids: readonly string[],
  oldest: Oldest,
  now: Date,
): Promise<DueBuild[]> {
  const rows = await trx
    .selectFrom('builds')
    .select(columns)
    .where('id', 'in', ids)
    .orderBy('id')
    .forUpdate()
    .execute();
  return dueOf(trx, pipeline, rows, oldest, now);
}

async function dueOf(
  db: Db,
  pipeline: AgingPipeline,
  rows: readonly Narrow[],
  oldest: Oldest,
  now: Date,
): Promise<DueBuild[]> {
  const { policy, defaultBranch } = pipeline;
  const factsOf = (row: Narrow, rest: Pick<RetentionFacts, 'isLast' | 'isNeeded'>): RetentionFacts => ({
    number: row.number,
    branch: row.branch,
    finishedAt: isBuildFinished(row.state) ? row.finishedAt : null,
    hasLogs: hasSince(row.logsExpiredAt, row.finishedAt),
    hasArtifacts: hasSince(row.artifactsExpiredAt, row.finishedAt),
    isPinned: row.pinnedAt !== null,
    ofDefaultBranch: row.branch === defaultBranch,
    ...rest,
  });
  // What costs a statement is asked of those alone that the rest lets go.
  const may = rows.filter(
    (row) => dueKinds(policy, factsOf(row, { isLast: false, isNeeded: false }), now, nothingCounts).length > 0,
  );
  if (may.length === 0) return [];
  const branches = [...new Set(may.map(({ branch }) => branch))];
  const last = await lastOfBranches(db, pipeline.id, branches);
  const oldestOf = await oldestOfPipeline(db, pipeline, oldest);
  const oldestOfBranch = await oldestOfBranches(db, pipeline, branches);
  const decide = (row: Narrow, isNeeded: boolean) =>
    dueKinds(policy, factsOf(row, { isLast: last.get(row.branch)?.includes(row.number) ?? false, isNeeded }), now, {
      pipeline: oldestOf,
      branch: oldestOfBranch(row.branch),
    });
  const candidates = may.filter((row) => decide(row, false).length > 0);
  const needed = await neededAmong(
    db,
    candidates.map(({ id }) => id),
  );
  return candidates
    .filter(({ id }) => !needed.has(id))
    .map((row) => ({
      id: row.id,
      kinds: decide(row, false),
      eventSequence: row.eventSequence,
    }));
}

/** Bytes that were made since they were last deleted, by a job that was retried. */
const hasSince = (expiredAt: Date | null, finishedAt: Date | null) =>
  expiredAt === null || (finishedAt !== null && finishedAt >= expiredAt);

/** Numbers of the newest build of each branch, and of the newest that passed. */
async function lastOfBranches(
  db: Db,
  pipelineId: string,
  branches: readonly string[],
): Promise<ReadonlyMap<string, readonly (number | null)[]>> {
  const { rows } = await sql<{ branch: string; newest: number | null; passed: number | null }>`
    select b.branch,
      (select number from builds where pipeline_id = ${pipelineId} and branch = b.branch
        and culprit_search_id is null order by number desc limit 1) as newest,
      (select number from builds where pipeline_id = ${pipelineId} and branch = b.branch and state = 'passed'
        and culprit_search_id is null order by number desc limit 1) as passed
    from unnest(${sql.val([...branches])}::text[]) as b(branch)`.execute(db);
  return new Map(rows.map(({ branch, newest, passed }) => [branch, [newest, passed]]));
}

/** Counts that the policies for all branches, or for some, name. */
const countsOf = ({ policy }: AgingPipeline, ofBranches: boolean) => [
  ...new Set(
    policy
      .filter(({ branches }) => (branches !== null) === ofBranches)
      .flatMap(({ builds, logs, artifacts }) => [builds.count, logs.count, artifacts.count])
      .filter((count) => count !== undefined),
  ),
];

async function oldestOfPipeline(db: Db, pipeline: AgingPipeline, oldest: Oldest): Promise<OldestOf> {
  for (const count of countsOf(pipeline, false)) {
    if (oldest[count] !== undefined) continue;
    const row = await db
      .selectFrom('builds')
      .select('number')
      .where('pipelineId', '=', pipeline.id)
      .where('culpritSearchId', 'is', null)
      .orderBy('number', 'desc')
      .offset(count - 1)
      .limit(1)
      .executeTakeFirst();
    oldest[count] = row?.number ?? 0;
  }
  return (count) => oldest[count] ?? 0;
}

async function oldestOfBranches(
  db: Db,
  pipeline: AgingPipeline,
  branches: readonly string[],
): Promise<(branch: string) => OldestOf> {
  const own = branches.filter((branch) => policyOfBranch(pipeline.policy, branch).branches !== null);
  const numbers = new Map<string, number>();
  for (const count of own.length > 0 ? countsOf(pipeline, true) : []) {
    const { rows } = await sql<{ branch: string; number: number }>`
      select b.branch, n.number from unnest(${sql.val(own)}::text[]) as b(branch) cross join lateral (
        select number from builds where pipeline_id = ${pipeline.id} and branch = b.branch
        and culprit_search_id is null order by number desc offset ${count - 1} limit 1) as n`.execute(db);
    for (const { branch, number } of rows) numbers.set(`${count} ${branch}`, number);
  }
  return (branch) => (count) => numbers.get(`${count} ${branch}`) ?? 0;
}

/** Builds that an unfinished build was triggered by, has triggered and may wait for, or repeats. */
async function neededAmong(db: Db, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const isOpen = (alias: string) =>
    sql`${sql.ref(`${alias}.state`)} = any(${sql.val([...unfinishedBuildStates])}::text[])`;
  const { rows } = await sql<{ id: string }>`
    select b.id from builds b where b.id = any(${sql.val([...ids])}::uuid[]) and (
      exists (select from jobs j join builds p on p.id = j.build_id
        where j.id = b.triggered_from_job_id and ${isOpen('p')})
      or exists (select from jobs j join builds c on c.triggered_from_job_id = j.id
        where j.build_id = b.id and j.type = 'trigger' and ${isOpen('c')})
      or exists (select from builds c where c.rebuilt_from_id = b.id and ${isOpen('c')}))`.execute(db);
  return new Set(rows.map(({ id }) => id));
}
