import type { CommitStatus } from '../../integrations/commit-status.js';
import { githubStates } from '../../integrations/status-outcome.js';

/** Context of the commit status of a culprit. */
export const culpritContext = 'slipway/culprit';

/** Providers show a line; longer texts are refused by them. */
const descriptionLength = 140;

/** The commit status of a commit since which steps fail on a branch. */
export function culpritStatus(
  branch: string,
  steps: readonly { key: string | null; label: string | null }[],
  failedNumber: number,
): CommitStatus {
  const names = steps.map(({ key, label }) => label || key || 'a step');
  const text = `${names.slice(0, 3).join(', ')}${names.length > 3 ? ' and more' : ''}`;
  const whole = `Turned ${branch} red in build #${failedNumber}: ${text}`;
  return {
    context: culpritContext,
    outcome: 'failed',
    state: githubStates.failed,
    description: whole.length > descriptionLength ? `${whole.slice(0, descriptionLength - 1)}…` : whole,
    ofStep: false,
    problem: null,
    check: null,
  };
}
