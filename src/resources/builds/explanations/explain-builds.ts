import type { Context } from '../../../request/context.js';
import { type BuildExplanation, explainBuild } from '../../../domain/builds/explanations/build-explanation.js';
import { type BuildState, stoppedBuildStates } from '../../../domain/builds/build-state.js';
import type { BuildRow } from '../../../entities/database.js';
import { group } from '../../../loaders/batch-loader.js';

/**
 * Explains why builds were skipped or canceled, wait for a person or ran nothing, in two statements for any number of
 * builds. Any other build has null.
 */
export async function explainBuilds(
  context: Context,
  builds: readonly BuildRow[],
): Promise<Map<string, BuildExplanation | null>> {
  const idsOf = (states: readonly BuildState[]): string[] =>
    builds.filter(({ state }) => states.includes(state)).map(({ id }) => id);
  const [reasons, blocks] = await Promise.all([
    stopReasons(context, idsOf(stoppedBuildStates)),
    reachedBlocks(context, idsOf(['blocked'])),
  ]);
  return new Map(
    builds.map((build) => {
      const facts = { stopReason: reasons.get(build.id) ?? null, reachedBlocks: blocks.get(build.id) ?? [] };
      return [build.id, explainBuild(build, facts)];
    }),
  );
}

/** Reasons of the events by which builds were stopped. */
async function stopReasons(context: Context, ids: readonly string[]): Promise<Map<string, string | null>> {
  if (ids.length === 0) return new Map();
  const rows = await context.db
    .selectFrom('events')
    .distinctOn('buildId')
    .select(['buildId', 'reason'])
    .where('buildId', 'in', ids)
    .where('subject', '=', 'build')
    .where('toState', 'in', stoppedBuildStates)
    .orderBy('buildId')
    .orderBy('sequence')
    .execute();
  return new Map(rows.map(({ buildId, reason }) => [buildId ?? '', reason]));
}

interface ReachedBlock {
  id: string;
  label: string | null;
  buildId: string;
}

async function reachedBlocks(context: Context, ids: readonly string[]): Promise<Map<string, ReachedBlock[]>> {
  if (ids.length === 0) return new Map();
  const rows = await context.db
    .selectFrom('jobs')
    .select(['id', 'label', 'buildId'])
    .where('buildId', 'in', ids)
    .where('type', 'in', ['block', 'input'])
    .where('state', '=', 'blocked')
    .orderBy('position')
    .execute();
  return group(rows, ({ buildId }) => buildId);
}
