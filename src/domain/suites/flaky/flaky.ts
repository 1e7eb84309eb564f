/** Label of a test that has both passed and failed on one commit, as clients of this kind of service ask for it. */
export const flakyLabel = 'flaky';

/** Days, and executions, without another such commit after which a test counts as recovered. */
export const recovery = { days: 7, executions: 100 } as const;

/** Whether a flaky test has recovered: it was executed so often, or so long, without another such commit. */
export function hasRecovered(latestAt: Date, executionsSince: number, now: Date): boolean {
  if (executionsSince === 0) return false;
  return executionsSince >= recovery.executions || now.getTime() - latestAt.getTime() >= recovery.days * 86_400_000;
}
