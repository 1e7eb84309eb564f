import type { Context } from '../../request/context.js';
import {
  type Bisection,
  needlessPositions,
  nextPositions,
  spanOf,
  suspectsOf,
} from '../../domain/builds/culprit/bisection.js';
import { limits } from '../../domain/limits/limits.js';
import { Problem } from '../../domain/problem.js';
import type { CulpritBuildRow, CulpritSearchRow } from '../../entities/database.js';
import { cancelNeedless, endSearch } from './end-search.js';
import { insertCulpritBuild } from './insert-culprit-build.js';
import { judgeBuilds } from './judge-builds.js';
import { roomForBuilds } from './room-for-builds.js';

/** A search is looked at after so long at the latest: agents may have become idle, or an end may have been missed. */
const lookMs = 30_000;

/**
 * Takes a search as far as it can be taken now, under the lock of its row: judges builds that have ended, cancels those
 * that tell nothing more, and answers or creates as many builds as queues and limits allow. Everything is decided from
 * the rows, so that any number of processes may do it, once or again. False if it is not running.
 */
export async function advanceSearch(context: Context, searchId: string): Promise<boolean> {
  const search = await context.db
    .selectFrom('culprit_searches')
    .selectAll()
    .where('id', '=', searchId)
    .forUpdate()
    .executeTakeFirst();
  if (search?.state !== 'running') return false;
  const builds = await withoutNeedless(context, search, await judgeBuilds(context, search));
  const bisection = bisectionOf(search, builds);
  const suspects = suspectsOf(bisection);
  if (suspects) {
    const isOne = suspects.first === suspects.last;
    const reason = isOne ? null : 'The commits between could not be judged.';
    await endSearch(context, search, { state: 'finished', span: spanOf(bisection), reason });
    return true;
  }
  const end = await goOn(context, search, builds, bisection);
  if (end === null) {
    const { good, bad } = spanOf(bisection);
    const nextLookAt = new Date(Math.min(context.now.getTime() + lookMs, search.deadlineAt.getTime()));
    const set = { firstSuspect: good + 1, lastSuspect: bad, nextLookAt };
    await context.db.updateTable('culprit_searches').set(set).where('id', '=', search.id).execute();
  } else await endSearch(context, search, { ...end, span: spanOf(bisection) });
  return true;
}

/** Marks and cancels the builds whose verdicts tell nothing more; returns all builds as they are then. */
async function withoutNeedless(
  context: Context,
  search: CulpritSearchRow,
  builds: CulpritBuildRow[],
): Promise<CulpritBuildRow[]> {
  const positions = new Set(needlessPositions(bisectionOf(search, builds)));
  await cancelNeedless(
    context,
    builds.filter(({ position }) => positions.has(position)),
  );
  return builds.map((build) => (positions.has(build.position) ? { ...build, verdict: 'needless' } : build));
}

/** The bisection of a search, as its builds were judged. */
export const bisectionOf = ({ commits }: CulpritSearchRow, builds: readonly CulpritBuildRow[]): Bisection => ({
  last: commits.length,
  tested: new Map(builds.map(({ position, verdict }) => [position, verdict])),
});

/** Creates the next builds; why the search ends instead, or null if it does not. */
async function goOn(
  context: Context,
  search: CulpritSearchRow,
  builds: readonly CulpritBuildRow[],
  bisection: Bisection,
): Promise<{ state: 'finished' | 'failed'; reason: string } | null> {
  if (search.deadlineAt <= context.now)
    return { state: 'finished', reason: `The search took longer than ${limits.culpritSearchHours} hours.` };
  const running = builds.filter(({ verdict }) => verdict === null).length;
  const left = limits.culpritBuilds - builds.length;
  if (left <= 0 && running === 0)
    return { state: 'finished', reason: `The search has made ${limits.culpritBuilds} builds, and may make no more.` };
  const most = Math.min(left, limits.culpritBuildsAtOnce - running);
  if (most <= 0) return null;
  const room = await roomForBuilds(
    context,
    search.plan.map(({ id }) => id),
  );
  try {
    for (const position of nextPositions(bisection, Math.min(most, Math.max(room, running === 0 ? 1 : 0))))
      await insertCulpritBuild(context, search, position);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { state: 'failed', reason: `A build could not be created: ${error.message}` };
  }
  return null;
}
