import { jsonb } from '../../database/row-conversion.js';
import { defineOperation } from '../operation.js';
import { recordPipeline } from '../pipelines/record.js';
import { refuseArchived } from '../pipelines/update.js';
import { sealWebhookSecret } from '../webhook-deliveries/webhook-secret.js';
import { findTrigger, triggerAddress, triggerFields, type TriggerSubject } from './find-trigger.js';

/** Changes a trigger, or turns it off and on; its token stays. */
export const updateTrigger = defineOperation({
  name: 'pipeline-trigger.update',
  summary: 'Changes a trigger of a pipeline.',
  kind: 'command',
  scope: 'write_pipelines',
  access: 'manage',
  input: triggerAddress.extend(triggerFields),
  subject: (context, { pipeline, id }) => findTrigger(context, pipeline, id),
  run: async (context, given, subject): Promise<TriggerSubject> => {
    const { pipeline, trigger: before } = subject;
    refuseArchived(pipeline);
    const absent = (value: unknown) => value === undefined;
    const trigger = await context.db
      .updateTable('pipeline_triggers')
      .set({
        kind: absent(given.kind) ? before.kind : (given.kind ?? 'generic'),
        description: absent(given.description) ? before.description : given.description ?? null,
        branch: absent(given.branch) ? before.branch : given.branch ?? pipeline.defaultBranch,
        commit: absent(given.commit) ? before.commit : given.commit ?? 'HEAD',
        message: absent(given.message) ? before.message : given.message ?? 'Triggered build',
        env: jsonb(absent(given.env) ? before.env : given.env ?? {}) as never,
        enabled: absent(given.enabled) ? before.enabled : given.enabled ?? true,
        secret: absent(given.secret) ? before.secret : given.secret ? sealWebhookSecret(context, given.secret) : null,
        updatedAt: context.now,
      })
      .where('id', '=', before.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    recordPipeline(context, pipeline, { type: 'pipeline-trigger.update', data: { trigger_id: trigger.id, enabled: trigger.enabled } });
    return { ...subject, trigger };
  },
});
