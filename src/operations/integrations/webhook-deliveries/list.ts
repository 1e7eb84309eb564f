import { z } from 'zod';
import type { WebhookDeliveryRow } from '../../../entities/database.js';
import { pipelineAddress } from '../../../core/address.js';
import { findPipeline } from '../../../core/find.js';
import { defineOperation } from '../../../core/operation.js';
import { defaultPaging, newestFirst, type Page, paginate, paging } from '../../../core/paging.js';

/** A delivery without its payload, which can be large. */
export type ListedDelivery = Omit<WebhookDeliveryRow, 'payload'>;

const columns = [
  'd.id',
  'd.organizationId',
  'd.pipelineId',
  'd.sender',
  'd.event',
  'd.deliveryId',
  'd.headers',
  'd.outcome',
  'd.reason',
  'd.decisions',
  'd.attempts',
  'd.createdAt',
  'd.processedAt',
] as const;

/** Lists the deliveries to a pipeline's webhook URL, newest first, each with the decision why it built or not. */
export const listDeliveries = defineOperation({
  name: 'webhook-delivery.list',
  summary: "Lists the deliveries of a pipeline's source provider with what was decided.",
  kind: 'query',
  mayLag: true,
  scope: 'read_pipelines',
  access: 'build',
  input: z.object({ pipeline: pipelineAddress, paging: paging.default(defaultPaging) }),
  subject: (context, { pipeline }) => findPipeline(context, pipeline),
  run: async (context, { paging: page }, { pipeline }): Promise<Page<ListedDelivery>> => {
    const query = context.db
      .selectFrom('webhook_deliveries as d')
      .select(columns)
      .where('d.pipelineId', '=', pipeline.id);
    return paginate(context.db, query, newestFirst<ListedDelivery>('d.id'), page);
  },
});
