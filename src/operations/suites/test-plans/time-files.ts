import { z } from 'zod';
import { findSuite, suiteAddress, type SuiteSubject } from '../../../core/find-suite.js';
import { defineOperation } from '../../../core/operation.js';
import { orMissing } from '../../../domain/input-text.js';
import { limits } from '../../../domain/limits/limits.js';
import type { TestTarget } from '../../../domain/suites/test-plans/test-plan.js';
import { timeTargets } from '../../../resources/suites/test-plans/time-targets.js';
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
    const targets = [...new Set(paths)].map((name): TestTarget => ({ format: 'file', path: name }));
    const timings = await timeTargets(context, suite, targets);
    return [...timings].map(([target, { ms }]) => ({ path: target.path, duration: Math.round(ms) }));
  },
});
