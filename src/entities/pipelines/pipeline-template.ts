import { defineEntity, p } from '@mikro-orm/core';
import { at, idOrNull, textOrNull } from '../columns.js';

export const PipelineTemplateSchema = defineEntity({
  name: 'PipelineTemplate',
  tableName: 'pipeline_templates',
  indexes: [{ properties: ['organizationId', 'name'] }],
  properties: {
    id: p.uuid().primary(),
    organizationId: p.uuid(),
    name: p.text(),
    description: textOrNull(),
    configuration: p.text(),
    available: p.boolean().default(false),
    createdById: idOrNull(),
    updatedById: idOrNull(),
    createdAt: at(),
    updatedAt: at(),
  },
});
