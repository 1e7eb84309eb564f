import { z } from 'zod';
import { findSuite, suiteAddress, type SuiteSubject } from '../../../core/find-suite.js';
import { defineOperation } from '../../../core/operation.js';
import { orMissing } from '../../../domain/input-text.js';
import { limits } from '../../../domain/limits/limits.js';
import { comparablePath } from '../../../domain/suites/test-plans/file-path.js';
import { timedRuns, timingsOfFiles } from '../../../resources/suites/test-plans/history.js';
import { path } from './input.js';

/** How long a file of tests takes. */
export interface FileTime {
  /** As the caller named it. */
  path: string;
  /** Median of its runs, in whole milliseconds. */
  duration: number;
}

/** Returns how long files of tests take, those that were run before, in the order they were named. */
export const timeTestFiles = defineOperation({
  name: 'test-plan.time-files',
  summary: 'Returns how long files of tests take.',
  kind: 'query',
  scope: 'read_test_plan',
  access: 'member',
  refusal: 'sentence',
  input: z.object({
    suite: suiteAddress,
    paths: z
      .array(path, { error: orMissing('must be a list') })
      .max(limits.testPlanTargets, `has more than ${limits.testPlanTargets} values`),
  }),
  subject: (context, { suite }) => findSuite(context, suite),
  run: async (context, { paths }, { suite }: SuiteSubject): Promise<FileTime[]> => {
    const runs = await timedRuns(context, suite);
    const timings = await timingsOfFiles(context, runs, [...new Set(paths.map(comparablePath))]);
    return [...new Set(paths)].flatMap((name) => {
      const timing = timings.get(comparablePath(name));
      return timing ? [{ path: name, duration: Math.round(timing.ms) }] : [];
    });
  },
});
