import { z } from 'zod';
import { defineOperation } from '../../../core/operation.js';
import {
  checkConfiguration,
  recordTemplate,
  templateConfiguration,
  templateFields,
  templateName,
} from '../../../resources/pipelines/templates/fields.js';
import {
  findTemplate,
  templateAddress,
  type TemplateRow,
  type TemplateSubject,
} from '../../../resources/pipelines/templates/find-template.js';

/**
 * Updates the fields present in the request. Later builds of every pipeline with the template run the new
 * configuration.
 */
export const updateTemplate = defineOperation({
  name: 'pipeline-template.update',
  summary: 'Updates a pipeline template.',
  kind: 'command',
  scope: 'write_pipeline_templates',
  access: 'admin',
  refusal: 'sentence',
  input: z.object({
    pipelineTemplate: templateAddress,
    name: templateName.optional(),
    configuration: templateConfiguration.optional(),
    ...templateFields,
  }),
  subject: (context, { pipelineTemplate }) => findTemplate(context, pipelineTemplate, { lock: true }),
  run: async (
    context,
    request,
    { organization, pipelineTemplate: before }: TemplateSubject,
  ): Promise<TemplateSubject> => {
    if (request.configuration !== undefined) await checkConfiguration(context, request.configuration);
    const pipelineTemplate = await context.db
      .updateTable('pipeline_templates')
      .set({
        ...(request.name === undefined ? {} : { name: request.name }),
        ...(request.configuration === undefined ? {} : { configuration: request.configuration }),
        ...(request.description === undefined ? {} : { description: request.description }),
        ...(request.available === undefined ? {} : { available: request.available ?? false }),
        updatedById: context.userId,
        updatedAt: context.now,
      })
      .where('id', '=', before.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    const changed = (['name', 'description', 'configuration', 'available'] as const).filter(
      (column: keyof TemplateRow) => before[column] !== pipelineTemplate[column],
    );
    recordTemplate(context, pipelineTemplate, 'update', { changed });
    return { organization, pipelineTemplate };
  },
});
