import { sql } from 'kysely';
import { isInsightTime, timeKey } from '../../../domain/builds/insights/insight-times.js';
import type { BuildInsight } from '../../../domain/builds/insights/insight.js';
import { type Figures, insightOf, othersKey } from '../../../domain/builds/insights/rollup.js';
import { limits } from '../../../domain/limits/limits.js';
import type { Context } from '../../../request/context.js';
import { namesOfQueues } from './agent-time.js';
import type { InsightsOf } from './insight-rows.js';

/** Tells what figures go together by, from the pipeline, time and key that they are of. */
export function subjects({ by }: InsightsOf): (pipelineId: string, beginsAt: Date, key: string) => string {
  if (isInsightTime(by)) return (_pipelineId, beginsAt) => timeKey(by, beginsAt.getTime());
  if (by === 'pipeline') return (pipelineId) => pipelineId;
  return by === 'step' ? (pipelineId, _beginsAt, key) => `${pipelineId} ${key}` : (_pipelineId, _beginsAt, key) => key;
}

/** The insights that figures make, by what {@link subjects} told: most builds first, and all of days and hours. */
export async function insightsOfFigures(
  context: Context,
  of: InsightsOf,
  bySubject: ReadonlyMap<string, Figures>,
): Promise<BuildInsight[]> {
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
      const ids = all.filter((subject) => subject !== othersKey);
      const names = await namesOfQueues(db, ids);
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
