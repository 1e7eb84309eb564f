import { z } from 'zod';
import { defineOperation } from '../../../core/operation.js';
import {
  findWorkflow,
  workflowAddress,
  type WorkflowSubject,
} from '../../../resources/suites/workflows/find-workflow.js';

/** Returns one workflow of a suite. */
export const getTestWorkflow = defineOperation({
  name: 'test-workflow.get',
  summary: 'Returns one workflow of a test suite.',
  kind: 'query',
  scope: 'read_suites',
  access: 'member',
  refusal: 'sentence',
  input: z.object({ workflow: workflowAddress }),
  subject: (context, { workflow }) => findWorkflow(context, workflow),
  run: async (_context, _input, subject: WorkflowSubject) => subject,
});
