import { z } from 'zod';
import type { Context } from '../../context.js';
import { limits } from '../../domain/limits.js';
import type { PipelineTriggerRow } from '../../entities/database.js';
import { triggerKinds } from '../../entities/pipeline-trigger.js';
import { isId, pipelineAddress, type PipelineAddress } from '../address.js';
import { newBuildFields } from '../builds/new-build.js';
import { findPipeline } from '../find.js';
import type { PipelineSubject } from '../subject.js';
import { filledText, flag, oneOf, text } from '../text.js';

export interface TriggerSubject extends PipelineSubject {
  trigger: PipelineTriggerRow;
}

export const triggerAddress = z.object({ pipeline: pipelineAddress, id: z.string() });

const variables = z.record(z.string(), z.string({ error: 'must be a string' }), { error: 'must be an object of strings' });

/** What a caller may say of a trigger; null puts back what a new one has. */
export const triggerFields = {
  kind: oneOf(triggerKinds).nullish(),
  description: text(limits.descriptionLength).nullish(),
  branch: filledText(limits.branchLength).nullish(),
  commit: filledText(limits.commitLength).nullish(),
  message: filledText(limits.messageBytes / 4).nullish(),
  env: newBuildFields.env.pipe(variables.nullish()),
  enabled: flag.nullish(),
  secret: filledText(limits.providerSecretLength).nullish(),
};

/** The trigger a caller names, if it may see its pipeline. */
export async function findTrigger(context: Context, address: PipelineAddress, id: string): Promise<TriggerSubject | null> {
  const found = await findPipeline(context, address);
  if (!found || !isId(id)) return null;
  const trigger = await context.db.selectFrom('pipeline_triggers').selectAll().where('pipelineId', '=', found.pipeline.id).where('id', '=', id).executeTakeFirst();
  return trigger ? { ...found, trigger } : null;
}
