import { z } from 'zod';
import { limits } from '../../../domain/limits/limits.js';
import { notFound } from '../../../domain/problem.js';
import { defineOperation } from '../../../core/operation.js';
import { findSuite, suiteAddress, type SuiteSubject } from '../../../core/find-suite.js';
import { filledText, text } from '../../../domain/input-text.js';
import { testIdentity } from '../../../resources/suites/uploads/tests-of-results.js';
import type { TestSubject } from '../../../resources/suites/suite-tests/find-test.js';

/** Returns the test of a suite with this scope and name; throws `not_found`. */
export const findSuiteTest = defineOperation({
  name: 'suite-test.find',
  summary: 'Finds a test of a suite by its scope and name.',
  kind: 'query',
  scope: 'read_suites',
  access: 'member',
  refusal: 'sentence',
  input: z.object({
    suite: suiteAddress,
    scope: text(limits.testNameLength).default(''),
    name: filledText(limits.testNameLength),
  }),
  subject: (context, { suite }) => findSuite(context, suite),
  run: async (context, { scope, name }, subject: SuiteSubject): Promise<TestSubject> => {
    const test = await context.db
      .selectFrom('suite_tests')
      .selectAll()
      .where('suiteId', '=', subject.suite.id)
      .where('identity', '=', testIdentity({ scope, name }))
      .executeTakeFirst();
    if (!test) throw notFound();
    return { ...subject, test };
  },
});
