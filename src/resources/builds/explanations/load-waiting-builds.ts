import type { Context } from '../../../request/context.js';
import { limits } from '../../../domain/limits/limits.js';

/**
 * Loads, for each of these builds, the builds that wait for its end: the one whose trigger step started it and waits
 * for it, the one that waits for that one, and so on.
 */
export async function loadWaitingBuilds(
  context: Context,
  buildIds: readonly string[],
): Promise<Map<string, ReadonlySet<string>>> {
  const { build: builds, job: jobs } = context.uncheckedRows;
  const waiting = async (buildId: string): Promise<[string, ReadonlySet<string>]> => {
    const buildIds = new Set<string>();
    let current = await builds.load(buildId);
    while (current?.triggeredFromJobId && buildIds.size < limits.triggerDepth) {
      const trigger = await jobs.load(current.triggeredFromJobId);
      if (!trigger || trigger.async || buildIds.has(trigger.buildId)) break;
      buildIds.add(trigger.buildId);
      current = await builds.load(trigger.buildId);
    }
    return [buildId, buildIds];
  };
  // Each level of all builds is one statement.
  return new Map(await Promise.all([...new Set(buildIds)].map(waiting)));
}
