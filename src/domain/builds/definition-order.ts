import type { PipelineDefinition, Step } from '../pipelines/steps/step.js';
import { buildDependencyGraph, CYCLE, type DependencyGraph } from './dependency-graph.js';
import type { ScheduledStep } from './schedule-facts.js';

/** A step of a definition with its place; children follow their group. */
export interface PlacedStep {
  step: Step;
  /** Such as `steps[2]`, or `steps[2].steps[0]` inside a group. */
  path: string;
  /** Index of the enclosing group in the same list, or null. */
  group: number | null;
}

/** The steps of a definition in order. */
export function placeSteps(definition: Pick<PipelineDefinition, 'steps'>): PlacedStep[] {
  const placed: PlacedStep[] = [];
  definition.steps.forEach((step, index) => {
    const path = `steps[${index}]`;
    const group = placed.push({ step, path, group: null }) - 1;
    if (step.type !== 'group') return;
    step.steps.forEach((child, at) => placed.push({ step: child, path: `${path}.steps[${at}]`, group }));
  });
  return placed;
}

/** Which steps of a definition run after which, by the rules of the scheduler. Steps are named by their index. */
export class DefinitionOrder {
  private readonly graph: DependencyGraph;
  private readonly nodeOf: number[];

  constructor(placed: readonly PlacedStep[]) {
    const steps = placed.map(scheduledStep);
    this.graph = buildDependencyGraph(steps, () => false);
    const nodes = new Map(this.graph.nodes.map(({ step }, node) => [step?.id, node]));
    this.nodeOf = steps.map(({ id }) => nodes.get(id) ?? -1);
  }

  /** Steps that a step waits for itself, not through others; of a group none, its children have them. */
  directlyBefore(index: number): number[] {
    return this.walk(index, false);
  }

  /** Every step that has to end before a step may run. */
  allBefore(index: number): number[] {
    return this.walk(index, true);
  }

  /** Whether the step waits for itself. */
  isCyclic(index: number): boolean {
    return ((this.graph.nodes[this.nodeOf[index] ?? -1]?.fixed ?? 0) & CYCLE) !== 0;
  }

  private walk(index: number, through: boolean): number[] {
    const start = this.nodeOf[index] ?? -1;
    const visited = new Set<number>();
    const cycle = new Set<number>();
    const pending = [start];
    for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
      for (const edge of this.graph.nodes[node]?.edges ?? []) {
        if (visited.has(edge.node)) continue;
        visited.add(edge.node);
        const step = this.graph.nodes[edge.node]?.step;
        if (step && edge.node !== start) cycle.add(Number(step.id));
        if (!step || through) pending.push(edge.node);
      }
    }
    return [...cycle].sort((a, b) => a - b);
  }
}

function scheduledStep({ step, group }: PlacedStep, index: number): ScheduledStep {
  return {
    id: String(index),
    key: step.key,
    type: step.type,
    groupId: group === null ? null : String(group),
    dependsOn: step.dependsOn,
    allowDependencyFailure: step.allowDependencyFailure,
    continueOnFailure: step.type === 'wait' && step.continueOnFailure,
    blockedState: null,
    softFail: false,
    uploadedByStepId: null,
  };
}
