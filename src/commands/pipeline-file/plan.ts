import { DefinitionOrder, placeSteps } from '../../domain/builds/definition-order.js';
import { expandStep, type PlannedJob } from '../../domain/pipelines/steps/expand.js';
import type { PipelineDefinition, Step } from '../../domain/pipelines/steps/step.js';
import { firstLine } from '../../domain/first-line.js';

/** One step of a plan; its place in the list, from 1, names it for the others. */
export interface PlannedStep {
  number: number;
  type: Step['type'];
  key: string | null;
  label: string | null;
  /** Number of the group the step is in. */
  group: number | null;
  /** Numbers of the steps that the step waits for. */
  after: number[];
  /** Keys it depends on that no step of the file has: another upload may bring them. */
  unknown_dependencies: string[];
  if: string | null;
  branches: string | null;
  agents: string[];
  jobs: { label: string | null; command: string | null; matrix: PlannedJob['matrix']; skipped: string | null }[];
}

export interface Plan {
  steps: PlannedStep[];
  /** Jobs that run commands or start builds; waits and blocks are not counted. */
  jobs: number;
}

/** Plans a definition: every `if` and `branches` is taken to hold, since no build decides yet. */
export function planDefinition(definition: PipelineDefinition): Plan {
  const placed = placeSteps(definition);
  const order = new DefinitionOrder(placed);
  const keys = new Set(placed.map(({ step }) => step.key));
  const facts = { branchMatches: () => true, conditionHolds: () => true };
  const steps = placed.map(({ step, group }, index): PlannedStep => {
    const jobs = step.type === 'group' ? [] : expandStep(step, facts);
    return {
      number: index + 1,
      type: step.type,
      key: step.key,
      label: step.label,
      group: group === null ? null : group + 1,
      after: order.directlyBefore(index).map((before) => before + 1),
      unknown_dependencies: (step.dependsOn ?? []).map(({ step: key }) => key).filter((key) => !keys.has(key)),
      if: step.if,
      branches: step.branches,
      agents: step.type === 'command' ? step.agents : [],
      jobs: jobs.map(({ label, command, matrix, brokenReason }) => ({ label, command, matrix, skipped: brokenReason })),
    };
  });
  const counted = steps.filter(({ type }) => type === 'command' || type === 'trigger');
  return { steps, jobs: counted.reduce((sum, step) => sum + step.jobs.length, 0) };
}

/** A plan for people: one line a step. */
export function describePlan(name: string, plan: Plan): string {
  const rows = plan.steps.map((step) => [
    `${step.group === null ? '' : '  '}${step.number}.`,
    nameOf(step),
    step.type,
    step.jobs.length > 1 ? `${step.jobs.length} jobs` : '',
    notes(step),
  ]);
  const widths = [0, 1, 2, 3].map((column) => Math.max(0, ...rows.map((row) => (row[column] ?? '').length)));
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  return [`${name}: ${count(plan.steps.length, 'step')}, ${count(plan.jobs, 'job')}`, ...lines].join('\n');
}

function nameOf({ label, key, jobs }: PlannedStep): string {
  const command = firstLine(jobs[0]?.command);
  const name = label ?? (command.length > 60 ? `${command.slice(0, 59)}…` : command);
  if (key === null) return name;
  return name === '' || name === key ? key : `${name} (${key})`;
}

function notes({ after, unknown_dependencies: unknown, if: condition, branches, jobs }: PlannedStep): string {
  const skipped = jobs[0]?.skipped ?? null;
  return [
    after.length > 0 ? `after ${ranges(after)}` : '',
    unknown.length > 0 ? `waits for ${unknown.join(', ')}, which this file does not have` : '',
    condition === null ? '' : `if ${condition}`,
    branches === null ? '' : `on branches ${branches}`,
    skipped === null ? '' : `skipped: ${skipped}`,
  ]
    .filter((note) => note !== '')
    .join('; ');
}

/** `1-3, 5` of 1, 2, 3, 5. */
function ranges(numbers: readonly number[]): string {
  const runs: [number, number][] = [];
  for (const number of numbers) {
    const last = runs.at(-1);
    if (last && last[1] === number - 1) last[1] = number;
    else runs.push([number, number]);
  }
  return runs.map(([first, last]) => (first === last ? String(first) : `${first}-${last}`)).join(', ');
}

const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`;
