import { defineOperation } from '../../../core/operation.js';
import { recordPipeline } from '../../../resources/pipelines/record.js';
import {
  findTrigger,
  triggerAddress,
  type TriggerSubject,
} from '../../../resources/pipelines/triggers/find-trigger.js';

/** Deletes a trigger: its URL answers 404 from then on. */
export const deleteTrigger = defineOperation({
  name: 'pipeline-trigger.delete',
  summary: 'Deletes a trigger of a pipeline.',
  kind: 'command',
  scope: 'write_pipelines',
  access: 'manage',
  onArchived: true,
  input: triggerAddress,
  subject: (context, { pipeline, id }) => findTrigger(context, pipeline, id),
  run: async (context, _input, subject): Promise<TriggerSubject> => {
    await context.db.deleteFrom('pipeline_triggers').where('id', '=', subject.trigger.id).execute();
    recordPipeline(context, subject.pipeline, {
      type: 'pipeline-trigger.delete',
      data: { trigger_id: subject.trigger.id },
    });
    return subject;
  },
});
