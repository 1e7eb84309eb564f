import { matrixJobs, matrixValue, parseMatrix, type MatrixJob, type Permutation } from './matrix/matrix.js';
import { substituteMatrix, substituteMatrixIn } from './matrix/tokens.js';
import type { BlockStep, CommandStep, Json, SoftFail, TriggerStep, WaitStep } from './step.js';

/** Build facts that decide whether a step's jobs can run. */
export interface BuildFacts {
  /** Whether the build's branch matches patterns separated by spaces. */
  branchMatches(patterns: string): boolean;
  conditionHolds(expression: string): boolean;
}

/** One job of a step, with all tokens of the matrix replaced. */
export interface PlannedJob {
  type: 'command' | 'trigger' | 'wait' | 'block' | 'input';
  stepKey: string | null;
  label: string | null;
  command: string | null;
  env: Record<string, string>;
  plugins: Json[] | null;
  /** `key=value` rules. */
  agents: string[];
  /** 0 to total - 1; both null where the step has no parallelism. */
  parallelGroupIndex: number | null;
  parallelGroupTotal: number | null;
  matrix: string | Permutation | null;
  softFail: SoftFail;
  /**
   * Why the job can never run: a skip reason, `branch_mismatch`, `conditional_failed` or `parallelism_zero`; null where
   * it can.
   */
  brokenReason: string | null;
}

type PlainStep = CommandStep | TriggerStep | WaitStep | BlockStep;

/**
 * The jobs of a step: one for each place of its parallelism or combination of its matrix, one where it has neither. A
 * step that is skipped or does not apply to the build makes the same jobs, all broken; parallelism 0 makes one broken
 * job.
 * @throws MatrixTokenError where the step was not parsed by parsePipeline
 */
export function expandStep(step: PlainStep, facts: BuildFacts): PlannedJob[] {
  return [...planJobs(step, facts)];
}

/**
 * Yields the planned jobs one by one, for callers that stop early: each job of a matrix has texts of its own, which
 * cost memory.
 */
export function* planJobs(step: PlainStep, facts: BuildFacts): Generator<PlannedJob> {
  const job: PlannedJob = {
    type: step.type,
    stepKey: step.key,
    label: step.label,
    command: step.type === 'command' ? step.command : null,
    env: step.type === 'command' ? step.env : {},
    plugins: step.type === 'command' ? step.plugins : null,
    agents: step.type === 'command' ? step.agents : [],
    parallelGroupIndex: null,
    parallelGroupTotal: null,
    matrix: null,
    softFail: 'softFail' in step ? step.softFail : false,
    brokenReason: brokenReason(step, facts),
  };
  if (step.type === 'command' && step.matrix !== null)
    for (const each of matrixPlan(step.matrix)) yield inMatrix(job, each);
  else if ('parallelism' in step && step.parallelism !== null) yield* inParallel(job, step.parallelism);
  else yield job;
}

function brokenReason(step: PlainStep, facts: BuildFacts): string | null {
  if (step.skip !== false) return step.skip === '' ? 'skipped' : step.skip;
  if (step.branches !== null && !facts.branchMatches(step.branches)) return 'branch_mismatch';
  return step.if !== null && !facts.conditionHolds(step.if) ? 'conditional_failed' : null;
}

function inParallel(job: PlannedJob, total: number): PlannedJob[] {
  if (total === 0) return [{ ...job, brokenReason: job.brokenReason ?? 'parallelism_zero' }];
  return Array.from({ length: total }, (_none, index) => ({
    ...job,
    label: job.label === null ? null : numbered(job.label, index, total),
    parallelGroupIndex: index,
    parallelGroupTotal: total,
  }));
}

/** A label's `%n` (index from 0), `%N` (from 1) and `%t` (total). */
function numbered(label: string, index: number, total: number): string {
  const numbers: Readonly<Record<string, number>> = { '%n': index, '%N': index + 1, '%t': total };
  return label.replace(/%[nNt]/g, (token) => String(numbers[token]));
}

function matrixPlan(matrix: Json): MatrixJob[] {
  const result = parseMatrix(matrix);
  return result.ok ? matrixJobs(result.matrix) : [];
}

function inMatrix(job: PlannedJob, { permutation, softFail }: MatrixJob): PlannedJob {
  const put = (text: string): string => substituteMatrix(text, permutation);
  return {
    ...job,
    label: job.label === null ? null : put(job.label),
    command: job.command === null ? null : put(job.command),
    env: Object.fromEntries(Object.entries(job.env).map(([name, value]) => [name, put(value)])),
    plugins: job.plugins?.map((plugin) => substituteMatrixIn(plugin, permutation)) ?? null,
    agents: job.agents.map(put),
    matrix: matrixValue(permutation),
    softFail: softFail ?? job.softFail,
  };
}
