import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Services } from '../services.js';
import { DatabaseUnavailableError } from '../database/faults.js';

/**
 * Processes items one by one, yielding to other work in between. A failing item is logged, passed to `onFailure`, and
 * stops nothing else. Returns the number of items for which `work` returned true.
 */
export async function eachAlone<T>(
  services: Services,
  items: readonly T[],
  work: (services: Services, item: T) => Promise<boolean>,
  onFailure: (item: T) => Promise<void> = async () => undefined,
): Promise<number> {
  let done = 0;
  for (const item of items) {
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
  return done;
}
