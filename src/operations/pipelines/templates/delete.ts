import { z } from 'zod';
import { wrongState } from '../../../domain/problem.js';
import { defineOperation } from '../../../core/operation.js';
import { recordTemplate } from '../../../resources/pipelines/templates/fields.js';
import {
  findTemplate,
  templateAddress,
  type TemplateSubject,
} from '../../../resources/pipelines/templates/find-template.js';

/**
 * Deletes a template that no pipeline uses, archived ones included, and returns it as it was. Assignments take a share
 * lock on the row, so that none can slip in between.
 */
export const deleteTemplate = defineOperation({
  name: 'pipeline-template.delete',
  summary: 'Deletes a pipeline template.',
  kind: 'command',
  scope: 'write_pipeline_templates',
  access: 'admin',
  refusal: 'sentence',
  input: z.object({ pipelineTemplate: templateAddress }),
  subject: (context, { pipelineTemplate }) => findTemplate(context, pipelineTemplate, { lock: true }),
  run: async (context, _input, subject: TemplateSubject): Promise<TemplateSubject> => {
    const { pipelineTemplate } = subject;
    const assigned = await context.db
      .selectFrom('pipelines')
      .select('id')
      .where('pipelineTemplateId', '=', pipelineTemplate.id)
      .limit(1)
      .executeTakeFirst();
    if (assigned) throw wrongState('The pipeline template is assigned to a pipeline and cannot be deleted.');
    await context.db.deleteFrom('pipeline_templates').where('id', '=', pipelineTemplate.id).execute();
    recordTemplate(context, pipelineTemplate, 'delete');
    return subject;
  },
});
