import type { ConnectionProvider } from './provider-connection.js';
import type { RefusalFacts } from './provider-refusal.js';

const second = 1000;
const minute = 60 * second;

/** How many statuses a connection sends. */
export interface StatusPace {
  perMinute: number;
  /** Sent at once after a quiet time; part of `perMinute` and above it at most once. */
  burst: number;
  /** Requests under way at the same time. */
  atOnce: number;
}

/**
 * GitHub takes 80 requests a minute that make content, GitLab.com 2,000 requests, Bitbucket Cloud about 1,000 an hour;
 * hosts of one's own take what their administrator set, and say so when it is used up.
 */
export function statusPace(provider: ConnectionProvider): StatusPace {
  switch (provider) {
    case 'github':
    case 'github_app':
    case 'github_enterprise':
      return { perMinute: 60, burst: 15, atOnce: 5 };
    case 'bitbucket':
      return { perMinute: 60, burst: 15, atOnce: 5 };
    case 'gitlab':
    case 'bitbucket_server':
      return { perMinute: 300, burst: 50, atOnce: 5 };
    case 'gitea':
      return { perMinute: 600, burst: 100, atOnce: 5 };
  }
}

/** Statuses that may be sent now, of which parts gather until they are one; `since` is when `tokens` was true. */
export function refill({ perMinute, burst }: StatusPace, tokens: number, since: Date, now: Date): number {
  const elapsed = Math.max(0, now.getTime() - since.getTime());
  return Math.min(burst, Math.max(0, tokens) + (elapsed * perMinute) / minute);
}

/** A status whose build has not changed for so long is of no use to anyone. */
export const statusLifetimeMs = 24 * 60 * minute;

const shortestMs = 5 * second;
const longestMs = 10 * minute;

/** Wait before the next attempt after `attempts` (1 or more): 5 seconds to 10 minutes, spread by up to a fifth. */
export function statusDelayMs(attempts: number, spread: number): number {
  return Math.min(longestMs, shortestMs * 2 ** (Math.min(attempts, 20) - 1)) * (1 + spread / 5);
}

/** What follows from a refused status. */
export interface RefusalEffect {
  /** Milliseconds until the status is tried again; null: never. */
  retryMs: number | null;
  /** Milliseconds for which the connection sends nothing; null: it goes on. */
  pauseMs: number | null;
}

/**
 * Decides what a refusal does to its status and to its connection. `failures` counts those of the connection in a row,
 * with this one. A limit and a wrong credential concern every status of the connection; a right that a repository lacks
 * concerns its own.
 */
export function effectOfRefusal(
  { kind, status, waitMs }: RefusalFacts,
  attempts: number,
  failures: number,
  spread: number,
): RefusalEffect {
  const backoff = statusDelayMs(attempts, spread);
  const pause = statusDelayMs(failures, spread);
  switch (kind) {
    case 'limited':
      return { retryMs: waitMs ?? pause, pauseMs: Math.max(waitMs ?? minute, failures > 1 ? pause : 0) };
    case 'unreachable':
      return { retryMs: backoff, pauseMs: pause };
    case 'credential':
      return status === 403 ? { retryMs: null, pauseMs: null } : { retryMs: backoff, pauseMs: pause };
    case 'busy':
      return { retryMs: Math.max(waitMs ?? 0, backoff), pauseMs: waitMs };
    case 'final':
      return { retryMs: null, pauseMs: null };
  }
}

/** Refusals in a row, whatever they are about, after which a connection is shown as failing. */
const failuresInARow = 5;

/** Whether a connection fails, rather than one of its repositories. */
export const isFailing = ({ kind }: Pick<RefusalFacts, 'kind'>, status: number | null, failures: number): boolean =>
  (kind === 'credential' && status !== 403) || failures >= failuresInARow;
