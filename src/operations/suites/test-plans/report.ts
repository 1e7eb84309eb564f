import { sql } from 'kysely';
import { z } from 'zod';
import { findSuite, suiteAddress, type SuiteSubject } from '../../../core/find-suite.js';
import { defineOperation } from '../../../core/operation.js';
import { text, wholeNumber } from '../../../domain/input-text.js';
import { limits } from '../../../domain/limits/limits.js';
import { invalidField, notFound } from '../../../domain/problem.js';
import { requireEditable } from '../../../resources/suites/require-editable.js';
import { findPlan, type PlanSubject } from '../../../resources/suites/test-plans/find-plan.js';
import { clientEnv, identifier } from './input.js';

/** Outcomes that clients count their tests by. */
export const testOutcomes = [
  'total',
  'passed_on_first_run',
  'passed_on_retry',
  'muted_passed',
  'muted_failed',
  'failed',
  'skipped',
] as const;

/** Notes how a job has run its part of a plan; a later report of the same job replaces an earlier one. */
export const reportTestPlan = defineOperation({
  name: 'test-plan.report',
  summary: 'Notes how a parallel job has run its part of a plan.',
  kind: 'command',
  scope: 'write_test_plan',
  access: 'member',
  // Every parallel job of every build reports; the plan has what it said.
  audited: false,
  refusal: 'sentence',
  input: z.object({
    suite: suiteAddress,
    /** Absent where the variables say it. */
    identifier: identifier.nullish(),
    /** Number of the job, from 0; absent where the variables say it. */
    node: wholeNumber(0, limits.testPlanNodes - 1).nullish(),
    version: text(limits.labelLength).default(''),
    /** Seconds from the first start to the last end of tests; absent where the events say it. */
    duration: z.number({ error: 'must be a number' }).min(0, 'must not be negative').nullish(),
    env: clientEnv,
    timeline: z
      .array(z.object({ timestamp: text(limits.labelLength), event: text(limits.labelLength) }))
      .max(limits.filterValues, `has more than ${limits.filterValues} values`)
      .nullish(),
    statistics: z.partialRecord(z.enum(testOutcomes), wholeNumber(0, 1_000_000_000)).default({}),
  }),
  subject: (context, { suite }) => findSuite(context, suite),
  permit: (_context, subject) => requireEditable(subject),
  run: async (context, input, subject: SuiteSubject): Promise<PlanSubject> => {
    const { version, statistics, env } = input;
    const planIdentifier = input.identifier ?? env.identifier;
    const node = input.node ?? env.node;
    if (node === null || node >= limits.testPlanNodes) throw invalidField('node', 'missing');
    const report = JSON.stringify({ version, duration: input.duration ?? secondsOf(input.timeline ?? []), statistics });
    await context.db
      .updateTable('test_plans')
      .set({ reports: sql`reports || jsonb_build_object(${String(node)}::text, ${report}::jsonb)` })
      .where('suiteId', '=', subject.suite.id)
      .where('identifier', '=', planIdentifier)
      .execute();
    const plan = await findPlan(context, subject.suite, planIdentifier);
    if (!plan) throw notFound();
    return { ...subject, plan };
  },
});

/** Seconds between the first and the last of these events; null without two of them. */
function secondsOf(events: readonly { timestamp: string }[]): number | null {
  const times = events.map(({ timestamp }) => Date.parse(timestamp)).filter((time) => !Number.isNaN(time));
  return times.length < 2 ? null : (Math.max(...times) - Math.min(...times)) / 1000;
}
