import { z } from 'zod';
import { findSuite, suiteAddress, type SuiteSubject } from '../../../core/find-suite.js';
import { defineOperation } from '../../../core/operation.js';
import { notFound } from '../../../domain/problem.js';
import { findPlan, type PlanSubject } from '../../../resources/suites/test-plans/find-plan.js';
import { identifier } from './input.js';

/** Returns the plan that jobs of a step share; throws `not_found` before the first of them has made it. */
export const getTestPlan = defineOperation({
  name: 'test-plan.get',
  summary: 'Returns the plan by which parallel jobs split the tests of a suite.',
  kind: 'query',
  scope: 'read_test_plan',
  access: 'member',
  refusal: 'sentence',
  input: z.object({ suite: suiteAddress, identifier }),
  subject: (context, { suite }) => findSuite(context, suite),
  run: async (context, input, subject: SuiteSubject): Promise<PlanSubject> => {
    const plan = await findPlan(context, subject.suite, input.identifier);
    if (!plan) throw notFound();
    return { ...subject, plan };
  },
});
