import { defineEntity, p } from '@mikro-orm/core';
import { at, atOrNull, idOrNull, json, textOrNull } from '../columns.js';

/** Builds of a pipeline at certain times. */
export const PipelineScheduleSchema = defineEntity({
  name: 'PipelineSchedule',
  tableName: 'pipeline_schedules',
  indexes: [
    { properties: ['pipelineId', 'id'] },
    {
      name: 'pipeline_schedules_due_index',
      properties: ['nextBuildAt', 'id'],
      expression:
        `create index "pipeline_schedules_due_index" on "pipeline_schedules" ("next_build_at", "id") ` +
        `where "next_build_at" is not null`,
    },
  ],
  properties: {
    id: p.uuid().primary(),
    organizationId: p.uuid(),
    pipelineId: p.uuid(),
    label: p.text(),
    cronline: p.text(),
    message: textOrNull(),
    commit: p.text(),
    branch: p.text(),
    env: json<Record<string, string>>().defaultRaw(`'{}'`),
    enabled: p.boolean(),
    /** The tick that is to come; null while disabled. The replica that advances it creates the tick's build. */
    nextBuildAt: atOrNull(),
    failedAt: atOrNull(),
    failedMessage: textOrNull(),
    createdById: idOrNull(),
    createdAt: at(),
  },
});
