import type { TestState } from './test-state.js';

/** Days after which a test counts again at the latest, where its state has an end. */
export const mostStateDays = 366;
const dayMs = 86_400_000;

/** What is wrong with the end of a state that a test gets; null where nothing is. */
export function stateEndProblem(state: TestState, until: Date | null, now: Date): string | null {
  if (until === null) return null;
  if (state === 'enabled') return 'is for tests that are muted or skipped';
  const length = until.getTime() - now.getTime();
  if (length <= 0) return 'must be in the future';
  return length > mostStateDays * dayMs ? `must be within ${mostStateDays} days` : null;
}
