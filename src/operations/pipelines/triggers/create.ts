import { z } from 'zod';
import { hashToken, newToken } from '../../../auth/secrets.js';
import { branchOfNewBuilds } from '../../../domain/pipelines/default-branch.js';
import { limits } from '../../../domain/limits/limits.js';
import { wrongState } from '../../../domain/problem.js';
import { pipelineAddress } from '../../../core/address.js';
import { findPipeline } from '../../../core/find.js';
import { defineOperation } from '../../../core/operation.js';
import { recordPipeline } from '../../../resources/pipelines/record.js';
import { sealWebhookSecret } from '../../../resources/integrations/webhook-deliveries/webhook-secret.js';
import { triggerFields, type TriggerSubject } from '../../../resources/pipelines/triggers/find-trigger.js';

/** A new trigger with its token, which is returned by this operation only. */
export interface NewTrigger extends TriggerSubject {
  token: string;
}

/** Creates a pipeline trigger: a URL that starts a build on each POST. At most ten a pipeline. */
export const createTrigger = defineOperation({
  name: 'pipeline-trigger.create',
  summary: 'Creates a URL that starts a build of a pipeline on each POST.',
  kind: 'command',
  scope: 'write_pipelines',
  access: 'manage',
  input: z.object({ pipeline: pipelineAddress, ...triggerFields }),
  subject: (context, { pipeline }) => findPipeline(context, pipeline, { lock: true }),
  run: async (context, request, subject): Promise<NewTrigger> => {
    const { pipeline } = subject;
    const others = await context.db
      .selectFrom('pipeline_triggers')
      .select('id')
      .where('pipelineId', '=', pipeline.id)
      .execute();
    if (others.length >= limits.triggersPerPipeline)
      throw wrongState(`A pipeline may have at most ${limits.triggersPerPipeline} triggers`);
    const token = newToken('bktr_', 20);
    const row = {
      id: context.newId(),
      organizationId: pipeline.organizationId,
      pipelineId: pipeline.id,
      kind: request.kind ?? ('generic' as const),
      description: request.description ?? null,
      branch: request.branch ?? branchOfNewBuilds(pipeline),
      commit: request.commit ?? 'HEAD',
      message: request.message ?? 'Triggered build',
      env: request.env ?? {},
      enabled: request.enabled ?? true,
      tokenHash: hashToken(token),
      secret: request.secret ? sealWebhookSecret(context, request.secret) : null,
      createdById: context.userId,
      createdAt: context.now,
      updatedAt: context.now,
    };
    const trigger = await context.db
      .insertInto('pipeline_triggers')
      .values(row)
      .returningAll()
      .executeTakeFirstOrThrow();
    recordPipeline(context, pipeline, { type: 'pipeline-trigger.create', data: { trigger_id: trigger.id } });
    return { ...subject, trigger, token };
  },
});
