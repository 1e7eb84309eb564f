import { sql } from 'kysely';
import type { Context } from '../../request/context.js';
import { eventOfAgent, eventOfBuild, eventOfJob } from '../../domain/integrations/notification-events.js';
import type { BuildState } from '../../domain/builds/build-state.js';
import type { JobState } from '../../domain/builds/job-state.js';
import { limits } from '../../domain/limits/limits.js';
import { limitOf } from '../../domain/limits/raised-limits.js';
import type { JsonObject } from '../../domain/pipelines/steps/step.js';
import type { BuildRow, NewRow } from '../../entities/database.js';
import { queueCommitStatuses } from './queue-commit-statuses.js';
import { payloadText } from './payload-text.js';
import { deliveryRow } from './delivery-row.js';
import { notifyReceivers } from './notify-receivers.js';
import { stepEventsOf } from './step-events.js';
import { type NotifiableEvent, type Receiver, subscribedServices } from './subscribed-services.js';

type EventRow = NewRow<'events'>;

/**
 * Inserts a notification with its payload and a delivery for every receiver, in the transaction of the events: no
 * notification without its event, no event without its notification. Costs nothing for events of other kinds; else one
 * statement for each organization's services.
 */
export async function queueNotifications(context: Context, events: readonly EventRow[]): Promise<void> {
  const notifiable = events.filter(isNotifiable);
  if (notifiable.length === 0) return;
  // Rows that loaders read before the change are stale, and payloads contain only what every member may see.
  const fresh = context.withDb(context.db).as({ kind: 'system', cause: 'notifications' });
  const ofRows = (await Promise.all(notifiable.map((event) => notifiableEventOf(fresh, event)))).filter(
    // Builds of searches for culprits are no news of their branches.
    (each) => each !== null && (each.build?.culpritSearchId ?? null) === null,
  ) as NotifiableEvent[];
  if (ofRows.length === 0) return;
  await queueCommitStatuses(fresh, buildsOf(ofRows));
  const notifiableEvents = [...ofRows, ...(await stepEventsOf(fresh, ofRows))];
  const writer = new PayloadWriter(fresh);
  const services = await subscribedServices(fresh, notifiableEvents);
  const notifications: NewRow<'notifications'>[] = [];
  const deliveries: NewRow<'notification_deliveries'>[] = [];
  for (const notifiableEvent of notifiableEvents) {
    const own = services(notifiableEvent);
    const entries = await notifyReceivers(fresh, notifiableEvent, own);
    // Before the next event counts them.
    await insertAll(context, 'build_notifications', entries.outcomes);
    const receivers: Receiver[] = [...own.receivers(), ...entries.receivers];
    if (receivers.length === 0) continue;
    const id = context.newId();
    notifications.push({
      id,
      organizationId: notifiableEvent.organizationId,
      pipelineId: notifiableEvent.build?.pipelineId ?? null,
      buildId: notifiableEvent.build?.id ?? null,
      event: notifiableEvent.event,
      payload: await writer.write(notifiableEvent),
      createdAt: context.now,
    });
    for (const receiver of receivers) deliveries.push(deliveryRow(context, notifiableEvent, id, receiver));
  }
  await insertAll(context, 'notifications', notifications);
  await insertAll(context, 'notification_deliveries', deliveries);
  if (deliveries.length > 0) context.recorder.notifies = true;
}

/** Distinct builds of the events. */
function buildsOf(notifiableEvents: readonly NotifiableEvent[]): BuildRow[] {
  return [...new Map(notifiableEvents.flatMap(({ build }) => (build ? [[build.id, build] as const] : []))).values()];
}

/** Type of an event that is notified of though nothing changes its state. */
const promised = 'job.promise_failure';
/** Beginning of the reason of a promise that came without one. */
const madeUp = 'promised exit status ';

/** Types of the events of addresses that a registration token does not allow. */
const blocked: ReadonlySet<string> = new Set(['agent.blocked', 'agent-token.registration_blocked']);

function isNotifiable({ subject, fromState, toState, type }: EventRow): boolean {
  if (blocked.has(type)) return true;
  if (toState == null) return false;
  if (type === promised) return true;
  if (subject === 'build') return eventOfBuild(toState as BuildState) !== null;
  if (subject === 'agent') return eventOfAgent(fromState ?? null, toState) !== null;
  if (subject !== 'job' || type === 'job.retried') return false;
  return eventOfJob('command', toState as JobState) !== null || eventOfJob('block', toState as JobState) !== null;
}

async function notifiableEventOf(context: Context, row: EventRow): Promise<NotifiableEvent | null> {
  const shared = { organizationId: row.organizationId, sequence: row.sequence };
  const state = row.toState ?? '';
  if (blocked.has(row.type)) return blockedEventOf(context, row);
  if (row.subject === 'agent') {
    const event = eventOfAgent(row.fromState ?? null, state);
    const agent = event && (await context.load.agent.load(row.subjectId));
    return agent ? { ...shared, event, agent, orderKey: agent.id } : null;
  }
  // Null where it was deleted in this transaction, or its pipeline meanwhile: there is nothing to notify about.
  const build = await context.references.wholeBuild.load(row.buildId ?? row.subjectId);
  if (!build) return null;
  if (row.subject === 'build') {
    const event = eventOfBuild(state as BuildState);
    return event && { ...shared, event, build, orderKey: build.id };
  }
  const job = await context.uncheckedRows.job.load(row.subjectId);
  if (job && row.type === promised) {
    const promiseReason = row.reason?.startsWith(madeUp) ? null : (row.reason ?? null);
    return { ...shared, event: 'job.promised_exit_status', build, job, orderKey: build.id, promiseReason };
  }
  const event = job && eventOfJob(job.type, state as JobState);
  return event ? { ...shared, event, build, job, orderKey: build.id } : null;
}

async function blockedEventOf(context: Context, row: EventRow): Promise<NotifiableEvent | null> {
  const data = (row.data ?? {}) as JsonObject;
  const tokenId = String(data['agent_token']);
  const clusterToken = await context.load.agentToken.load(tokenId);
  if (!clusterToken) return null;
  const { organizationId, sequence } = row;
  const shared = { organizationId, sequence, clusterToken, blockedIp: (data['blocked_ip'] ?? null) as string | null };
  if (row.subject !== 'agent') return { ...shared, event: 'cluster_token.registration_blocked', orderKey: tokenId };
  const agent = await context.load.agent.load(row.subjectId);
  return agent ? { ...shared, event: 'agent.blocked', agent, orderKey: agent.id } : null;
}

/** Renders the payloads of one transaction: a build that accompanies a hundred of its jobs is rendered once. */
class PayloadWriter {
  private readonly builds = new Map<string, Promise<JsonObject>>();
  private readonly contexts = new Map<string, Context>();
  /** Members that payloads about a build go without, by its id. */
  private readonly omitted = new Map<string, string[]>();

  constructor(private readonly context: Context) {}

  async write(notifiableEvent: NotifiableEvent): Promise<string> {
    const { event, build } = notifiableEvent;
    return payloadText({ event, ...(await this.about(notifiableEvent)) }, build && this.omitted.get(build.id));
  }

  private async about(notifiableEvent: NotifiableEvent): Promise<JsonObject> {
    const { build, job, step, agent, promiseReason, clusterToken, blockedIp = null } = notifiableEvent;
    const { payloads } = this.context.services;
    if (!build)
      return {
        ...(clusterToken ? { blocked_ip: blockedIp } : {}),
        ...(agent ? { agent: await payloads.agent(this.context, agent) } : {}),
        ...(clusterToken ? { cluster_token: await payloads.agentToken(this.context, clusterToken) } : {}),
      };
    const { notify: _notify, ...shown } = step ?? { notify: [] };
    return {
      ...(job ? { job: await payloads.job(this.audienceOf(build), job) } : {}),
      ...(step ? { step: shown as JsonObject } : {}),
      ...(await this.partsOf(build)),
      ...(promiseReason === undefined ? {} : { promised_exit_status_reason: promiseReason }),
    };
  }

  /** Editors of the pipeline choose the receivers: payloads must not show pipelines that those editors may not see. */
  private audienceOf({ pipelineId }: BuildRow): Context {
    const context =
      this.contexts.get(pipelineId) ??
      this.context.as({ kind: 'system', cause: 'notifications', audience: { pipelineId } });
    this.contexts.set(pipelineId, context);
    return context;
  }

  private partsOf(build: BuildRow): Promise<JsonObject> {
    const known = this.builds.get(build.id) ?? this.present(build);
    this.builds.set(build.id, known);
    return known;
  }

  private async present(build: BuildRow): Promise<JsonObject> {
    const { payloads } = this.context.services;
    const pipeline = await this.context.uncheckedRows.pipeline.load(build.pipelineId);
    if (!pipeline) throw new Error(`build ${build.id} has no pipeline`);
    const context = this.audienceOf(build);
    // Asked before they are loaded: a payload has room for half of what a build may have, and a build from before the
    // limit may have more than fits in memory.
    if ((await metaDataBytes(context, build.id)) > Math.min(limitOf('metaDataBytes'), limits.notificationBytes)) {
      context.load.metaDataOfBuild.prime(build.id, {});
      this.omitted.set(build.id, ['build.meta_data']);
    }
    return { build: await payloads.build(context, build), pipeline: await payloads.pipeline(context, pipeline) };
  }
}

async function metaDataBytes({ db }: Context, buildId: string): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`select
    coalesce(sum(octet_length(key) + octet_length(value)), 0)::float8 as bytes
    from build_meta_data where build_id = ${buildId}`.execute(db);
  return rows[0]?.bytes ?? 0;
}

/** Payloads are long: few rows a statement. */
const batch = 200;

async function insertAll<T extends 'notifications' | 'notification_deliveries' | 'build_notifications'>(
  context: Context,
  table: T,
  rows: NewRow<T>[],
): Promise<void> {
  for (let start = 0; start < rows.length; start += batch) {
    await context.db
      .insertInto(table)
      // Kysely cannot resolve the insert type of a table that is a type parameter.
      .values(rows.slice(start, start + batch) as never)
      .execute();
  }
}
