import { z } from 'zod';
import type { Context } from '../../../request/context.js';
import { findSuite, suiteAddress, type SuiteSubject } from '../../../core/find-suite.js';
import { defineOperation } from '../../../core/operation.js';
import { text, wholeNumber } from '../../../domain/input-text.js';
import { limits } from '../../../domain/limits/limits.js';
import { invalidField, Problem } from '../../../domain/problem.js';
import { estimate, nodesOf, splitTests } from '../../../domain/suites/test-plans/split-tests.js';
import { selectionStrategies, selectorsOf, selectTests } from '../../../domain/suites/test-plans/select-tests.js';
import type { TestPlan, TestTarget } from '../../../domain/suites/test-plans/test-plan.js';
import type { SuiteRow, TestPlanRow } from '../../../entities/database.js';
import { requireEditable } from '../../../resources/suites/require-editable.js';
import { findPlan, type PlanSubject } from '../../../resources/suites/test-plans/find-plan.js';
import { treatedTests } from '../../../resources/suites/test-plans/history.js';
import { identityOf, timeTargets } from '../../../resources/suites/test-plans/time-targets.js';
import { testIdentity } from '../../../resources/suites/uploads/tests-of-results.js';
import { files, identifier, maxParallelism, optionalText, path, targetTime } from './input.js';

const example = z.object({
  path,
  identifier: optionalText,
  name: optionalText,
  scope: optionalText,
});

const tests = z
  .object({
    files: files.nullish(),
    examples: z.array(example).max(limits.testPlanTargets, `has more than ${limits.testPlanTargets} values`).nullish(),
    selectors: z
      .array(z.object({ value: path }))
      .max(limits.testPlanTargets, `has more than ${limits.testPlanTargets} values`)
      .nullish(),
  })
  .transform(({ files: paths, examples, selectors }): TestTarget[] => [
    ...(paths ?? []).map((file): TestTarget => ({ format: 'file', path: file.path })),
    ...(examples ?? []).map((each): TestTarget => ({
      format: 'example',
      path: each.path,
      identifier: each.identifier ?? undefined,
      name: each.name ?? undefined,
      scope: each.scope ?? undefined,
    })),
    ...(selectors ?? []).map(({ value }): TestTarget => ({ format: 'selector', path: value })),
  ]);

/** Characters of all selectors, such as those that a client could name as tests. */
const selectorsLength = limits.testPlanBytes;

const selection = z.object({
  strategy: text(limits.labelLength),
  params: z
    .object({ selectors: text(selectorsLength).optional() })
    .nullish()
    .transform((params) => ({ selectors: params?.selectors ?? '' })),
});

/**
 * Splits tests over the parallel jobs of a step by how long they took before, and leaves out skipped examples. The
 * first job that asks with an identifier makes the plan; the others get the same one, whatever they name.
 */
export const createTestPlan = defineOperation({
  name: 'test-plan.create',
  summary: 'Splits tests of a suite over parallel jobs, or returns the plan that another job has made.',
  kind: 'command',
  // One row is written, and reading the history may take a second, for which nothing need be locked.
  inTransaction: false,
  scope: 'write_test_plan',
  access: 'member',
  // Every parallel job of every build asks; the row says who was first.
  audited: false,
  refusal: 'sentence',
  input: z.object({
    suite: suiteAddress,
    identifier,
    branch: text(limits.branchLength).default(''),
    parallelism: wholeNumber(0, limits.testPlanNodes).default(0),
    /** Most jobs, where the plan is to say how many run; zero as if absent. */
    maxParallelism,
    targetTime,
    /** What the paths of selectors lack of those that were uploaded. */
    locationPrefix: optionalText,
    tests,
    selection: selection.nullish().transform((value) => value ?? null),
  }),
  subject: (context, { suite }) => findSuite(context, suite),
  permit: (_context, subject) => requireEditable(subject),
  run: async (context, input, subject: SuiteSubject): Promise<PlanSubject> => {
    const { suite } = subject;
    refuseSelection(input.selection);
    if (input.parallelism === 0 && input.maxParallelism === null)
      throw invalidField('parallelism', 'must be at least 1 without max_parallelism');
    if (input.tests.length > limits.testPlanTargets)
      throw invalidField('tests', `has more than ${limits.testPlanTargets} values`);
    const known = await findPlan(context, suite, input.identifier);
    if (known) return { ...subject, plan: atLeast(known, input.parallelism) };
    const plan = await makePlan(context, suite, input);
    if (JSON.stringify(plan).length > limits.testPlanBytes)
      throw invalidField('tests', `make a plan of more than ${limits.testPlanBytes} bytes`);
    await context.db
      .insertInto('test_plans')
      .values({
        id: context.newId(),
        organizationId: suite.organizationId,
        suiteId: suite.id,
        identifier: input.identifier,
        branch: input.branch,
        plan,
        createdAt: context.now,
      })
      .onConflict((conflict) => conflict.columns(['suiteId', 'identifier']).doNothing())
      .execute();
    // Another job may have been first, and all need the same plan.
    const stored = await findPlan(context, suite, input.identifier);
    if (!stored) throw new Problem('locked', 'The plan was deleted meanwhile; try again', { retryAfter: 1 });
    return { ...subject, plan: atLeast(stored, input.parallelism) };
  },
});

function refuseSelection(chosen: z.output<typeof selection> | null): void {
  if (chosen && !selectionStrategies.some((each) => each === chosen.strategy))
    throw new Problem('malformed', `selection.strategy must be one of ${selectionStrategies.join(', ')}`);
  if (chosen?.strategy === 'manual' && selectorsOf(chosen).length === 0)
    throw new Problem('malformed', 'selection.params.selectors must have a selector, one on each line');
}

/** The plan with a place for every job: a client whose number is missing in it dies. */
function atLeast(row: TestPlanRow, nodes: number): TestPlanRow {
  const missing = Math.max(0, nodes - row.plan.nodes.length);
  const added = Array.from({ length: missing }, () => []);
  return missing === 0 ? row : { ...row, plan: { ...row.plan, nodes: [...row.plan.nodes, ...added] } };
}

interface PlanRequest {
  parallelism: number;
  maxParallelism: number | null;
  targetTime: number | null;
  locationPrefix?: string | null | undefined;
  tests: TestTarget[];
  selection: z.output<typeof selection> | null;
}

async function makePlan(context: Context, suite: SuiteRow, request: PlanRequest): Promise<TestPlan> {
  const treated = await treatedTests(context, suite);
  const named = (state: string) =>
    treated.filter((test) => test.state === state).map(({ scope, name }) => ({ scope, name }));
  const skipped = named('skipped');
  const left = new Set(skipped.map(testIdentity));
  const targets = selectTests(request.tests, request.selection).filter(
    (target) => target.format !== 'example' || !left.has(identityOf(target)),
  );
  const timings = await timeTargets(context, suite, targets, request.locationPrefix ?? '');
  const { tests: planned, ...figures } = estimate(targets, timings);
  const nodes = splitTests(planned, nodesOf(request, planned));
  return { nodes, muted: named('muted'), skipped, ...figures };
}
