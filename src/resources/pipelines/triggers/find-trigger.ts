import { z } from 'zod';
import type { Context } from '../../../request/context.js';
import { limits } from '../../../domain/limits/limits.js';
import type { PipelineTriggerRow } from '../../../entities/database.js';
import { triggerKinds } from '../../../domain/pipelines/trigger-kinds.js';
import { isId, pipelineAddress, type PipelineAddress } from '../../../core/address.js';
import { newBuildFields } from '../../../engine/new-builds/new-build.js';
import { findPipeline } from '../../../core/find.js';
import type { PipelineSubject } from '../../../core/subject.js';
import { filledText, flag, gitName, oneOf, text } from '../../../domain/input-text.js';

export interface TriggerSubject extends PipelineSubject {
  trigger: PipelineTriggerRow;
}

export const triggerAddress = z.object({ pipeline: pipelineAddress, id: z.string() });

const variables = z.record(z.string(), z.string({ error: 'must be a string' }), {
  error: 'must be an object of strings',
});

/** Fields of a trigger in create and update; null restores the default. */
export const triggerFields = {
  kind: oneOf(triggerKinds).nullish(),
  description: text(limits.descriptionLength).nullish(),
  branch: gitName(limits.branchLength).nullish(),
  commit: gitName(limits.commitLength).nullish(),
  message: filledText(limits.messageBytes / 4).nullish(),
  env: newBuildFields.env.pipe(variables.nullish()),
  enabled: flag.nullish(),
  secret: filledText(limits.providerSecretLength).nullish(),
};

/** Finds a trigger whose pipeline the caller may see. */
export async function findTrigger(
  context: Context,
  address: PipelineAddress,
  id: string,
): Promise<TriggerSubject | null> {
  const parent = await findPipeline(context, address);
  if (!parent || !isId(id)) return null;
  const trigger = await context.db
    .selectFrom('pipeline_triggers')
    .selectAll()
    .where('pipelineId', '=', parent.pipeline.id)
    .where('id', '=', id)
    .executeTakeFirst();
  return trigger ? { ...parent, trigger } : null;
}
