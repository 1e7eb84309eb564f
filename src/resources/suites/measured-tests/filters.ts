import { z } from 'zod';
import { flag, oneOf, text } from '../../../domain/input-text.js';
import { limits } from '../../../domain/limits/limits.js';
import { branchFilterProblem, readTagFilter } from '../../../domain/suites/test-filters.js';
import { testStates } from '../../../domain/suites/results/test-state.js';

/** The metrics that tests are sorted by. */
export const testMetrics = ['duration_avg', 'duration_sum', 'duration_min', 'duration_max', 'reliability'] as const;
export type TestMetric = (typeof testMetrics)[number];
/** What tests are sorted by where nobody says so. */
export const usualMetric: TestMetric = 'duration_avg';
export const testOrders = ['asc', 'desc'] as const;
export type TestOrder = (typeof testOrders)[number];

const names = z.array(text(limits.filterLength)).max(limits.filterValues);

const checked = (length: number, problemOf: (value: string) => string | null) =>
  text(length).superRefine((value, context) => {
    const message = problemOf(value);
    if (message !== null) context.addIssue({ code: 'custom', message });
  });

/** What tests themselves are chosen by. */
export const testFilters = z.object({
  /** Labels that tests have, all of them, and after a `!` those that they have not. */
  labels: names.nullish(),
  /** Slugs of teams of which tests have one, and after a `!` those of which they have none. */
  owners: names.nullish(),
  state: oneOf(testStates).nullish(),
  /** Only tests that count as flaky now. */
  flaky: flag.nullish(),
});

/** Which executions count, and what tests are sorted by. */
export const executionFilters = z.object({
  /** Branch of the executions that count; `!` excludes it, `*` at its end stands for anything. */
  branch: checked(limits.branchLength + 1, branchFilterProblem).nullish(),
  /** Tags of the executions that count, as `readTagFilter` reads them. */
  tags: z
    .array(checked(limits.testTagKeyBytes + limits.testTagValueLength + 3, tagFilterProblem))
    .max(limits.filterValues)
    .nullish(),
  sortBy: oneOf(testMetrics).nullish(),
  /** Tests without the metric are last either way; `desc` by default. */
  order: oneOf(testOrders).nullish(),
});

export type TestFilters = z.output<typeof testFilters>;
export type ExecutionFilters = z.output<typeof executionFilters>;

function tagFilterProblem(filter: string): string | null {
  const read = readTagFilter(filter);
  return 'problem' in read ? read.problem : null;
}
