import { limits } from '../../limits/limits.js';
import type { FieldProblem } from '../../problem.js';
import { branchFilterProblem } from '../test-filters.js';

/** What a workflow looks at. */
export const monitorTypes = ['transition_count', 'passed_on_retry', 'new_test', 'duration'] as const;
export type MonitorType = (typeof monitorTypes)[number];

/** Executions that a monitor of durations looks back on where nobody says how many. */
export const usualWindow = 5;

/** A monitor with its settings; those that its type does not have are null. */
export interface Monitor {
  type: MonitorType;
  /** Branches whose executions count, as filters of branches are written; null for all. */
  branch: string | null;
  /** Executions that it looks back on. */
  window: number | null;
  /** At this value, or above, the test is in alarm. */
  alarm: number | null;
  /** At this value, or below, a test in alarm has recovered. */
  recover: number | null;
}

/** A monitor as a caller names it. */
export type MonitorInput = { type: MonitorType } & {
  [Setting in keyof Omit<Monitor, 'type'>]?: Monitor[Setting] | undefined;
};

const settings = ['branch', 'window', 'alarm', 'recover'] as const;
/** Types whose value is measured over a window and compared with thresholds. */
export const isMeasuring = (type: MonitorType): boolean => type === 'transition_count' || type === 'duration';

/** The monitor that an input names, with what is usual where it says nothing. */
export function monitorOf(input: MonitorInput): Monitor {
  const { type, branch = null, window = null, alarm = null, recover = null } = input;
  return {
    type,
    branch: branch === '' ? null : branch,
    window: window ?? (type === 'duration' ? usualWindow : null),
    alarm,
    recover,
  };
}

/** What is wrong with the settings of a monitor, by field; empty if nothing is. */
export function monitorProblems(monitor: Monitor): FieldProblem[] {
  const { type } = monitor;
  if (!isMeasuring(type))
    return settings
      .filter((field) => monitor[field] !== null)
      .map((field) => ({ field, code: `is not for monitors of the type ${type}` }));
  const missing = settings
    .filter((field) => monitor[field] === null && (field !== 'branch' || type === 'transition_count'))
    .map((field) => ({ field, code: 'missing' }));
  return missing.length > 0 ? missing : valueProblems(monitor);
}

function valueProblems({ type, branch, alarm, recover }: Monitor): FieldProblem[] {
  const most = type === 'duration' ? limits.testWorkflowSeconds : 1;
  const problems: FieldProblem[] = [];
  const branchProblem = branch === null ? null : branchFilterProblem(branch);
  if (branchProblem !== null) problems.push({ field: 'branch', code: branchProblem });
  if (alarm === null || recover === null) return problems;
  if (!(alarm > 0 && alarm <= most)) problems.push({ field: 'alarm', code: `must be above 0 and at most ${most}` });
  if (!(recover >= 0 && recover < alarm))
    problems.push({ field: 'recover', code: 'must be at least 0 and below the threshold of the alarm' });
  return problems;
}
