import type { Server } from 'node:http';
import type { Server as HttpsServer } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from './config.js';
import type { Logger, Services } from '../services/services.js';
import { lockDirectory } from '../database/directory-lock.js';
import { inLane } from '../database/lanes.js';
import type { OpenDatabase } from '../database/open.js';
import { isSentToReports } from '../http/own-origin.js';
import { within } from '../http/within.js';
import { Gate } from './gate.js';
import { lazyRouter } from './lazy-router.js';
import { createHttpServer, listen, refuseTakenPlace, resolveBaseUrl } from './listen.js';
import { readTlsPair, reloadCertificates, warnOfEnd } from './tls.js';
import { acceptUpgrades, type UpgradeTable } from './upgrades.js';
import type { Background } from '../background/background.js';
import type { Surface } from './application.js';
import type { ServerProcesses } from './processes/member.js';
import type { Installation } from './installation.js';
import { buildInfo } from './build-info.js';
import { startTracing } from './start-tracing.js';

/** Parts that callers of {@link startServer} replace or add. */
export interface ServerOverrides {
  /** Services to use instead of the real ones, as tests do. */
  services?: Partial<Services>;
  log?: Logger;
  /** Runs on the migrated database before the port is opened: provisioning. */
  beforeListening?: (services: Services) => Promise<void>;
  /**
   * True for a server that ends with one build: its embedded database is in memory, and nothing is loaded before it is
   * used.
   */
  ephemeral?: boolean;
  /** Release of the program, which scheduled backups name; without it none are made. */
  version?: string;
  /** The other processes that share the port with this one; absent for a server of one process. */
  processes?: ServerProcesses | undefined;
  /** Descriptor of a socket that a service manager listens on already. */
  socket?: number | null;
}

export interface RunningServer {
  /** URL of the listening socket; `services.baseUrl` is the public one. */
  url: string;
  services: Services;
  /** Names of the migrations this start has run. */
  migrated: string[];
  /** Stops accepting, finishes requests in flight, stops background work and closes the database, within 10 seconds. */
  close(): Promise<void>;
}

const drainMs = 7_000;
const stopMs = 2_000;
/** Time in which a proxy without health checks finds, by a read that is refused, that it should send nothing here. */
const readRefusalMs = 500;
/** Time in which a proxy finds that new connections are refused, while those that it has open are served. */
const lingerMs = 1_000;
/** For the spans of builds and jobs that ended last. */
const lastSpansMs = 500;
const storagePatienceMs = 10_000;

/**
 * Starts a server: opens and migrates the database, builds every surface, listens once requests can be answered, then
 * starts the background work. Rejects with `ConfigError`, `AddressError`, `DirectoryInUseError`, `RequirementError` or
 * a database error, and leaves nothing open then.
 */
export async function startServer(config: Config, overrides: ServerOverrides = {}): Promise<RunningServer> {
  const { processes } = overrides;
  const place = { ...config, socket: processes ? processes.role.socket : overrides.socket };
  const pair = config.tls && readTlsPair(config.tls);
  // Before any large module is loaded, so that a second process on the embedded database or the port fails at once.
  if (!config.databaseUrl) (await lockDirectory(config.dataDir))();
  if (!processes) await refuseTakenPlace(place);
  const log =
    overrides.log ?? overrides.services?.log ?? (await (await import('./logging.js')).createLog(config.logLevel));
  if ((processes?.role.number ?? 1) === 1) for (const warning of config.warnings) log.warn({}, warning);
  const opened: (() => Promise<unknown>)[] = [];
  try {
    const tracing = config.tracing && (await startTracing(config.tracing, log));
    if (tracing) opened.unshift(() => tracing.close());
    const { openInstallation } = await import('./installation.js');
    const installation = await openInstallation(config, log, overrides.services, {
      inMemory: overrides.ephemeral ?? false,
      serves: !overrides.ephemeral,
    });
    opened.unshift(() => installation.close());
    const { services } = installation;
    if (!overrides.ephemeral) await refuseForeignStorage(services);
    if (overrides.version !== undefined && config.backups) {
      const { openScheduledBackups } = await import('./scheduled-backups.js');
      services.scheduledBackups = await openScheduledBackups(config, installation.database, overrides.version);
    }
    if (overrides.beforeListening) await overrides.beforeListening(services);
    const work = await openSurfaces(services, installation.database, processes);
    opened.unshift(() => work.stop());
    const stopTracing = tracing ? await tracing.ofEnds(services) : async () => undefined;
    const [{ createApplication }, { isMigrated }] = await Promise.all([
      import('./application.js'),
      import('../database/migrate.js'),
    ]);
    const gate = new Gate(
      createApplication(services, work.surfaces, {
        metrics: config.metrics,
        isMigrated: () => isMigrated(installation.database),
        processes,
        disk: installation.disk,
      }),
    );
    const server = createHttpServer(gate.listener, pair && { pair, root: () => services.baseUrl });
    acceptUpgrades(server, gate, work.upgrade, services.log);
    const { port, url } = await listen(server, place);
    // No request is read before the next turn.
    services.baseUrl = overrides.services?.baseUrl ?? resolveBaseUrl(config, port);
    if (pair && config.tls) {
      warnOfEnd(pair.validTo, log);
      server.once('close', reloadCertificates(server as unknown as HttpsServer, config.tls, log));
    }
    const leaveOperator = await operatorOf(config, installation, overrides);
    work.start();
    if (!overrides.ephemeral) work.warm();
    processes?.ready();
    log.info(
      { url, base_url: services.baseUrl, database: installation.database.kind, migrated: installation.migrated.length },
      'listening',
    );
    const closeAll = async () => {
      await atMost(stopMs, leaveOperator());
      // A collector that does not answer must not keep the database from being closed.
      await atMost(lastSpansMs, stopTracing());
      await Promise.all([installation.close(), tracing?.close()]);
    };
    return {
      url,
      services,
      migrated: installation.migrated,
      close: once(() => shutDown(gate, server, work, { ...installation, close: closeAll }, config.drainDelayMs)),
    };
  } catch (error) {
    for (const close of opened) await close().catch(() => undefined);
    throw error;
  }
}

/**
 * Throws `ConfigError` for a storage of another installation. One that fails meanwhile is no reason not to start:
 * health checks name it, and nothing is swept before the comparison was made.
 */
async function refuseForeignStorage(services: Services): Promise<void> {
  const [{ claimStorage }, { StorageError }] = await Promise.all([
    import('../resources/installation/storage/claim-storage.js'),
    import('../storage/storage.js'),
  ]);
  try {
    const noAnswer = () => new StorageError('unavailable', `Storage gave no answer within ${storagePatienceMs} ms`);
    await within(claimStorage(services), storagePatienceMs, noAnswer);
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    services.log.warn({ err: error }, 'the storage could not be asked whose it is');
  }
}

/** Answers commands beside the embedded database, which they cannot open meanwhile; returns what ends that. */
async function operatorOf(
  { databaseUrl, dataDir }: Config,
  { database, services }: Installation,
  { version, ephemeral = false }: ServerOverrides,
): Promise<() => Promise<void>> {
  if (databaseUrl || ephemeral || version === undefined) return async () => undefined;
  const { answerOperator } = await import('./operator-socket.js');
  return answerOperator({ dataDir, database, services, version });
}

interface Work {
  surfaces: Surface[];
  /** Starts the background work. */
  start(): void;
  /** Loads deferred modules once the port answers. */
  warm(): void;
  /** Takes over connections to a path that request another protocol than HTTP. */
  upgrade: UpgradeTable;
  /** Ends the streams, which would never end by themselves. */
  drain(): Promise<void>;
  stop(): Promise<void>;
}

/** Builds every surface on the services and prepares the background work: the only code that knows all of them. */
async function openSurfaces(
  services: Services,
  database: OpenDatabase,
  processes: ServerProcesses | undefined,
): Promise<Work> {
  const [
    { restSurface },
    { agentRouter },
    { agentFilesRouter },
    { streamPingsPath, streamPingsRouter },
    { openDispatch },
    { avatarRouter },
    { badgeRouter },
    { wellKnownRouter },
    { referenceRouter },
    { emojiRouter },
    { pipelineSchemaRouter },
    { filesRouter },
    { consoleRouter },
    { webhookRouter },
    { ownershipRouter, uploadRouter },
    { startBackground },
  ] = await Promise.all([
    import('../rest/router.js'),
    import('../agent-api/router.js'),
    import('../web/agent-files.js'),
    import('../agent-api/streamed-pings.js'),
    import('../dispatch/open-dispatch.js'),
    import('../web/avatars.js'),
    import('../web/badges.js'),
    import('../web/well-known.js'),
    import('../web/reference.js'),
    import('../web/emojis.js'),
    import('../web/pipeline-schema.js'),
    import('../artifact-transfer/router.js'),
    import('../web/router.js'),
    import('../webhooks/router.js'),
    import('../test-uploads/router.js'),
    import('../background/background.js'),
  ]);
  // The schema takes longer than all the rest together: it is built once the port answers.
  const graphql = lazyRouter(async () => (await import('../graphql/server/router.js')).graphqlRouter(services));
  const mcp = lazyRouter(async () => (await import('../mcp/router.js')).mcpRouter(services, buildInfo().version));
  const dispatch = openDispatch(services, database);
  const isInCharge = processes?.role.background ?? true;
  let background: Background | null = null;
  const wake = (task?: 'notifications') => {
    background?.wake(task);
    if (task === undefined) graphql.wake();
  };
  services.wake = (task) => {
    wake(task);
    processes?.wake(task);
  };
  processes?.onWake(wake);
  return {
    surfaces: [
      { path: '/v2', ...restSurface(services) },
      { path: '/graphql', router: graphql.router },
      { path: '/mcp', router: mcp.router },
      { path: '/v3', lane: 'agents', router: agentRouter(services, dispatch.agents) },
      { path: streamPingsPath, lane: 'agents', router: streamPingsRouter(services, dispatch.agents) },
      { path: '/webhooks', router: webhookRouter(services) },
      { path: '/v1/test-ownerships', router: ownershipRouter(services) },
      { path: '/v1/uploads', router: uploadRouter(services) },
      { path: '/files', router: filesRouter(services) },
      { path: '/badge', router: badgeRouter(services) },
      { path: '/.well-known', router: wellKnownRouter(services) },
      { path: '/agent', router: agentFilesRouter(services) },
      { path: '/avatars', router: avatarRouter() },
      { path: '/emojis', router: emojiRouter() },
      { path: '/docs', router: referenceRouter() },
      { path: '/pipeline-schema.json', router: pipelineSchemaRouter() },
      { path: '/', router: consoleRouter(services) },
    ],
    start: () => {
      background = inLane('background', () => startBackground(services, { onlyOwn: !isInCharge }));
    },
    warm: () => graphql.warm(),
    upgrade: (path, request) => (path === '/graphql' && !isSentToReports(services, request) ? graphql.upgrade : null),
    drain: async () => {
      dispatch.agents.drain();
      await graphql.drain();
    },
    stop: async () => {
      await background?.stop();
      await dispatch.stop();
      await Promise.all([graphql.stop(), mcp.stop()]);
    },
  };
}

/**
 * Stops a server in order. For `drainDelayMs` it serves on and only tells probes, so that a proxy sends new requests
 * elsewhere; then it refuses reads, so that a proxy without health checks does too; then it refuses new connections and
 * serves on those that are open; then it serves no more. The time counts as time of the requests in flight.
 */
async function shutDown(
  gate: Gate,
  server: Server,
  work: Work,
  { services, close }: Installation,
  drainDelayMs: number,
): Promise<void> {
  gate.leave();
  if (drainDelayMs > 0) {
    await sleep(drainDelayMs);
    gate.refuseReads();
    await sleep(readRefusalMs);
    gate.refuseConnections(server);
    await sleep(lingerMs);
  }
  gate.close();
  await atMost(stopMs, work.drain());
  const left = drainDelayMs > 0 ? drainMs - drainDelayMs - readRefusalMs - lingerMs : drainMs;
  const cut = await gate.drain(server, left);
  if (cut > 0) services.log.warn({ requests: cut }, 'requests still running were aborted');
  await atMost(stopMs, work.stop());
  await atMost(stopMs, close());
  services.log.info({}, 'stopped');
}

/** Waits for the work with a time limit, because a process that was asked to stop must stop. */
async function atMost(milliseconds: number, work: Promise<unknown>): Promise<void> {
  await Promise.race([work, sleep(milliseconds, undefined, { ref: false })]);
}

function once(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null;
  return () => (running ??= work());
}
