import { defineEntity, p } from '@mikro-orm/core';

export const PipelineFavoriteSchema = defineEntity({
  name: 'PipelineFavorite',
  tableName: 'pipeline_favorites',
  properties: {
    userId: p.uuid().primary(),
    pipelineId: p.uuid().primary(),
    organizationId: p.uuid(),
  },
});
