import { disposition, from, type Disposition, type Moves } from '../transition.js';

/** States of a test run. */
export const runStates = ['running', 'finished'] as const;
export type RunState = (typeof runStates)[number];

/** Results of a test run. */
export const runResults = ['pending', 'passed', 'failed', 'stale'] as const;
export type RunResult = (typeof runResults)[number];

/**
 * | event | meaning |
 * |---|---|
 * | upload | more results were sent |
 * | settle | every upload has been processed and none has followed for a while |
 */
export const runEvents = ['upload', 'settle'] as const;
export type RunEvent = (typeof runEvents)[number];

/**
 * | event | meaning |
 * |---|---|
 * | pass | results were processed, none of them failed |
 * | fail | results were processed, at least one failed |
 * | wait | nothing came for too long |
 */
export const runResultEvents = ['pass', 'fail', 'wait'] as const;
export type RunResultEvent = (typeof runResultEvents)[number];

/** THE transition table of a run's state. */
export const runTransitions: Record<RunEvent, Moves<RunState>> = {
  upload: from<RunState>(['finished'], 'running'),
  settle: from<RunState>(['running'], 'finished'),
};

/** THE transition table of a run's result: `failed` is final; a stale run accepts late results. */
export const runResultTransitions: Record<RunResultEvent, Moves<RunResult>> = {
  pass: from<RunResult>(['pending', 'stale'], 'passed'),
  fail: from<RunResult>(['pending', 'stale', 'passed'], 'failed'),
  wait: from<RunResult>(['pending'], 'stale'),
};

/** Decides one event for the state of one run. */
export function transitionRun(state: RunState, event: RunEvent): Disposition<RunState> {
  return disposition(runTransitions[event], state, event, 'A test run');
}

/** Decides one event for the result of one run. */
export function transitionRunResult(result: RunResult, event: RunResultEvent): Disposition<RunResult> {
  return disposition(runResultTransitions[event], result, event, 'The result of a test run');
}

/** State and result of a run. */
export interface RunStanding {
  state: RunState;
  result: RunResult;
}

/** State and result of a run at its first upload. */
export const newRun: RunStanding = { state: 'running', result: 'pending' };

/** Returns the run after an upload with `processed` accepted results, `failed` of them failing. */
export function afterUpload(
  run: RunStanding,
  { processed, failed }: { processed: number; failed: number },
): RunStanding {
  const state = moved(run.state, transitionRun(run.state, 'upload'));
  if (processed === 0) return { state, result: run.result };
  return { state, result: moved(run.result, transitionRunResult(run.result, failed > 0 ? 'fail' : 'pass')) };
}

/**
 * Uploads are processed as they come in, and parts of one suite follow each other closely: this long after the last a
 * run is finished.
 */
export const runSettlesAfterMs = 10_000;

/** No document fixes this period: a run without a single result is stale this long after its last upload. */
export const runStaleAfterMs = 30 * 60_000;

/** Returns the run after silence since `lastUploadAt`. */
export function afterSilence(run: RunStanding, lastUploadAt: Date, now: Date): RunStanding {
  const silence = now.getTime() - lastUploadAt.getTime();
  const state = silence >= runSettlesAfterMs ? moved(run.state, transitionRun(run.state, 'settle')) : run.state;
  const result = silence >= runStaleAfterMs ? moved(run.result, transitionRunResult(run.result, 'wait')) : run.result;
  return { state, result };
}

/** When silence next changes something; null where it cannot. */
export function runDeadline(run: RunStanding, lastUploadAt: Date): Date | null {
  if (run.state === 'running') return new Date(lastUploadAt.getTime() + runSettlesAfterMs);
  return run.result === 'pending' ? new Date(lastUploadAt.getTime() + runStaleAfterMs) : null;
}

function moved<State extends string>(state: State, decided: Disposition<State>): State {
  return decided.kind === 'moved' ? decided.to : state;
}
