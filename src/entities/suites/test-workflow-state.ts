import { defineEntity, p } from '@mikro-orm/core';
import type { Remembered } from '../../domain/suites/workflows/measure.js';
import { atOrNull, idOrNull, json } from '../columns.js';

/** What a workflow remembers of a test. */
export interface RememberedTest extends Remembered {
  /** The latest commit on which it had passed and failed, and the executions since. */
  commit?: string;
  at?: string;
  since?: number;
}

/** A test as a workflow sees it: what is remembered of it, and whether it is in alarm. */
export const TestWorkflowStateSchema = defineEntity({
  name: 'TestWorkflowState',
  tableName: 'test_workflow_states',
  indexes: [
    { properties: ['suiteId'] },
    {
      name: 'test_workflow_states_alarm_index',
      properties: ['workflowId', 'alarmId'],
      expression:
        `create index "test_workflow_states_alarm_index" on "test_workflow_states" ("workflow_id", ` +
        `"alarm_id") where "alarm_id" is not null`,
    },
  ],
  properties: {
    workflowId: p.uuid().primary(),
    testId: p.uuid().primary(),
    suiteId: p.uuid(),
    /** Generation of the workflow that this is of; of an earlier one it says nothing. */
    generation: p.integer(),
    memory: json<RememberedTest>(),
    /** Event of the alarm that the test is in, and its time; null for none. */
    alarmId: idOrNull(),
    alarmAt: atOrNull(),
  },
});
