import type { Context } from '../../context.js';
import { createRule } from '../../operations/rules/create.js';
import { deleteRule } from '../../operations/rules/delete.js';
import type { RuleSubject } from '../../operations/rules/find-rule.js';
import { getRule } from '../../operations/rules/get.js';
import { listRules } from '../../operations/rules/list.js';
import { updateRule } from '../../operations/rules/update.js';
import { readPage } from '../pagination.js';
import { presentRule } from '../present/rule.js';
import type { RestRequest } from '../request.js';
import { listRoute, type Route, route } from '../route.js';
import { inOrganization } from './addresses.js';

const all = '/organizations/{org}/rules';
const one = `${all}/{rule}`;

const ofRule = (request: RestRequest) => ({ rule: { organization: request.param('org'), id: request.param('rule') } });
const shown = (context: Context, { rule }: RuleSubject) => presentRule(context, rule);

/** Rules (rest-facts 3.7); changing one is ours, after what the schema has. */
export const ruleRoutes: Route[] = [
  listRoute(listRules, {
    method: 'get',
    path: all,
    query: [
      { name: 'source', type: 'string', about: 'Id of the pipeline that is allowed something.' },
      { name: 'target', type: 'string', about: 'Id of the pipeline it is allowed with.' },
    ],
    input: (request) => ({ ...inOrganization(request), source: request.text('source'), target: request.text('target'), paging: readPage(request) }),
    reply: { kind: 'page', schema: 'Rule', present: presentRule },
  }),
  route(createRule, {
    method: 'post',
    path: all,
    takesBody: true,
    input: (request) => ({ type: request.body['type'], value: request.body['value'], description: request.body['description'], ...inOrganization(request) }),
    reply: { kind: 'object', status: 201, schema: 'Rule', present: shown },
  }),
  route(getRule, { method: 'get', path: one, input: ofRule, reply: { kind: 'object', status: 200, schema: 'Rule', present: shown } }),
  route(updateRule, {
    method: 'patch',
    path: one,
    takesBody: true,
    input: (request) => ({ value: request.body['value'], description: request.body['description'], ...ofRule(request) }),
    reply: { kind: 'object', status: 200, schema: 'Rule', present: shown },
  }),
  route(deleteRule, { method: 'delete', path: one, input: ofRule, reply: { kind: 'empty' } }),
];
