import type { Context } from '../../request/context.js';
import { idIn } from '../../database/id-in.js';
import { cancelableBuildStates } from '../../domain/builds/build-state.js';
import type { Span } from '../../domain/builds/culprit/bisection.js';
import type { CulpritSearchState } from '../../domain/builds/culprit/search-state.js';
import type { CulpritBuildRow, CulpritSearchRow } from '../../entities/database.js';
import { cancelForBranch } from '../new-builds/branch-builds.js';
import { queueCommitStatuses } from '../notifications/queue-commit-statuses.js';
import { storeVerdict } from './judge-builds.js';

export interface SearchEnd {
  state: Exclude<CulpritSearchState, 'preparing' | 'running'>;
  /** What is known; null if the commits were not listed. */
  span: Span | null;
  /** Why there is no culprit, or more than one suspect; null for a culprit. */
  reason: string | null;
}

/**
 * Ends a locked search: stores its suspects, cancels what still runs, and publishes the culprit as a commit status.
 * Returns the search.
 */
export async function endSearch(
  context: Context,
  search: CulpritSearchRow,
  { state, span, reason }: SearchEnd,
): Promise<CulpritSearchRow> {
  const builds = await context.db.selectFrom('culprit_builds').selectAll().where('searchId', '=', search.id).execute();
  await cancelNeedless(
    context,
    builds.filter(({ verdict }) => verdict === null),
  );
  const isFound = state === 'finished' && span !== null && span.bad === span.good + 1;
  const set = {
    state,
    firstSuspect: span && span.good + 1,
    lastSuspect: span && span.bad,
    culpritCommit: isFound ? (search.commits[span.bad - 1] ?? null) : null,
    reason,
    nextLookAt: null,
    finishedAt: context.now,
  };
  await context.db.updateTable('culprit_searches').set(set).where('id', '=', search.id).execute();
  if (isFound) await publishCulprit(context, search, builds, span.bad);
  return { ...search, ...set };
}

/** Cancels builds of a search whose verdicts can tell nothing more, and that have not ended by themselves. */
export async function cancelNeedless(context: Context, needless: readonly CulpritBuildRow[]): Promise<void> {
  if (needless.length === 0) return;
  for (const build of needless) await storeVerdict(context, build, { verdict: 'needless', reason: null });
  const ids = needless.map(({ buildId }) => buildId);
  const rows = await context.db
    .selectFrom('builds')
    .selectAll()
    .where(idIn('id', ids))
    .orderBy('id')
    .forUpdate()
    .execute();
  for (const row of rows)
    if (cancelableBuildStates.includes(row.state))
      await cancelForBranch(context, row, {
        cancelReason: 'The search for a culprit needs it no more',
        reason: 'needless for the search for a culprit',
      });
}

/** The status goes with a build of the commit: the one that was tested, or the failed one. */
async function publishCulprit(
  context: Context,
  search: CulpritSearchRow,
  builds: readonly CulpritBuildRow[],
  position: number,
): Promise<void> {
  const id = builds.find((build) => build.position === position)?.buildId ?? search.badBuildId;
  const build = await context.db.selectFrom('builds').selectAll().where('id', '=', id).executeTakeFirst();
  if (build) await queueCommitStatuses(context, [build]);
}
