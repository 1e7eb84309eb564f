import type { Json, JsonObject } from '../../pipelines/steps/step.js';
import type { JobState, JobType } from '../job-state.js';
import type { ExtractLine } from './extract.js';
import type { Excerpt } from './failure-excerpts.js';

/** The columns of a job that tell whether it has failed and how. */
export interface EndedJob {
  type: JobType;
  state: JobState;
  passed: boolean;
  exitStatus: number | null;
  signal: string | null;
  signalReason: string | null;
  timeoutInMinutes: number | null;
}

/** Whether a command job has failed, softly too: it ran to an exit status other than 0, or longer than it may. */
export function hasFailed(job: EndedJob): boolean {
  return job.type === 'command' && ((job.state === 'finished' && !job.passed) || job.state === 'timed_out');
}

/** How a job failed, in a sentence. */
export function failureReason(job: EndedJob): string {
  if (job.state === 'timed_out')
    return job.timeoutInMinutes === null
      ? 'It ran longer than it may.'
      : `It ran longer than its timeout of ${job.timeoutInMinutes} minutes.`;
  const status = job.exitStatus === null ? 'without an exit status' : `with exit status ${job.exitStatus}`;
  if (job.signal) return `A signal ended the command (${job.signal}), ${status}.`;
  const known = knownStatuses[job.exitStatus ?? 0];
  return `The command ended ${status}${known === undefined ? '' : `: ${known}`}.`;
}

/** What shells say by these statuses. */
const knownStatuses: Readonly<Record<number, string>> = {
  126: 'a program may not be executed',
  127: 'a program was not found',
  130: 'it was interrupted',
  137: 'it was killed, as for want of memory',
  139: 'it read or wrote memory that is not its own',
  143: 'it was asked to end',
};

/** A build as a failure names it. */
export interface BuildOfFailure {
  id: string;
  number: number;
  commit: string;
  createdAt: Date;
}

/** How the step of a job ended in one build. */
export interface StepAttempt extends BuildOfFailure {
  /** Null for one that has neither passed nor failed: it runs still, or was canceled or skipped. */
  passed: boolean | null;
  jobId: string;
  /** State, exit status and reason of the agent, as the job ended. */
  state: JobState;
  exitStatus: number | null;
  signalReason: string | null;
}

export interface StepHistory {
  /** The build since which the step fails on its branch: without one that passed between. */
  since: BuildOfFailure;
  /** The newest build before it in which the step passed; null if none of those looked at has. */
  lastPassed: StepAttempt | null;
  /** Commits of the builds since then, newest first, each once; the builds are those of the branch. */
  commits: string[];
}

/**
 * Since when a step fails on its branch, from its attempts in the builds up to the failed one: that one first, then
 * older ones.
 */
export function stepHistory(attempts: readonly [StepAttempt, ...StepAttempt[]]): StepHistory {
  const [failed, ...before] = attempts;
  const end = before.findIndex(({ passed }) => passed === true);
  const since = end < 0 ? before : before.slice(0, end);
  const failures = since.filter(({ passed }) => passed === false);
  const lastPassed = before[end] ?? null;
  const commits = new Set([failed, ...since].map((attempt) => attempt.commit));
  if (lastPassed) commits.delete(lastPassed.commit);
  return { since: failures.at(-1) ?? failed, lastPassed, commits: lastPassed ? [...commits] : [] };
}

/** A value that was another one in the last passed build. */
export interface Change<Value> {
  from: Value;
  to: Value;
}

/** What differs from the last build in which the step passed; null for what does not, or is not known. */
export interface FailureChanges {
  commits: string[];
  /** Names of the agents. */
  agent: Change<string> | null;
  /** Keys of the queues. */
  queue: Change<string> | null;
  /** Attributes of the step whose values differ. */
  step: string[] | null;
  /** Seconds for which the jobs ran. */
  duration: Change<number> | null;
}

/** The facts of one job that are compared with those of another build. */
export interface ComparedJob {
  agentName: string | null;
  queueKey: string | null;
  /** The step as it was written. */
  source: JsonObject;
  startedAt: Date | null;
  finishedAt: Date | null;
}

/** Compares a failed job with that of the last passed build; where one is not known, nothing has changed. */
export function failureChanges(commits: string[], now: ComparedJob | null, before: ComparedJob | null): FailureChanges {
  if (!now || !before) return { commits, agent: null, queue: null, step: null, duration: null };
  const step = changedAttributes(before.source, now.source);
  return {
    commits,
    agent: changed(before.agentName, now.agentName),
    queue: changed(before.queueKey, now.queueKey),
    step: step.length === 0 ? null : step,
    duration: changed(secondsOf(before), secondsOf(now)),
  };
}

function changed<Value>(from: Value | null, to: Value | null): Change<Value> | null {
  return from === null || to === null || from === to ? null : { from, to };
}

function secondsOf({ startedAt, finishedAt }: ComparedJob): number | null {
  return startedAt && finishedAt ? Math.max(0, finishedAt.getTime() - startedAt.getTime()) / 1000 : null;
}

function changedAttributes(before: JsonObject, now: JsonObject): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(now)]);
  return [...names].filter((name) => textOf(before[name]) !== textOf(now[name])).sort();
}

/** A text in which equal values are equal, in whatever order their keys are. */
function textOf(value: Json | undefined): string {
  return JSON.stringify(value, (_key, inner: Json) =>
    inner !== null && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

/** A test that failed in a run that the job uploaded. */
export interface FailedTest {
  name: string;
  location: string | null;
  message: string | null;
}

/** Why a job failed: what is known of it without reading all of its log. */
export interface JobFailure {
  exitStatus: number | null;
  signal: string | null;
  reason: string;
  /** Null for callers who may not read builds. */
  since: BuildOfFailure | null;
  lastPassed: BuildOfFailure | null;
  changed: FailureChanges;
  /** Parts of the log, lines counted from 1; none where the log is gone. */
  excerpts: Excerpt[];
  tests: FailedTest[];
  /** Lines that are kept as long as the build, counted from 1; none until the log is merged. */
  lines: ExtractLine[];
  /** Hash of the failure, the same where jobs failed alike; null where nothing tells of one. */
  cluster: string | null;
  /** Other jobs of the organization that failed alike, as far as the caller may see them; at most a hundred count. */
  sameFailures: number;
}
