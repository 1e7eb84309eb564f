import type { AgentSession } from './agent-session.js';
import { AgentHttpError } from '../http.js';
import type { IdleMonitor } from './idle-monitor.js';
import type { AgentExit, AgentLog } from '../options.js';
import { wait } from '../wait.js';
import type { Ping } from '../wire.js';

export interface PingLoop {
  session: AgentSession;
  intervalSeconds: number;
  /** Ends the loop as soon as no job runs. */
  stop: AbortSignal;
  /** Leave after one job; paused agents stay. */
  oneJob: boolean;
  /** The job to acquire was acquired and has ended. */
  jobDone: boolean;
  idle: IdleMonitor;
  log: AgentLog;
  /** Accepts and runs a job to its end; gives whether a job was really had. Never throws for a job's failure. */
  takeJob: (jobId: string) => Promise<boolean>;
}

/**
 * Asks for work until the server, an option or a signal ends it: one ping a tick, each late by up to one interval so that
 * a fleet does not ping in step. After a job the tick is skipped, since more work is likely to be there.
 * 429, 5xx, silence and bad bodies wait for the next tick; any other 4xx ends the agent.
 */
export async function pingLoop(loop: PingLoop): Promise<AgentExit> {
  const intervalMs = loop.intervalSeconds * 1000;
  let nextTick = Date.now();
  let jobDone = loop.jobDone;
  for (;;) {
    const untilTick = Math.max(0, nextTick - Date.now());
    if (!(await wait(untilTick, loop.stop))) return { code: 0, reason: 'stopped' };
    nextTick = Date.now() + intervalMs;
    if (!(await wait(Math.random() * intervalMs, loop.stop))) return { code: 0, reason: 'stopped' };

    const reply = await pingOnce(loop);
    if (reply instanceof AgentHttpError) {
      if (reply.failure === 'aborted') return { code: 0, reason: 'stopped' };
      if (!reply.retryable) return { code: 1, reason: 'failed', message: reply.message };
      loop.log.warn({ err: reply }, 'ping failed, trying again at the next tick');
      continue;
    }
    if (reply.message) loop.log.info({}, reply.message);
    if (reply.action === 'disconnect') return { code: 0, reason: 'disconnected' };
    if (reply.action === 'pause') continue;
    if (loop.oneJob && jobDone) return { code: 0, reason: 'job_done' };
    if (reply.job) {
      jobDone = (await loop.takeJob(reply.job.id)) || jobDone;
      nextTick = Date.now();
    } else if (loop.idle.expired) {
      return { code: 0, reason: 'idle' };
    }
  }
}

async function pingOnce({ session, stop, log }: PingLoop): Promise<Ping | AgentHttpError> {
  try {
    const reply = await session.ping(stop);
    session.http.setRequestHeaders(reply.request_headers);
    if (!reply.endpoint || reply.endpoint === session.http.endpoint) return reply;
    return await moveEndpoint(session, reply.endpoint, reply, log, stop);
  } catch (error) {
    if (error instanceof AgentHttpError) return error;
    throw error;
  }
}

/** Moves to another endpoint only if it answers. */
async function moveEndpoint(
  session: AgentSession,
  endpoint: string,
  current: Ping,
  log: AgentLog,
  stop: AbortSignal,
): Promise<Ping> {
  try {
    const reply = await session.ping(stop, endpoint);
    session.http.endpoint = endpoint;
    log.info({ endpoint }, 'moved to another endpoint');
    return reply;
  } catch (error) {
    log.warn({ endpoint, err: error }, 'the new endpoint does not answer, staying');
    return current;
  }
}
