import type { Context } from '../../../request/context.js';
import type { RunStanding } from '../../../domain/suites/suite-run-state.js';
import type { SuiteRunRow } from '../../../entities/database.js';

/** Records the changes of a run's state and result, one event each. `before` is null for a new run. */
export function recordRun(context: Context, run: SuiteRunRow, before: RunStanding | null, reason: string): void {
  const common = { organizationId: run.organizationId, subject: 'run' as const, subjectId: run.id, reason };
  if (before?.state !== run.state)
    context.record({ ...common, type: 'run.state', from: before?.state ?? null, to: run.state });
  if (before?.result !== run.result)
    context.record({ ...common, type: 'run.result', from: before?.result ?? null, to: run.result });
}
