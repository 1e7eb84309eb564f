import { defineEntity, p } from '@mikro-orm/core';

/** Link from a delivery to a build; one delivery may start several. */
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
