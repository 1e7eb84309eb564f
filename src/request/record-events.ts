import { type Actor, eventActor, type StackActor } from '../auth/actor.js';
import type { RowInsert } from '../database/insert-batches.js';
import { type RowChange, write, type Writes, type Written } from '../database/write-statement.js';
import type { JobFigures } from '../domain/builds/job-figures.js';
import type { JsonObject } from '../domain/pipelines/steps/step.js';
import type { Db, NewRow } from '../entities/database.js';
import type { Loaders } from '../loaders/loaders.js';
import type { References } from '../loaders/references.js';

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
  /** Of a job: its queue, null for none, for those who wait for work in it; not stored. */
  queueId?: string | null;
  /** Of a job: what its move says to metrics; not stored. */
  figures?: JobFigures;
  /** Who is named as having caused it; the caller if absent. */
  by?: ReturnType<typeof eventActor>;
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
  | 'culprit.advance' // a build of a search for a culprit finished: judge its commit and go on
  | 'log.compact' // a job finished: merge its chunks
  | 'concurrency.release' // a concurrency group may have a slot to give out
  | 'objects.delete' // rows are gone: collect their bytes
  | 'webhook.process'; // a provider's delivery is stored: decide and act

/** Everything that one transaction has still to write, just before it commits or when a reader needs it. */
export class Recorder {
  /** `actor`: who the events name, also where somebody writes them on behalf of the caller. */
  constructor(public actor: Actor | StackActor) {}

  readonly events: EventFact[] = [];
  readonly outbox: OutboxFact[] = [];
  readonly audit: NewRow<'audit_events'>[] = [];
  inserts: RowInsert[] = [];
  changes: RowChange[] = [];
  /** Gives rows as they are after the commit to the loaders of a reply. */
  readonly known: ((loaders: Loaders, references: References) => void)[] = [];
  /** What was written so far. */
  readonly written: { events: NewRow<'events'>[]; outbox: number; audit: number; mayNotify: boolean } = {
    events: [],
    outbox: 0,
    audit: 0,
    mayNotify: false,
  };
  /** Whether deliveries of notifications were queued: their sender is woken after the commit. */
  notifies = false;

  /** Whether nothing is recorded that is not written. */
  get isWritten(): boolean {
    const { written } = this;
    return (
      this.inserts.length + this.changes.length === 0 &&
      this.events.length === written.events.length &&
      this.outbox.length === written.outbox &&
      this.audit.length === written.audit
    );
  }
}

/** The parts of a `Context` that writing its events reads; `context.ts` imports this file. */
export interface RecordingContext {
  readonly db: Db;
  readonly now: Date;
  readonly recorder: Recorder;
  readonly request: { requestId: string };
  newId(): string;
}

/**
 * Writes with one statement what was recorded and is not written yet: changes of rows, events, numbered within their
 * builds, outbox messages and audit rows. Nothing recorded costs nothing.
 */
export async function flush(context: RecordingContext): Promise<void> {
  noteWritten(context.recorder, await write(context.db, unwritten(context)));
}

/**
 * The same for several commands of one transaction, in their order, with as few statements as may be: of two changes of
 * one row the second has a statement of its own.
 */
export async function flushTogether(db: Db, contexts: readonly RecordingContext[]): Promise<void> {
  for (let start = 0; start < contexts.length;) {
    const changed = new Set<string>();
    const rowsOf = ({ recorder }: RecordingContext) =>
      recorder.changes.flatMap(({ table, ids }) => ids.map((id) => `${table} ${id}`));
    let end = start;
    for (let context = contexts[end]; context; context = contexts[end]) {
      const rows = rowsOf(context);
      if (rows.some((row) => changed.has(row))) break;
      for (const row of rows) changed.add(row);
      end += 1;
    }
    // A single command never names a row twice (`Context.change`).
    const group = contexts.slice(start, Math.max(end, start + 1));
    const each = group.map(unwritten);
    const all = <K extends keyof Writes>(key: K) => each.flatMap((writes) => writes[key] as unknown[]) as never;
    const result = await write(db, {
      inserts: all('inserts'),
      changes: all('changes'),
      events: all('events'),
      outbox: all('outbox'),
      audit: all('audit'),
    });
    let first = 0;
    group.forEach(({ recorder }, index) => {
      const count = each[index]?.events.length ?? 0;
      noteWritten(recorder, { ...result, events: result.events.slice(first, first + count) });
      first += count;
    });
    start += group.length;
  }
}

/** Takes from a recorder what is not written yet. */
function unwritten(context: RecordingContext): Writes {
  const { recorder } = context;
  const { written, inserts, changes } = recorder;
  const actor = eventActor(recorder.actor);
  const events = recorder.events.slice(written.events.length).map((event) => ({
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
    ...(event.by ?? actor),
    data: event.data,
    requestId: context.request.requestId,
    createdAt: context.now,
  }));
  const outbox = recorder.outbox.slice(written.outbox).map((message) => ({
    id: context.newId(),
    organizationId: message.organizationId,
    topic: message.topic,
    payload: message.payload,
    availableAt: message.availableAt ?? context.now,
    createdAt: context.now,
  }));
  const audit = recorder.audit.slice(written.audit);
  recorder.inserts = [];
  recorder.changes = [];
  return { inserts, changes, events, outbox, audit };
}

function noteWritten({ written, outbox, audit }: Recorder, result: Written): void {
  written.events.push(...result.events);
  written.outbox = outbox.length;
  written.audit = audit.length;
  written.mayNotify ||= result.mayNotify;
}
