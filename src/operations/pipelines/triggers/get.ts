import { defineOperation } from '../../../core/operation.js';
import {
  findTrigger,
  triggerAddress,
  type TriggerSubject,
} from '../../../resources/pipelines/triggers/find-trigger.js';

/** Returns one trigger of a pipeline. */
export const getTrigger = defineOperation({
  name: 'pipeline-trigger.get',
  summary: 'Returns one trigger of a pipeline.',
  kind: 'query',
  scope: 'read_pipelines',
  access: 'build',
  input: triggerAddress,
  subject: (context, { pipeline, id }) => findTrigger(context, pipeline, id),
  run: async (_context, _input, subject): Promise<TriggerSubject> => subject,
});
