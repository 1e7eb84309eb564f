import { z } from 'zod';
import { limits } from '../../../domain/limits/limits.js';
import { invalidField } from '../../../domain/problem.js';
import { defineOperation } from '../../../core/operation.js';
import { recordSuite } from '../../../resources/suites/record.js';
import { requireEditable } from '../../../resources/suites/require-editable.js';
import { filledText, oneOf } from '../../../domain/input-text.js';
import { findTest, testAddress, type TestSubject } from '../../../resources/suites/suite-tests/find-test.js';

/** Adds labels to a test or removes them; repeating it changes nothing. */
export const labelSuiteTest = defineOperation({
  name: 'suite-test.label',
  summary: 'Adds labels to a test, or removes them.',
  kind: 'command',
  scope: 'write_suites',
  access: 'member',
  refusal: 'sentence',
  input: z.object({
    test: testAddress,
    operator: oneOf(['add', 'remove']),
    labels: z
      .array(filledText(limits.labelLength))
      .min(1, 'must not be empty')
      .max(limits.testLabels, `has more than ${limits.testLabels} values`),
  }),
  subject: (context, { test }) => findTest(context, test, { lock: true }),
  permit: (_context, subject) => requireEditable(subject),
  run: async (context, { operator, labels: names }, subject: TestSubject): Promise<TestSubject> => {
    const { test, suite } = subject;
    const labels =
      operator === 'add'
        ? [...new Set([...test.labels, ...names])]
        : test.labels.filter((label) => !names.includes(label));
    if (labels.length > limits.testLabels) throw invalidField('labels', `would be more than ${limits.testLabels}`);
    if (labels.length === test.labels.length) return subject;
    await context.db.updateTable('suite_tests').set({ labels }).where('id', '=', test.id).execute();
    recordSuite(context, suite, { type: 'suite.test.label', data: { test: test.id, labels } });
    return { ...subject, test: { ...test, labels } };
  },
});
