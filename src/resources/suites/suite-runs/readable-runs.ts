import { limits } from '../../../domain/limits/limits.js';
import type { SuiteRunRow } from '../../../entities/database.js';

/**
 * Ids of the first of these runs, newest first, so many that their executions together can be read in a moment
 * (`testTimingExecutions`); the first one whatever it has.
 */
export function readableRuns(runs: readonly Pick<SuiteRunRow, 'id' | 'keptCount'>[]): string[] {
  let executions = 0;
  return runs
    .filter(({ keptCount }, index) => {
      executions += keptCount;
      return index === 0 || executions <= limits.testTimingExecutions;
    })
    .map(({ id }) => id);
}
