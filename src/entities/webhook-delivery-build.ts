import { defineEntity, p } from '@mikro-orm/core';

/** The delivery that a build was made of: one may make several builds. */
export const WebhookDeliveryBuildSchema = defineEntity({
  name: 'WebhookDeliveryBuild',
  tableName: 'webhook_delivery_builds',
  indexes: [{ properties: ['deliveryId'] }, { properties: ['pipelineId'] }],
  properties: {
    buildId: p.uuid().primary(),
    organizationId: p.uuid(),
    pipelineId: p.uuid(),
    deliveryId: p.uuid(),
  },
});
