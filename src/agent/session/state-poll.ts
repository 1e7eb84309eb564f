import { AgentHttpError } from '../http.js';
import type { JobClient } from '../job/job-client.js';
import type { AgentLog } from '../options.js';
import { wait } from '../wait.js';

const cancelling = new Set(['canceling', 'canceled', 'timing_out', 'timed_out']);

/**
 * Asks for the job's state once an interval, late by up to one more, until `stop`. Calls
 * `onCancel` once when the server wants the job to end or has taken its token back; other failures wait for the next tick.
 */
export async function pollJobState(
  client: JobClient,
  intervalSeconds: number,
  log: AgentLog,
  stop: AbortSignal,
  onCancel: (state: string) => void,
): Promise<void> {
  const intervalMs = intervalSeconds * 1000;
  let nextTick = Date.now() + intervalMs;
  for (;;) {
    if (!(await wait(Math.max(0, nextTick - Date.now()), stop))) return;
    nextTick = Date.now() + intervalMs;
    if (!(await wait(Math.random() * intervalMs, stop))) return;
    try {
      const state = await client.state(stop);
      if (!cancelling.has(state)) continue;
      onCancel(state);
      return;
    } catch (error) {
      if (!(error instanceof AgentHttpError)) throw error;
      if (error.failure === 'aborted') return;
      if (error.status === 401) {
        onCancel('unauthorized');
        return;
      }
      log.debug({ err: error }, 'job state unknown, asking again at the next tick');
    }
  }
}
