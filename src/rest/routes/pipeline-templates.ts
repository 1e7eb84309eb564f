import type { Context } from '../../context.js';
import { createTemplate } from '../../operations/pipeline-templates/create.js';
import { deleteTemplate } from '../../operations/pipeline-templates/delete.js';
import type { TemplateSubject } from '../../operations/pipeline-templates/find-template.js';
import { getTemplate } from '../../operations/pipeline-templates/get.js';
import { listTemplates } from '../../operations/pipeline-templates/list.js';
import { updateTemplate } from '../../operations/pipeline-templates/update.js';
import { camelFields } from '../field-names.js';
import { readPage } from '../pagination.js';
import { presentTemplate } from '../present/pipeline-template.js';
import type { RestRequest } from '../request.js';
import { listRoute, type Route, route } from '../route.js';
import { inOrganization } from './addresses.js';

const all = '/organizations/{org}/pipeline-templates';
const one = `${all}/{template}`;

const ofTemplate = (request: RestRequest) => ({ pipelineTemplate: { organization: request.param('org'), id: request.param('template') } });
const shown = (context: Context, { pipelineTemplate }: TemplateSubject) => presentTemplate(context, pipelineTemplate);

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
    reply: { kind: 'object', status: 201, schema: 'PipelineTemplate', present: shown },
  }),
  route(getTemplate, { method: 'get', path: one, input: ofTemplate, reply: { kind: 'object', status: 200, schema: 'PipelineTemplate', present: shown } }),
  route(updateTemplate, {
    method: 'patch',
    path: one,
    takesBody: true,
    input: (request) => ({ ...camelFields(request.body), ...ofTemplate(request) }),
    reply: { kind: 'object', status: 200, schema: 'PipelineTemplate', present: shown },
  }),
  route(deleteTemplate, { method: 'delete', path: one, input: ofTemplate, reply: { kind: 'empty' } }),
];
