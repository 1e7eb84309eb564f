import pRetry from 'p-retry';

import { AgentHttpError } from './http.js';
import type { AgentLog } from './options.js';
import { wait } from './wait.js';

/** Number and timing of the attempts of one kind of call. */
export interface RetryPolicy {
  attempts: number;
  delayMs: number;
  /** Growth of the delay from attempt to attempt; 1 keeps it. Each delay is up to twice as long, by chance. */
  factor: number;
  maxDelayMs: number;
  retries: (error: AgentHttpError) => boolean;
}

const standard = (error: AgentHttpError): boolean => error.retryable;
const always = (error: AgentHttpError): boolean => error.failure !== 'aborted';

/** Statuses of a server that has too much to do: the offer stands, and comes again only when it has expired. */
const busy: ReadonlySet<number | undefined> = new Set([429, 503]);
const longestRetryAfterSeconds = 60;

function fixed(attempts: number, delayMs: number, retries = standard): RetryPolicy {
  return { attempts, delayMs, factor: 1, maxDelayMs: delayMs, retries };
}

function growing(attempts: number, delayMs: number, maxDelayMs = 3_600_000, retries = standard): RetryPolicy {
  return { attempts, delayMs, factor: 2, maxDelayMs, retries };
}

/**
 * Attempts and pauses of each call, like those of the open-source agent. Ping and job state have one attempt per
 * interval.
 */
export const policies = {
  register: fixed(30, 10_000),
  connect: fixed(10, 5_000, always),
  disconnect: fixed(4, 1_000, always),
  heartbeat: fixed(10, 5_000),
  accept: fixed(30, 5_000, (error) => error.failure === 'network' || busy.has(error.status)),
  acquire: growing(7, 1_000, 330_000, (error) => error.retryable || error.status === 423),
  start: growing(7, 1_000),
  chunk: growing(12, 2_000, 3_600_000, (error) => error.retryable && error.status !== 429),
  finish: growing(12, 2_000),
  metaDataExists: fixed(10, 5_000),
  metaDataSet: growing(10, 2_000),
  artifactsCreate: growing(10, 500),
  artifactTransfer: fixed(10, 5_000, always),
  artifactsUpdate: growing(10, 500, 3_600_000, always),
  artifactSearch: fixed(10, 5_000),
  artifactDownload: fixed(5, 5_000),
  secret: growing(3, 1_000),
  repositoryToken: fixed(3, 5_000),
  metaDataGet: fixed(10, 5_000),
  annotate: fixed(5, 1_000),
  buildCancel: fixed(5, 1_000),
  agentControl: fixed(5, 1_000),
  jobUpdate: growing(10, 2_000),
  step: fixed(10, 5_000),
  oidc: growing(5, 1_000),
  pipelineUpload: fixed(60, 5_000),
} satisfies Record<string, RetryPolicy>;

/** Runs calls under a policy, says why it waits, and stops waiting when its signal is raised. */
export class Retrier {
  constructor(
    private readonly log: AgentLog,
    private readonly scale = 1,
  ) {}

  /**
   * @param call receives the attempt's number, from 0
   * @throws AgentHttpError the last failure, or one of kind `aborted` when `signal` fired
   */
  async run<T>(name: keyof typeof policies, call: (attempt: number) => Promise<T>, signal?: AbortSignal): Promise<T> {
    const policy: RetryPolicy = policies[name];
    try {
      return await pRetry((attempt) => call(attempt - 1), {
        retries: policy.attempts - 1,
        factor: policy.factor,
        // Agents that failed together must not come back together.
        randomize: true,
        minTimeout: policy.delayMs * this.scale,
        maxTimeout: policy.maxDelayMs * this.scale,
        signal,
        shouldRetry: ({ error }) => error instanceof AgentHttpError && policy.retries(error),
        onFailedAttempt: async ({ error, attemptNumber, retriesLeft }) => {
          if (!(error instanceof AgentHttpError) || !policy.retries(error) || retriesLeft === 0) return;
          this.log.warn({ call: name, attempt: attemptNumber, of: policy.attempts }, error.message);
          // The policy's own delay comes on top.
          if (error.retryAfterSeconds !== undefined)
            await wait(Math.min(error.retryAfterSeconds, longestRetryAfterSeconds) * 1000, signal);
        },
      });
    } catch (error) {
      if (signal?.aborted && !(error instanceof AgentHttpError))
        throw new AgentHttpError(`${name}: given up`, 'aborted');
      throw error;
    }
  }
}
