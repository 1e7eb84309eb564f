import { AgentSession } from './agent-session.js';
import { takeBuildFolder, type BuildFolder } from './build-folder.js';
import { beat } from './heartbeat.js';
import { AgentHttp, AgentHttpError } from '../http.js';
import type { IdleMonitor } from './idle-monitor.js';
import type { LockTable } from '../job-socket/lock-table.js';
import { runJob } from '../job/job-runner.js';
import type { AgentExit, ResolvedOptions } from '../options.js';
import { pingLoop } from './ping-loop.js';
import { PingStreams } from './ping-streams.js';
import { register } from './register.js';
import { Retrier } from '../retry.js';
import { userAgent } from '../user-agent.js';
import type { JobPayload, Registration } from '../wire.js';

export interface WorkerStops {
  /** Takes no more jobs; the agent leaves when the current one has ended. */
  graceful: AbortSignal;
  /** Cancel the current job too. */
  now: AbortSignal;
  /** Aborted when the remaining reports to the server are no longer retried. */
  giveUp: AbortSignal;
}

/** What the agents of one process have in common. */
export interface SharedByAgents {
  idle: IdleMonitor;
  locks: LockTable;
  /** Resolves when the agent before has registered, or failed to: agents of one process come one after another. */
  registered: Promise<unknown>;
}

/** One agent, from register to disconnect. Never throws for failures of the server. */
export async function runWorker(
  options: ResolvedOptions,
  spawnIndex: number,
  shared: SharedByAgents,
  stops: WorkerStops,
): Promise<AgentExit> {
  const { log } = options;
  const retrier = new Retrier(log, options.retryScale);
  const http = new AgentHttp(options.endpoint, userAgent(options.version));
  let session: AgentSession | undefined;
  let folder: BuildFolder | undefined;
  let exit: AgentExit;
  try {
    const registering = shared.registered.then(() => register(http, retrier, options, spawnIndex, stops.graceful));
    shared.registered = registering.catch(() => undefined);
    const registration = await registering;
    session = new AgentSession(http, registration.access_token, retrier);
    folder = await takeBuildFolder(options.buildPath, registration.name, log);
    await session.connect(stops.graceful);
    log.info({ agent: registration.name, id: registration.id }, 'agent connected');
    exit = await serve({ options, registration, session, folder, retrier, shared, stops });
  } catch (error) {
    if (!(error instanceof AgentHttpError || isSystemError(error))) throw error;
    exit =
      error instanceof AgentHttpError && error.failure === 'aborted'
        ? { code: 0, reason: 'stopped' }
        : { code: 1, reason: 'failed', message: error.message };
  } finally {
    folder?.release();
  }
  if (exit.code !== 0) log.error({ reason: exit.reason }, exit.message ?? 'agent failed');
  try {
    await session?.disconnect(stops.giveUp);
  } catch (error) {
    log.warn({ err: error }, 'disconnect not delivered');
  }
  log.info({ reason: exit.reason }, 'agent stopped');
  return exit;
}

/** Whether the machine refuses something, such as a folder to write to. */
function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && typeof (error as NodeJS.ErrnoException).code === 'string';
}

interface Served {
  options: ResolvedOptions;
  registration: Registration;
  session: AgentSession;
  folder: BuildFolder;
  retrier: Retrier;
  shared: SharedByAgents;
  stops: WorkerStops;
}

/** Sends heartbeats and runs jobs until stopped or refused by the server. */
async function serve({ options, registration, session, folder, retrier, shared, stops }: Served): Promise<AgentExit> {
  const { log } = options;
  const { idle, locks } = shared;
  const over = new AbortController();
  const refused = new AbortController();
  let refusal: AgentHttpError | undefined;
  const beating = beat(session, registration.heartbeat_interval, log, over.signal, (error) => {
    refusal = error;
    refused.abort();
  });
  const stop = AbortSignal.any([stops.graceful, refused.signal]);
  const streams =
    options.pingMode === 'poll-only'
      ? undefined
      : new PingStreams({
          follow: (onMessage, onSilence, signal) => session.followPings(registration.id, onMessage, onSilence, signal),
          log,
          scale: options.retryScale,
          signal: AbortSignal.any([over.signal, stop]),
        });
  const stopNow = AbortSignal.any([stops.now, refused.signal]);

  const run = async (job: JobPayload): Promise<void> => {
    idle.jobStarted();
    try {
      await runJob({
        job,
        session,
        options,
        retrier,
        locks,
        stopNow,
        giveUp: stops.giveUp,
        agentName: registration.name,
        agentFolder: folder.path,
        statusIntervalSeconds: registration.job_status_interval,
      });
    } finally {
      idle.jobEnded();
    }
  };
  const takeJob = async (jobId: string): Promise<boolean> => {
    let job: JobPayload;
    try {
      job = await session.accept(jobId, stop);
    } catch (error) {
      log.error({ job: jobId, err: error }, 'job not accepted');
      return false;
    }
    await run(job);
    return true;
  };

  try {
    if (options.acquireJob !== undefined) await run(await session.acquire(options.acquireJob, stop));
    const exit = await pingLoop({
      session,
      streams,
      streamsOnly: options.pingMode === 'stream-only',
      intervalSeconds: registration.ping_interval,
      stop,
      idle,
      log,
      takeJob,
      oneJob: options.disconnectAfterJob || options.acquireJob !== undefined,
      jobDone: options.acquireJob !== undefined,
    });
    return refusal ? { code: 1, reason: 'failed', message: refusal.message } : exit;
  } catch (error) {
    if (error instanceof AgentHttpError && error.status === 422)
      return { code: 27, reason: 'job_rejected', message: error.message };
    throw error;
  } finally {
    over.abort();
    await Promise.all([beating, streams?.stopped()]);
  }
}
