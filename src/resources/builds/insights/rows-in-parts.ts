import { sql } from 'kysely';
import { isInsightTime } from '../../../domain/builds/insights/insight-times.js';
import type { RollupKind } from '../../../domain/builds/insights/rollup.js';
import type { Stretch } from '../../../domain/builds/insights/rollup-spans.js';
import { isEmbedded } from '../../../database/open.js';
import { limits } from '../../../domain/limits/limits.js';
import { Problem } from '../../../domain/problem.js';
import type { Context } from '../../../request/context.js';
import { type FiguresOfRows, figuresOfRows } from './figures-of-rows.js';
import { areOfJobs, endedBuilds, type InsightsOf, jobsOf, rollupKindOf } from './insight-rows.js';

/** Builds of the shortest part. */
const buildsOfPart = 250;
/** Jobs, and parts, that one statement reads, about: the embedded database answers nothing else meanwhile. */
const atOnce = { embedded: { jobs: 2_500, parts: 4 }, server: { jobs: 50_000, parts: 200 } };

/** Builds in the order of their creation. */
export interface Parts {
  builds: number;
  /** Times in which some hundreds of them were created, one after the other. */
  times: Stretch[];
}

/** Divides the builds that are asked for; throws `invalid` where they are more than one request reads. */
export async function partsOf(context: Context, of: InsightsOf): Promise<Parts> {
  const most = limits.insightBuilds;
  const { rows } = await sql<{ createdAt: Date; builds: number }>`
    select created_at, builds from (
      select created_at, row_number() over (order by created_at) as number, (count(*) over ())::int as builds
      from (${endedBuilds(context, of)} limit ${most + 1}) as read) as numbered
    where number % ${buildsOfPart} = 1 order by 1`.execute(context.db);
  const builds = rows[0]?.builds ?? 0;
  if (builds > most)
    throw new Problem('invalid', `There are more than ${most} builds to read between from and to: ${wayOut(of)}`);
  // Builds of one moment are in one part.
  const begins = [...new Set(rows.map(({ createdAt }) => createdAt.getTime()))].slice(1);
  const ends = [...begins, of.to.getTime()];
  const times = ends.map((to, index) => ({ from: ends[index - 1] ?? of.from.getTime(), to }));
  return { builds, times: builds > 0 ? times : [] };
}

function wayOut(of: InsightsOf): string {
  if (rollupKindOf(of) !== null) return 'choose a shorter time, or wait until older builds are in rollups';
  return 'choose a shorter time, or only one of branch, queue and step, which has rollups';
}

/** Reads the rows of parts, a few thousand jobs at a time, and hands their figures over. */
export async function readParts(
  context: Context,
  of: InsightsOf,
  { times }: Parts,
  take: (figures: FiguresOfRows) => void,
): Promise<void> {
  const { by } = of;
  const kind: RollupKind = by === 'branch' || by === 'queue' || by === 'step' ? by : 'pipeline';
  const kinds = [{ kind, areOfJobs: areOfJobs(of) }];
  const every = isInsightTime(by) ? by : null;
  const most = isEmbedded(context.services.db) ? atOnce.embedded : atOnce.server;
  let count = 1;
  for (let at = 0; at < times.length;) {
    const part = times.slice(at, at + count);
    const [from, to] = [part[0]?.from ?? NaN, part.at(-1)?.to ?? NaN];
    const builds = endedBuilds(context, { ...of, from: new Date(from), to: new Date(to) });
    let jobs = 0;
    for (const row of await figuresOfRows(context.db, {
      builds,
      jobs: jobsOf(of, { withPrices: false }),
      kinds,
      every,
    })) {
      jobs += row.jobs;
      take(row);
    }
    at += part.length;
    // The next builds are taken to have about as many jobs.
    const fitting = Math.floor((most.jobs * part.length) / Math.max(1, jobs));
    count = Math.max(1, Math.min(fitting, 4 * count, most.parts));
  }
}
