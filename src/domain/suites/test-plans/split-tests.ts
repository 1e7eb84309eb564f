import type { FormatTimings, PlannedTest, TargetFormat, TestTarget, Timing } from './test-plan.js';

/** Milliseconds that a target takes where nothing is known of any. */
const defaultMs = 1_000;

export interface Estimates {
  tests: PlannedTest[];
  timings: Partial<Record<TargetFormat, FormatTimings>>;
  known: number | null;
}

/**
 * Estimates each target: by its own history, else by the median of the known ones of its format in this plan, else by a
 * default. `timings` has the history by target, where there is one.
 */
export function estimate(targets: readonly TestTarget[], timings: ReadonlyMap<TestTarget, Timing>): Estimates {
  const known = new Map<TargetFormat, number[]>();
  for (const target of targets) {
    const durations = known.get(target.format) ?? [];
    known.set(target.format, durations);
    const timing = timings.get(target);
    if (timing) durations.push(timing.ms);
  }
  const byFormat = new Map([...known].map(([format, durations]) => [format, medianOf(durations)]));
  return {
    tests: targets.map((target) => {
      const timing = timings.get(target);
      const ms = timing?.ms ?? byFormat.get(target.format) ?? defaultMs;
      return { ...target, estimate: Math.round(ms), samples: timing?.samples ?? 0 };
    }),
    timings: Object.fromEntries([...byFormat].map(([format, median]) => [format, { median, default: defaultMs }])),
    known: targets.length === 0 ? null : targets.filter((target) => timings.has(target)).length / targets.length,
  };
}

function medianOf(values: readonly number[]): number | null {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = sorted.length / 2;
  const [low, high] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  return low === undefined || high === undefined ? null : (low + high) / 2;
}

export interface WantedNodes {
  /** Nodes that run, each of which looks for its tests. */
  parallelism: number;
  /** Most nodes, where the plan is to say how many run. */
  maxParallelism: number | null;
  /** Seconds that the tests of a node are to take. */
  targetTime: number | null;
}

/**
 * Nodes that the tests are dealt out to: as many as run, or, where the plan is to say, as few as keep to the target
 * time, and none without a test.
 */
export function nodesOf({ parallelism, maxParallelism, targetTime }: WantedNodes, tests: readonly PlannedTest[]) {
  if (maxParallelism === null) return parallelism;
  if (tests.length === 0) return 0;
  const total = tests.reduce((sum, each) => sum + each.estimate, 0);
  const needed = targetTime === null ? maxParallelism : Math.ceil(total / 1000 / targetTime);
  return Math.max(1, Math.min(maxParallelism, needed, tests.length));
}

/**
 * Deals tests out to nodes, the longest first, each to the node with the least so far, ties by name, so that the same
 * tests give the same nodes whatever their order. Within a node tests are in the order they were given.
 */
export function splitTests(tests: readonly PlannedTest[], nodes: number): PlannedTest[][] {
  const loads = Array.from({ length: nodes }, () => 0);
  const places = tests.map((_, place) => place).sort((one, other) => compare(tests, one, other));
  const nodeOf = new Map<number, number>();
  for (const place of places) {
    const node = leastOf(loads);
    loads[node] = (loads[node] ?? 0) + (tests[place]?.estimate ?? 0);
    nodeOf.set(place, node);
  }
  const split: PlannedTest[][] = loads.map(() => []);
  for (const [place, test] of tests.entries()) split[nodeOf.get(place) ?? 0]?.push(test);
  return split;
}

function compare(tests: readonly PlannedTest[], one: number, other: number): number {
  const [first, second] = [tests[one], tests[other]];
  if (!first || !second) return 0;
  if (first.estimate !== second.estimate) return second.estimate - first.estimate;
  return compareTexts(first.path, second.path) || compareTexts(fullName(first), fullName(second)) || one - other;
}

const fullName = ({ scope = '', name = '' }: TestTarget) => `${scope}\0${name}`;
const compareTexts = (one: string, other: string) => Number(one > other) - Number(one < other);

function leastOf(loads: readonly number[]): number {
  let least = 0;
  for (let node = 1; node < loads.length; node += 1) if ((loads[node] ?? 0) < (loads[least] ?? 0)) least = node;
  return least;
}
