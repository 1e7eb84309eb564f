import { z } from 'zod';
import { organizationAddress } from '../../../core/address.js';
import { findOrganization } from '../../../core/find.js';
import { defineOperation } from '../../../core/operation.js';
import { defaultPaging, newestFirst, type Ordering, type Page, paginate, paging } from '../../../core/paging.js';
import type { OrganizationSubject } from '../../../core/subject.js';
import { oneOf } from '../../../domain/input-text.js';
import {
  managesTemplates,
  requireTemplatePlan,
  type TemplateRow,
} from '../../../resources/pipelines/templates/find-template.js';

const byName: Ordering<TemplateRow> = {
  column: 'x.name',
  id: 'x.id',
  direction: 'asc',
  key: (row) => row.name,
  type: 'text',
};

/** Lists the templates of an organization: all for administrators, the available ones for other members. */
export const listTemplates = defineOperation({
  name: 'pipeline-template.list',
  summary: 'Lists the pipeline templates of an organization.',
  kind: 'query',
  scope: 'read_pipeline_templates',
  access: 'member',
  refusal: 'sentence',
  input: z.object({
    organization: organizationAddress,
    order: oneOf(['name', 'recently_created']).default('name'),
    paging: paging.default(defaultPaging),
  }),
  subject: (context, { organization }) => findOrganization(context, organization),
  run: async (context, { order, paging: page }, { organization }: OrganizationSubject): Promise<Page<TemplateRow>> => {
    requireTemplatePlan(organization);
    let query = context.db
      .selectFrom('pipeline_templates as x')
      .selectAll('x')
      .where('x.organizationId', '=', organization.id);
    if (!managesTemplates(context.actor, organization.id)) query = query.where('x.available', '=', true);
    return paginate<TemplateRow>(context.db, query, order === 'name' ? byName : newestFirst('x.id'), page);
  },
});
