import { z } from 'zod';
import { findSuite, suiteAddress, type SuiteSubject } from '../../../core/find-suite.js';
import { defineOperation } from '../../../core/operation.js';
import { flag, wholeNumber } from '../../../domain/input-text.js';
import { limits } from '../../../domain/limits/limits.js';
import { comparablePath } from '../../../domain/suites/test-plans/file-path.js';
import { estimate, nodesOf } from '../../../domain/suites/test-plans/split-tests.js';
import type { TestTarget } from '../../../domain/suites/test-plans/test-plan.js';
import { treatedTests } from '../../../resources/suites/test-plans/history.js';
import { timeTargets } from '../../../resources/suites/test-plans/time-targets.js';
import { clientEnv, files, maxParallelism, targetTime } from './input.js';

/**
 * Returns the files that should be split into their examples, in the order they were named: those with a skipped test,
 * which only a plan of examples leaves out, and, on request, those that take longer than a job's share of all.
 */
export const filterTestFiles = defineOperation({
  name: 'test-plan.filter-files',
  summary: 'Returns the files of tests that should be split into their examples.',
  kind: 'query',
  scope: 'read_test_plan',
  access: 'member',
  refusal: 'sentence',
  input: z.object({
    suite: suiteAddress,
    files,
    /** Whether slow files are split, not only those with a skipped test; the variables say so too. */
    slow: flag.default(false),
    parallelism: wholeNumber(0, limits.testPlanNodes).nullish(),
    maxParallelism,
    targetTime,
    env: clientEnv,
  }),
  subject: (context, { suite }) => findSuite(context, suite),
  run: async (context, input, { suite }: SuiteSubject): Promise<string[]> => {
    const { files: named, env } = input;
    const skipped = (await treatedTests(context, suite)).filter(({ state }) => state === 'skipped');
    const chosen = new Set(skipped.map(({ fileName }) => comparablePath(fileName ?? '')));
    const targets = named.map(({ path }): TestTarget => ({ format: 'file', path }));
    if (input.slow || env.splitsByExample) {
      const { tests } = estimate(targets, await timeTargets(context, suite, targets));
      const total = tests.reduce((sum, each) => sum + each.estimate, 0);
      const parallelism = input.parallelism ?? env.parallelism ?? 1;
      const share = total / Math.max(1, nodesOf({ ...input, parallelism }, tests));
      for (const test of tests) if (test.samples > 0 && test.estimate > share) chosen.add(comparablePath(test.path));
    }
    return [...new Set(named.map(({ path }) => path))].filter((path) => chosen.has(comparablePath(path)));
  },
});
