import type { AgentRow, Patch } from '../../entities/database.js';

/** Whether an agent takes no jobs now; a pause ends by itself when its time is over, noted or not. */
export function isPaused({ pausedAt, pausedTimeoutInMinutes }: Pick<AgentRow, 'pausedAt' | 'pausedTimeoutInMinutes'>, now: Date): boolean {
  if (pausedAt === null) return false;
  return pausedTimeoutInMinutes === null || pausedAt.getTime() + pausedTimeoutInMinutes * 60_000 > now.getTime();
}

/** The columns of an agent that is not paused. */
export const notPaused: Patch<'agents'> = { pausedAt: null, pausedById: null, pausedNote: null, pausedTimeoutInMinutes: null };
