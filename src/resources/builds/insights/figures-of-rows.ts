import { type RawBuilder, sql } from 'kysely';
import type { InsightTime } from '../../../domain/builds/insights/insight-times.js';
import { type Figures, noFigures, type RollupKind } from '../../../domain/builds/insights/rollup.js';
import { Sketch, sketchBase } from '../../../domain/builds/insights/sketch.js';
import type { Db } from '../../../entities/database.js';

/** Figures of what builds and jobs of a pipeline, created in an hour or a day, have in common. */
export interface FiguresOfRows {
  kind: RollupKind;
  pipelineId: string;
  /** When the hour or day begins; the epoch where figures are of all times together. */
  beginsAt: Date;
  key: string;
  figures: Figures;
  /** Jobs that were read for them. */
  jobs: number;
}

interface FiguresRow {
  kind: RollupKind;
  pipelineId: string;
  beginsAt: Date;
  key: string;
  queue: string | null;
  builds: number;
  failed: number;
  retried: number;
  agentMs: number;
  durations: string | null;
  waits: string | null;
  logBytes: number;
  artifactBytes: number;
  jobs: number;
}

/**
 * Numbers of the buckets of a column of seconds: 0 for less than a millisecond, else one more than the least power of
 * the base that is not below the milliseconds.
 */
const bucketsOf = (column: string) => {
  const ms = sql`round(${sql.ref(column)} * 1000)`;
  const bucket = sql`case when ${ms} < 1 then 0 else 1 + ceil(ln(${ms}) / ${Math.log(sketchBase)}::float8) end`;
  return sql`array_to_string(array_agg((${bucket})::int) filter (where ${sql.ref(column)} is not null), ' ')`;
};

/** What builds are parted by, besides pipelines and keys: the time of their creation; null: nothing. */
type Every = InsightTime | null;
const beginsAt = (every: Every) =>
  every === null ? sql`timestamptz 'epoch'` : sql`date_bin(${sql.lit(`1 ${every}`)}, created_at, timestamptz 'epoch')`;
const keys: Readonly<Record<RollupKind, RawBuilder<unknown>>> = {
  pipeline: sql`''`,
  branch: sql`branch`,
  queue: sql`cluster_queue_id::text`,
  step: sql`step`,
};
const bytes = sql`sum(log_bytes)::float8 as log_bytes, sum(artifact_bytes)::float8 as artifact_bytes`;
const noBytes = sql`0::float8 as log_bytes, 0::float8 as artifact_bytes`;

/** Columns of rows that have no time of agents, and of those that have nothing else. */
const noTime = sql`null::text as queue, 0::float8 as agent_ms`;
const timeOfAgents = (kind: RollupKind, every: Every) => sql`
  select ${kind}::text as kind, pipeline_id, ${beginsAt(every)} as begins_at, ${keys[kind]} as key,
    coalesce(cluster_queue_id::text, '') as queue, round(sum(duration) * 1000)::float8 as agent_ms,
    0 as builds, 0 as failed, 0 as retried, null::text as durations, null::text as waits, ${noBytes}, 0 as jobs
  from j where ${keys[kind]} is not null and duration is not null group by 2, 3, 4, 5`;

const ofBuilds = (kind: RollupKind, every: Every) => sql`
  select ${kind}::text as kind, pipeline_id, ${beginsAt(every)} as begins_at, ${keys[kind]} as key, ${noTime},
    count(*)::int as builds, count(*) filter (where failed)::int as failed, 0 as retried,
    ${bucketsOf('duration')} as durations, null::text as waits, ${noBytes}, 0 as jobs
  from b where ${keys[kind]} is not null group by 2, 3, 4
  union all
  select ${kind}::text, pipeline_id, ${beginsAt(every)}, ${keys[kind]}, ${noTime}, 0, 0,
    count(*) filter (where retried)::int, null, ${bucketsOf('wait')}, ${bytes}, count(*)::int
  from j where ${keys[kind]} is not null group by 2, 3, 4`;

const ofJobs = (kind: RollupKind, every: Every) => sql`
  select ${kind}::text as kind, pipeline_id, ${beginsAt(every)} as begins_at, ${keys[kind]} as key, ${noTime},
    count(distinct build_id)::int as builds, count(distinct build_id) filter (where failed)::int as failed,
    count(*) filter (where retried)::int as retried,
    ${bucketsOf('duration')} as durations, ${bucketsOf('wait')} as waits, ${bytes}, count(*)::int as jobs
  from j where ${keys[kind]} is not null group by 2, 3, 4`;

/** Figures that count builds, or builds by their jobs. */
export interface KindOfFigures {
  kind: RollupKind;
  areOfJobs: boolean;
}

/** Rows whose figures are added up. */
interface RowsOfFigures {
  /** Statement of builds, as `endedBuilds` makes it. */
  builds: RawBuilder<unknown>;
  /** Statement of their jobs, as `jobsOf` makes it. */
  jobs: RawBuilder<unknown>;
  kinds: readonly KindOfFigures[];
  every: Every;
}

/**
 * Adds up rows by the hours or days in which builds were created, or all together. Builds, their jobs and the time of
 * agents in each queue make several rows of the same figures.
 */
export async function figuresOfRows(db: Db, { builds, jobs, kinds, every }: RowsOfFigures): Promise<FiguresOfRows[]> {
  const selects = kinds.flatMap(({ kind, areOfJobs }) => [
    areOfJobs ? ofJobs(kind, every) : ofBuilds(kind, every),
    timeOfAgents(kind, every),
  ]);
  const { rows } = await sql<FiguresRow>`
    with b as materialized (${builds}), j as materialized (${jobs})
    ${sql.join(selects, sql` union all `)}`.execute(db);
  return rows.map(({ queue, durations, waits, ...numbers }) => ({
    kind: numbers.kind,
    pipelineId: numbers.pipelineId,
    beginsAt: numbers.beginsAt,
    key: numbers.key,
    jobs: numbers.jobs,
    figures: {
      ...noFigures(),
      builds: numbers.builds,
      failed: numbers.failed,
      retried: numbers.retried,
      agentMs: new Map(queue === null ? [] : [[queue, numbers.agentMs]]),
      durations: Sketch.of(durations),
      waits: Sketch.of(waits),
      logBytes: numbers.logBytes,
      artifactBytes: numbers.artifactBytes,
    },
  }));
}
