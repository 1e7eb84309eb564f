import { z } from 'zod';
import { defineOperation } from '../../../core/operation.js';
import { defaultPaging, newestFirst, type Page, paginate, paging } from '../../../core/paging.js';
import {
  findWorkflow,
  workflowAddress,
  type WorkflowSubject,
} from '../../../resources/suites/workflows/find-workflow.js';

/** A test that is in alarm, by the event that said so. */
export interface TestAlarm {
  /** Of the event. */
  id: string;
  testId: string;
  alarmAt: Date | null;
}

/** Lists the tests that are in alarm by a workflow, the latest alarm first. A new test is in none. */
export const listTestWorkflowAlarms = defineOperation({
  name: 'test-workflow-alarm.list',
  summary: 'Lists the tests that are in alarm by a workflow of a test suite.',
  kind: 'query',
  mayLag: true,
  scope: 'read_suites',
  access: 'member',
  refusal: 'sentence',
  input: z.object({ workflow: workflowAddress, paging: paging.default(defaultPaging) }),
  subject: (context, { workflow }) => findWorkflow(context, workflow),
  run: async (context, { paging: page }, { workflow }: WorkflowSubject): Promise<Page<TestAlarm>> =>
    paginate<TestAlarm>(
      context.db,
      context.db
        .selectFrom('test_workflow_states as a')
        .select((eb) => [eb.ref('a.alarmId').$notNull().as('id'), 'a.testId', 'a.alarmAt'])
        .where('a.workflowId', '=', workflow.id)
        .where('a.generation', '=', workflow.generation)
        .where('a.alarmId', 'is not', null),
      newestFirst<TestAlarm>('a.alarmId'),
      page,
    ),
});
