import { sql } from 'kysely';
import { limits } from '../../../../domain/limits/limits.js';
import { hasRecovered, recovery } from '../../../../domain/suites/flaky/flaky.js';
import { type RetriedCommits, retriedFacts } from '../../../../domain/suites/workflows/event-facts.js';
import { formatTime } from '../../../../domain/time.js';
import type { SuiteRunRow, TestWorkflowRow } from '../../../../entities/database.js';
import type { Context } from '../../../../request/context.js';
import { flakyOnCommit } from '../../uploads/flaky-on-commit.js';
import { inAlarm, lockStates } from './states.js';
import { type ExecutionsByTest, type Judgment, latestOf } from './verdict.js';

const dayMs = 86_400_000;

interface RetriedCase {
  workflow: TestWorkflowRow;
  run: SuiteRunRow;
  executions: ExecutionsByTest;
  /** Tests of the upload that have passed and failed on the commit, by all executions. */
  flaky: readonly string[];
}

/** Judges tests by whether they have passed and failed on one commit, and how long ago that was. */
export async function retriedVerdicts(
  context: Context,
  { workflow, run, executions, flaky }: RetriedCase,
): Promise<Judgment> {
  const ids = [...executions.keys()];
  const { tagFilters } = workflow;
  const flakyIds = tagFilters.length === 0 ? flaky : await flakyOnCommit(context, run, ids, tagFilters);
  const retried = new Set(flakyIds.filter((id) => executions.has(id)));
  const alarmed = await inAlarm(context, workflow, ids);
  const looked = [...new Set([...retried, ...alarmed])].sort();
  if (looked.length === 0) return { verdicts: [], states: [] };
  const states = await lockStates(context, workflow, looked);
  const begun = looked.filter((id) => retried.has(id) && states.get(id)?.inAlarm === false);
  const windows = await windowsOf(context, begun.slice(0, limits.testWorkflowEventsPerMinute));
  const judgment: Judgment = { verdicts: [], states: [] };
  for (const testId of looked) {
    const { memory, inAlarm: isAlarmed } = states.get(testId) ?? { memory: {}, inAlarm: false };
    const own = executions.get(testId) ?? [];
    const execution = latestOf(context, run, own);
    const since = Math.min((memory.since ?? 0) + own.length, recovery.executions);
    if (retried.has(testId)) {
      // A commit counts once.
      if (memory.commit === run.commitSha) {
        judgment.states.push({ testId, memory: { ...memory, since } });
        continue;
      }
      judgment.states.push({ testId, memory: { commit: run.commitSha ?? '', at: formatTime(context.now), since: 0 } });
      const facts = retriedFacts(execution, { ...(windows.get(testId) ?? { executions: 0, days: 0 }), commits: 1 });
      if (!isAlarmed) judgment.verdicts.push({ testId, event: 'alarm', facts });
      continue;
    }
    if (!isAlarmed) continue;
    const latest = memory.at === undefined ? context.now : new Date(memory.at);
    judgment.states.push({ testId, memory: { ...memory, since } });
    if (!hasRecovered(latest, since, context.now)) continue;
    const facts = retriedFacts(execution, { commits: 0, executions: since, days: daysSince(latest, context.now) });
    judgment.verdicts.push({ testId, event: 'recover', facts });
  }
  return judgment;
}

const daysSince = (from: Date, now: Date): number =>
  Math.min(recovery.days, Math.floor((now.getTime() - from.getTime()) / dayMs));

/** The executions of tests within the window of the monitor, and over how many days they were. */
async function windowsOf(
  { db, now }: Context,
  testIds: readonly string[],
): Promise<Map<string, Omit<RetriedCommits, 'commits'>>> {
  if (testIds.length === 0) return new Map();
  const since = new Date(now.getTime() - recovery.days * dayMs);
  const { rows } = await sql<{ testId: string; executions: number; firstAt: Date | null }>`
    select wanted.id as test_id, count(e.created_at)::int as executions, min(e.created_at) as first_at
    from unnest(${[...testIds]}::uuid[]) as wanted(id)
    left join lateral (select created_at from suite_executions where test_id = wanted.id
      order by id desc limit ${recovery.executions}) e on e.created_at > ${since}::timestamptz
    group by wanted.id`.execute(db);
  return new Map(
    rows.map(({ testId, executions, firstAt }) => [testId, { executions, days: daysSince(firstAt ?? now, now) }]),
  );
}
