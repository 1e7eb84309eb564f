import { defineEntity, p } from '@mikro-orm/core';
import type { JsonObject } from '../../domain/pipelines/steps/step.js';
import type { WorkflowEvent } from '../../domain/suites/workflows/measure.js';
import { at, json, textList } from '../columns.js';

/** A test got into alarm, or recovered. Its webhooks and messages are the deliveries of the notification of its id. */
export const TestWorkflowEventSchema = defineEntity({
  name: 'TestWorkflowEvent',
  tableName: 'test_workflow_events',
  indexes: [{ properties: ['workflowId', 'id'] }, { properties: ['suiteId'] }, { properties: ['createdAt'] }],
  properties: {
    id: p.uuid().primary(),
    organizationId: p.uuid(),
    suiteId: p.uuid(),
    workflowId: p.uuid(),
    testId: p.uuid(),
    event: p.text().$type<WorkflowEvent>(),
    /** The values that it came with, as webhooks get them. */
    facts: json<JsonObject>(),
    /** Why actions of it did nothing, a sentence each. */
    problems: textList(),
    createdAt: at(),
  },
});
