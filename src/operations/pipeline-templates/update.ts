import { z } from 'zod';
import { defineOperation } from '../operation.js';
import { checkConfiguration, recordTemplate, templateConfiguration, templateFields, templateName } from './fields.js';
import { findTemplate, templateAddress, type TemplateRow, type TemplateSubject } from './find-template.js';

/**
 * Changes what is given of a template and leaves the rest (api-v2.md, Pipeline templates). Builds made afterwards, of
 * every pipeline with the template, run the new configuration.
 */
export const updateTemplate = defineOperation({
  name: 'pipeline-template.update',
  summary: 'Updates a pipeline template.',
  kind: 'command',
  scope: 'write_pipeline_templates',
  access: 'admin',
  refusal: 'sentence',
  input: z.object({ pipelineTemplate: templateAddress, name: templateName.optional(), configuration: templateConfiguration.optional(), ...templateFields }),
  subject: (context, { pipelineTemplate }) => findTemplate(context, pipelineTemplate, { lock: true }),
  run: async (context, given, { organization, pipelineTemplate: before }: TemplateSubject): Promise<TemplateSubject> => {
    if (given.configuration !== undefined) checkConfiguration(given.configuration);
    const pipelineTemplate = await context.db
      .updateTable('pipeline_templates')
      .set({
        ...(given.name === undefined ? {} : { name: given.name }),
        ...(given.configuration === undefined ? {} : { configuration: given.configuration }),
        ...(given.description === undefined ? {} : { description: given.description }),
        ...(given.available === undefined ? {} : { available: given.available ?? false }),
        updatedById: context.userId,
        updatedAt: context.now,
      })
      .where('id', '=', before.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    const changed = (['name', 'description', 'configuration', 'available'] as const).filter((column: keyof TemplateRow) => before[column] !== pipelineTemplate[column]);
    recordTemplate(context, pipelineTemplate, 'update', { changed });
    return { organization, pipelineTemplate };
  },
});
