import { z } from 'zod';
import type { Context } from '../../context.js';
import type { WebhookDeliveryRow } from '../../entities/database.js';
import { isId, pipelineAddress, type PipelineAddress } from '../address.js';
import { findPipeline } from '../find.js';
import { defineOperation } from '../operation.js';
import type { PipelineSubject } from '../subject.js';

export interface DeliverySubject extends PipelineSubject {
  delivery: WebhookDeliveryRow;
}

/** One delivery with its payload, for as long as it is kept. */
export const getDelivery = defineOperation({
  name: 'webhook-delivery.get',
  summary: 'Returns one delivery of a pipeline\'s source provider with its payload and what was decided.',
  kind: 'query',
  scope: 'read_pipelines',
  access: 'build',
  input: z.object({ pipeline: pipelineAddress, id: z.string() }),
  subject: (context, { pipeline, id }) => findDelivery(context, pipeline, id),
  run: async (_context, _input, subject): Promise<DeliverySubject> => subject,
});

async function findDelivery(context: Context, address: PipelineAddress, id: string): Promise<DeliverySubject | null> {
  const found = await findPipeline(context, address);
  if (!found || !isId(id)) return null;
  const delivery = await context.db.selectFrom('webhook_deliveries').selectAll().where('pipelineId', '=', found.pipeline.id).where('id', '=', id).executeTakeFirst();
  return delivery ? { ...found, delivery } : null;
}
