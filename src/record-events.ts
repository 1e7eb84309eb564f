import { type Actor, actorReference } from './auth/actor.js';
import type { JsonObject } from './domain/pipelines/steps/step.js';
import type { Db, NewRow } from './entities/database.js';

/** A state change to record; see {@link Recorder}. */
export interface EventFact {
  organizationId: string;
  subject:
    | 'build'
    | 'job'
    | 'agent'
    | 'cluster'
    | 'organization'
    | 'organization-member'
    | 'pipeline'
    | 'pipeline-template'
    | 'run'
    | 'suite'
    | 'team';
  subjectId: string;
  type: string;
  pipelineId?: string | null;
  buildId?: string | null;
  jobId?: string | null;
  agentId?: string | null;
  from?: string | null;
  to?: string | null;
  reason?: string | null;
  data?: JsonObject | null;
}

/** An effect that leaves through the outbox; `background/` delivers it at least once, in order per build. */
export interface OutboxFact {
  topic: OutboxTopic;
  organizationId: string | null;
  payload: JsonObject;
  /** Time before which the message is not delivered. */
  availableAt?: Date;
}

export type OutboxTopic =
  | 'trigger.start' // a trigger job is ready: create its build
  | 'trigger.settle' // a triggered build finished: settle the trigger job above it
  | 'log.compact' // a job finished: merge its chunks
  | 'concurrency.release' // a concurrency group may have a slot to give out
  | 'objects.delete' // rows are gone: collect their bytes
  | 'webhook.process'; // a provider's delivery is stored: decide and act

/** Events and outbox messages of one transaction, written just before it commits. */
export class Recorder {
  readonly events: EventFact[] = [];
  readonly outbox: OutboxFact[] = [];
}

/** The parts of a `Context` that writing its events reads; `context.ts` imports this file. */
interface RecordingContext {
  readonly db: Db;
  readonly actor: Actor;
  readonly now: Date;
  readonly recorder: Recorder;
  readonly request: { requestId: string };
  newId(): string;
}

/** Writes the recorded events, numbered within their builds, and outbox messages. Returns the event rows. */
export async function flush(context: RecordingContext): Promise<NewRow<'events'>[]> {
  const { events, outbox } = context.recorder;
  const written = events.length > 0 ? await writeEvents(context, events) : [];
  if (outbox.length > 0) {
    await context.db
      .insertInto('outbox_messages')
      .values(
        outbox.map((message) => ({
          id: context.newId(),
          organizationId: message.organizationId,
          topic: message.topic,
          payload: message.payload,
          availableAt: message.availableAt ?? context.now,
          createdAt: context.now,
        })),
      )
      .execute();
  }
  return written;
}

async function writeEvents(context: RecordingContext, events: EventFact[]): Promise<NewRow<'events'>[]> {
  const next = await raiseSequences(context, events);
  const actor = actorReference(context.actor);
  const rows: NewRow<'events'>[] = events.map((event) => ({
    id: context.newId(),
    organizationId: event.organizationId,
    subject: event.subject,
    subjectId: event.subjectId,
    pipelineId: event.pipelineId ?? null,
    buildId: event.buildId ?? null,
    jobId: event.jobId ?? null,
    agentId: event.agentId ?? null,
    type: event.type,
    fromState: event.from ?? null,
    toState: event.to ?? null,
    reason: event.reason ?? null,
    ...actor,
    data: event.data,
    sequence: event.buildId ? next(event.buildId) : 0,
    requestId: context.request.requestId,
    createdAt: context.now,
  }));
  for (let start = 0; start < rows.length; start += 500) {
    await context.db
      .insertInto('events')
      .values(rows.slice(start, start + 500))
      .execute();
  }
  return rows;
}

/** Raises the event counters of the builds and returns a function that hands out their numbers in order. */
async function raiseSequences(context: RecordingContext, events: EventFact[]): Promise<(buildId: string) => number> {
  const counts = new Map<string, number>();
  for (const { buildId } of events) if (buildId) counts.set(buildId, (counts.get(buildId) ?? 0) + 1);
  const last = new Map<string, number>();
  for (const [buildId, count] of [...counts].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const row = await context.db
      .updateTable('builds')
      .set((eb) => ({ eventSequence: eb('eventSequence', '+', count) }))
      .where('id', '=', buildId)
      .returning('eventSequence')
      .executeTakeFirst();
    last.set(buildId, (row?.eventSequence ?? count) - count);
  }
  return (buildId) => {
    const number = (last.get(buildId) ?? 0) + 1;
    last.set(buildId, number);
    return number;
  };
}
