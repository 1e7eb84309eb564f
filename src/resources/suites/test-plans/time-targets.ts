import type { Context } from '../../../request/context.js';
import { comparablePath, prefixedPath } from '../../../domain/suites/test-plans/file-path.js';
import type { TestTarget, Timing } from '../../../domain/suites/test-plans/test-plan.js';
import type { SuiteRow } from '../../../entities/database.js';
import { testIdentity } from '../uploads/tests-of-results.js';
import { timedRuns, timingsOfFiles, timingsOfTests } from './history.js';

/** Identity of the test that an example is. */
export const identityOf = ({ scope = '', name = '' }: TestTarget) => testIdentity({ scope, name });

/**
 * How long targets took before, those that have: files and examples by what was uploaded, selectors below a prefix.
 */
export async function timeTargets(
  context: Context,
  suite: SuiteRow,
  targets: readonly TestTarget[],
  prefix = '',
): Promise<Map<TestTarget, Timing>> {
  const runs = await timedRuns(context, suite);
  const keyOf = (target: TestTarget) =>
    target.format === 'selector' ? prefixedPath(prefix, target.path) : comparablePath(target.path);
  const examples = targets.filter(({ format }) => format === 'example');
  const others = targets.filter(({ format }) => format !== 'example');
  const byPath = await timingsOfFiles(context, runs, [...new Set(others.map(keyOf))]);
  const byIdentity = await timingsOfTests(context, suite, runs, [...new Set(examples.map(identityOf))]);
  return new Map(
    targets.flatMap((target): [TestTarget, Timing][] => {
      const timing = target.format === 'example' ? byIdentity.get(identityOf(target)) : byPath.get(keyOf(target));
      return timing ? [[target, timing]] : [];
    }),
  );
}
