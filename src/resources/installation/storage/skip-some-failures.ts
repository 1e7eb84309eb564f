import type { Logger } from '../../../services/services.js';
import { StorageError } from '../../../storage/storage.js';

/** With more failures the storage is to blame and not an object. */
const failuresAtMost = 3;

/**
 * Runs steps of a round, each for one object: an object that cannot be moved or deleted is logged and left to the next
 * pass, so that it does not hold up all others. Throws the error of the fourth.
 */
export function skipSomeFailures(log: Logger): (key: string, step: () => Promise<void>) => Promise<void> {
  let failures = 0;
  return async (key, step) => {
    try {
      await step();
    } catch (error) {
      failures += 1;
      if (!(error instanceof StorageError) || failures > failuresAtMost) throw error;
      log.warn({ key, err: error }, 'a stored object could not be swept');
    }
  };
}
