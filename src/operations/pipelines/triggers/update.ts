import { branchOfNewBuilds } from '../../../domain/pipelines/default-branch.js';
import { defineOperation } from '../../../core/operation.js';
import { recordPipeline } from '../../../resources/pipelines/record.js';
import { sealWebhookSecret } from '../../../resources/integrations/webhook-deliveries/webhook-secret.js';
import {
  findTrigger,
  triggerAddress,
  triggerFields,
  type TriggerSubject,
} from '../../../resources/pipelines/triggers/find-trigger.js';

/** Updates, enables or disables a trigger; its token stays. */
export const updateTrigger = defineOperation({
  name: 'pipeline-trigger.update',
  summary: 'Changes a trigger of a pipeline.',
  kind: 'command',
  scope: 'write_pipelines',
  access: 'manage',
  input: triggerAddress.extend(triggerFields),
  subject: (context, { pipeline, id }) => findTrigger(context, pipeline, id),
  run: async (context, request, subject): Promise<TriggerSubject> => {
    const { pipeline, trigger: before } = subject;
    const absent = (value: unknown) => value === undefined;
    const newSecret = request.secret ? sealWebhookSecret(context, request.secret) : null;
    const trigger = await context.db
      .updateTable('pipeline_triggers')
      .set({
        kind: absent(request.kind) ? before.kind : (request.kind ?? 'generic'),
        description: absent(request.description) ? before.description : (request.description ?? null),
        branch: absent(request.branch) ? before.branch : (request.branch ?? branchOfNewBuilds(pipeline)),
        commit: absent(request.commit) ? before.commit : (request.commit ?? 'HEAD'),
        message: absent(request.message) ? before.message : (request.message ?? 'Triggered build'),
        env: absent(request.env) ? before.env : (request.env ?? {}),
        enabled: absent(request.enabled) ? before.enabled : (request.enabled ?? true),
        secret: absent(request.secret) ? before.secret : newSecret,
        updatedAt: context.now,
      })
      .where('id', '=', before.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    recordPipeline(context, pipeline, {
      type: 'pipeline-trigger.update',
      data: { trigger_id: trigger.id, enabled: trigger.enabled },
    });
    return { ...subject, trigger };
  },
});
