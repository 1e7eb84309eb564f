import type { Services } from '../../../services/services.js';
import { TaskTooDear } from '../../../workers/pool.js';

/**
 * Finds the slugs of the teams that own each file of a suite's tests, by the suite's TESTOWNERS file (`content`).
 * No file has owners where the rules take too long: everybody else's wait behind them.
 */
export async function ownersOfFiles(
  { workers, log }: Services,
  suiteId: string,
  input: { content: string; files: string[] },
): Promise<string[][]> {
  try {
    return (await workers.run('tests.own', `suite ${suiteId}`, input)).owners;
  } catch (error) {
    if (!(error instanceof TaskTooDear)) throw error;
    log.warn({ suite: suiteId }, 'the rules of a TESTOWNERS file take too long: these tests have no owners');
    return [];
  }
}
