import { nextTurn } from '../event-loop/turns.js';
import type { Services } from '../services/services.js';
import { DatabaseUnavailableError } from '../database/faults.js';
import { currentClaims } from './work/work-claims.js';

/**
 * Processes items one by one, yielding to other work in between. A failing item is logged, passed to `onFailure`, and
 * stops nothing else. Returns the number of items for which `work` returned true. `unitOf` names an item among the
 * units of `task`: one that ended the process twice is passed to `onFailure` only.
 */
export async function eachAlone<T>(
  services: Services,
  task: string,
  items: readonly T[],
  work: (services: Services, item: T) => Promise<boolean>,
  onFailure: (item: T) => Promise<void> = async () => undefined,
  unitOf: (item: T) => string = (item) => (item as { id: string }).id,
): Promise<number> {
  let done = 0;
  const process = async (some: readonly T[]) => {
    for (const item of some) {
      try {
        if (await work(services, item)) done += 1;
      } catch (error) {
        // The item is not to blame, and the next one would fare no better.
        if (error instanceof DatabaseUnavailableError) throw error;
        services.log.error({ item, err: error }, 'a background task failed for one row');
        await onFailure(item).catch((again: unknown) =>
          services.log.error({ item, err: again }, 'a failed row could not be postponed'),
        );
      }
      await nextTurn();
    }
  };
  const claims = items.length > 0 ? currentClaims() : null;
  if (claims) await claims.each(task, items, unitOf, process, onFailure);
  else await process(items);
  return done;
}
