import { z } from 'zod';
import { defineOperation } from '../../../core/operation.js';
import { defaultPaging, newestFirst, type Page, paginate, paging } from '../../../core/paging.js';
import type { TestWorkflowEventRow } from '../../../entities/database.js';
import {
  findWorkflow,
  workflowAddress,
  type WorkflowSubject,
} from '../../../resources/suites/workflows/find-workflow.js';

/** Lists the events of a workflow, newest first: tests that got into alarm or recovered, with their values. */
export const listTestWorkflowEvents = defineOperation({
  name: 'test-workflow-event.list',
  summary: 'Lists the events of a workflow of a test suite.',
  kind: 'query',
  mayLag: true,
  scope: 'read_suites',
  access: 'member',
  refusal: 'sentence',
  input: z.object({ workflow: workflowAddress, paging: paging.default(defaultPaging) }),
  subject: (context, { workflow }) => findWorkflow(context, workflow),
  run: async (context, { paging: page }, { workflow }: WorkflowSubject): Promise<Page<TestWorkflowEventRow>> =>
    paginate(
      context.db,
      context.db.selectFrom('test_workflow_events as e').selectAll('e').where('e.workflowId', '=', workflow.id),
      newestFirst<TestWorkflowEventRow>('e.id'),
      page,
    ),
});
