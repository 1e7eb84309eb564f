import { z } from 'zod';
import { hashToken, newToken } from '../../auth/secrets.js';
import { jsonb } from '../../database/row-conversion.js';
import { limits } from '../../domain/limits.js';
import { wrongState } from '../../domain/problem.js';
import { pipelineAddress } from '../address.js';
import { findPipeline } from '../find.js';
import { defineOperation } from '../operation.js';
import { recordPipeline } from '../pipelines/record.js';
import { refuseArchived } from '../pipelines/update.js';
import { sealWebhookSecret } from '../webhook-deliveries/webhook-secret.js';
import { triggerFields, type TriggerSubject } from './find-trigger.js';

/** A new trigger with its token, which nobody is shown again. */
export interface NewTrigger extends TriggerSubject {
  token: string;
}

/** Gives a pipeline an address that makes a build whenever something is posted to it; at most ten (rest-facts 6.4). */
export const createTrigger = defineOperation({
  name: 'pipeline-trigger.create',
  summary: 'Creates an address that makes a build of a pipeline whenever something is posted to it.',
  kind: 'command',
  scope: 'write_pipelines',
  access: 'manage',
  input: z.object({ pipeline: pipelineAddress, ...triggerFields }),
  subject: (context, { pipeline }) => findPipeline(context, pipeline, { lock: true }),
  run: async (context, given, subject): Promise<NewTrigger> => {
    const { pipeline } = subject;
    refuseArchived(pipeline);
    const others = await context.db.selectFrom('pipeline_triggers').select('id').where('pipelineId', '=', pipeline.id).execute();
    if (others.length >= limits.triggersPerPipeline) throw wrongState(`A pipeline may have at most ${limits.triggersPerPipeline} triggers`);
    const token = newToken('bktr_', 20);
    const row = {
      id: context.newId(),
      organizationId: pipeline.organizationId,
      pipelineId: pipeline.id,
      kind: given.kind ?? ('generic' as const),
      description: given.description ?? null,
      branch: given.branch ?? pipeline.defaultBranch,
      commit: given.commit ?? 'HEAD',
      message: given.message ?? 'Triggered build',
      env: jsonb(given.env ?? {}) as never,
      enabled: given.enabled ?? true,
      tokenHash: hashToken(token),
      secret: given.secret ? sealWebhookSecret(context, given.secret) : null,
      createdById: context.userId,
      createdAt: context.now,
      updatedAt: context.now,
    };
    const trigger = await context.db.insertInto('pipeline_triggers').values(row).returningAll().executeTakeFirstOrThrow();
    recordPipeline(context, pipeline, { type: 'pipeline-trigger.create', data: { trigger_id: trigger.id } });
    return { ...subject, trigger, token };
  },
});
