import type { ScheduledStep } from './schedule-facts.js';
import { sortTopologically } from './topological-order.js';

/** State of a node for its dependents, as a bit mask; 0 is satisfied. Masks of several nodes are joined with `|`. */
export const PENDING = 1;
/** Failed or not run; `allow_failure` ignores this one and no other. */
export const FAILED = 2;
/** Canceled or expired: stops dependents even where failures are allowed. */
export const CANCELED = 4;
/** A dependency names a key that no step has. */
export const MISSING = 8;
export const CYCLE = 16;
/**
 * An unreleased block or input step is somewhere ahead. It makes a job `blocked` instead of `waiting`; only waiting
 * jobs keep their place in a concurrency group.
 */
export const HELD = 32;
export type Mask = number;

/** A dependency on another node that ignores the bits in `ignore`. */
interface Edge {
  node: number;
  ignore: Mask;
}

/** Either a step (its mask comes from its jobs, and the edges are its gate) or a joint of other nodes. */
export interface GraphNode {
  step: ScheduledStep | null;
  edges: Edge[];
  fixed: Mask;
}

export interface DependencyGraph {
  nodes: GraphNode[];
  /** Every node once, each after all it depends on; members of a cycle have CYCLE in `fixed`. */
  order: number[];
}

/** The steps around one barrier at one level: the top of the pipeline, or the inside of a group. */
interface Level {
  children: ScheduledStep[];
  /** Whether the run of neighbouring barriers at this child holds a block, per child. */
  besideBlock: boolean[];
  /** Dependencies of children without explicit dependencies. */
  implicit: Edge[];
  /** Dependencies of all children, from an explicit dependency of their group. */
  explicit: Edge[];
}

/**
 * Builds the dependency graph of a build. Each level has one joint for "all before" and one for "all barriers passed",
 * so the graph is linear in steps and dependencies. `isAbsent`: whether a wait or block was skipped and orders nothing.
 */
export function buildDependencyGraph(
  steps: readonly ScheduledStep[],
  isAbsent: (step: ScheduledStep) => boolean,
): DependencyGraph {
  return new GraphBuilder(steps, isAbsent).build();
}

const isBarrier = (step: ScheduledStep): boolean => step.type === 'wait' || step.type === 'block';

class GraphBuilder {
  private readonly nodes: GraphNode[] = [];
  private readonly byId = new Map<string, ScheduledStep>();
  private readonly byKey = new Map<string, ScheduledStep>();
  private readonly children = new Map<string | null, ScheduledStep[]>();
  private readonly uploads = new Map<string, ScheduledStep[]>();
  /** Node of a step; for a group, of all its children without the steps they uploaded. */
  private readonly own = new Map<string, number>();
  /**
   * Node of a step or group with all steps it uploaded, recursively: the target of a dependency by key. Computed on
   * first use.
   */
  private readonly whole = new Map<string, number>();
  /** Implicit dependency of uploaded steps on their uploader exists only once anything is explicit (DAG mode). */
  private readonly dagMode: boolean;

  constructor(
    private readonly steps: readonly ScheduledStep[],
    private readonly isAbsent: (step: ScheduledStep) => boolean,
  ) {
    for (const step of steps) {
      this.byId.set(step.id, step);
      if (step.key !== null && !this.byKey.has(step.key)) this.byKey.set(step.key, step);
    }
    for (const step of steps) {
      const group = step.groupId !== null && this.byId.has(step.groupId) ? step.groupId : null;
      append(this.children, group, step);
      if (step.uploadedByStepId !== null) append(this.uploads, step.uploadedByStepId, step);
      this.own.set(step.id, this.add(step.type === 'group' ? null : step));
    }
    this.dagMode = steps.some((step) => step.type === 'group' || step.dependsOn !== null);
  }

  build(): DependencyGraph {
    for (const step of this.steps) if (step.type === 'group') this.joinGroup(step);
    this.connectLevel(this.level(null, [], []));
    const dependencies = this.nodes.map(({ edges }) => edges.map(({ node }) => node));
    const { order, cyclic } = sortTopologically(dependencies, (node) => this.nodes[node]?.step != null);
    for (const node of cyclic) (this.nodes[node] as GraphNode).fixed |= CYCLE;
    return { nodes: this.nodes, order };
  }

  private add(step: ScheduledStep | null, edges: Edge[] = []): number {
    return this.nodes.push({ step, edges, fixed: 0 }) - 1;
  }

  private ownNode(step: ScheduledStep): number {
    return this.own.get(step.id) as number;
  }

  private joinGroup(group: ScheduledStep): void {
    const edges = (this.children.get(group.id) ?? []).map((child) => ({ node: this.ownNode(child), ignore: 0 }));
    (this.nodes[this.ownNode(group)] as GraphNode).edges = edges;
  }

  private wholeNode(step: ScheduledStep): number {
    const known = this.whole.get(step.id);
    if (known !== undefined) return known;
    const parts = [
      ...(step.type === 'group' ? (this.children.get(step.id) ?? []) : []),
      ...(this.uploads.get(step.id) ?? []),
    ];
    if (parts.length === 0) return this.ownNode(step);
    const edges: Edge[] = step.type === 'group' ? [] : [{ node: this.ownNode(step), ignore: 0 }];
    const node = this.add(null, edges);
    this.whole.set(step.id, node);
    for (const part of parts) edges.push({ node: this.wholeNode(part), ignore: 0 });
    return node;
  }

  private level(group: string | null, implicit: Edge[], explicit: Edge[]): Level {
    const children = (this.children.get(group) ?? []).filter((child) => !(isBarrier(child) && this.isAbsent(child)));
    return { children, besideBlock: markRunsWithBlock(children), implicit, explicit };
  }

  private connectLevel(level: Level): void {
    let before: Edge[] = [];
    let open: Edge[] = [];
    let lastBarrier: ScheduledStep | null = null;
    level.children.forEach((step, index) => {
      const node = this.nodes[this.ownNode(step)] as GraphNode;
      if (!isBarrier(step)) {
        // A barrier from the same upload already waits for the uploader.
        const uploader =
          lastBarrier !== null && lastBarrier.uploadedByStepId === step.uploadedByStepId
            ? []
            : this.uploaderEdge(step, 0);
        if (step.type === 'group') this.connectGroup(step, [...open, ...uploader]);
        else this.connectStep(step, node, [...open, ...level.implicit, ...uploader], level.explicit);
        before.push({ node: this.ownNode(step), ignore: 0 });
        return;
      }
      const carriesOn = step.type === 'wait' && step.continueOnFailure && level.besideBlock[index] !== true;
      const all = this.add(null, before);
      before = [{ node: all, ignore: 0 }];
      const ignore = carriesOn ? FAILED : 0;
      const implicit = [{ node: all, ignore }, ...open, ...level.implicit, ...this.uploaderEdge(step, ignore)];
      this.connectStep(step, node, implicit, level.explicit, carriesOn);
      const passed = this.add(null, [...open, { node: this.ownNode(step), ignore: 0 }]);
      open = [{ node: passed, ignore: 0 }];
      lastBarrier = step;
    });
  }

  private uploaderEdge(step: ScheduledStep, ignore: Mask): Edge[] {
    const node = this.dagMode && step.uploadedByStepId !== null ? this.own.get(step.uploadedByStepId) : undefined;
    return node === undefined ? [] : [{ node, ignore }];
  }

  private connectGroup(group: ScheduledStep, open: Edge[]): void {
    const gate = this.add(null);
    this.connectStep(group, this.nodes[gate] as GraphNode, open, []);
    const edge = [{ node: gate, ignore: 0 }];
    this.connectLevel(this.level(group.id, edge, group.dependsOn === null ? [] : edge));
  }

  /** Connects a step's gate to its explicit dependencies, or to the implicit ones if it has none. */
  private connectStep(
    step: ScheduledStep,
    gate: GraphNode,
    implicit: Edge[],
    explicit: Edge[],
    allowFailure = step.allowDependencyFailure,
  ): void {
    if (step.dependsOn === null) {
      gate.edges.push(...implicit);
      return;
    }
    gate.edges.push(...explicit);
    for (const dependency of step.dependsOn) {
      const target = this.byKey.get(dependency.step);
      if (target === undefined) {
        gate.fixed |= MISSING;
        continue;
      }
      // A step uploaded by the target cannot wait for all steps uploaded by the target: it is one of them.
      const node = this.isUploadedWithin(step, target) ? this.ownNode(target) : this.wholeNode(target);
      const ignore = dependency.allowFailure || allowFailure || step.allowDependencyFailure ? FAILED : 0;
      gate.edges.push({ node, ignore });
    }
  }

  private isUploadedWithin(step: ScheduledStep, target: ScheduledStep): boolean {
    const visited = new Set<string>();
    for (let current: ScheduledStep | undefined = step; current !== undefined && !visited.has(current.id);) {
      visited.add(current.id);
      const uploader: string | null =
        current.uploadedByStepId ??
        (current.groupId === null ? null : (this.byId.get(current.groupId)?.uploadedByStepId ?? null));
      current = uploader === null ? undefined : this.byId.get(uploader);
      if (current !== undefined && (current.id === target.id || current.groupId === target.id)) return true;
    }
    return false;
  }
}

function append<Key, Item>(lists: Map<Key, Item[]>, key: Key, item: Item): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [item]);
  else list.push(item);
}

/**
 * Marks the waits and blocks of each uninterrupted run that contains a block: its waits are ignored, only the block
 * acts.
 */
function markRunsWithBlock(children: readonly ScheduledStep[]): boolean[] {
  const marks = new Array<boolean>(children.length).fill(false);
  for (let start = 0; start < children.length; start++) {
    let end = start;
    while (end < children.length && isBarrier(children[end] as ScheduledStep)) end++;
    if (children.slice(start, end).some((step) => step.type === 'block')) marks.fill(true, start, end);
    start = end;
  }
  return marks;
}
