import { limits } from '../../../domain/limits/limits.js';
import { type FieldProblem, invalid } from '../../../domain/problem.js';
import { truncateOrNull } from '../../../domain/suites/results/text.js';
import type { SuiteRunRow } from '../../../entities/database.js';
import { isStorable } from '../../../domain/input-text.js';

/** Origin of results as collectors send it (`run_env`). */
export type RunEnv = { key: string } & Pick<
  SuiteRunRow,
  'branch' | 'commitSha' | 'message' | 'sourceUrl' | 'ci' | 'number' | 'jobId'
>;

/** Reads `run_env`, of which only the key is essential; numbers count as their text, unknown keys are ignored. */
export function readRunEnv(input: Readonly<Record<string, unknown>>): RunEnv {
  const read = (name: string, length: number) => {
    const value = input[name];
    return truncateOrNull(typeof value === 'number' ? String(value) : value, length);
  };
  const key = typeof input['key'] === 'number' ? String(input['key']) : input['key'];
  const problem = keyProblem(key);
  if (problem !== null) throw invalid([problem]);
  return {
    key: key as string,
    branch: read('branch', limits.branchLength),
    commitSha: read('commit_sha', limits.commitLength),
    message: read('message', limits.testFailureLength),
    sourceUrl: read('url', limits.repositoryUrlLength),
    // Collectors spell it either way.
    ci: read('CI', limits.labelLength) ?? read('ci', limits.labelLength),
    number: read('number', limits.labelLength),
    jobId: read('job_id', limits.labelLength),
  };
}

function keyProblem(key: unknown): FieldProblem | null {
  const field = 'runEnv.key';
  if (key === undefined || key === null || key === '') return { field, code: 'missing' };
  if (typeof key !== 'string' || key.trim() === '') return { field, code: 'must be a text' };
  if (key.length > limits.testRunKeyLength)
    return { field, code: `is too long (maximum is ${limits.testRunKeyLength} characters)` };
  return isStorable(key) ? null : { field, code: 'contains characters that cannot be stored' };
}
