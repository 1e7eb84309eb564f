import { type RawBuilder, sql } from 'kysely';
import { type Figures, noFigures, type RollupKind } from '../../../domain/builds/insights/rollup.js';
import { Sketch, sketchBase } from '../../../domain/builds/insights/sketch.js';
import type { Db } from '../../../entities/database.js';

/** Figures of what builds and jobs of a pipeline, created in an hour, have in common. */
export interface FiguresOfRows {
  kind: RollupKind;
  pipelineId: string;
  beginsAt: Date;
  key: string;
  figures: Figures;
}

interface FiguresRow {
  kind: RollupKind;
  pipelineId: string;
  beginsAt: Date;
  key: string;
  builds: number;
  failed: number;
  retried: number;
  agentMs: number;
  durations: string | null;
  waits: string | null;
}

/** Numbers of the buckets of a column of seconds, as `bucketOf` has them. */
const bucketsOf = (column: string) => {
  const ms = sql`round(${sql.ref(column)} * 1000)`;
  const bucket = sql`case when ${ms} < 1 then 0 else 1 + ceil(ln(${ms}) / ${Math.log(sketchBase)}::float8) end`;
  return sql`array_to_string(array_agg((${bucket})::int) filter (where ${sql.ref(column)} is not null), ' ')`;
};

const hour = sql`date_bin('1 hour', created_at, timestamptz 'epoch')`;
const keys: Readonly<Record<RollupKind, RawBuilder<unknown>>> = {
  pipeline: sql`''`,
  branch: sql`branch`,
  queue: sql`cluster_queue_id::text`,
  step: sql`step`,
};
const agentMs = sql`round(coalesce(sum(duration), 0) * 1000)::float8`;

const ofBuilds = (kind: RollupKind) => sql`
  select ${kind}::text as kind, pipeline_id, ${hour} as begins_at, ${keys[kind]} as key, count(*)::int as builds,
    count(*) filter (where failed)::int as failed, 0 as retried, 0::float8 as agent_ms,
    ${bucketsOf('duration')} as durations, null::text as waits
  from b where ${keys[kind]} is not null group by 2, 3, 4
  union all
  select ${kind}::text, pipeline_id, ${hour}, ${keys[kind]}, 0, 0, count(*) filter (where retried)::int, ${agentMs},
    null, ${bucketsOf('wait')}
  from j where ${keys[kind]} is not null group by 2, 3, 4`;

const ofJobs = (kind: RollupKind) => sql`
  select ${kind}::text as kind, pipeline_id, ${hour} as begins_at, ${keys[kind]} as key,
    count(distinct build_id)::int as builds, count(distinct build_id) filter (where failed)::int as failed,
    count(*) filter (where retried)::int as retried, ${agentMs} as agent_ms,
    ${bucketsOf('duration')} as durations, ${bucketsOf('wait')} as waits
  from j where ${keys[kind]} is not null group by 2, 3, 4`;

/** Figures that count builds, or builds by their jobs. */
export interface KindOfFigures {
  kind: RollupKind;
  areOfJobs: boolean;
}

/**
 * Adds up rows by the hours in which builds were created. Builds and their jobs make two rows of the same figures.
 *
 * @param builds statement of builds, as `endedBuilds` makes it
 * @param jobs statement of their jobs, as `jobsOf` makes it
 */
export async function figuresOfRows(
  db: Db,
  { builds, jobs, kinds }: { builds: RawBuilder<unknown>; jobs: RawBuilder<unknown>; kinds: readonly KindOfFigures[] },
): Promise<FiguresOfRows[]> {
  const selects = kinds.map(({ kind, areOfJobs }) => (areOfJobs ? ofJobs(kind) : ofBuilds(kind)));
  const { rows } = await sql<FiguresRow>`
    with b as materialized (${builds}), j as materialized (${jobs})
    ${sql.join(selects, sql` union all `)}`.execute(db);
  return rows.map(({ kind, pipelineId, beginsAt, key, durations, waits, ...numbers }) => ({
    kind,
    pipelineId,
    beginsAt,
    key,
    figures: {
      ...noFigures(),
      builds: numbers.builds,
      failed: numbers.failed,
      retried: numbers.retried,
      agentMs: numbers.agentMs,
      durations: Sketch.of(durations),
      waits: Sketch.of(waits),
    },
  }));
}
