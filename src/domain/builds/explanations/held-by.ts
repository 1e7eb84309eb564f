import { buildDependencyGraph, CYCLE, FAILED, type GraphNode } from '../dependency-graph.js';
import { isSettled } from '../job-state.js';
import { isHardFailure } from '../rollup.js';
import type { ScheduledJob, ScheduledStep, ScheduleFacts } from '../schedule-facts.js';

/** Steps and keys that hold a step back. Each list is in pipeline order; several may have members at once. */
export interface HeldBy {
  /** Command and trigger steps that have not ended. */
  unfinished: ScheduledStep[];
  /** Block and input steps that wait for a person now. */
  blocks: ScheduledStep[];
  /** Command and trigger steps whose end stops the step. */
  failed: ScheduledStep[];
  /** Keys of `depends_on` that no step of the build has. */
  missing: string[];
  /** Whether the step waits for itself. */
  cycle: boolean;
}

/** A place on the way back from a step; `ignore` is what all ways to it ignore. */
interface StepNode {
  node: number;
  ignore: number;
}

/**
 * Finds the steps that hold back the steps of one build, on the scheduler's own graph. Skips waits, groups and blocks
 * that are not reached yet, and finds the steps behind them, because a person can act on those.
 */
export class BuildHolds {
  private readonly nodes: readonly GraphNode[];
  private readonly nodeOf = new Map<string, number>();
  private readonly steps: ReadonlyMap<string, ScheduledStep>;
  private readonly keys: ReadonlySet<string>;
  private readonly jobs = new Map<string, ScheduledJob[]>();
  private readonly order: ReadonlyMap<string, number>;
  private readonly known = new Map<string, HeldBy>();

  constructor({ steps, jobs }: Pick<ScheduleFacts, 'steps' | 'jobs'>) {
    for (const job of jobs) {
      if (job.retried) continue;
      const list = this.jobs.get(job.stepId);
      if (list) list.push(job);
      else this.jobs.set(job.stepId, [job]);
    }
    this.steps = new Map(steps.map((step) => [step.id, step]));
    this.keys = new Set(steps.flatMap(({ key }) => key ?? []));
    this.order = new Map(steps.map(({ id }, index) => [id, index]));
    this.nodes = buildDependencyGraph(steps, (step) => this.isAbsent(step)).nodes;
    this.nodes.forEach(({ step }, index) => step && this.nodeOf.set(step.id, index));
  }

  /** The latest attempts of a step's jobs. */
  jobsOf(stepId: string): readonly ScheduledJob[] {
    return this.jobs.get(stepId) ?? [];
  }

  of(stepId: string): HeldBy {
    let obstacles = this.known.get(stepId);
    if (!obstacles) this.known.set(stepId, (obstacles = this.find(stepId)));
    return obstacles;
  }

  private find(stepId: string): HeldBy {
    const step = this.steps.get(stepId);
    const start = this.nodes[this.nodeOf.get(stepId) ?? -1];
    const obstacles: HeldBy = { unfinished: [], blocks: [], failed: [], missing: [], cycle: false };
    if (!step || !start) return obstacles;
    obstacles.missing = this.missingKeys(step);
    obstacles.cycle = (start.fixed & CYCLE) !== 0;
    // Two ways to a node may ignore different things: it is visited again where a way ignores less.
    const visited = new Map<number, number>();
    const places: StepNode[] = start.edges.map(({ node, ignore }) => ({ node, ignore }));
    for (let place = places.pop(); place !== undefined; place = places.pop()) {
      const before = visited.get(place.node);
      if (before !== undefined && (before & ~place.ignore) === 0) continue;
      const ignore = before === undefined ? place.ignore : before & place.ignore;
      visited.set(place.node, ignore);
      const node = this.nodes[place.node];
      if (!node || (node.step && !this.looksThrough(node.step, ignore, obstacles))) continue;
      for (const edge of node.edges) places.push({ node: edge.node, ignore: ignore | edge.ignore });
    }
    for (const list of [obstacles.unfinished, obstacles.blocks, obstacles.failed])
      list.sort((a, b) => (this.order.get(a.id) ?? 0) - (this.order.get(b.id) ?? 0));
    return obstacles;
  }

  /** Notes a step where it holds others; true where the reason lies behind it. */
  private looksThrough(step: ScheduledStep, ignore: number, obstacles: HeldBy): boolean {
    const jobs = this.jobsOf(step.id);
    const ordering = step.type === 'wait' || step.type === 'block' || step.type === 'input';
    if (jobs.some((job) => !isSettled(job.state))) {
      if (ordering && !jobs.some(({ state }) => state === 'blocked')) return true;
      addOnce(ordering ? obstacles.blocks : obstacles.unfinished, step);
      return false;
    }
    if (!jobs.some(isHardFailure)) return false;
    // A step that was stopped by the failure of another one is not the reason.
    if (jobs.every(({ state }) => state === 'waiting_failed' || state === 'blocked_failed')) return true;
    const ended = jobs.some(({ state }) => state === 'canceled' || state === 'expired');
    if (ended || (ignore & FAILED) === 0) addOnce(obstacles.failed, step);
    return false;
  }

  private missingKeys(step: ScheduledStep): string[] {
    const group = step.groupId === null ? undefined : this.steps.get(step.groupId);
    const named = [...(step.dependsOn ?? []), ...(group?.dependsOn ?? [])].map((dependency) => dependency.step);
    return [...new Set(named)].filter((key) => !this.keys.has(key));
  }

  private isAbsent(step: ScheduledStep): boolean {
    const jobs = this.jobsOf(step.id);
    return jobs.length > 0 && jobs.every(({ state }) => state === 'skipped' || state === 'broken');
  }
}

function addOnce(list: ScheduledStep[], step: ScheduledStep): void {
  if (!list.includes(step)) list.push(step);
}
