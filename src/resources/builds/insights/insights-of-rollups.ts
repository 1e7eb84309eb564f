import { sql } from 'kysely';
import type { BuildInsight } from '../../../domain/builds/insights/insight.js';
import {
  addFigures,
  addPackedFigures,
  type Figures,
  figuresOf,
  type PackedFigures,
  type RollupKind,
  type RollupSpan,
} from '../../../domain/builds/insights/rollup.js';
import {
  pagesOfSpans,
  planStretches,
  type RollupStretch,
  type Stretch,
} from '../../../domain/builds/insights/rollup-spans.js';
import { limits } from '../../../domain/limits/limits.js';
import { Problem } from '../../../domain/problem.js';
import { pipelineOfRowIsVisible } from '../../../core/find.js';
import { nextTurn } from '../../../event-loop/turns.js';
import type { Context } from '../../../request/context.js';
import { type InsightsOf, rollupKindOf } from './insight-rows.js';
import { insightsOfFigures, subjects } from './insights-of-figures.js';
import { type Parts, partsOf, readParts } from './rows-in-parts.js';

/** Figures that one statement reads, about: a few megabytes. */
const figuresAtOnce = 5_000;
/** Figures that are added up in one turn of the event loop. */
const figuresOfTurn = 500;

/** Rollups and rows that figures are added up from. */
interface Plan {
  kind: RollupKind;
  rollups: readonly RollupStretch[];
  rows: readonly Stretch[];
}

/** Where figures come from; null where no rollup has a part of them. */
export async function planOf({ db }: Context, of: InsightsOf): Promise<Plan | null> {
  const kind = rollupKindOf(of);
  if (kind === null) return null;
  const fold = await db.selectFrom('insight_folds').select('foldedUntilAt').executeTakeFirst();
  const plan = planStretches(
    { from: of.from.getTime(), to: of.to.getTime() },
    { foldedUntil: fold?.foldedUntilAt?.getTime() ?? null, longest: longestOf(of) },
  );
  return plan.rollups.length > 0 ? { kind, ...plan } : null;
}

/** One branch, queue or step is among those with figures in an hour or day more often than in a month. */
function longestOf({ by, branch, queues, step }: InsightsOf): RollupSpan {
  if (by === 'hour') return 'hour';
  return by === 'day' || branch !== null || queues !== null || step !== null ? 'day' : 'month';
}

/** Adds up the figures of rollups, and of rows where there are none, by what the caller wants. */
export async function insightsOfRollups(context: Context, of: InsightsOf, plan: Plan): Promise<BuildInsight[]> {
  const bySubject = new Map<string, Figures>();
  await addRollups(context, of, plan, bySubject);
  for (const { from, to } of plan.rows) {
    const ofStretch = { ...of, from: new Date(from), to: new Date(to) };
    await addParts(context, ofStretch, await partsOf(context, ofStretch), bySubject);
  }
  return insightsOfFigures(context, of, bySubject);
}

/** Adds up the figures of rows alone. */
export async function insightsOfParts(context: Context, of: InsightsOf, parts: Parts): Promise<BuildInsight[]> {
  const bySubject = new Map<string, Figures>();
  await addParts(context, of, parts, bySubject);
  return insightsOfFigures(context, of, bySubject);
}

async function addParts(context: Context, of: InsightsOf, parts: Parts, to: Map<string, Figures>): Promise<void> {
  const subjectOf = subjects(of);
  await readParts(context, of, parts, ({ pipelineId, beginsAt, key, figures }) =>
    addFigures(figuresOf(to, subjectOf(pipelineId, beginsAt, key)), figures),
  );
}

async function addRollups(context: Context, of: InsightsOf, plan: Plan, to: Map<string, Figures>): Promise<void> {
  const subjectOf = subjects(of);
  const isWanted = await keyFilter(context, of);
  let sinceTurn = 0;
  for (const page of await pagesOf(context, of, plan))
    for (const { pipelineId, beginsAt, figures } of await readRollups(context, of, { ...plan, rollups: page })) {
      for (const packed of figures)
        if (isWanted(packed[0])) addPackedFigures(figuresOf(to, subjectOf(pipelineId, beginsAt, packed[0])), packed);
      sinceTurn += figures.length;
      if (sinceTurn < figuresOfTurn) continue;
      await nextTurn();
      sinceTurn = 0;
    }
}

/** Tells whether figures of a key are asked for. */
async function keyFilter({ db }: Context, { branch, queues, step }: InsightsOf): Promise<(key: string) => boolean> {
  if (queues !== null) {
    const { rows } = await sql<{ id: string }>`select q.id from (${queues}) as q`.execute(db);
    const ids = new Set(rows.map(({ id }) => id));
    return (key) => ids.has(key);
  }
  const only = branch ?? step;
  return only === null ? () => true : (key) => key === only;
}

/** Rows of rollups in some spans that the caller may see. */
function chosenRollups(context: Context, { organizationId, pipelineId }: InsightsOf, { kind, rollups }: Plan) {
  const stretches = rollups.map(
    ({ span, from, to }) =>
      sql`r.span = ${span} and r.begins_at >= ${new Date(from)} and r.begins_at < ${new Date(to)}`,
  );
  return sql`insight_rollups r
    where r.organization_id = ${organizationId} and r.kind = ${kind}
      and (${sql.join(stretches, sql` or `)})
      ${pipelineId === null ? sql`` : sql`and r.pipeline_id = ${pipelineId}`}
      and ${pipelineOfRowIsVisible(context, 'r.pipelineId', organizationId)}`;
}

/** Stretches of a plan that are read at once; throws `invalid` where there are too many figures in them. */
async function pagesOf(context: Context, of: InsightsOf, plan: Plan): Promise<RollupStretch[][]> {
  const { rows } = await sql<{ span: RollupSpan; beginsAt: Date; keys: number }>`
    select r.span, r.begins_at, sum(r.keys)::float8 as keys from ${chosenRollups(context, of, plan)}
    group by 1, 2 order by 2`.execute(context.db);
  if (rows.reduce((sum, { keys }) => sum + keys, 0) > limits.insightFigures)
    throw new Problem(
      'invalid',
      `There are more than ${limits.insightFigures} figures between from and to: choose a shorter time or one pipeline`,
    );
  return pagesOfSpans(
    rows.map((row) => ({ ...row, begin: row.beginsAt.getTime() })),
    figuresAtOnce,
  );
}

interface Rollup {
  pipelineId: string;
  beginsAt: Date;
  figures: PackedFigures[];
}

async function readRollups(context: Context, of: InsightsOf, plan: Plan): Promise<Rollup[]> {
  const { rows } = await sql<Rollup>`
    select r.pipeline_id, r.begins_at, r.figures from ${chosenRollups(context, of, plan)}`.execute(context.db);
  return rows;
}
