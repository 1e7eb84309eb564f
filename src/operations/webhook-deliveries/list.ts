import { z } from 'zod';
import type { WebhookDeliveryRow } from '../../entities/database.js';
import { pipelineAddress } from '../address.js';
import { findPipeline } from '../find.js';
import { defineOperation } from '../operation.js';
import { defaultPaging, newestFirst, type Page, paginate, paging } from '../paging.js';

/** A delivery as lists show it: payloads are large. */
export type ListedDelivery = Omit<WebhookDeliveryRow, 'payload'>;

const columns = [
  'd.id', 'd.organizationId', 'd.pipelineId', 'd.sender', 'd.event', 'd.deliveryId', 'd.headers', 'd.outcome', 'd.reason', 'd.decisions', 'd.attempts', 'd.createdAt', 'd.processedAt',
] as const;

/** What a pipeline's webhook URL was sent, newest first, each with the answer to "why did this push (not) build". */
export const listDeliveries = defineOperation({
  name: 'webhook-delivery.list',
  summary: 'Lists the deliveries of a pipeline\'s source provider with what was decided.',
  kind: 'query',
  scope: 'read_pipelines',
  access: 'build',
  input: z.object({ pipeline: pipelineAddress, paging: paging.default(defaultPaging) }),
  subject: (context, { pipeline }) => findPipeline(context, pipeline),
  run: async (context, { paging: asked }, { pipeline }): Promise<Page<ListedDelivery>> => {
    const query = context.db.selectFrom('webhook_deliveries as d').select(columns).where('d.pipelineId', '=', pipeline.id);
    return paginate(context.db, query, newestFirst<ListedDelivery>('d.id'), asked);
  },
});
