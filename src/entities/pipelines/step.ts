import { defineEntity, p } from '@mikro-orm/core';
import type { JsonObject, StepType } from '../../domain/pipelines/steps/step.js';
import { at, idOrNull, json, textList, textOrNull } from '../columns.js';

/** One step of one build, in pipeline order; a group is a row of its own and its children point at it. */
export const StepSchema = defineEntity({
  name: 'Step',
  tableName: 'steps',
  uniques: [{ name: 'steps_build_id_key_unique', properties: ['buildId', 'key'] }],
  indexes: [
    { properties: ['buildId', 'position'] },
    {
      name: 'steps_organization_id_key_index',
      properties: ['organizationId', 'key'],
      expression:
        `create index "steps_organization_id_key_index" on "steps" ("organization_id", "key") where ` +
        `"key" is not null`,
    },
    {
      name: 'steps_group_id_index',
      properties: ['groupId'],
      expression: `create index "steps_group_id_index" on "steps" ("group_id") where "group_id" is not null`,
    },
  ],
  properties: {
    id: p.uuid().primary(),
    organizationId: p.uuid(),
    buildId: p.uuid(),
    groupId: idOrNull(),
    key: textOrNull(),
    type: p.text().$type<StepType>(),
    label: textOrNull(),
    /** Order in the build; an upload shifts the positions of later steps. */
    position: p.integer(),
    /** The normalised step (`domain/pipelines/steps/step.ts`); a group without its children. */
    definition: json<JsonObject>(),
    uploadedByJobId: idOrNull(),
    /** Of the last updates by jobs: one that is sent again has no second effect. */
    updateUuids: textList(),
    createdAt: at(),
  },
});
