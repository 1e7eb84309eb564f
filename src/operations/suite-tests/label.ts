import { z } from 'zod';
import { limits } from '../../domain/limits.js';
import { invalidField } from '../../domain/problem.js';
import { defineOperation } from '../operation.js';
import { recordSuite } from '../suites/record.js';
import { requireEditable } from '../suites/require-editable.js';
import { filledText, oneOf } from '../text.js';
import { findTest, testAddress, type TestSubject } from './find-test.js';

/** Adds labels to a test or takes them off (rest-facts 3.8); labels it has, or has not, are left as they are. */
export const labelSuiteTest = defineOperation({
  name: 'suite-test.label',
  summary: 'Adds labels to a test, or removes them.',
  kind: 'command',
  scope: 'write_suites',
  access: 'member',
  refusal: 'sentence',
  input: z.object({ test: testAddress, operator: oneOf(['add', 'remove']), labels: z.array(filledText(limits.labelLength)).min(1, 'must not be empty').max(limits.testLabels, `has more than ${limits.testLabels} values`) }),
  subject: (context, { test }) => findTest(context, test, { lock: true }),
  run: async (context, { operator, labels: given }, subject: TestSubject): Promise<TestSubject> => {
    requireEditable(subject);
    const { test, suite } = subject;
    const labels = operator === 'add' ? [...new Set([...test.labels, ...given])] : test.labels.filter((label) => !given.includes(label));
    if (labels.length > limits.testLabels) throw invalidField('labels', `would be more than ${limits.testLabels}`);
    if (labels.length === test.labels.length) return subject;
    await context.db.updateTable('suite_tests').set({ labels }).where('id', '=', test.id).execute();
    recordSuite(context, suite, { type: 'suite.test.label', data: { test: test.id, labels } });
    return { ...subject, test: { ...test, labels } };
  },
});
