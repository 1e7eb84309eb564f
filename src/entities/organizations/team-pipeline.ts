import { defineEntity, p } from '@mikro-orm/core';
import { at, idOrNull } from '../columns.js';

export type PipelineAccessLevel = 'read_only' | 'build_and_read' | 'manage_build_and_read';

export const TeamPipelineSchema = defineEntity({
  name: 'TeamPipeline',
  tableName: 'team_pipelines',
  uniques: [{ properties: ['teamId', 'pipelineId'] }],
  indexes: [{ properties: ['pipelineId'] }],
  properties: {
    id: p.uuid().primary(),
    organizationId: p.uuid(),
    teamId: p.uuid(),
    pipelineId: p.uuid(),
    accessLevel: p.text().$type<PipelineAccessLevel>(),
    createdById: idOrNull(),
    createdAt: at(),
  },
});
