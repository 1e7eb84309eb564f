import { describe, expect, test } from 'vitest';
import type { Attempts, JobView } from '../../../src/console/pages/build/steps/job-view';
import { commonLabel, failedOf, stepRows, worstState } from '../../../src/console/pages/build/steps/step-rows';

const job = (fields: Partial<JobView>): Attempts => ({
  job: {
    uuid: 'u',
    id: 'i',
    type: 'command',
    name: 'Job',
    label: fields.name ?? 'Job',
    state: 'PASSED',
    retried: false,
    step: null,
    createdAt: null,
    runnableAt: null,
    startedAt: null,
    finishedAt: null,
    retriedIn: null,
    unblockable: false,
    exitStatus: null,
    detail: null,
    triggered: null,
    ...fields,
  },
  earlier: [],
});
const parallel = (count: number, failed: number[] = []) =>
  Array.from({ length: count }, (_, index) =>
    job({
      uuid: `e2e-${index}`,
      name: `E2E ${index + 1}`,
      step: { uuid: 'e2e' },
      state: failed.includes(index) ? 'FAILED' : 'PASSED',
      detail: `${index + 1} of ${count}`,
    }),
  );
const everything = { text: '', onlyFailed: false };

describe('rows of the list of steps', () => {
  test('50 parallel jobs of a step are one row, which says how many passed and names those that failed', () => {
    const rows = stepRows([job({ name: 'Build' }), ...parallel(50, [3, 7, 9]), job({ name: 'Deploy' })], everything);
    expect(rows).toHaveLength(3);
    const set = rows[1]?.set;
    expect(set).toMatchObject({ label: 'E2E', passed: 47, state: 'FAILED' });
    expect(set && failedOf(set).map(({ job: { name } }) => name)).toEqual(['E2E 4', 'E2E 8', 'E2E 10']);
  });

  test('a few jobs of a step are rows of their own, and so are jobs without one', () => {
    expect(stepRows([...parallel(4), job({}), job({})], everything)).toHaveLength(6);
  });

  test('a filter lists single jobs: those that failed, or with every word in label, key, group or detail', () => {
    const jobs = [
      ...parallel(50, [3]),
      job({ type: 'wait', name: 'Wait' }),
      job({ name: 'Lint', step: { uuid: 's', key: 'style', groupLabel: 'Checks' } }),
    ];
    const found = (text: string, onlyFailed = false) =>
      stepRows(jobs, { text, onlyFailed }).map((row) => row.job?.job.name);
    expect(found('', true)).toEqual(['E2E 4']);
    expect(found('checks style')).toEqual(['Lint']);
    expect(found('e2e 17')).toEqual(['E2E 17']);
    expect(found('wait')).toEqual([]);
  });

  test.each([
    [['E2E 1', 'E2E 2', 'E2E 10'], 'E2E'],
    [['Tests (1/3)', 'Tests (2/3)'], 'Tests'],
    [['Same', 'Same'], 'Same'],
    [['linux', 'macos'], 'linux'],
    [[':go: Test 1', ':go: Test 12'], ':go: Test'],
    [[], ''],
  ])('%j are called %s together', (labels, label) => {
    expect(commonLabel(labels)).toBe(label);
  });

  test('the worst of several states is shown', () => {
    const state = (...states: string[]) => worstState(states.map((each) => job({ state: each }).job));
    expect([state('PASSED', 'FAILED', 'RUNNING'), state('PASSED', 'RUNNING'), state('PASSED', 'PASSED')]).toEqual([
      'FAILED',
      'RUNNING',
      'PASSED',
    ]);
  });
});
