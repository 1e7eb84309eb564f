import type { AgentSession } from './agent-session.js';
import { AgentHttpError } from '../http.js';
import type { IdleMonitor } from './idle-monitor.js';
import { Pace } from './pace.js';
import type { PingStreams } from './ping-streams.js';
import type { AgentExit, AgentLog } from '../options.js';
import type { Ping } from '../wire.js';

export interface PingLoop {
  session: AgentSession;
  /** Streams of pings, whose instructions come instead of those of pings while they work; absent for pings alone. */
  streams?: PingStreams | undefined;
  /** Whether to leave where streams do not work. */
  streamsOnly: boolean;
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

/** Interval at which an agent that waits on a stream looks whether it was idle for long enough. */
const idleLookMs = 1_000;

const noStreams: AgentExit = { code: 1, reason: 'failed', message: 'The server does not stream pings' };

/**
 * Follows instructions until the server, an option or a signal ends it. They come over a stream, or in answer to pings:
 * one an interval, later where the server is behind ({@link Pace}). After a job the next follows at once, since more
 * work is likely to be there. 429, 5xx, silence and bad bodies wait for the next ping; any other 4xx ends the agent.
 */
export async function pingLoop(loop: PingLoop): Promise<AgentExit> {
  const pace = new Pace(loop.intervalSeconds * 1000, loop.stop);
  let { jobDone } = loop;
  for (;;) {
    if (loop.streamsOnly && loop.streams?.refused) return noStreams;
    const reply = loop.streams?.healthy ? await streamed(loop, loop.streams, jobDone) : await pinged(loop, pace);
    if (loop.stop.aborted) return { code: 0, reason: 'stopped' };
    if (reply === null) continue;
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
      pace.skip();
    } else if (loop.idle.expired) {
      return { code: 0, reason: 'idle' };
    }
  }
}

/** The next instruction of the stream; null if it broke, or there is nothing new. */
async function streamed(loop: PingLoop, streams: PingStreams, jobDone: boolean): Promise<Ping | null> {
  // After its one job nothing more need come: that it was had is the instruction.
  if (loop.oneJob && jobDone && !loop.jobDone && !streams.waiting && !streams.paused) return {};
  const message = await streams.next(loop.stop, loop.idle.limited ? idleLookMs : undefined);
  return message ?? (streams.healthy && loop.idle.expired && !streams.paused ? {} : null);
}

/** The answer to a ping at the next tick; null if a stream works by then, or nothing but a stream will do. */
async function pinged(loop: PingLoop, pace: Pace): Promise<Ping | AgentHttpError | null> {
  if (!(await pace.next())) return null;
  if (loop.streamsOnly || loop.streams?.healthy) return null;
  const reply = await pingOnce(loop);
  if (reply instanceof AgentHttpError) pace.failed();
  else pace.answered();
  return reply;
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
