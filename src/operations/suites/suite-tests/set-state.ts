import { z } from 'zod';
import { testStates } from '../../../domain/suites/results/test-state.js';
import { stateEndProblem } from '../../../domain/suites/results/state-end.js';
import { invalidField } from '../../../domain/problem.js';
import { defineOperation } from '../../../core/operation.js';
import { changeTestState } from '../../../resources/suites/suite-tests/change-state.js';
import { requireEditable } from '../../../resources/suites/require-editable.js';
import { oneOf } from '../../../domain/input-text.js';
import { timeField } from '../../../domain/time-field.js';
import { findTest, testAddress, type TestSubject } from '../../../resources/suites/suite-tests/find-test.js';

/** Enables, mutes or skips a test, for good or until a moment; repeating it changes nothing. */
export const setSuiteTestState = defineOperation({
  name: 'suite-test.set-state',
  summary: 'Enables, mutes or skips a test.',
  kind: 'command',
  scope: 'write_suites',
  access: 'member',
  refusal: 'sentence',
  input: z.object({
    test: testAddress,
    state: oneOf(testStates),
    /** When a muted or skipped test is enabled again; never if it is absent. */
    until: timeField.nullish(),
  }),
  subject: (context, { test }) => findTest(context, test, { lock: true }),
  permit: (_context, subject) => requireEditable(subject),
  run: async (context, { state, until = null }, { test, ...subject }: TestSubject): Promise<TestSubject> => {
    const problem = stateEndProblem(state, until, context.now);
    if (problem !== null) throw invalidField('until', problem);
    return { ...subject, test: await changeTestState(context, subject.suite, test, { state, until }) };
  },
});
