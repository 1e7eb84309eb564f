import { z } from 'zod';
import { testStates } from '../../../domain/suites/results/test-state.js';
import { defineOperation } from '../../../core/operation.js';
import { recordSuite } from '../../../resources/suites/record.js';
import { requireEditable } from '../../../resources/suites/require-editable.js';
import { oneOf } from '../../../domain/input-text.js';
import { findTest, testAddress, type TestSubject } from '../../../resources/suites/suite-tests/find-test.js';

/** Enables, mutes or skips a test; repeating it changes nothing. */
export const setSuiteTestState = defineOperation({
  name: 'suite-test.set-state',
  summary: 'Enables, mutes or skips a test.',
  kind: 'command',
  scope: 'write_suites',
  access: 'member',
  refusal: 'sentence',
  input: z.object({ test: testAddress, state: oneOf(testStates) }),
  subject: (context, { test }) => findTest(context, test, { lock: true }),
  permit: (_context, subject) => requireEditable(subject),
  run: async (context, { state }, subject: TestSubject): Promise<TestSubject> => {
    const { test, suite } = subject;
    if (test.state === state) return subject;
    await context.db.updateTable('suite_tests').set({ state }).where('id', '=', test.id).execute();
    recordSuite(context, suite, { type: 'suite.test.state', data: { test: test.id, from: test.state, to: state } });
    return { ...subject, test: { ...test, state } };
  },
});
