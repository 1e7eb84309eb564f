import { z } from 'zod';
import { testStates } from '../../domain/test-results/test-state.js';
import { defineOperation } from '../operation.js';
import { recordSuite } from '../suites/record.js';
import { requireEditable } from '../suites/require-editable.js';
import { oneOf } from '../text.js';
import { findTest, testAddress, type TestSubject } from './find-test.js';

/** Enables, mutes or skips a test (rest-facts 3.8 and 7.2). Setting what is set changes nothing. */
export const setSuiteTestState = defineOperation({
  name: 'suite-test.set-state',
  summary: 'Enables, mutes or skips a test.',
  kind: 'command',
  scope: 'write_suites',
  access: 'member',
  refusal: 'sentence',
  input: z.object({ test: testAddress, state: oneOf(testStates) }),
  subject: (context, { test }) => findTest(context, test, { lock: true }),
  run: async (context, { state }, subject: TestSubject): Promise<TestSubject> => {
    requireEditable(subject);
    const { test, suite } = subject;
    if (test.state === state) return subject;
    await context.db.updateTable('suite_tests').set({ state }).where('id', '=', test.id).execute();
    recordSuite(context, suite, { type: 'suite.test.state', data: { test: test.id, from: test.state, to: state } });
    return { ...subject, test: { ...test, state } };
  },
});
