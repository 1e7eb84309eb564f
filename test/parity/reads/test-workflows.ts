import type { Data, GraphqlCall } from '../../support/both-surfaces.js';
import { told, toldFields } from './clusters.js';
import { type At, byNodeId, leftOut, list, lower, type Read, user, userFields } from './read.js';

const actionFields = 'type label state url channel message';
const workflowFields = `id uuid url name enabled monitor { type branch window alarm recover } tagFilters createdAt updatedAt
  alarmActions { ${actionFields} } recoverActions { ${actionFields} } createdBy { ${userFields} }`;
const action = (found: Data) => ({ ...found, type: lower(found.type), state: found.state && lower(found.state) });
const workflow = (found: Data) => ({
  id: found.uuid,
  graphql_id: found.id,
  url: leftOut.address,
  web_url: found.url,
  name: found.name,
  enabled: found.enabled,
  monitor: { ...found.monitor, type: lower(found.monitor.type) },
  tag_filters: found.tagFilters,
  alarm_actions: found.alarmActions.map(action),
  recover_actions: found.recoverActions.map(action),
  created_at: found.createdAt,
  created_by: user(found.createdBy),
  updated_at: found.updatedAt,
});
const testOfEvent = (found: Data) => ({ id: found.uuid, url: leftOut.address, scope: found.scope, name: found.name });
const workflowEvent = (found: Data) => ({
  id: found.uuid,
  event: lower(found.event),
  test: testOfEvent(found.test),
  workflow_event: JSON.parse(found.workflowEvent),
  problems: found.problems,
  created_at: found.createdAt,
});
/** It is found below its event, of which it says no more. */
const sent = (found: Data) => {
  const { url: _url, event: _event, ...delivery } = told(found);
  return delivery;
};
const inWorkflow =
  (selection: string) =>
  ({ workflow: id }: At): GraphqlCall => [
    `query ($id: ID!) { suite(slug: "acme/rspec") { workflow(id: $id) { ${selection} } } }`,
    { id },
  ];

const all = '/analytics/organizations/{org}/suites';

/** Reads of the workflows of suites. */
export const testWorkflowReads: Readonly<Record<string, Read>> = {
  [`${all}/{suite}/workflows`]: list(
    () => [`{ suite(slug: "acme/rspec") { workflows(first: 50) { edges { node { ${workflowFields} } } } } }`],
    'suite.workflows',
    workflow,
  ),
  [`${all}/{suite}/workflows/{workflow}`]: byNodeId(
    'TestWorkflow',
    'TestWorkflow',
    (at) => at['workflow'],
    workflowFields,
    workflow,
  ),
  [`${all}/{suite}/workflows/{workflow}/alarms`]: list(
    inWorkflow(`alarms(first: 50) { edges { node { eventUuid since test { uuid scope name } } } }`),
    'suite.workflow.alarms',
    (found: Data) => ({ event_id: found.eventUuid, test: testOfEvent(found.test), since: found.since }),
  ),
  [`${all}/{suite}/workflows/{workflow}/events`]: list(
    inWorkflow(
      `events(first: 50) { edges { node { uuid event workflowEvent problems createdAt test { uuid scope name } } } }`,
    ),
    'suite.workflow.events',
    workflowEvent,
  ),
  [`${all}/{suite}/workflows/{workflow}/events/{event}/deliveries`]: {
    graphql: inWorkflow(
      `events(first: 50) { edges { node { uuid deliveries(first: 50) { edges { node { ${toldFields} } } } } } }`,
    ),
    mapped: ({ suite: { workflow: found } }: Data, { event }: At) =>
      found.events.edges
        .find(({ node }: Data) => node.uuid === event)
        .node.deliveries.edges.map(({ node }: Data) => sent(node)),
  },
};
