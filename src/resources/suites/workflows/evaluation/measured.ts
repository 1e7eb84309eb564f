import { measuredFacts } from '../../../../domain/suites/workflows/event-facts.js';
import { judge, measure, remember } from '../../../../domain/suites/workflows/measure.js';
import type { SuiteRunRow, TestWorkflowRow } from '../../../../entities/database.js';
import type { Context } from '../../../../request/context.js';
import type { StoredExecution } from '../../uploads/store-executions.js';
import { lockStates } from './states.js';
import { type ExecutionsByTest, type Judgment, latestOf } from './verdict.js';

/** Judges tests by what is remembered of their latest executions: their transitions, or their durations. */
export async function measuredVerdicts(
  context: Context,
  { workflow, run, executions }: { workflow: TestWorkflowRow; run: SuiteRunRow; executions: ExecutionsByTest },
): Promise<Judgment> {
  const { monitor } = workflow;
  const isDecided = ({ source }: StoredExecution) => source.result === 'passed' || source.result === 'failed';
  const decided = new Map(
    [...executions]
      .map(([testId, own]) => [testId, own.filter(isDecided)] as const)
      .filter(([, own]) => own.length > 0),
  );
  const states = await lockStates(context, workflow, [...decided.keys()]);
  const judgment: Judgment = { verdicts: [], states: [] };
  for (const [testId, own] of decided) {
    const before = states.get(testId);
    if (!before) continue;
    const memory = remember(
      monitor,
      before.memory,
      own.map(({ source }) => source),
    );
    const measured = measure(monitor, memory);
    const event = judge(monitor, measured.value, before.inAlarm);
    judgment.states.push({ testId, memory });
    if (event === null) continue;
    const facts = measuredFacts(latestOf(context, run, own), monitor, measured);
    judgment.verdicts.push({ testId, event, facts });
  }
  return judgment;
}
