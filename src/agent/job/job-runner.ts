import { setMaxListeners } from 'node:events';

import type { AgentSession } from '../session/agent-session.js';
import { AgentHttpError } from '../http.js';
import { JobClient } from './job-client.js';
import type { LockTable } from '../job-socket/lock-table.js';
import { JobLog } from './job-log.js';
import { runPhases } from './job-phases.js';
import { LogStreamer } from './log-streamer.js';
import type { ResolvedOptions } from '../options.js';
import type { Retrier } from '../retry.js';
import { pollJobState } from '../session/state-poll.js';
import type { JobPayload, JobResult } from '../wire.js';

export interface JobRun {
  job: JobPayload;
  session: AgentSession;
  agentName: string;
  /** Folder of the agent's checkouts. */
  agentFolder: string;
  statusIntervalSeconds: number;
  options: ResolvedOptions;
  retrier: Retrier;
  /** The locks that all jobs of this process share. */
  locks: LockTable;
  /** Aborted: the agent must stop now, the job ends with `agent_stop`. */
  stopNow: AbortSignal;
  /** Aborted when the remaining reports to the server are no longer retried. */
  giveUp: AbortSignal;
}

const defaultChunkSeconds = 1;

/**
 * Runs one accepted job from start to finish. Never throws for failures of the job or the server: a job that the server
 * does not start is dropped, and a refused finish is logged.
 */
export async function runJob(run: JobRun): Promise<void> {
  const { job, session, options, retrier } = run;
  const log = options.log;
  const client = new JobClient(session.http, job.token || session.token, job.id, retrier);
  try {
    await client.start(new Date(), run.giveUp);
  } catch (error) {
    log.error({ job: job.id, err: error }, 'job not started');
    return;
  }
  log.info({ job: job.id }, 'job started');

  const cancel = new AbortController();
  setMaxListeners(0, cancel.signal);
  let cancelReason: 'cancel' | 'agent_stop' | undefined;
  const cancelFor = (reason: 'cancel' | 'agent_stop'): void => {
    cancelReason ??= reason;
    cancel.abort();
  };
  const onStopNow = (): void => cancelFor('agent_stop');
  if (run.stopNow.aborted) onStopNow();
  else run.stopNow.addEventListener('abort', onStopNow, { once: true });
  const ended = new AbortController();
  const polling = pollJobState(client, run.statusIntervalSeconds, log, ended.signal, (state) => {
    log.info({ job: job.id, state }, 'job cancelled by the server');
    cancelFor('cancel');
  });

  const streamer = new LogStreamer({
    upload: (chunk) => client.uploadChunk(chunk, run.giveUp),
    maxChunkBytes: job.chunks_max_size_bytes,
    intervalSeconds: job.chunks_interval_seconds ?? defaultChunkSeconds,
    log,
  });
  const jobLog = new JobLog(streamer, options.redactedVars);
  const outcome = await settle(
    () =>
      runPhases({
        job,
        client,
        session,
        agentName: run.agentName,
        agentFolder: run.agentFolder,
        options,
        locks: run.locks,
        log: jobLog,
        cancel: cancel.signal,
      }),
    log,
  );
  const finishedAt = new Date();
  ended.abort();
  await polling;
  run.stopNow.removeEventListener('abort', onStopNow);
  const chunksFailed = await jobLog.close();

  const wasCancelled = outcome.exitStatus === '-1' && outcome.signal !== undefined;
  const result: JobResult = wasCancelled ? { ...outcome, signalReason: cancelReason } : outcome;
  try {
    await client.finish({ ...result, finishedAt, chunksFailed, lastJob: options.disconnectAfterJob }, run.giveUp);
    log.info({ job: job.id, ...result, chunksFailed }, 'job finished');
  } catch (error) {
    if (!(error instanceof AgentHttpError)) throw error;
    log.error({ job: job.id, err: error }, 'job finish not delivered');
  }
}

async function settle(phases: () => Promise<JobResult>, log: ResolvedOptions['log']): Promise<JobResult> {
  try {
    return await phases();
  } catch (error) {
    log.error({ err: error }, 'job failed inside the agent');
    return { exitStatus: '-1', signalReason: 'process_run_error' };
  }
}
