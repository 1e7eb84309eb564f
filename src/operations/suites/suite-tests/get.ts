import { z } from 'zod';
import { defineOperation } from '../../../core/operation.js';
import { findTest, testAddress, type TestSubject } from '../../../resources/suites/suite-tests/find-test.js';

/** Returns one test of a suite. */
export const getSuiteTest = defineOperation({
  name: 'suite-test.get',
  summary: 'Returns one test of a suite.',
  kind: 'query',
  scope: 'read_suites',
  access: 'member',
  refusal: 'sentence',
  input: z.object({ test: testAddress }),
  subject: (context, { test }) => findTest(context, test),
  run: async (_context, _input, subject: TestSubject) => subject,
});
