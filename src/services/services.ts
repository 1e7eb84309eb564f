import type { Readable } from 'node:stream';
import type { LimitFunction } from 'p-limit';
import type { CredentialUses } from '../auth/credential-uses.js';
import type { SecretKeys } from '../auth/secret-keys.js';
import type { TokenWrites } from '../auth/token-writes.js';
import type { Clock } from './clock.js';
import type { Providers } from './source-providers.js';
import type { SweepReport } from '../domain/installation/stored-objects.js';
import type { CronLine } from '../domain/pipelines/cron/cron-line.js';
import type { OpenDatabase } from '../database/open.js';
import type { BuildExport } from '../domain/retention/build-export.js';
import type { RetentionReport } from '../domain/retention/pass.js';
import type { RetentionDefaults } from '../domain/retention/policy.js';
import type { ReadMemory } from '../database/read-memory.js';
import type { ReadReplica } from '../database/read-replica.js';
import type { JsonObject } from '../domain/pipelines/steps/step.js';
import type {
  AgentRow,
  AnnotationRow,
  ArtifactRow,
  ShownBuildRow,
  Db,
  JobRow,
  PipelineRow,
  ShownAgentTokenRow,
} from '../entities/database.js';
import type { StepUpload } from '../entities/pipelines/shown-step-upload.js';
import type { FragmentCache } from '../response-cache/fragment-cache.js';
import type { DiskRoom } from '../storage/disk-room.js';
import type { ObjectStorage } from '../storage/storage.js';
import type { Workers } from '../workers/pool.js';

/** Backups that servers make by themselves, as they are configured (`BACKUP_…`). */
export interface ScheduledBackups {
  line: CronLine;
  /** The folder or bucket that they go to. */
  place: ObjectStorage;
  /** Number of them that is kept. */
  keep: number;
  encryption: ((plain: Readable) => Promise<Readable>) | null;
  database: OpenDatabase;
  /** Release of the program. */
  version: string;
  /** Folder that each is written to before it is sent; null where it is sent while it is made. */
  spool: string | null;
}

/** Structured logging; `pino` in the server, silent in tests. */
export interface Logger {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** The `Context` of a request, known here by its services only: `context.ts` imports this file. */
interface RequestContext {
  readonly services: Services;
}

/**
 * Documented JSON of rows for senders outside a request, such as notifications; implemented by the presenters of REST.
 */
export interface Payloads {
  /** A build without its jobs, with a short list of its steps. */
  build(context: RequestContext, build: ShownBuildRow): Promise<JsonObject>;
  pipeline(context: RequestContext, pipeline: PipelineRow): Promise<JsonObject>;
  job(context: RequestContext, job: JobRow): Promise<JsonObject>;
  agent(context: RequestContext, agent: AgentRow): Promise<JsonObject>;
  agentToken(context: RequestContext, token: ShownAgentTokenRow): Promise<JsonObject>;
  exported: ExportedDocuments;
}

/** Documents of a build as /v2 shows them to an administrator, for its export. */
export interface ExportedDocuments {
  /** A build with its pipeline and the test runs that belong to it, without its jobs. */
  build(context: RequestContext, build: ShownBuildRow): Promise<JsonObject>;
  /** A job as its build shows it. */
  job(context: RequestContext, job: JobRow, build: ShownBuildRow): Promise<JsonObject>;
  annotation(context: RequestContext, annotation: AnnotationRow): Promise<JsonObject>;
  artifact(context: RequestContext, artifact: ArtifactRow): Promise<JsonObject>;
  stepUpload(context: RequestContext, upload: StepUpload): Promise<JsonObject>;
}

/** Where organizations may have their builds exported to (`BUILD_EXPORT_TO`). */
export interface BuildExportPlace extends BuildExport {
  storage: ObjectStorage;
}

export interface OutboundRequest {
  method: 'POST' | 'GET' | 'DELETE' | 'PUT' | 'PATCH';
  url: string;
  headers: Record<string, string>;
  /** In pieces where it is large: they are sent as the receiver takes them and never joined. */
  body?: string | readonly Buffer[];
  /** False accepts any TLS certificate. */
  tlsVerify?: boolean;
  /** Bytes of the reply that are read at most; 64 KiB if absent. */
  replyBytes?: number;
  /** Milliseconds from the first byte sent to the last byte received; 15 s if absent. */
  timeoutMs?: number;
}

export interface OutboundReply {
  status: number;
  /** Start of the reply body, at most `replyBytes` of the request. */
  body: string;
  /** `Content-Type` of the reply; null or absent without one. */
  contentType?: string | null;
  /** Headers of the reply, names in lower case, several of one name joined by commas; may be absent in tests. */
  headers?: Readonly<Record<string, string>>;
  /** `Retry-After` of the reply; null or absent without one. */
  retryAfter?: string | null;
}

/**
 * Requests to hosts that users configure: webhook receivers and source providers. `send` rejects without a reply in
 * time.
 */
export interface Outbound {
  send(request: OutboundRequest): Promise<OutboundReply>;
}

/** What came of sending something other than a request of HTTP: `refused` is final. `words` never hold a secret. */
export interface SendingResult {
  verdict: 'sent' | 'retry' | 'refused';
  /** Status of the reply; null without one. */
  status: number | null;
  words: string;
}

export interface MailMessage {
  /** The same on every attempt. */
  id: string;
  to: string;
  subject: string;
  text: string;
  html: string;
}

/** The SMTP server of the installation, implemented in `src/providers`. `send` never rejects. */
export interface Mail {
  send(message: MailMessage): Promise<SendingResult>;
}

/** An event for a bus of Amazon EventBridge. */
export interface BusEvent {
  region: string;
  /** ARN of the bus. */
  bus: string;
  source: string;
  detailType: string;
  /** An object of JSON. */
  detail: string;
}

/** Amazon EventBridge, implemented in `src/providers`. `put` never rejects. */
export interface EventBus {
  put(event: BusEvent): Promise<SendingResult>;
}

/**
 * What the browser must bring back from the single sign-on provider for a sign-in to be believed; secret until then.
 */
export interface SingleSignOnAttempt {
  state: string;
  nonce: string;
  codeVerifier: string;
}

/** A person as the single sign-on provider vouches for them. */
export interface SingleSignOnIdentity {
  email: string | null;
  emailVerified: boolean;
  name: string | null;
}

/** Why nobody can sign in by single sign-on at present. */
export interface SingleSignOnTrouble {
  reason: string;
  /**
   * False for a provider that does not answer or answers with a fault of its own: it may again without a change here.
   */
  lasting: boolean;
}

/**
 * The configured OpenID Connect provider, implemented in `src/providers`. `begin` and `finish` reject with {@link
 * ProviderRefusal}.
 */
export interface SingleSignOn {
  /** Reads what the provider says of itself; null if sign-ins can begin. Never rejects. */
  check(): Promise<SingleSignOnTrouble | null>;
  /** Begins a sign-in that returns to `redirectUrl`; resolves to the address at the provider to send the browser to. */
  begin(redirectUrl: string): Promise<{ url: string; attempt: SingleSignOnAttempt }>;
  /** Exchanges the code in the address that the browser came back to. */
  finish(returnedUrl: string, attempt: SingleSignOnAttempt): Promise<SingleSignOnIdentity>;
}

/** What a committed transaction changed for agents that wait for work. */
export interface CommittedChanges {
  /** Builds with jobs that became ready for an agent. */
  builds: ReadonlySet<string>;
  /** Queues that were changed, so that they may dispatch now. */
  queues: ReadonlySet<string>;
  /** Agents that were changed, or whose job ended or was taken back. */
  agents: ReadonlySet<string>;
}

/** Agents that wait for work in this process, implemented by `src/dispatch`. */
export interface Dispatch {
  /** Called after each commit that changed something for them; returns at once, and never throws. */
  changed(changes: CommittedChanges): void;
  /** Figures for the metrics. */
  counts(): DispatchCounts;
}

export interface DispatchCounts {
  /** Streams of pings that are open. */
  streams: number;
  /** Agents that wait to be read from the database, together. */
  waitingReads: number;
  /** Streams that ended since the process started, by the reason. */
  ended: Readonly<Record<string, number>>;
  /** Offers made over streams since the process started. */
  offers: number;
  /** Passes over a queue since the process started. */
  passes: number;
  /** Pings that were answered from a shared read, since the process started. */
  quietPings: number;
}

/** The only documents that /graphql executes, where a deployment names them (`GRAPHQL_MANIFEST`). */
export interface PersistedDocuments {
  /** The document with this id or hash. */
  byId(id: string): string | undefined;
  /** Whether a text is one of the documents; `session`: or of the console's, whose session sent it. */
  includes(text: string, by: { session: boolean }): boolean;
  /** Every document of the deployment with its id. */
  texts(): Iterable<[id: string, text: string]>;
}

/** Process-wide services: built once by the server, replaced one by one in tests. */
export interface Services {
  db: Db;
  clock: Clock;
  storage: ObjectStorage;
  /** Room on the disk of the storage; absent for another storage, and where nothing is kept free. */
  diskRoom?: DiskRoom | undefined;
  outbound: Outbound;
  payloads: Payloads;
  log: Logger;
  providers: Providers;
  /** Sends mail; absent if none is configured (`SMTP_URL`). */
  mail?: Mail | undefined;
  /** Sends events to Amazon EventBridge; absent in processes that send none. */
  eventBus?: EventBus | undefined;
  /** Threads for work whose cost the caller chooses. */
  workers: Workers;
  /** Root of every URL that Slipway hands out, without a trailing slash. */
  baseUrl: string;
  /**
   * Root of the addresses of reports, on a host of their own (`REPORTS_URL`), without a trailing slash; that of all
   * others, if absent.
   */
  reportsUrl?: string | undefined;
  /** Keys that sign tokens and encrypt secrets in the database. */
  secretKey: SecretKeys;
  limits: {
    graphqlCost: number;
    requestsPerMinuteOrganization: number;
    requestsPerMinuteUser: number;
    /** GraphQL points per five minutes; absent or 0 for no limit. */
    graphqlOrganizationPoints?: number;
    graphqlUserPoints?: number;
    /**
     * Most milliseconds from the arrival of a request to the first byte of its reply. Default: `limits.requestSeconds`.
     */
    requestMilliseconds?: number;
    /** Read statements of one request; `limits.requestStatements` if absent. */
    requestStatements?: number;
    /** Bytes that one reply may hold; derived from the heap (`domain/limits/memory-bounds.ts`) if absent. */
    replyBytes?: number;
  };
  /** A standby of the database, for lists that may be as of a moment ago; absent if none is configured. */
  readReplica?: ReadReplica | undefined;
  /** Notes changes of API tokens; present with a read replica. */
  tokenWrites?: TokenWrites | undefined;
  /** Queues reads of requests, so that they leave connections to other work; without it reads start at once. */
  readTurns?: LimitFunction;
  /** The memory that requests read rows into; that of the process if absent. */
  readMemory?: ReadMemory;
  /** The only documents that /graphql executes; any, if absent. */
  persistedDocuments?: PersistedDocuments;
  /** Addresses and networks that outgoing webhooks come from, as configured; empty if unknown. */
  webhookIps?: readonly string[];
  /** Days by kind after which retention deletes where nobody has set a policy; nothing, if absent. */
  retention?: RetentionDefaults;
  /** What the last whole pass of retention deleted; absent before the first. */
  retentionReport?: RetentionReport | undefined;
  /** What the last whole comparison of stored objects and rows found; absent before the first. */
  storageSweep?: SweepReport | undefined;
  /** Where builds may be exported to before retention deletes them; absent if nowhere. */
  buildExports?: BuildExportPlace | undefined;
  /** Whether the storage has become that of another installation since the start. */
  isStorageForeign?: boolean;
  /** Backups that the process in charge makes by itself; absent if none are configured. */
  scheduledBackups?: ScheduledBackups | undefined;
  /** Parts of replies of /v2 in memory; without it every reply is made anew. */
  fragmentCache?: FragmentCache | undefined;
  /** Whether the proxy at an address is trusted to name the caller (`TRUSTED_PROXIES`); none is if absent. */
  trustsProxy?: (address: string, hop: number) => boolean;
  /** Last uses of API tokens and sessions, written by a background task; absent where nobody is served. */
  credentialUses?: CredentialUses;
  /** Single sign-on for the console; absent if none is configured. */
  singleSignOn?: SingleSignOn;
  /**
   * Wakes background work of this process early, or that of one kind: notifications that were queued. Never needed for
   * correctness.
   */
  wake(task?: 'notifications'): void;
  /** Agents that wait for work in this process; absent where none can, as in commands that serve nobody. */
  dispatch?: Dispatch;
}
