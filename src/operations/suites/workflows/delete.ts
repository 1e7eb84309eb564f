import { z } from 'zod';
import { defineOperation } from '../../../core/operation.js';
import { recordSuite } from '../../../resources/suites/record.js';
import { requireEditable } from '../../../resources/suites/require-editable.js';
import {
  findWorkflow,
  workflowAddress,
  type WorkflowSubject,
} from '../../../resources/suites/workflows/find-workflow.js';

/**
 * Deletes a workflow. Nobody finds it from the commit on; its events and what it remembers of tests are purged in the
 * background. What it did to tests stays.
 */
export const deleteTestWorkflow = defineOperation({
  name: 'test-workflow.delete',
  summary: 'Deletes a workflow of a test suite.',
  kind: 'command',
  scope: 'write_suites',
  access: 'member',
  refusal: 'sentence',
  input: z.object({ workflow: workflowAddress }),
  subject: (context, { workflow }) => findWorkflow(context, workflow, { lock: true }),
  permit: (_context, subject) => requireEditable(subject),
  run: async (context, _input, subject: WorkflowSubject): Promise<WorkflowSubject> => {
    const { suite, workflow } = subject;
    await context.db
      .updateTable('test_workflows')
      .set({ removedAt: context.now })
      .where('id', '=', workflow.id)
      .execute();
    const data = { workflow: workflow.id, name: workflow.name };
    recordSuite(context, suite, { type: 'suite.workflow.delete', data });
    return subject;
  },
});
