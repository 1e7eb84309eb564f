import type { OutboundReply } from '../services/services.js';
import type { Answer } from './channel.js';

const longestRetryAfterMs = 60 * 60_000;
/** Statuses that ask for another attempt later. */
const passing = (status: number) => status === 408 || status === 429 || status >= 500;

/**
 * Reads the reply of a receiver over HTTP: 2xx is sent; 408, 429 and 5xx are tried again, after the pause that
 * `Retry-After` names, of an hour at most; any other status is final. `who` names the receiver in the error.
 */
export function httpAnswer(reply: OutboundReply, who: string): Answer {
  const { status, body } = reply;
  if (status >= 200 && status < 300) return { verdict: 'sent', reply, error: null };
  const words = body.replaceAll(/\s+/g, ' ').trim().slice(0, 300);
  return {
    verdict: passing(status) ? 'retry' : 'refused',
    reply,
    error: `${who} answered ${status}${words === '' ? '.' : `: ${words}`}`,
    retryAfterMs: retryAfterMs(reply.retryAfter ?? null),
  };
}

/** Milliseconds of a `Retry-After` in seconds; null for another form or without one. */
function retryAfterMs(header: string | null): number | null {
  if (header === null || !/^\d{1,9}$/.test(header.trim())) return null;
  return Math.min(Number(header) * 1000, longestRetryAfterMs);
}
