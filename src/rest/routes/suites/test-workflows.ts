import type { Context } from '../../../request/context.js';
import { createTestWorkflow } from '../../../operations/suites/workflows/create.js';
import { deleteTestWorkflow } from '../../../operations/suites/workflows/delete.js';
import { getTestWorkflow } from '../../../operations/suites/workflows/get.js';
import { listTestWorkflowAlarms } from '../../../operations/suites/workflows/list-alarms.js';
import { listTestWorkflowDeliveries } from '../../../operations/suites/workflows/list-deliveries.js';
import { listTestWorkflowEvents } from '../../../operations/suites/workflows/list-events.js';
import { listTestWorkflows } from '../../../operations/suites/workflows/list.js';
import { redeliverTestWorkflowEvent } from '../../../operations/suites/workflows/redeliver.js';
import { updateTestWorkflow } from '../../../operations/suites/workflows/update.js';
import type { WorkflowSubject } from '../../../resources/suites/workflows/find-workflow.js';
import {
  presentTestAlarm,
  presentTestWorkflow,
  presentTestWorkflowDelivery,
  presentTestWorkflowEvent,
} from '../../present/suites/test-workflow.js';
import { camelFields } from '../../requests/field-names.js';
import { readPage } from '../../replies/pagination.js';
import type { RestRequest } from '../../requests/request.js';
import { listRoute, type Route, route } from '../../route.js';
import { ofSuite } from '../addresses.js';

const all = '/analytics/organizations/{org}/suites/{suite}/workflows';
const one = `${all}/{workflow}`;
const deliveries = `${one}/events/{event}/deliveries`;

const ofWorkflow = (request: RestRequest) => ({
  workflow: { organization: request.param('org'), suite: request.param('suite'), id: request.param('workflow') },
});
const ofEvent = (request: RestRequest) => ({ ...ofWorkflow(request), workflowEvent: request.param('event') });
const present = (context: Context, { workflow }: WorkflowSubject) => presentTestWorkflow(context, workflow);
const reply = { kind: 'object', status: 200, schema: 'TestWorkflow', present } as const;

/** The workflows of a suite, with their events and what these sent. Their addresses are ours: none are public. */
export const testWorkflowRoutes: Route[] = [
  listRoute(listTestWorkflows, {
    method: 'get',
    path: all,
    input: (request) => ({ ...ofSuite(request), paging: readPage(request) }),
    reply: { kind: 'page', schema: 'TestWorkflow', present: presentTestWorkflow },
  }),
  route(createTestWorkflow, {
    method: 'post',
    path: all,
    takesBody: true,
    input: (request) => ({ ...camelFields(request.body), ...ofSuite(request) }),
    reply: { ...reply, status: 201 },
  }),
  route(getTestWorkflow, { method: 'get', path: one, input: ofWorkflow, reply }),
  route(updateTestWorkflow, {
    method: 'patch',
    path: one,
    takesBody: true,
    input: (request) => ({ ...camelFields(request.body), ...ofWorkflow(request) }),
    reply,
  }),
  route(deleteTestWorkflow, { method: 'delete', path: one, input: ofWorkflow, reply: { kind: 'empty' } }),
  listRoute(listTestWorkflowAlarms, {
    method: 'get',
    path: `${one}/alarms`,
    input: (request) => ({ ...ofWorkflow(request), paging: readPage(request) }),
    reply: { kind: 'page', schema: 'TestAlarm', present: presentTestAlarm },
  }),
  listRoute(listTestWorkflowEvents, {
    method: 'get',
    path: `${one}/events`,
    input: (request) => ({ ...ofWorkflow(request), paging: readPage(request) }),
    reply: { kind: 'page', schema: 'TestWorkflowEvent', present: presentTestWorkflowEvent },
  }),
  listRoute(listTestWorkflowDeliveries, {
    method: 'get',
    path: deliveries,
    input: (request) => ({ ...ofEvent(request), paging: readPage(request) }),
    reply: { kind: 'page', schema: 'TestWorkflowDelivery', present: presentTestWorkflowDelivery },
  }),
  route(redeliverTestWorkflowEvent, {
    method: 'post',
    path: `${deliveries}/{delivery}/redeliver`,
    input: (request) => ({ ...ofEvent(request), id: request.param('delivery') }),
    reply: {
      kind: 'object',
      status: 201,
      schema: 'TestWorkflowDelivery',
      present: (context, { delivery }) => presentTestWorkflowDelivery(context, delivery),
    },
  }),
];
