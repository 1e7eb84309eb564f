import { z } from 'zod';
import { defineOperation } from '../../core/operation.js';
import { findSuite, suiteAddress, type SuiteSubject } from '../../core/find-suite.js';
import { deleteSuiteRows } from '../../resources/suites/delete-rows.js';
import { recordSuite } from '../../resources/suites/record.js';
import { requireEditable } from '../../resources/suites/require-editable.js';

/**
 * Deletes a suite with its runs, uploads, tests and executions, and returns it as it was. It is gone at once and its
 * token stops working; runs and tests are purged in the background. Its own events stay.
 */
export const deleteSuite = defineOperation({
  name: 'suite.delete',
  summary: 'Deletes a test suite with its runs.',
  kind: 'command',
  scope: 'write_suites',
  access: 'member',
  refusal: 'sentence',
  input: z.object({ suite: suiteAddress }),
  // Uploads hold the suite's row: under its lock nothing is added to it.
  subject: (context, { suite }) => findSuite(context, suite, { lock: true }),
  permit: (_context, subject) => requireEditable(subject),
  run: async (context, _input, subject: SuiteSubject): Promise<SuiteSubject> => {
    const { suite } = subject;
    await deleteSuiteRows(context, suite.organizationId, [suite]);
    recordSuite(context, suite, { type: 'suite.delete', data: { slug: suite.slug, name: suite.name } });
    return subject;
  },
});
