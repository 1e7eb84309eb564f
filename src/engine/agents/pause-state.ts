import type { AgentRow } from '../../entities/database.js';
import type { AgentColumns } from '../state/agents.js';

/** Whether an agent is paused now; a pause ends when its time is over, whether or not the row says so yet. */
export function isPaused(
  { pausedAt, pausedTimeoutInMinutes }: Pick<AgentRow, 'pausedAt' | 'pausedTimeoutInMinutes'>,
  now: Date,
): boolean {
  if (pausedAt === null) return false;
  return pausedTimeoutInMinutes === null || pausedAt.getTime() + pausedTimeoutInMinutes * 60_000 > now.getTime();
}

/** Columns of an agent that is not paused. */
export const notPaused: AgentColumns = {
  pausedAt: null,
  pausedById: null,
  pausedNote: null,
  pausedTimeoutInMinutes: null,
};
