import { z } from 'zod';
import { findSuite, suiteAddress, type SuiteSubject } from '../../../core/find-suite.js';
import { defineOperation } from '../../../core/operation.js';
import { text } from '../../../domain/input-text.js';
import { limits } from '../../../domain/limits/limits.js';
import { invalidField, notFound } from '../../../domain/problem.js';
import { findPlan, type PlanSubject } from '../../../resources/suites/test-plans/find-plan.js';

/** Returns the plan that jobs of a step share; throws `not_found` before the first of them has made it. */
export const getTestPlan = defineOperation({
  name: 'test-plan.get',
  summary: 'Returns the plan by which parallel jobs split the tests of a suite.',
  kind: 'query',
  scope: 'read_test_plan',
  access: 'member',
  refusal: 'sentence',
  // Whether it is there is checked below: a stranger does not learn that the suite is.
  input: z.object({ suite: suiteAddress, identifier: text(limits.testPlanIdentifierLength).nullish() }),
  subject: (context, { suite }) => findSuite(context, suite),
  run: async (context, { identifier }, subject: SuiteSubject): Promise<PlanSubject> => {
    if (!identifier) throw invalidField('identifier', 'missing');
    const plan = await findPlan(context, subject.suite, identifier);
    if (!plan) throw notFound();
    return { ...subject, plan };
  },
});
