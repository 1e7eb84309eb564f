import type { SuiteSubject } from '../../../../core/find-suite.js';
import type { ChannelName } from '../../../../domain/integrations/service-providers.js';
import type { WorkflowAction } from '../../../../domain/suites/workflows/action.js';
import { workflowPayload } from '../../../../domain/suites/workflows/event-facts.js';
import { deliveryRow } from '../../../../engine/notifications/delivery-row.js';
import { roomsOf } from '../../../../engine/notifications/slack-rooms.js';
import type { Receiver } from '../../../../engine/notifications/subscribed-services.js';
import type { NewRow, NotificationServiceRow } from '../../../../entities/database.js';
import type { Context } from '../../../../request/context.js';
import { webUrls } from '../../../../services/web-urls.js';
import { slicesOf } from './slices.js';
import type { TestVerdict } from './verdict.js';

/**
 * Queues the webhooks and messages of verdicts, as deliveries of one notification each, whose id is that of the event.
 * A message that no service of Slack takes is a problem of the verdict.
 */
export async function sendVerdicts(
  context: Context,
  subject: SuiteSubject,
  about: readonly TestVerdict[],
): Promise<void> {
  const { organization, suite } = subject;
  const rooms = about.some(({ actions }) => actions.some(({ type }) => type === 'slack'))
    ? await chatServices(context, subject)
    : [];
  const base = context.services.baseUrl;
  const notifications: NewRow<'notifications'>[] = [];
  const deliveries: NewRow<'notification_deliveries'>[] = [];
  for (const { verdict, test, actions, problems } of about) {
    const receivers = actions.flatMap((action) => receiversOf(action, rooms, problems));
    if (receivers.length === 0) continue;
    const { id, workflow, event, facts } = verdict;
    const payload = workflowPayload(
      event,
      { ...test, url: webUrls.suiteTest(base, organization.slug, suite.slug, test.id) },
      { id: workflow.id, url: webUrls.testWorkflow(base, organization.slug, suite.slug, workflow.id) },
      facts,
    );
    notifications.push({
      id,
      organizationId: organization.id,
      event: `workflow.${event}`,
      payload: JSON.stringify(payload),
      createdAt: context.now,
    });
    // Events of one test come in order.
    const order = { organizationId: organization.id, orderKey: test.id, sequence: 0 };
    for (const receiver of receivers) deliveries.push(deliveryRow(context, order, id, receiver));
  }
  for (const rows of slicesOf(notifications)) await context.db.insertInto('notifications').values(rows).execute();
  for (const rows of slicesOf(deliveries))
    await context.db.insertInto('notification_deliveries').values(rows).execute();
  if (deliveries.length > 0) context.recorder.notifies = true;
}

function receiversOf(
  { type, url, channel, message }: WorkflowAction,
  rooms: readonly NotificationServiceRow[],
  problems: string[],
): Receiver[] {
  if (type === 'webhook' && url !== null)
    return [{ channel: 'webhook', serviceId: null, url, receiver: url, target: {} }];
  if (type !== 'slack' || channel === null) return [];
  const matching = roomsOf(rooms, channel, {});
  if (matching.length === 0)
    problems.push(`No such channel: no enabled Slack service of the organization reaches ${channel}.`);
  return matching.map(({ service, channel: room }) => ({
    channel: service.provider as ChannelName,
    serviceId: service.id,
    url: `slack:${encodeURIComponent(room)}`,
    receiver: `${service.id} ${room}`,
    target: { channel: room, ...(message === null ? {} : { message }) },
  }));
}

/** The services of Slack that a suite reaches: those for everything, and those for a team that has access to it. */
async function chatServices({ db }: Context, { suite }: SuiteSubject): Promise<NotificationServiceRow[]> {
  const services = await db
    .selectFrom('notification_services')
    .selectAll()
    .where('organizationId', '=', suite.organizationId)
    .where('enabled', '=', true)
    .where('provider', 'in', ['slack', 'slack_workspace'])
    .where('scope', 'in', ['all', 'some_teams'])
    .orderBy('id')
    .execute();
  if (services.every(({ scope }) => scope === 'all')) return services;
  const teams = await db.selectFrom('team_suites').select('teamId').where('suiteId', '=', suite.id).execute();
  const ids = new Set(teams.map(({ teamId }) => teamId));
  return services.filter(({ scope, scopeIds }) => scope === 'all' || scopeIds.some((id) => ids.has(id)));
}
