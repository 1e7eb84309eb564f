import { actorReference, type Actor } from './auth/actor.js';
import type { Clock } from './clock.js';
import { jsonb, jsonbOrNull } from './database/row-conversion.js';
import type { Door } from './domain/scopes.js';
import type { JsonObject } from './domain/steps/step.js';
import type { AgentRow, BuildRow, Db, JobRow, NewRow, PipelineRow } from './entities/database.js';
import { newId } from './ids.js';
import { Loaders } from './loaders.js';
import type { ObjectStorage } from './storage/storage.js';

/** Structured logging; `pino` in the server, silent in tests. */
export interface Logger {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** The documented JSON of things, for whoever tells of them outside a request: REST's presenters, handed in by the server. */
export interface Payloads {
  /** Without its jobs, with a short list of its steps (rest-facts 6.1). */
  build(context: Context, build: BuildRow): Promise<JsonObject>;
  pipeline(context: Context, pipeline: PipelineRow): Promise<JsonObject>;
  job(context: Context, job: JobRow): Promise<JsonObject>;
  agent(context: Context, agent: AgentRow): Promise<JsonObject>;
}

export interface OutboundRequest {
  method: 'POST' | 'GET' | 'DELETE';
  url: string;
  headers: Record<string, string>;
  body?: string;
  /** False: any certificate will do. */
  tlsVerify?: boolean;
  /** How much of the answer is read at most; 64 KiB where absent. */
  replyBytes?: number;
  /** From the first byte sent to the last byte of the answer; 15 s where absent. */
  timeoutMs?: number;
}

export interface OutboundReply {
  status: number;
  /** The start of what came back. */
  body: string;
}

/** Requests to hosts that people name: receivers of webhooks, source providers. Throws where no answer came in time. */
export interface Outbound {
  send(request: OutboundRequest): Promise<OutboundReply>;
}

/** Where and as whom something is done at a source provider. */
export interface ProviderAccess {
  /** The root of the provider's API. */
  apiUrl: string;
  token: string;
}

/** A webhook to be made for a repository. */
export interface WebhookRequest {
  /** `owner/name`. */
  repository: string;
  url: string;
  secret: string;
}

/** What a commit is shown with at its provider. */
export interface CommitStatus {
  /** `owner/name`. */
  repository: string;
  commit: string;
  state: string;
  context: string;
  description: string;
  targetUrl: string;
}

/** What the product does at source providers; `src/providers` does it over HTTP. Each rejects with {@link ProviderRefusal}. */
export interface Providers {
  /** Makes a webhook; returns the provider's id of it. */
  createWebhook(access: ProviderAccess, webhook: WebhookRequest): Promise<{ externalId: string }>;
  /** Takes a webhook away; one that is not there is as good as gone. */
  deleteWebhook(access: ProviderAccess, webhook: { repository: string; externalId: string }): Promise<void>;
  setCommitStatus(access: ProviderAccess, status: CommitStatus): Promise<void>;
  /** The commit each branch of `owner/name` stands on; at most 2,000 branches. */
  branchHeads(access: ProviderAccess, repository: string): Promise<Record<string, string>>;
  commit(access: ProviderAccess, commit: { repository: string; sha: string }): Promise<{ message: string; author: { name: string | null; email: string | null } }>;
}

/** A provider said no, or could not be reached in time. `reason` is for logs: it never holds a secret. */
export class ProviderRefusal extends Error {
  override readonly name = 'ProviderRefusal';

  constructor(readonly reason: string) {
    super(`the source provider refused: ${reason}`);
  }
}

/** What the process has for everyone: built once in `server.ts`, replaced piece by piece in tests. */
export interface Services {
  db: Db;
  clock: Clock;
  storage: ObjectStorage;
  outbound: Outbound;
  payloads: Payloads;
  log: Logger;
  providers: Providers;
  /** The root of every URL handed out, without a trailing slash. */
  baseUrl: string;
  /** Signs and encrypts what must not be readable in the database. */
  secretKey: string;
  limits: {
    graphqlCost: number;
    requestsPerMinuteOrganization: number;
    requestsPerMinuteUser: number;
    /** GraphQL points of five minutes; absent or 0 for no limit. */
    graphqlOrganizationPoints?: number;
    graphqlUserPoints?: number;
  };
  /** Addresses and networks that deliveries of webhooks come from; none where nobody said any. */
  webhookIps?: readonly string[];
  /** Tells this process's background work that there may be something to do; never needed for correctness. */
  wake(): void;
}

/** `Idempotency-Key` of a request with a fingerprint of what it asks. */
export interface IdempotencyClaim {
  key: string;
  fingerprint: string;
}

export interface RequestFacts {
  actor: Actor;
  door: Door;
  requestId: string;
  idempotency?: IdempotencyClaim | undefined;
  /** The caller's address, for agents. */
  ipAddress?: string | null;
  userAgent?: string | null;
}

/** A state change to be recorded; see {@link Recorder}. */
export interface EventFact {
  organizationId: string;
  subject: 'build' | 'job' | 'agent' | 'cluster' | 'organization' | 'organization-member' | 'pipeline' | 'pipeline-template' | 'run' | 'suite' | 'team';
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

/** Effects that leave through the outbox (`background/` delivers them, at least once, in order per build). */
export interface OutboxFact {
  topic: OutboxTopic;
  organizationId: string | null;
  payload: JsonObject;
  /** Not before this time. */
  availableAt?: Date;
}

export type OutboxTopic =
  | 'trigger.start' // a trigger job is ready: create its build
  | 'trigger.settle' // a triggered build finished: settle the trigger job above it
  | 'log.compact' // a job finished: merge its chunks
  | 'concurrency.release' // a concurrency group may have a slot to give out
  | 'objects.delete' // rows are gone: collect their bytes
  | 'webhook.process'; // a provider's delivery is stored: decide and act

/** What one transaction has to say beside its rows; written just before it commits. */
export class Recorder {
  readonly events: EventFact[] = [];
  readonly outbox: OutboxFact[] = [];
}

/** Everything an operation works with. Inside a command `db` is the open transaction. */
export class Context {
  readonly load: Loaders;
  readonly recorder: Recorder;

  constructor(
    readonly services: Services,
    readonly request: RequestFacts,
    readonly db: Db = services.db,
    recorder = new Recorder(),
  ) {
    this.load = new Loaders(db);
    this.recorder = recorder;
  }

  get actor(): Actor {
    return this.request.actor;
  }

  get now(): Date {
    return this.services.clock.now();
  }

  /** A new id: UUIDv7, so that ids sort by creation. */
  newId(): string {
    return newId(this.services.clock.now());
  }

  /** The id of the acting user, or null when it is not a person. */
  get userId(): string | null {
    return this.actor.kind === 'user' ? this.actor.userId : null;
  }

  /** Remembers a state change; it is written with the transaction or not at all. */
  record(event: EventFact): void {
    this.recorder.events.push(event);
  }

  /** Asks for an effect after the commit. */
  send(message: OutboxFact): void {
    this.recorder.outbox.push(message);
  }

  /** The same request on another handle, with nothing cached or recorded yet. */
  withDb(db: Db): Context {
    return new Context(this.services, this.request, db);
  }

  /** The same request as somebody else: background work on behalf of the product. */
  as(actor: Actor): Context {
    return new Context(this.services, { ...this.request, actor }, this.db, this.recorder);
  }
}

/** Writes what the recorder holds: events with their sequence, outbox rows. At most four statements. Gives the events as they were written. */
export async function flush(context: Context): Promise<NewRow<'events'>[]> {
  const { events, outbox } = context.recorder;
  const written = events.length > 0 ? await writeEvents(context, events) : [];
  if (outbox.length > 0) {
    await context.db
      .insertInto('outbox_messages')
      .values(outbox.map((message) => ({
        id: context.newId(),
        organizationId: message.organizationId,
        topic: message.topic,
        payload: jsonb(message.payload),
        availableAt: message.availableAt ?? context.now,
        createdAt: context.now,
      })))
      .execute();
  }
  return written;
}

async function writeEvents(context: Context, events: EventFact[]): Promise<NewRow<'events'>[]> {
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
    data: jsonbOrNull(event.data) as NewRow<'events'>['data'],
    sequence: event.buildId ? next(event.buildId) : 0,
    requestId: context.request.requestId,
    createdAt: context.now,
  }));
  for (let start = 0; start < rows.length; start += 500) {
    await context.db.insertInto('events').values(rows.slice(start, start + 500)).execute();
  }
  return rows;
}

/** Raises the event counters of the builds concerned and hands the numbers out in order. */
async function raiseSequences(context: Context, events: EventFact[]): Promise<(buildId: string) => number> {
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
