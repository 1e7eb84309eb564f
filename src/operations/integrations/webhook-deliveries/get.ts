import { z } from 'zod';
import type { Context } from '../../../request/context.js';
import type { WebhookDeliveryRow } from '../../../entities/database.js';
import { isId, pipelineAddress, type PipelineAddress } from '../../../core/address.js';
import { findPipeline } from '../../../core/find.js';
import { defineOperation } from '../../../core/operation.js';
import type { PipelineSubject } from '../../../core/subject.js';

export interface DeliverySubject extends PipelineSubject {
  delivery: WebhookDeliveryRow;
}

/** Returns one delivery with its payload, until the payload is deleted by age. */
export const getDelivery = defineOperation({
  name: 'webhook-delivery.get',
  summary: "Returns one delivery of a pipeline's source provider with its payload and what was decided.",
  kind: 'query',
  scope: 'read_pipelines',
  access: 'build',
  input: z.object({ pipeline: pipelineAddress, id: z.string() }),
  subject: (context, { pipeline, id }) => findDelivery(context, pipeline, id),
  run: async (_context, _input, subject): Promise<DeliverySubject> => subject,
});

async function findDelivery(context: Context, address: PipelineAddress, id: string): Promise<DeliverySubject | null> {
  const pipelineSubject = await findPipeline(context, address);
  if (!pipelineSubject || !isId(id)) return null;
  const delivery = await context.db
    .selectFrom('webhook_deliveries')
    .selectAll()
    .where('pipelineId', '=', pipelineSubject.pipeline.id)
    .where('id', '=', id)
    .executeTakeFirst();
  return delivery ? { ...pipelineSubject, delivery } : null;
}
