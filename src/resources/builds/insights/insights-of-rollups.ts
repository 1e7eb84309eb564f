import { sql } from 'kysely';
import { isInsightTime, timeKey } from '../../../domain/builds/insights/insight-times.js';
import type { BuildInsight } from '../../../domain/builds/insights/insight.js';
import {
  addFigures,
  addPackedFigures,
  type Figures,
  figuresOf,
  insightOf,
  othersKey,
  type PackedFigures,
  type RollupKind,
  type RollupSpan,
} from '../../../domain/builds/insights/rollup.js';
import { planStretches, type RollupStretch, type Stretch } from '../../../domain/builds/insights/rollup-spans.js';
import { limits } from '../../../domain/limits/limits.js';
import { Problem } from '../../../domain/problem.js';
import { pipelineOfRowIsVisible } from '../../../core/find.js';
import type { Context } from '../../../request/context.js';
import { namesOfQueues } from './agent-time.js';
import { figuresOfRows } from './figures-of-rows.js';
import { areOfJobs, endedBuilds, type InsightsOf, jobsOf, refuseTooMany, rollupKindOf } from './insight-rows.js';

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
  const subjectOf = subjects(of);
  const isWanted = await keyFilter(context, of);
  for (const { pipelineId, beginsAt, figures } of await readRollups(context, of, plan))
    for (const packed of figures)
      if (isWanted(packed[0]))
        addPackedFigures(figuresOf(bySubject, subjectOf(pipelineId, beginsAt, packed[0])), packed);
  for (const stretch of plan.rows)
    for (const { pipelineId, beginsAt, key, figures } of await readRows(context, of, plan.kind, stretch))
      addFigures(figuresOf(bySubject, subjectOf(pipelineId, beginsAt, key)), figures);
  const names = await namesOf(context, of, [...bySubject.keys()]);
  const prices = await pricesOf(context, of);
  return [...bySubject]
    .flatMap(([subject, figures]) => {
      const name = names(subject);
      return name === undefined ? [] : [insightOf({ subject, key: name }, figures, prices)];
    })
    .sort((one, other) => other.builds - one.builds || (one.key < other.key ? -1 : 1))
    .slice(0, isInsightTime(of.by) ? undefined : limits.insightRows);
}

/** What figures go together by. */
function subjects({ by }: InsightsOf): (pipelineId: string, beginsAt: Date, key: string) => string {
  if (isInsightTime(by)) return (_pipelineId, beginsAt) => timeKey(by, beginsAt.getTime());
  if (by === 'pipeline') return (pipelineId) => pipelineId;
  return by === 'step' ? (pipelineId, _beginsAt, key) => `${pipelineId} ${key}` : (_pipelineId, _beginsAt, key) => key;
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

interface Rollup {
  pipelineId: string;
  beginsAt: Date;
  figures: PackedFigures[];
}

async function readRollups(
  context: Context,
  { organizationId, pipelineId }: InsightsOf,
  { kind, rollups }: Plan,
): Promise<Rollup[]> {
  const stretches = rollups.map(
    ({ span, from, to }) =>
      sql`r.span = ${span} and r.begins_at >= ${new Date(from)} and r.begins_at < ${new Date(to)}`,
  );
  const chosen = sql`insight_rollups r
    where r.organization_id = ${organizationId} and r.kind = ${kind}
      and (${sql.join(stretches, sql` or `)})
      ${pipelineId === null ? sql`` : sql`and r.pipeline_id = ${pipelineId}`}
      and ${pipelineOfRowIsVisible(context, 'r.pipelineId', organizationId)}`;
  const { rows: sums } = await sql<{ keys: number }>`
    select coalesce(sum(r.keys), 0)::float8 as keys from ${chosen}`.execute(context.db);
  if ((sums[0]?.keys ?? 0) > limits.insightFigures)
    throw new Problem(
      'invalid',
      `There are more than ${limits.insightFigures} figures between from and to: choose a shorter time or one pipeline`,
    );
  const { rows } = await sql<Rollup>`select r.pipeline_id, r.begins_at, r.figures from ${chosen}`.execute(context.db);
  return rows;
}

async function readRows(context: Context, of: InsightsOf, kind: RollupKind, { from, to }: Stretch) {
  const ofStretch = { ...of, from: new Date(from), to: new Date(to) };
  const builds = endedBuilds(context, ofStretch);
  await refuseTooMany(context, ofStretch, builds);
  const kinds = [{ kind, areOfJobs: areOfJobs(of) }];
  const by = kind === 'step' ? 'step' : of.by;
  return figuresOfRows(context.db, { builds, jobs: jobsOf({ ...of, by }), kinds });
}

/** Prices of an hour of an agent by the id of its queue. */
async function pricesOf({ db }: Context, { organizationId }: InsightsOf): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('cluster_queues')
    .select(['id', 'pricePerAgentHour'])
    .where('organizationId', '=', organizationId)
    .where('pricePerAgentHour', 'is not', null)
    .execute();
  return new Map(rows.map(({ id, pricePerAgentHour }) => [id, pricePerAgentHour ?? 0]));
}

/** Names of subjects, as the keys of rows; none for what has been deleted. */
async function namesOf(
  { db }: Context,
  { by }: InsightsOf,
  all: readonly string[],
): Promise<(subject: string) => string | undefined> {
  switch (by) {
    case 'branch':
    case 'day':
    case 'hour':
      return (subject) => subject;
    case 'queue': {
      const names = await namesOfQueues(
        db,
        all.filter((subject) => subject !== othersKey),
      );
      return (subject) => (subject === othersKey ? othersKey : names.get(subject));
    }
    case 'pipeline':
    case 'step': {
      const ids = [...new Set(all.map((subject) => subject.slice(0, 36)))];
      const { rows } = await sql<{ id: string; slug: string }>`
        select p.id, p.slug from pipelines p where p.id = any(${ids}::uuid[])`.execute(db);
      const slugs = new Map(rows.map(({ id, slug }) => [id, slug]));
      return (subject) => {
        const slug = slugs.get(subject.slice(0, 36));
        return slug === undefined || by === 'pipeline' ? slug : `${slug}/${subject.slice(37)}`;
      };
    }
  }
}
