import { buildEventBetween, type BlockedState, type BuildState } from '../../../src/domain/builds/build-state.js';
import { releasable, type ConcurrencyMember } from '../../../src/domain/agents/concurrency.js';
import {
  isLive,
  isTerminal,
  restJobState,
  transition,
  type JobEvent,
  type JobState,
} from '../../../src/domain/builds/job-state.js';
import { automaticRetry, softFails } from '../../../src/domain/builds/retry.js';
import type { BuildRollup } from '../../../src/domain/builds/rollup.js';
import type {
  JobChange,
  ScheduledJob,
  ScheduledStep,
  ScheduleFacts,
} from '../../../src/domain/builds/schedule-facts.js';
import { schedule } from '../../../src/domain/builds/schedule.js';
import type { RetryRule, SoftFail, StepType } from '../../../src/domain/pipelines/steps/step.js';

/** An exit status, or another end of the job; `never` leaves the job running. */
export type Outcome = number | 'cancel' | 'expire' | 'time_out' | 'lost' | 'never';

export interface StepOptions {
  /** Keys, `key?` allowing failure; [] for explicitly none; absent for implicit order. */
  needs?: string[];
  allowDependencyFailure?: boolean;
  continueOnFailure?: boolean;
  blockedState?: BlockedState;
  softFail?: SoftFail;
  retry?: RetryRule[];
  /** Of each attempt in turn, the last one repeating; 0 if absent. */
  outcomes?: Outcome[];
  /** Uploaded by the first attempt right after its start, one upload each. */
  uploads?: StepSpec[][];
  /** Skipped inside the build: its job is born broken. */
  broken?: boolean;
  parallel?: number;
  limit?: number;
  eager?: boolean;
  cancelOnBuildFailing?: boolean;
}

export interface StepSpec extends StepOptions {
  name: string;
  type: StepType;
  children: StepSpec[];
}

const step =
  (type: StepType) =>
  (name: string, options: StepOptions = {}): StepSpec => ({ ...options, name, type, children: [] });
export const c = step('command');
export const block = step('block');
export const input = step('input');
export const trigger = step('trigger');
export const wait = (name = 'wait', options: StepOptions = {}): StepSpec => step('wait')(name, options);
export const waitOn = (name = 'wait on'): StepSpec => wait(name, { continueOnFailure: true });
export const group = (name: string, children: StepSpec[], options: StepOptions = {}): StepSpec => ({
  ...options,
  name,
  type: 'group',
  children,
});
/** A failing command. */
export const bad = (name: string, options: StepOptions = {}): StepSpec => c(name, { outcomes: [1], ...options });

export interface SimulatedJob extends ScheduledJob {
  name: string;
  attempt: number;
  spec: StepSpec;
  used: number[];
}

/**
 * One build in memory: applies decisions of the scheduler and plays agents, people and time. It refuses whatever the
 * transition tables refuse, and checks after each decision that deciding again changes nothing.
 */
export class Simulator {
  readonly steps: ScheduledStep[] = [];
  readonly jobs: SimulatedJob[] = [];
  /** Names in the order of their start. */
  readonly started: string[] = [];
  /** Every change the scheduler made, for checks from outside. */
  onChange: (change: JobChange, job: SimulatedJob) => void = () => undefined;
  build: BuildRollup & { cancelRequested: boolean; skipRequested: boolean };
  /** Build states in the order they were taken. */
  readonly history: BuildState[] = ['creating'];
  private sequence = 0;

  constructor(
    specs: StepSpec[],
    private readonly prefix = '',
  ) {
    this.build = {
      state: 'creating',
      blocked: false,
      blockedState: null,
      failing: false,
      cancelRequested: false,
      skipRequested: false,
    };
    this.insert(specs, this.steps.length, null, null);
    this.decide();
  }

  facts(): ScheduleFacts {
    return { build: this.build, steps: this.steps, jobs: this.jobs };
  }

  /** The latest attempt of the job with that name. */
  job(name: string): SimulatedJob {
    const found = this.jobs.find((job) => job.name === name && !job.retried);
    if (found === undefined) throw new Error(`no job ${name}`);
    return found;
  }

  /** State words as REST prints them, by job name. */
  states(): Record<string, string> {
    return Object.fromEntries(this.jobs.filter((job) => !job.retried).map((job) => [job.name, restJobState(job)]));
  }

  runnable(): SimulatedJob[] {
    return this.jobs.filter((job) => job.state === 'scheduled');
  }

  decide(): void {
    const decision = schedule(this.facts());
    for (const change of decision.jobs) {
      const job = this.jobs.find(({ id }) => id === change.id) as SimulatedJob;
      this.move(job, change.event);
      if (job.state !== change.to) throw new Error(`${job.name}: decided ${change.to}, the table says ${job.state}`);
      if (change.event === 'pass') job.passed = true;
      if (change.softFailed !== undefined) job.softFailed = change.softFailed;
      this.onChange(change, job);
    }
    if (decision.build.state !== this.build.state) {
      if (this.build.state !== 'creating' && buildEventBetween(this.build.state, decision.build.state) === null) {
        throw new Error(`illegal build change ${this.build.state} to ${decision.build.state}`);
      }
      this.history.push(decision.build.state);
    }
    this.build = {
      ...decision.build,
      cancelRequested: this.build.cancelRequested,
      skipRequested: this.build.skipRequested,
    };
    const again = schedule(this.facts());
    if (again.jobs.length > 0 || again.build.state !== this.build.state) {
      throw new Error(`not a fixpoint: ${JSON.stringify(again)}`);
    }
  }

  start(job: SimulatedJob): void {
    if (job.type === 'command') for (const event of ['assign', 'accept'] as const) this.move(job, event);
    this.move(job, 'start');
    job.started = true;
    this.started.push(job.name);
    for (const upload of job.attempt === 0 ? (job.spec.uploads ?? []) : []) this.upload(job, upload);
    this.decide();
  }

  finish(job: SimulatedJob, outcome: Outcome = this.outcomeOf(job)): void {
    if (outcome === 'never' && job.state === 'running') return;
    if (outcome === 'cancel' && job.state === 'running') this.move(job, 'cancel');
    if (outcome === 'time_out' && job.state === 'running' && job.type === 'command') this.move(job, 'time_out');
    const status = typeof outcome === 'number' ? outcome : -1;
    if (isLive(job.state))
      this.move(job, outcome === 'lost' && job.type === 'command' ? 'lose_agent' : status === 0 ? 'pass' : 'fail');
    this.settle(job, status);
  }

  cancel(name: string): void {
    const job = this.job(name);
    this.move(job, 'cancel');
    if (job.state === 'canceled') this.settle(job, null);
    else this.decide();
  }

  expire(name: string): void {
    this.move(this.job(name), 'expire');
    this.settle(this.job(name), null);
  }

  unblock(name: string): void {
    this.move(this.job(name), 'unblock');
    this.decide();
  }

  promiseFailure(name: string): void {
    this.job(name).promisedFailure = true;
    this.decide();
  }

  cancelBuild(): void {
    this.build.cancelRequested = true;
    this.decide();
  }

  skipBuild(): void {
    this.build.skipRequested = true;
    this.decide();
  }

  retry(name: string): void {
    this.replace(this.job(name));
    this.decide();
  }

  upload(uploader: SimulatedJob, specs: StepSpec[]): void {
    const own = this.steps.findIndex(({ id }) => id === uploader.stepId);
    this.insert(specs, own + 1, this.steps[own]?.groupId ?? null, uploader.stepId);
  }

  /** Schedules what its concurrency groups (one group for all jobs with a limit) allow, across `others` too. */
  admit(others: Simulator[] = []): void {
    const simulators = [this, ...others];
    const all = simulators.flatMap(({ jobs, prefix }) => jobs.map((job) => ({ ...job, buildId: prefix })));
    const members = all
      .filter((job) => job.spec.limit !== undefined && !job.retried)
      .map((job): ConcurrencyMember => ({
        jobId: job.id,
        buildId: job.buildId,
        state: job.state,
        limit: job.spec.limit as number,
        priority: 0,
        method: job.spec.eager === true ? 'eager' : 'ordered',
      }));
    const go = new Set(releasable(members));
    for (const simulator of simulators) {
      for (const job of simulator.jobs) {
        if (go.has(job.id)) simulator.move(job, 'schedule');
        else if (job.state === 'limiting') simulator.move(job, 'limit');
      }
    }
  }

  /** Starts all jobs that can start and ends a running one, until nothing changes; `pick` chooses which one ends. */
  run(pick: (jobs: SimulatedJob[]) => SimulatedJob = (jobs) => jobs[0] as SimulatedJob): this {
    for (let turns = 0; turns < 10_000; turns++) {
      this.admit();
      const waiting = this.runnable();
      for (const job of waiting) if (job.state === 'scheduled') this.start(job);
      const running = this.jobs.filter(
        (job) => job.state === 'canceling' || (job.state === 'running' && this.outcomeOf(job) !== 'never'),
      );
      if (running.length > 0) this.finish(pick(running));
      else if (waiting.length === 0) return this;
    }
    throw new Error('the build does not come to an end');
  }

  private outcomeOf(job: SimulatedJob): Outcome {
    const outcomes = job.spec.outcomes ?? [0];
    return outcomes[Math.min(job.attempt, outcomes.length - 1)] ?? 0;
  }

  private settle(job: SimulatedJob, status: number | null): void {
    job.passed = job.state === 'finished' ? status === 0 : null;
    if (job.passed !== true) job.softFailed = softFails(job.spec.softFail ?? false, status);
    const outcome = { exitStatus: status, signal: null, signalReason: null };
    const decision = automaticRetry(job.spec.retry ?? [], outcome, job.used);
    if (decision.retry && job.state !== 'canceled' && !this.build.cancelRequested && !job.promisedFailure) {
      this.replace(job, decision.ruleIndex);
    }
    this.decide();
  }

  private replace(job: SimulatedJob, rule?: number): void {
    job.retried = true;
    const used = [...job.used];
    if (rule !== undefined) used[rule] = (used[rule] ?? 0) + 1;
    this.jobs.splice(this.jobs.indexOf(job) + 1, 0, {
      ...job,
      id: this.newId(),
      attempt: job.attempt + 1,
      used,
      state: 'pending',
      passed: null,
      softFailed: false,
      retried: false,
      started: false,
      promisedFailure: false,
    });
  }

  private move(job: SimulatedJob, event: JobEvent): void {
    const before: JobState = job.state;
    const result = transition(job.type, before, event);
    if (result.kind !== 'moved') throw new Error(`${job.name}: ${event} in ${before} is ${result.kind}`);
    if (isTerminal(before)) throw new Error(`${job.name}: terminal ${before} changed`);
    job.state = result.to;
  }

  private insert(specs: StepSpec[], at: number, groupId: string | null, uploader: string | null): number {
    let next = at;
    for (const spec of specs) {
      const id = this.newId();
      this.steps.splice(next++, 0, {
        id,
        key: spec.name,
        type: spec.type,
        groupId: spec.type === 'group' ? null : groupId,
        dependsOn:
          spec.needs?.map((need) => ({ step: need.replace(/\?$/, ''), allowFailure: need.endsWith('?') })) ?? null,
        allowDependencyFailure: spec.allowDependencyFailure ?? false,
        continueOnFailure: spec.continueOnFailure ?? false,
        blockedState: spec.blockedState ?? null,
        softFail: spec.softFail ?? false,
        uploadedByStepId: uploader,
      });
      if (spec.type === 'group') next = this.insert(spec.children, next, id, uploader);
      else this.addJobs(spec, id);
    }
    return next;
  }

  private addJobs(spec: StepSpec, stepId: string): void {
    const count = spec.parallel ?? 1;
    for (let index = 0; index < count; index++) {
      this.jobs.push({
        id: this.newId(),
        stepId,
        type: spec.type as ScheduledJob['type'],
        state: spec.broken === true ? 'broken' : 'pending',
        passed: null,
        softFailed: false,
        retried: false,
        started: false,
        hasConcurrency: spec.limit !== undefined,
        promisedFailure: false,
        cancelOnBuildFailing: spec.cancelOnBuildFailing ?? false,
        name: count === 1 ? spec.name : `${spec.name}${index}`,
        attempt: 0,
        spec,
        used: [],
      });
    }
  }

  private newId(): string {
    return `${this.prefix}${String(++this.sequence).padStart(5, '0')}`;
  }
}
