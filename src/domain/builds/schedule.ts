import type { BlockedState } from './build-state.js';
import {
  buildDependencyGraph,
  CANCELED,
  CYCLE,
  FAILED,
  HELD,
  MISSING,
  PENDING,
  type DependencyGraph,
  type Mask,
} from './dependency-graph.js';
import { isSettled, isUndecided, transition, type JobEvent, type JobState, type JobType } from './job-state.js';
import { softFails } from './retry.js';
import { isHardFailure, rollup, somethingStirs, type RollupJob } from './rollup.js';
import type {
  Decision,
  JobChange,
  ScheduledJob,
  ScheduledStep,
  ScheduleFacts,
  ScheduleReason,
} from './schedule-facts.js';

/** A job with the changes of the current decision. */
class Candidate implements RollupJob {
  readonly type: JobType;
  state: JobState;
  passed: boolean | null;
  softFailed: boolean;
  readonly retried: boolean;
  readonly started: boolean;
  readonly promisedFailure: boolean;
  readonly blockedState: BlockedState | null;
  change: JobChange | null = null;

  constructor(
    readonly job: ScheduledJob,
    readonly step: ScheduledStep | undefined,
  ) {
    this.type = job.type;
    this.state = job.state;
    this.passed = job.passed;
    this.softFailed = job.softFailed;
    this.retried = job.retried;
    this.started = job.started;
    this.promisedFailure = job.promisedFailure;
    this.blockedState = step?.blockedState ?? null;
  }
}

type Gate = 'ready' | 'pending' | 'failed';

/**
 * Decides everything that follows from the facts of one build, to a fixpoint: applying the result and asking again
 * changes nothing. The caller holds the build's lock, has inserted automatic retries already, applies the changes in
 * order, and stores the build's part of the decision.
 */
export function schedule(facts: ScheduleFacts): Decision {
  return new Scheduling(facts).decide();
}

class Scheduling {
  private readonly candidates: Candidate[];
  private readonly current = new Map<string, Candidate[]>();
  private anyMissing = false;
  /** Candidates in the order in which their changes are applied: causes before effects. */
  private causal: Candidate[];

  constructor(private readonly facts: ScheduleFacts) {
    const steps = new Map(facts.steps.map((step) => [step.id, step]));
    this.candidates = facts.jobs.map((job) => new Candidate(job, steps.get(job.stepId)));
    this.causal = this.candidates;
    for (const candidate of this.candidates) {
      if (candidate.retried) continue;
      const list = this.current.get(candidate.job.stepId);
      if (list === undefined) this.current.set(candidate.job.stepId, [candidate]);
      else list.push(candidate);
    }
  }

  decide(): Decision {
    const { state, cancelRequested, skipRequested } = this.facts.build;
    const requests = {
      cancelRequested: cancelRequested || state === 'canceling' || state === 'canceled',
      skipRequested: skipRequested || state === 'skipped',
    };
    if (requests.cancelRequested) this.endAll('cancel', 'build_canceled');
    else if (requests.skipRequested) this.endAll('skip', 'build_skipped');
    else this.settle(buildDependencyGraph(this.facts.steps, (step) => this.isAbsent(step)));
    const jobs = this.causal.flatMap(({ change }) => (change === null ? [] : [change]));
    return { jobs, build: rollup(this.candidates, requests) };
  }

  /**
   * Evaluates the graph until nothing changes. A missing key may still be uploaded, so it fails the build only when no
   * job can make progress. A build that turns failing cancels jobs, which may change what others wait for. Each happens
   * at most once, so there are at most three evaluations.
   */
  private settle(graph: DependencyGraph): void {
    this.causal = graph.order.flatMap((node) => this.current.get(graph.nodes[node]?.step?.id ?? '') ?? []);
    let missing: Mask = PENDING;
    let turned = this.facts.build.failing;
    for (;;) {
      this.evaluate(graph, missing);
      if (!turned && this.candidates.some(isHardFailure)) {
        turned = true;
        if (this.cancelOnFailing()) continue;
      }
      if (missing === FAILED || !this.anyMissing || somethingStirs(this.candidates)) return;
      missing = FAILED;
    }
  }

  private evaluate(graph: DependencyGraph, missing: Mask): void {
    const values = new Array<Mask>(graph.nodes.length).fill(0);
    for (const index of graph.order) {
      const node = graph.nodes[index];
      if (node === undefined) continue;
      let mask = node.fixed;
      for (const edge of node.edges) mask |= (values[edge.node] as Mask) & ~edge.ignore;
      values[index] = node.step === null ? mask : this.evaluateStep(node.step, mask, missing);
    }
  }

  private evaluateStep(step: ScheduledStep, mask: Mask, missing: Mask): Mask {
    const jobs = this.current.get(step.id) ?? [];
    const gateMask = (mask & MISSING) === 0 ? mask : mask | (jobs.some(wasGivenUp) ? FAILED : missing);
    const gate = gateOf(gateMask);
    let value = 0;
    for (const candidate of jobs) {
      if (isUndecided(candidate.state)) {
        this.anyMissing ||= (mask & MISSING) !== 0;
        const [event, reason] = eventFor(candidate.job, gate, (gateMask & HELD) !== 0);
        this.apply(candidate, event, gate === 'failed' ? failureReason(gateMask) : reason);
      }
      value |= outcomeOf(candidate);
      if (isUndecided(candidate.state)) value |= isManual(candidate.job) ? HELD : gateMask & HELD;
    }
    return value;
  }

  /** Moves a job as seen from the facts, so that several moves in one decision come out as one legal change. */
  private apply(candidate: Candidate, event: JobEvent, reason: ScheduleReason): boolean {
    const { job, step } = candidate;
    const result = transition(job.type, job.state, event);
    if (result.kind === 'refused') return false;
    if (result.kind === 'already') {
      candidate.state = job.state;
      candidate.change = null;
      return true;
    }
    candidate.state = result.to;
    candidate.passed = event === 'pass' ? true : job.passed;
    candidate.change = { id: job.id, event, to: result.to, reason };
    if (result.to === 'canceled') {
      candidate.softFailed = softFails(job.softFail ?? step?.softFail ?? false, null);
      candidate.change.softFailed = candidate.softFailed;
    }
    return true;
  }

  private endAll(event: JobEvent, reason: ScheduleReason): void {
    for (const candidate of this.candidates) {
      if (!candidate.retried && !isSettled(candidate.state)) this.apply(candidate, event, reason);
    }
  }

  private cancelOnFailing(): boolean {
    let any = false;
    for (const candidate of this.candidates) {
      if (!candidate.job.cancelOnBuildFailing || candidate.retried || isSettled(candidate.state)) continue;
      any = this.apply(candidate, 'cancel', 'build_failing') || any;
    }
    return any;
  }

  private isAbsent(step: ScheduledStep): boolean {
    const jobs = this.current.get(step.id) ?? [];
    return jobs.length > 0 && jobs.every(({ job }) => job.state === 'skipped' || job.state === 'broken');
  }
}

function gateOf(mask: Mask): Gate {
  if ((mask & CYCLE) !== 0) return 'failed';
  if ((mask & PENDING) !== 0) return 'pending';
  return (mask & (FAILED | CANCELED)) !== 0 ? 'failed' : 'ready';
}

const isManual = (job: ScheduledJob): boolean => job.type === 'block' || job.type === 'input';

/**
 * A job failed by a missing key revives only when a step with the key is uploaded, not when other jobs make progress
 * again.
 */
const wasGivenUp = ({ job }: Candidate): boolean => job.state === 'waiting_failed' || job.state === 'blocked_failed';

function failureReason(mask: Mask): ScheduleReason {
  if ((mask & CYCLE) !== 0) return 'dependency_cycle';
  return (mask & MISSING) !== 0 ? 'dependency_missing' : 'dependency_failed';
}

/** Returns the event and reason for an undecided job, by its type and the state of its gate. */
function eventFor(job: ScheduledJob, gate: Gate, isHeld: boolean): [JobEvent, ScheduleReason] {
  const manual = isManual(job);
  if (gate === 'failed') {
    const blocked = manual || (isHeld && job.type !== 'wait');
    return [blocked ? 'block_failed' : 'wait_failed', 'dependency_failed'];
  }
  if (gate === 'pending') {
    return isHeld && !manual && job.type !== 'wait' ? ['block', 'behind_block'] : ['wait', 'behind_wait_or_dependency'];
  }
  if (manual) return ['block', 'reached'];
  if (job.type === 'wait') return ['pass', 'ready'];
  return [job.type === 'command' && job.hasConcurrency ? 'queue' : 'schedule', 'ready'];
}

/** Returns the mask that a job contributes to the dependents of its step. */
function outcomeOf(candidate: Candidate): Mask {
  if (!isSettled(candidate.state)) return PENDING;
  if (!isHardFailure(candidate)) return 0;
  return candidate.state === 'canceled' || candidate.state === 'expired' ? CANCELED : FAILED;
}
