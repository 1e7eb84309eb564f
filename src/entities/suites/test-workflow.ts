import { defineEntity, p } from '@mikro-orm/core';
import type { WorkflowAction } from '../../domain/suites/workflows/action.js';
import type { Monitor } from '../../domain/suites/workflows/monitor.js';
import type { JsonObject } from '../../domain/pipelines/steps/step.js';
import { at, atOrNull, idOrNull, json, textList } from '../columns.js';

/** A monitor of the tests of a suite, and what is done when a test gets into alarm or recovers. */
export const TestWorkflowSchema = defineEntity({
  name: 'TestWorkflow',
  tableName: 'test_workflows',
  indexes: [
    { properties: ['suiteId', 'id'] },
    {
      name: 'test_workflows_removed_index',
      properties: ['removedAt'],
      expression:
        `create index "test_workflows_removed_index" on "test_workflows" ("removed_at") where "removed_at" ` +
        `is not null`,
    },
  ],
  properties: {
    id: p.uuid().primary(),
    organizationId: p.uuid(),
    suiteId: p.uuid(),
    name: p.text(),
    enabled: p.boolean().default(true),
    monitor: json<Monitor & JsonObject>(),
    /** As `readTagFilter` reads them; executions count that match all of them. */
    tagFilters: textList(),
    alarmActions: json<(WorkflowAction & JsonObject)[]>(),
    recoverActions: json<(WorkflowAction & JsonObject)[]>(),
    /** Counts changes of what is measured: what tests were remembered by before counts no more. */
    generation: p.integer().default(1),
    /** The minute of the latest events, and how many it had. */
    minuteAt: atOrNull(),
    minuteEvents: p.integer().default(0),
    createdById: idOrNull(),
    createdAt: at(),
    updatedAt: at(),
    /** When it was deleted; its rows are purged in the background, it last. */
    removedAt: atOrNull(),
  },
});
