import { buildDependencyGraph } from '../dependency-graph.js';
import { isSettled } from '../job-state.js';
import type { ScheduledJob, ScheduledStep } from '../schedule-facts.js';

/** What a build was doing for a while, in the order in which a reader would want to shorten it. */
export const pathKinds = ['running', 'agent', 'concurrency', 'person', 'other'] as const;
/**
 * `running`: a job, or the build that it triggered, ran. `agent`: a job could have run and had no agent. `concurrency`:
 * it waited for others of its concurrency group. `person`: for somebody to unblock or retry. `other`: for the server,
 * or for nothing that is known.
 */
export type PathKind = (typeof pathKinds)[number];

/** A stretch of the time of a build, in which what it did made it no shorter. */
export interface PathStretch {
  kind: PathKind;
  /** The job that ran or waited; null before the first and after the last. */
  jobId: string | null;
  from: Date;
  to: Date;
}

/** Times of a job. */
export interface TimedJob extends Pick<ScheduledJob, 'id' | 'stepId' | 'type' | 'state'> {
  createdAt: Date;
  concurrencyQueuedAt: Date | null;
  runnableAt: Date | null;
  startedAt: Date | null;
  /** When it finished, was unblocked or was given up. */
  endedAt: Date | null;
  /** The attempt before this one. */
  retrySourceId: string | null;
  retryType: 'automatic' | 'manual' | null;
}

export interface TimedBuild {
  createdAt: Date;
  /** When it ended, or now. */
  endedAt: Date;
  /** In pipeline order. */
  steps: readonly ScheduledStep[];
  /** All attempts. */
  jobs: readonly TimedJob[];
}

/**
 * Why a build took as long as it did: the way back from the job that ended last, to the dependency that it waited for
 * last, and so on to the build's beginning. The stretches follow one another without a gap and are the whole time.
 */
export function criticalPath(build: TimedBuild): PathStretch[] {
  return new PathFinder(build).find();
}

class PathFinder {
  private readonly stretches: PathStretch[] = [];
  private readonly byId: ReadonlyMap<string, TimedJob>;
  private readonly byStep = new Map<string, TimedJob[]>();
  private readonly stepById: ReadonlyMap<string, ScheduledStep>;
  private readonly before: Predecessors;
  /** Up to where the time is explained, from the end on. */
  private cursor: number;

  constructor(private readonly build: TimedBuild) {
    this.byId = new Map(build.jobs.map((job) => [job.id, job]));
    for (const job of build.jobs) this.jobsOf(job.stepId).push(job);
    this.stepById = new Map(build.steps.map((step) => [step.id, step]));
    this.before = new Predecessors(build.steps, (step) => this.takesTime(step));
    this.cursor = build.endedAt.getTime();
  }

  find(): PathStretch[] {
    const path = new Set<string>();
    let job = latest(this.build.jobs, (each) => this.endOf(each));
    if (job) this.explain('other', null, this.endOf(job) ?? this.cursor);
    while (job && !path.has(job.id)) {
      path.add(job.id);
      job = this.follow(job);
    }
    this.explain('other', null, this.build.createdAt.getTime());
    return this.stretches.reverse();
  }

  /** Explains the time of a job and its waits; returns the job that it waited for, if any. */
  private follow(job: TimedJob): TimedJob | null {
    const isForPerson = waitsForPerson(job);
    if (job.startedAt && !isForPerson) this.explain('running', job, job.startedAt.getTime());
    const cause = this.causeOf(job);
    const ready = Math.max(job.createdAt.getTime(), cause ? (this.endOf(cause) ?? 0) : 0);
    if (isForPerson) this.explain('person', job, ready);
    if (job.runnableAt) this.explain('agent', job, Math.max(ready, job.runnableAt.getTime()));
    if (job.concurrencyQueuedAt) this.explain('concurrency', job, Math.max(ready, job.concurrencyQueuedAt.getTime()));
    this.explain('other', job, ready);
    if (cause && cause.id === job.retrySourceId) {
      const kind = job.retryType === 'manual' ? 'person' : 'other';
      this.explain(kind, job, this.endOf(cause) ?? this.cursor);
      return cause;
    }
    // A step that was uploaded after all it depends on had ended waited for its upload.
    if (cause && (this.endOf(cause) ?? 0) >= job.createdAt.getTime()) return cause;
    return this.uploaderOf(job) ?? cause;
  }

  /** Adds a stretch from a time to where the explained time begins; nothing where that is no time. */
  private explain(kind: PathKind, job: TimedJob | null, from: number): void {
    const begin = Math.max(from, this.build.createdAt.getTime());
    if (begin >= this.cursor) return;
    const to = this.cursor;
    this.cursor = begin;
    this.stretches.push({ kind, jobId: job?.id ?? null, from: new Date(begin), to: new Date(to) });
  }

  /** The attempt that a retry repeats, or the job of a dependency that ended last before this one could go on. */
  private causeOf(job: TimedJob): TimedJob | null {
    const source = job.retrySourceId === null ? undefined : this.byId.get(job.retrySourceId);
    if (source) return source;
    const jobs = this.before.of(job.stepId).flatMap((stepId) => this.jobsOf(stepId));
    return latest(jobs, (each) => {
      const end = this.endOf(each);
      return end !== null && end <= this.cursor ? end : null;
    });
  }

  /** The job whose upload made this one, while it ran. */
  private uploaderOf(job: TimedJob): TimedJob | null {
    const stepId = this.stepById.get(job.stepId)?.uploadedByStepId ?? null;
    const created = job.createdAt.getTime();
    const running = (stepId === null ? [] : this.jobsOf(stepId)).filter(
      ({ startedAt }) => startedAt !== null && startedAt.getTime() <= created,
    );
    return latest(running, ({ startedAt }) => startedAt?.getTime() ?? null);
  }

  /** When a job ended: now for one that goes on, null for one that took no time. */
  private endOf(job: TimedJob): number | null {
    if (!hasTakenTime(job)) return null;
    return (job.endedAt ?? this.build.endedAt).getTime();
  }

  /** Whether a step is a place on the way, not only an order of others. */
  private takesTime({ id }: ScheduledStep): boolean {
    return this.jobsOf(id).some(hasTakenTime);
  }

  private jobsOf(stepId: string): TimedJob[] {
    let jobs = this.byStep.get(stepId);
    if (!jobs) this.byStep.set(stepId, (jobs = []));
    return jobs;
  }
}

const waitsForPerson = ({ type }: TimedJob) => type === 'block' || type === 'input';

/** Whether a job ran or waited for something of its own: not one that was given up behind others. */
function hasTakenTime(job: TimedJob): boolean {
  if (waitsForPerson(job)) return job.state === 'unblocked' || job.state === 'blocked';
  if (job.type === 'wait' || (job.endedAt === null && isSettled(job.state))) return false;
  return job.startedAt !== null || job.runnableAt !== null || job.concurrencyQueuedAt !== null;
}

/** The steps that a step depends on, through all that only orders others. */
class Predecessors {
  private readonly graph: ReturnType<typeof buildDependencyGraph>;
  private readonly nodeOf = new Map<string, number>();

  constructor(
    steps: readonly ScheduledStep[],
    private readonly takesTime: (step: ScheduledStep) => boolean,
  ) {
    this.graph = buildDependencyGraph(steps, () => false);
    for (const [index, { step }] of this.graph.nodes.entries()) if (step) this.nodeOf.set(step.id, index);
  }

  of(stepId: string): string[] {
    const start = this.nodeOf.get(stepId);
    const visits = new Set<number>();
    const stepIds: string[] = [];
    const places = start === undefined ? [] : (this.graph.nodes[start]?.edges ?? []).map(({ node }) => node);
    for (let place = places.pop(); place !== undefined; place = places.pop()) {
      if (visits.has(place)) continue;
      visits.add(place);
      const node = this.graph.nodes[place];
      if (node?.step && this.takesTime(node.step)) stepIds.push(node.step.id);
      else for (const edge of node?.edges ?? []) places.push(edge.node);
    }
    return stepIds;
  }
}

/** The one with the greatest value, the first of several; null where none has one. */
function latest<Item>(items: readonly Item[], valueOf: (item: Item) => number | null): Item | null {
  let best: { item: Item; value: number } | null = null;
  for (const item of items) {
    const value = valueOf(item);
    if (value !== null && (best === null || value > best.value)) best = { item, value };
  }
  return best?.item ?? null;
}

/** Seconds of a stretch. */
export const secondsOf = ({ from, to }: PathStretch): number => (to.getTime() - from.getTime()) / 1000;

/** Seconds of each kind on a path. */
export function timeByKind(path: readonly PathStretch[]): Record<PathKind, number> {
  const seconds = Object.fromEntries(pathKinds.map((kind) => [kind, 0])) as Record<PathKind, number>;
  for (const stretch of path) seconds[stretch.kind] += secondsOf(stretch);
  return seconds;
}
