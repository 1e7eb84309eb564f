import { z } from 'zod';
import { organizationAddress } from '../address.js';
import { findOrganization } from '../find.js';
import { defineOperation } from '../operation.js';
import type { OrganizationSubject } from '../subject.js';
import { checkConfiguration, recordTemplate, templateConfiguration, templateFields, templateName } from './fields.js';
import { requireTemplatePlan, type TemplateSubject } from './find-template.js';

/** Makes a template (api-v2.md, Pipeline templates). Refuses a configuration that a pipeline would be refused with. */
export const createTemplate = defineOperation({
  name: 'pipeline-template.create',
  summary: 'Creates a pipeline template.',
  kind: 'command',
  scope: 'write_pipeline_templates',
  access: 'admin',
  refusal: 'sentence',
  input: z.object({ organization: organizationAddress, name: templateName, configuration: templateConfiguration, ...templateFields }),
  subject: (context, { organization }) => findOrganization(context, organization),
  run: async (context, given, { organization }: OrganizationSubject): Promise<TemplateSubject> => {
    requireTemplatePlan(organization);
    checkConfiguration(given.configuration);
    const pipelineTemplate = await context.db
      .insertInto('pipeline_templates')
      .values({
        id: context.newId(),
        organizationId: organization.id,
        name: given.name,
        description: given.description ?? null,
        configuration: given.configuration,
        available: given.available ?? false,
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
