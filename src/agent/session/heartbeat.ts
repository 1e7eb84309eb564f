import type { AgentSession } from './agent-session.js';
import { AgentHttpError } from '../http.js';
import type { AgentLog } from '../options.js';
import { wait } from '../wait.js';

/**
 * Beats every `intervalSeconds` until `stop`, the first beat one interval after the start.
 * A beat the server will not take for good (4xx but 429) ends the loop through `onRefused`: unlike agents that
 * hang there, this one cancels its job and leaves.
 */
export async function beat(
  session: AgentSession,
  intervalSeconds: number,
  log: AgentLog,
  stop: AbortSignal,
  onRefused: (error: AgentHttpError) => void,
): Promise<void> {
  while (await wait(intervalSeconds * 1000, stop)) {
    try {
      await session.heartbeat(new Date(), stop);
    } catch (error) {
      if (!(error instanceof AgentHttpError)) throw error;
      if (error.failure === 'aborted') return;
      if (!error.retryable) {
        onRefused(error);
        return;
      }
      log.error({ err: error }, 'heartbeat failed, trying again at the next beat');
    }
  }
}
