import { z } from 'zod';
import { organizationAddress } from '../address.js';
import { findOrganization } from '../find.js';
import { defineOperation } from '../operation.js';
import { defaultPaging, newestFirst, type Ordering, type Page, paginate, paging } from '../paging.js';
import type { OrganizationSubject } from '../subject.js';
import { oneOf } from '../text.js';
import { managesTemplates, requireTemplatePlan, type TemplateRow } from './find-template.js';

const byName: Ordering<TemplateRow> = { column: 'x.name', id: 'x.id', direction: 'asc', key: (row) => row.name, type: 'text' };

/** The templates of an organization: all for administrators, the available ones for other members (api-v2.md, Pipeline templates). */
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
  run: async (context, { order, paging: asked }, { organization }: OrganizationSubject): Promise<Page<TemplateRow>> => {
    requireTemplatePlan(organization);
    let query = context.db.selectFrom('pipeline_templates as x').selectAll('x').where('x.organizationId', '=', organization.id);
    if (!managesTemplates(context.actor, organization.id)) query = query.where('x.available', '=', true);
    return paginate<TemplateRow>(context.db, query, order === 'name' ? byName : newestFirst('x.id'), asked);
  },
});
