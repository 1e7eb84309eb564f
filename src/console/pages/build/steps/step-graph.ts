import type { JobView } from './job-view';

/** A step with its jobs, as the graph sees it. */
export interface StepNode {
  id: string;
  name: string;
  jobs: JobView[];
  /** Ids of the steps that it waits for. */
  after: string[];
}

/**
 * The steps of a build and what each waits for: its `depends_on`, where a key of a group stands for its steps, else the
 * order of the steps, in which waits and blocks divide.
 */
export function stepGraph(jobs: readonly JobView[]): StepNode[] {
  const nodes = new Map<string, StepNode>();
  for (const job of jobs) {
    const id = job.step?.uuid ?? job.uuid;
    const node = nodes.get(id);
    if (node) node.jobs.push(job);
    else nodes.set(id, { id, name: job.name, jobs: [job], after: [] });
  }
  const byKey = new Map<string, string[]>();
  for (const { id, jobs: own } of nodes.values()) {
    const key = own[0]?.step?.key;
    if (key) byKey.set(key, [id]);
  }
  for (const [key, steps] of groupSteps([...nodes.values()])) byKey.set(key, steps);
  connect([...nodes.values()], byKey);
  return [...nodes.values()];
}

function connect(nodes: StepNode[], byKey: Map<string, string[]>) {
  let divider: string | null = null;
  let sinceDivider: string[] = [];
  for (const node of nodes) {
    const [job] = node.jobs;
    const divides = job?.type === 'wait' || job?.type === 'block';
    const dependsOn = job?.step?.dependsOn;
    if (dependsOn) node.after = dependsOn.flatMap((key) => byKey.get(key) ?? []);
    else if (divides) node.after = sinceDivider.length > 0 || divider === null ? sinceDivider : [divider];
    else node.after = divider === null ? [] : [divider];
    if (divides && !dependsOn) {
      divider = node.id;
      sinceDivider = [];
    } else if (!dependsOn) {
      sinceDivider = [...sinceDivider, node.id];
    }
  }
}

const endOf = (node: StepNode) => Math.max(...node.jobs.map(({ finishedAt }) => finishedAt ?? 0), 0);

/**
 * When all that a step waits for had ended, by its id; 0 for a step that waits for nothing. A wait ends with what it
 * waits for.
 */
export function endsBefore(nodes: readonly StepNode[]): Map<string, number> {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const ends = new Map<string, number>();
  const before = ({ after }: StepNode) => Math.max(0, ...after.map(end));
  const end = (id: string): number => {
    const known = ends.get(id);
    const node = byId.get(id);
    if (known !== undefined || !node) return known ?? 0;
    // A circle, which no build has, ends here.
    ends.set(id, endOf(node));
    const value = Math.max(endOf(node), before(node));
    ends.set(id, value);
    return value;
  };
  return new Map(nodes.map((node) => [node.id, before(node)]));
}

/** Steps of each group, by the group's key; groups are known only through their steps. */
function groupSteps(nodes: readonly StepNode[]): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const { id, jobs } of nodes) {
    const key = jobs[0]?.step?.groupKey;
    if (key) groups.set(key, [...(groups.get(key) ?? []), id]);
  }
  return groups;
}
