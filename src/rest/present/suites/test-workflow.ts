import type { Context } from '../../../request/context.js';
import type { JsonObject } from '../../../domain/pipelines/steps/step.js';
import { encodeNodeId } from '../../../domain/node-id.js';
import { testStates } from '../../../domain/suites/results/test-state.js';
import { actionTypes, maskedUrl } from '../../../domain/suites/workflows/action.js';
import { workflowEvents } from '../../../domain/suites/workflows/measure.js';
import { monitorTypes } from '../../../domain/suites/workflows/monitor.js';
import { formatTime } from '../../../domain/time.js';
import type { NotificationDeliveryRow, SuiteTestRow, TestWorkflowEventRow } from '../../../entities/database.js';
import type { TestAlarm } from '../../../operations/suites/workflows/list-alarms.js';
import type { ShownWorkflow } from '../../../resources/suites/workflows/find-workflow.js';
import {
  anything,
  arrayOf,
  boolean,
  described,
  enumOf,
  integer,
  mapOf,
  nullable,
  number,
  object,
  reference,
  text,
  time,
  url,
  uuid,
} from '../../openapi/schema.js';
import { field, resource } from '../fields.js';
import { sentFields } from '../integrations/notification-service.js';
import { presentUserById } from '../organizations/user.js';
import { type Links, Urls } from '../urls.js';
import { existing } from '../values.js';

const monitor = object({
  type: described(enumOf(...monitorTypes), 'What is monitored.'),
  branch: described(nullable(text), 'Branches whose executions count; null for all.'),
  window: described(nullable(integer), 'Executions that it looks back on; null where that is no setting of it.'),
  alarm: described(nullable(number), 'At this value, or above, a test is in alarm.'),
  recover: described(nullable(number), 'At this value, or below, a test in alarm has recovered.'),
});

const action = object({
  type: described(enumOf(...actionTypes), 'What is done.'),
  label: described(nullable(text), 'Label that is added or removed.'),
  state: described(nullable(enumOf(...testStates)), 'State that the test gets.'),
  url: described(nullable(url), 'URL of a webhook; its origin alone for callers who may not edit the suite.'),
  channel: described(nullable(text), 'Channel of Slack.'),
  message: described(nullable(text), 'Text in place of the usual one.'),
});

interface WorkflowSource {
  context: Context;
  workflow: ShownWorkflow;
  links: Links;
}

const actionsOf = (actions: ShownWorkflow['alarmActions'], editable: boolean): JsonObject[] =>
  actions.map(({ type, label, state, url: address, channel, message }) => ({
    type,
    label,
    state,
    url: address === null || editable ? address : maskedUrl(address),
    channel,
    message,
  }));

/** A workflow of a suite. */
export const testWorkflowResource = resource<WorkflowSource>({
  id: field(uuid, 'ID of the workflow.', ({ workflow }) => workflow.id),
  graphql_id: field(text, 'ID of the workflow in GraphQL.', ({ workflow }) =>
    encodeNodeId('TestWorkflow', workflow.id),
  ),
  url: field(url, 'API URL of the workflow.', ({ links }) => links.api),
  web_url: field(url, 'URL of the page of the workflow.', ({ links }) => links.web),
  name: field(text, 'Name of the workflow.', ({ workflow }) => workflow.name),
  enabled: field(boolean, 'Whether it looks at what is uploaded.', ({ workflow }) => workflow.enabled),
  monitor: field(monitor, 'What is monitored, and when a test is in alarm.', ({ workflow }) => {
    const { type, branch, window, alarm, recover } = workflow.monitor;
    return { type, branch, window, alarm, recover };
  }),
  tag_filters: field(
    arrayOf(text),
    'Tags of the executions that count, all of them, as `key:value`.',
    ({ workflow }) => workflow.tagFilters,
  ),
  alarm_actions: field(arrayOf(action), 'What is done when a test gets into alarm.', ({ workflow }) =>
    actionsOf(workflow.alarmActions, workflow.editable),
  ),
  recover_actions: field(arrayOf(action), 'What is done when a test in alarm has recovered.', ({ workflow }) =>
    actionsOf(workflow.recoverActions, workflow.editable),
  ),
  created_at: field(time, 'Time the workflow was created.', ({ workflow }) => formatTime(workflow.createdAt)),
  created_by: field(nullable(reference('User')), 'User who created the workflow.', ({ context, workflow }) =>
    presentUserById(context, workflow.createdById),
  ),
  updated_at: field(time, 'Time the workflow was changed last.', ({ workflow }) => formatTime(workflow.updatedAt)),
});

export async function presentTestWorkflow(context: Context, workflow: ShownWorkflow): Promise<JsonObject> {
  return testWorkflowResource.present({ context, workflow, links: await linksOf(context, workflow) });
}

async function linksOf(context: Context, workflow: ShownWorkflow): Promise<Links> {
  const [organization, suite] = await Promise.all([
    context.load.organization.load(workflow.organizationId),
    context.load.suite.load(workflow.suiteId),
  ]);
  return Urls.of(context).workflow(existing(organization, 'an organization'), existing(suite, 'a suite'), workflow.id);
}

interface NamedTest {
  test: SuiteTestRow;
  testUrl: string;
}

const testSchema = object({
  id: described(uuid, 'ID of the test.'),
  url: described(url, 'API URL of the test.'),
  scope: described(text, 'Scope of the test.'),
  name: described(text, 'Name of the test.'),
});
const testOf = ({ test: { id, scope, name }, testUrl }: NamedTest): JsonObject => ({ id, url: testUrl, scope, name });

async function namedTest(context: Context, testId: string): Promise<NamedTest> {
  const test = existing(await context.load.suiteTest.load(testId), 'a test');
  const [organization, suite] = await Promise.all([
    context.load.organization.load(test.organizationId),
    context.load.suite.load(test.suiteId),
  ]);
  const links = Urls.of(context).test(existing(organization, 'an organization'), existing(suite, 'a suite'), testId);
  return { test, testUrl: links.api };
}

/** An event of a workflow: a test got into alarm, or recovered. */
export const testWorkflowEventResource = resource<NamedTest & { event: TestWorkflowEventRow }>({
  id: field(uuid, 'ID of the event.', ({ event }) => event.id),
  event: field(enumOf(...workflowEvents), 'Whether the test got into alarm or recovered.', ({ event }) => event.event),
  test: field(testSchema, 'Test that the event is about.', testOf),
  workflow_event: field(mapOf(anything), 'Values that it came with, as webhooks get them.', ({ event }) => event.facts),
  problems: field(arrayOf(text), 'Why actions did nothing, a sentence each.', ({ event }) => event.problems),
  created_at: field(time, 'Time of the event.', ({ event }) => formatTime(event.createdAt)),
});

export async function presentTestWorkflowEvent(context: Context, event: TestWorkflowEventRow): Promise<JsonObject> {
  return testWorkflowEventResource.present({ event, ...(await namedTest(context, event.testId)) });
}

/** A test that is in alarm. */
export const testAlarmResource = resource<NamedTest & { alarm: TestAlarm }>({
  event_id: field(uuid, 'ID of the event of the alarm.', ({ alarm }) => alarm.id),
  test: field(testSchema, 'Test that is in alarm.', testOf),
  since: field(time, 'Time it got into alarm.', ({ alarm }) => formatTime(existing(alarm.alarmAt, 'an alarm'))),
});

export async function presentTestAlarm(context: Context, alarm: TestAlarm): Promise<JsonObject> {
  return testAlarmResource.present({ alarm, ...(await namedTest(context, alarm.testId)) });
}

/** A webhook or message that an event of a workflow sent. */
export const testWorkflowDeliveryResource = resource(sentFields);

export const presentTestWorkflowDelivery = (
  _context: Context,
  delivery: NotificationDeliveryRow,
): Promise<JsonObject> => testWorkflowDeliveryResource.present({ delivery });
