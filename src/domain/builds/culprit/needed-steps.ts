import { buildDependencyGraph, type DependencyGraph, FAILED } from '../dependency-graph.js';
import type { ScheduledStep } from '../schedule-facts.js';

/** A step that the build of one commit runs, and the steps that it waits for there. */
export interface NeededStep {
  id: string;
  dependsOn: { id: string; allowFailure: boolean }[];
}

/**
 * The command steps that have to run for some steps, in pipeline order: those and, all the way, what they depend on.
 * `passes` are steps that are left out: those that were skipped, and those whose uploads are steps already. Blocks,
 * triggers, waits and groups are left out always. What a step waited for through one of them it waits for itself.
 */
export function neededSteps(
  steps: readonly ScheduledStep[],
  targets: ReadonlySet<string>,
  passes: ReadonlySet<string>,
): NeededStep[] {
  const graph = buildDependencyGraph(steps, (step) => passes.has(step.id));
  const nodes = new Map(graph.nodes.map(({ step }, node) => [step?.id, node]));
  const runs = (step: ScheduledStep) => step.type === 'command' && (targets.has(step.id) || !passes.has(step.id));
  const needed = new Map<string, NeededStep>();
  const pending = steps.filter((step) => step.type === 'command' && targets.has(step.id)).map(({ id }) => id);
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    if (needed.has(id)) continue;
    const before = nearestBefore(graph, nodes.get(id) ?? -1, runs);
    const dependsOn = [...before].map(([stepId, allowFailure]) => ({ id: stepId, allowFailure }));
    needed.set(id, { id, dependsOn });
    pending.push(...before.keys());
  }
  return steps.flatMap(({ id }) => needed.get(id) ?? []);
}

/**
 * The nearest steps before a node that run, each with whether it may fail: only if every way to it passes an edge that
 * ignores failures.
 */
function nearestBefore(
  graph: DependencyGraph,
  start: number,
  runs: (step: ScheduledStep) => boolean,
): Map<string, boolean> {
  const nearest = new Map<string, boolean>();
  const visited = new Set<string>();
  const pending: [node: number, mayFail: boolean][] = [[start, false]];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [node, mayFail] = next;
    for (const edge of graph.nodes[node]?.edges ?? []) {
      const ignores = mayFail || (edge.ignore & FAILED) !== 0;
      const key = `${edge.node} ${ignores}`;
      if (edge.node === start || visited.has(key)) continue;
      visited.add(key);
      const step = graph.nodes[edge.node]?.step;
      if (step && runs(step)) nearest.set(step.id, ignores && (nearest.get(step.id) ?? true));
      else pending.push([edge.node, ignores]);
    }
  }
  return nearest;
}
