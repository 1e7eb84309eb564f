import type { Context } from '../../context.js';
import { eventOfAgent, eventOfBuild, eventOfJob } from '../../domain/notification-events.js';
import type { BuildState } from '../../domain/build-state.js';
import type { JobState } from '../../domain/job-state.js';
import type { JsonObject } from '../../domain/steps/step.js';
import type { BuildRow, NewRow } from '../../entities/database.js';
import { queueCommitStatuses } from '../commit-statuses/queue.js';
import { notifyReceivers } from './notify-receivers.js';
import { type Happening, type Receiver, serviceReceivers } from './receivers.js';

type EventRow = NewRow<'events'>;

/**
 * Writes a notification with its payload, as the thing is now, and a delivery for every receiver that wants it, in the
 * transaction of the events themselves: nothing is told that did not happen, and nothing that happened goes untold.
 * Costs nothing where the events are of no kind that is told; one statement for each organization's services else.
 */
export async function queueNotifications(context: Context, events: readonly EventRow[]): Promise<void> {
  const telling = events.filter(mayBeTold);
  if (telling.length === 0) return;
  // What loaders had read before the change is stale, and payloads show what anybody may see of a thing.
  const fresh = context.withDb(context.db).as({ kind: 'system', cause: 'notifications' });
  const happenings = (await Promise.all(telling.map((event) => happeningOf(fresh, event)))).filter((each) => each !== null);
  if (happenings.length === 0) return;
  await queueCommitStatuses(fresh, buildsOf(happenings));
  const writer = new PayloadWriter(fresh);
  const services = await serviceReceivers(fresh, happenings);
  const notifications: NewRow<'notifications'>[] = [];
  const deliveries: NewRow<'notification_deliveries'>[] = [];
  for (const happening of happenings) {
    const receivers: Receiver[] = [...services(happening), ...(await notifyReceivers(fresh, happening))];
    if (receivers.length === 0) continue;
    const id = context.newId();
    notifications.push({
      id,
      organizationId: happening.organizationId,
      pipelineId: happening.build?.pipelineId ?? null,
      buildId: happening.build?.id ?? null,
      event: happening.event,
      payload: await writer.write(happening),
      createdAt: context.now,
    });
    for (const receiver of receivers) deliveries.push(deliveryRow(context, happening, id, receiver));
  }
  await insertAll(context, 'notifications', notifications);
  await insertAll(context, 'notification_deliveries', deliveries);
}

/** The builds that happenings are about, each once. */
function buildsOf(happenings: readonly Happening[]): BuildRow[] {
  return [...new Map(happenings.flatMap(({ build }) => (build ? [[build.id, build] as const] : []))).values()];
}

function mayBeTold({ subject, fromState, toState, type }: EventRow): boolean {
  if (toState == null) return false;
  if (subject === 'build') return eventOfBuild(toState as BuildState) !== null;
  if (subject === 'agent') return eventOfAgent(fromState ?? null, toState) !== null;
  if (subject !== 'job' || type === 'job.retried') return false;
  return eventOfJob('command', toState as JobState) !== null || eventOfJob('block', toState as JobState) !== null;
}

async function happeningOf(context: Context, row: EventRow): Promise<Happening | null> {
  const shared = { organizationId: row.organizationId, sequence: row.sequence };
  const state = row.toState ?? '';
  if (row.subject === 'agent') {
    const event = eventOfAgent(row.fromState ?? null, state);
    const agent = event && (await context.load.agent.load(row.subjectId));
    return agent ? { ...shared, event, agent, orderKey: agent.id } : null;
  }
  const build = await context.load.build.load(row.buildId ?? row.subjectId);
  // Deleted in this very transaction: there is nothing to tell of any more.
  if (!build) return null;
  if (row.subject === 'build') {
    const event = eventOfBuild(state as BuildState);
    return event && { ...shared, event, build, orderKey: build.id };
  }
  const job = await context.load.job.load(row.subjectId);
  const event = job && eventOfJob(job.type, state as JobState);
  return event ? { ...shared, event, build, job, orderKey: build.id } : null;
}

/** Payloads of one transaction's happenings: a build that a hundred of its jobs are told with is presented once. */
class PayloadWriter {
  private readonly builds = new Map<string, Promise<JsonObject>>();

  constructor(private readonly context: Context) {}

  async write({ event, build, job, agent }: Happening): Promise<string> {
    const { payloads } = this.context.services;
    const about = agent
      ? { agent: await payloads.agent(this.context, agent) }
      : { ...(job ? { job: await payloads.job(this.context, job) } : {}), ...(await this.partsOf(build)) };
    return JSON.stringify({ event, ...about });
  }

  private partsOf(build: BuildRow): Promise<JsonObject> {
    const known = this.builds.get(build.id) ?? this.present(build);
    this.builds.set(build.id, known);
    return known;
  }

  private async present(build: BuildRow): Promise<JsonObject> {
    const { payloads } = this.context.services;
    const pipeline = await this.context.load.pipeline.load(build.pipelineId);
    if (!pipeline) throw new Error(`build ${build.id} has no pipeline`);
    return { build: await payloads.build(this.context, build), pipeline: await payloads.pipeline(this.context, pipeline) };
  }
}

function deliveryRow(context: Context, happening: Happening, notificationId: string, receiver: Receiver): NewRow<'notification_deliveries'> {
  return {
    id: context.newId(),
    organizationId: happening.organizationId,
    serviceId: receiver.serviceId,
    notificationId,
    url: receiver.url,
    receiver: receiver.serviceId ?? receiver.url,
    orderKey: happening.orderKey,
    sequence: happening.sequence,
    state: 'pending',
    nextAttemptAt: context.now,
    createdAt: context.now,
  };
}

/** Payloads are long: few rows a statement. */
const batch = 200;

async function insertAll<T extends 'notifications' | 'notification_deliveries'>(context: Context, table: T, rows: NewRow<T>[]): Promise<void> {
  for (let start = 0; start < rows.length; start += batch) {
    await context.db.insertInto(table).values(rows.slice(start, start + batch) as never).execute();
  }
}

