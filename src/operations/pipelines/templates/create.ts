import { z } from 'zod';
import { organizationAddress } from '../../../core/address.js';
import { findOrganization } from '../../../core/find.js';
import { defineOperation } from '../../../core/operation.js';
import type { OrganizationSubject } from '../../../core/subject.js';
import {
  checkConfiguration,
  recordTemplate,
  templateConfiguration,
  templateFields,
  templateName,
} from '../../../resources/pipelines/templates/fields.js';
import { requireTemplatePlan, type TemplateSubject } from '../../../resources/pipelines/templates/find-template.js';

/** Creates a template; refuses a configuration that no pipeline could have. */
export const createTemplate = defineOperation({
  name: 'pipeline-template.create',
  summary: 'Creates a pipeline template.',
  kind: 'command',
  scope: 'write_pipeline_templates',
  access: 'admin',
  refusal: 'sentence',
  input: z.object({
    organization: organizationAddress,
    name: templateName,
    configuration: templateConfiguration,
    ...templateFields,
  }),
  subject: (context, { organization }) => findOrganization(context, organization),
  run: async (context, request, { organization }: OrganizationSubject): Promise<TemplateSubject> => {
    requireTemplatePlan(organization);
    await checkConfiguration(context, request.configuration);
    const pipelineTemplate = await context.db
      .insertInto('pipeline_templates')
      .values({
        id: context.newId(),
        organizationId: organization.id,
        name: request.name,
        description: request.description ?? null,
        configuration: request.configuration,
        available: request.available ?? false,
        createdById: context.userId,
        updatedById: context.userId,
        createdAt: context.now,
        updatedAt: context.now,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    recordTemplate(context, pipelineTemplate, 'create');
    return { organization, pipelineTemplate };
  },
});
