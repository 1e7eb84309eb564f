import { AgentHttpError } from '../http.js';
import type { JobClient } from '../job/job-client.js';
import type { AgentLog } from '../options.js';
import { Pace } from './pace.js';

const cancelling = new Set(['canceling', 'canceled', 'timing_out', 'timed_out']);

/**
 * Asks for the job's state once an interval, later where the server is behind, until `stop`. Calls
 * `onCancel` once when the server wants the job to end or has taken its token back; other failures wait for the next
 * time.
 */
export async function pollJobState(
  client: JobClient,
  intervalSeconds: number,
  log: AgentLog,
  stop: AbortSignal,
  onCancel: (state: string) => void,
): Promise<void> {
  const intervalMs = intervalSeconds * 1000;
  const pace = new Pace(intervalMs, stop, intervalMs);
  while (await pace.next()) {
    try {
      const state = await client.state(stop);
      pace.answered();
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
      pace.failed();
      log.debug({ err: error }, 'job state unknown, asking again later');
    }
  }
}
