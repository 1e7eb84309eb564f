import { setTimeout as sleep } from 'node:timers/promises';
import { userToken } from '../replicas/installation.js';

export interface Record {
  /** Messages of builds that were answered with 201. */
  acknowledged: Set<string>;
  /** Every message that was ever sent. */
  sent: Set<string>;
  /** Replies by status; 0 where the connection broke. */
  replies: Map<number, number>;
  /** The first replies that nobody may get. */
  wrong: string[];
}

export const newRecord = (): Record => ({ acknowledged: new Set(), sent: new Set(), replies: new Map(), wrong: [] });

/** Statuses that a write may get while the database comes and goes; 409: the first try with the key is still at it. */
const permitted = new Set([201, 409, 503]);

/**
 * Makes builds one after another until stopped. With keys a write is repeated until it is acknowledged; without, never.
 */
export async function write(
  url: string,
  name: string,
  record: Record,
  signal: AbortSignal,
  { keys }: { keys: boolean },
): Promise<void> {
  for (let count = 0; !signal.aborted; count += 1) {
    const message = `${name}-${count}`;
    record.sent.add(message);
    // A write that was begun is seen through, also when the others stop.
    for (let deadline = Date.now() + 60_000; Date.now() < deadline; await sleep(100)) {
      const status = await post(url, message, record, keys);
      if (status === 201) record.acknowledged.add(message);
      if (status === 201 || !keys) break;
    }
  }
}

async function post(url: string, message: string, record: Record, keys: boolean): Promise<number> {
  let status = 0;
  try {
    const response = await fetch(`${url}/v2/organizations/acme/pipelines/deploy/builds`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${userToken}`,
        'Content-Type': 'application/json',
        ...(keys ? { 'Idempotency-Key': message } : {}),
      },
      body: JSON.stringify({ commit: 'HEAD', branch: 'main', message }),
      signal: AbortSignal.timeout(60_000),
    });
    const text = await response.text();
    status = response.status;
    const complete = status !== 503 || response.headers.get('retry-after') !== null;
    if ((!permitted.has(status) || !complete) && record.wrong.length < 5)
      record.wrong.push(`${status} ${text.slice(0, 200)}${complete ? '' : ' (without Retry-After)'}`);
  } catch (error) {
    if (record.wrong.length < 5) record.wrong.push(`no answer: ${String((error as Error).cause ?? error)}`);
  }
  record.replies.set(status, (record.replies.get(status) ?? 0) + 1);
  return status;
}
