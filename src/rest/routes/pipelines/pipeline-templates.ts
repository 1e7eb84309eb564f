import type { Context } from '../../../request/context.js';
import { createTemplate } from '../../../operations/pipelines/templates/create.js';
import { deleteTemplate } from '../../../operations/pipelines/templates/delete.js';
import type { TemplateSubject } from '../../../resources/pipelines/templates/find-template.js';
import { getTemplate } from '../../../operations/pipelines/templates/get.js';
import { listTemplates } from '../../../operations/pipelines/templates/list.js';
import { updateTemplate } from '../../../operations/pipelines/templates/update.js';
import { camelFields } from '../../requests/field-names.js';
import { readPage } from '../../replies/pagination.js';
import { presentTemplate } from '../../present/pipelines/pipeline-template.js';
import type { RestRequest } from '../../requests/request.js';
import { listRoute, type Route, route } from '../../route.js';
import { inOrganization } from '../addresses.js';

const all = '/organizations/{org}/pipeline-templates';
const one = `${all}/{template}`;

const ofTemplate = (request: RestRequest) => ({
  pipelineTemplate: { organization: request.param('org'), id: request.param('template') },
});
const present = (context: Context, { pipelineTemplate }: TemplateSubject) => presentTemplate(context, pipelineTemplate);

export const pipelineTemplateRoutes: Route[] = [
  listRoute(listTemplates, {
    method: 'get',
    path: all,
    input: (request) => ({ ...inOrganization(request), paging: readPage(request) }),
    reply: { kind: 'page', schema: 'PipelineTemplate', present: presentTemplate },
  }),
  route(createTemplate, {
    method: 'post',
    path: all,
    takesBody: true,
    input: (request) => ({ ...camelFields(request.body), ...inOrganization(request) }),
    reply: { kind: 'object', status: 201, schema: 'PipelineTemplate', present },
  }),
  route(getTemplate, {
    method: 'get',
    path: one,
    input: ofTemplate,
    reply: { kind: 'object', status: 200, schema: 'PipelineTemplate', present },
  }),
  route(updateTemplate, {
    method: 'patch',
    path: one,
    takesBody: true,
    input: (request) => ({ ...camelFields(request.body), ...ofTemplate(request) }),
    reply: { kind: 'object', status: 200, schema: 'PipelineTemplate', present },
  }),
  route(deleteTemplate, { method: 'delete', path: one, input: ofTemplate, reply: { kind: 'empty' } }),
];
