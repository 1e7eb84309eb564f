import { createTrigger } from '../../../operations/pipelines/triggers/create.js';
import { deleteTrigger } from '../../../operations/pipelines/triggers/delete.js';
import { getTrigger } from '../../../operations/pipelines/triggers/get.js';
import { listTriggers } from '../../../operations/pipelines/triggers/list.js';
import { updateTrigger } from '../../../operations/pipelines/triggers/update.js';
import { camelFields } from '../../requests/field-names.js';
import { readPage } from '../../replies/pagination.js';
import { presentTrigger, presentTriggerWithToken } from '../../present/pipelines/webhook.js';
import type { RestRequest } from '../../requests/request.js';
import { listRoute, type Route, route } from '../../route.js';
import { inPipeline } from '../addresses.js';

const triggers = '/organizations/{org}/pipelines/{slug}/triggers';
const one = `${triggers}/{trigger}`;

const ofTrigger = (request: RestRequest) => ({ ...inPipeline(request), id: request.param('trigger') });

export const pipelineTriggerRoutes: Route[] = [
  listRoute(listTriggers, {
    method: 'get',
    path: triggers,
    input: (request) => ({ ...inPipeline(request), paging: readPage(request) }),
    reply: { kind: 'page', schema: 'PipelineTrigger', present: presentTrigger },
  }),
  route(createTrigger, {
    method: 'post',
    path: triggers,
    takesBody: true,
    input: (request) => ({ ...camelFields(request.body), ...inPipeline(request) }),
    reply: {
      kind: 'object',
      status: 201,
      schema: 'PipelineTrigger',
      present: presentTriggerWithToken,
    },
  }),
  route(getTrigger, {
    method: 'get',
    path: one,
    input: ofTrigger,
    reply: {
      kind: 'object',
      status: 200,
      schema: 'PipelineTrigger',
      present: (context, { trigger }) => presentTrigger(context, trigger),
    },
  }),
  route(updateTrigger, {
    method: 'patch',
    path: one,
    takesBody: true,
    input: (request) => ({ ...camelFields(request.body), ...ofTrigger(request) }),
    reply: {
      kind: 'object',
      status: 200,
      schema: 'PipelineTrigger',
      present: (context, { trigger }) => presentTrigger(context, trigger),
    },
  }),
  route(deleteTrigger, { method: 'delete', path: one, input: ofTrigger, reply: { kind: 'empty' } }),
];
