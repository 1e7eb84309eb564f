import { z } from 'zod';
import { defineOperation } from '../../../core/operation.js';
import {
  findTemplate,
  templateAddress,
  type TemplateSubject,
} from '../../../resources/pipelines/templates/find-template.js';

/** Returns one template; an unavailable one is hidden from all but administrators. */
export const getTemplate = defineOperation({
  name: 'pipeline-template.get',
  summary: 'Returns one pipeline template.',
  kind: 'query',
  scope: 'read_pipeline_templates',
  access: 'member',
  refusal: 'sentence',
  input: z.object({ pipelineTemplate: templateAddress }),
  subject: (context, { pipelineTemplate }) => findTemplate(context, pipelineTemplate),
  run: async (_context, _input, subject: TemplateSubject) => subject,
});
