import type { Context } from '../../../request/context.js';
import { createRule } from '../../../operations/agents/rules/create.js';
import { deleteRule } from '../../../operations/agents/rules/delete.js';
import type { RuleSubject } from '../../../resources/agents/rules/find-rule.js';
import { getRule } from '../../../operations/agents/rules/get.js';
import { listRules } from '../../../operations/agents/rules/list.js';
import { updateRule } from '../../../operations/agents/rules/update.js';
import { readPage } from '../../replies/pagination.js';
import { presentRule } from '../../present/agents/rule.js';
import type { RestRequest } from '../../requests/request.js';
import { listRoute, type Route, route } from '../../route.js';
import { inOrganization } from '../addresses.js';

const all = '/organizations/{org}/rules';
const one = `${all}/{rule}`;

const ofRule = (request: RestRequest) => ({ rule: { organization: request.param('org'), id: request.param('rule') } });
const present = (context: Context, { rule }: RuleSubject) => presentRule(context, rule);

/** Routes of rules; updating is an addition to the compatible API, modeled on GraphQL. */
export const ruleRoutes: Route[] = [
  listRoute(listRules, {
    method: 'get',
    path: all,
    query: [
      { name: 'source', type: 'string', description: 'ID of the pipeline that may act.' },
      { name: 'target', type: 'string', description: 'ID of the pipeline that the source may act on.' },
    ],
    input: (request) => ({
      ...inOrganization(request),
      source: request.text('source'),
      target: request.text('target'),
      paging: readPage(request),
    }),
    reply: { kind: 'page', schema: 'Rule', present: presentRule },
  }),
  route(createRule, {
    method: 'post',
    path: all,
    takesBody: true,
    input: (request) => ({
      type: request.body['type'],
      value: request.body['value'],
      description: request.body['description'],
      ...inOrganization(request),
    }),
    reply: { kind: 'object', status: 201, schema: 'Rule', present },
  }),
  route(getRule, {
    method: 'get',
    path: one,
    input: ofRule,
    reply: { kind: 'object', status: 200, schema: 'Rule', present },
  }),
  route(updateRule, {
    method: 'patch',
    path: one,
    takesBody: true,
    input: (request) => ({
      value: request.body['value'],
      description: request.body['description'],
      ...ofRule(request),
    }),
    reply: { kind: 'object', status: 200, schema: 'Rule', present },
  }),
  route(deleteRule, { method: 'delete', path: one, input: ofRule, reply: { kind: 'empty' } }),
];
