import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Services } from '../../context.js';

/**
 * Works through items one by one, giving way to other work in between. One that fails is logged, handed to `onFailure`
 * and stops nothing else (promises.md: one poisoned row). The number of items that `work` says it dealt with.
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
      services.log.error({ item, err: error }, 'upkeep of one item failed');
      await onFailure(item).catch((again: unknown) => services.log.error({ item, err: again }, 'the failed item could not be put aside'));
    }
    await nextTurn();
  }
  return done;
}
