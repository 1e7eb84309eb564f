import { expandStep, type BuildFacts, type PlannedJob } from '../../../../src/domain/pipelines/steps/expand.js';
import { parsePipeline } from '../../../../src/domain/pipelines/steps/parse.js';
import type { GroupStep, Json, Step } from '../../../../src/domain/pipelines/steps/step.js';

const facts: BuildFacts = {
  branchMatches: (patterns) => patterns === 'main',
  conditionHolds: (expression) => expression === 'true',
};

function plan(attributes: Json): PlannedJob[] {
  const result = parsePipeline([attributes]);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return expandStep(result.definition.steps[0] as Exclude<Step, GroupStep>, facts);
}

describe('expandStep', () => {
  test('a plain step becomes one job', () => {
    expect(
      plan({
        command: 'make',
        label: 'Make',
        key: 'm',
        env: { A: 1 },
        agents: { queue: 'q' },
        soft_fail: true,
        plugins: ['docker#v1'],
      }),
    ).toEqual([
      {
        type: 'command',
        stepKey: 'm',
        label: 'Make',
        command: 'make',
        env: { A: '1' },
        agents: ['queue=q'],
        softFail: true,
        brokenReason: null,
        plugins: [{ 'github.com/buildkite-plugins/docker-buildkite-plugin#v1': null }],
        parallelGroupIndex: null,
        parallelGroupTotal: null,
        matrix: null,
      },
    ]);
  });

  test('a step with parallelism becomes that many jobs, numbered from 0', () => {
    const jobs = plan({ command: 'x', parallelism: 5 });
    expect(jobs.map(({ parallelGroupIndex, parallelGroupTotal }) => [parallelGroupIndex, parallelGroupTotal])).toEqual([
      [0, 5],
      [1, 5],
      [2, 5],
      [3, 5],
      [4, 5],
    ]);
    expect(plan({ trigger: 'x', parallelism: 2 })).toHaveLength(2);
    expect(plan({ command: 'x', label: 'Test %n (%N of %t)', parallelism: 2 }).map(({ label }) => label)).toEqual([
      'Test 0 (1 of 2)',
      'Test 1 (2 of 2)',
    ]);
    expect(plan({ command: 'x', label: '100%n' })[0]?.label).toBe('100%n');
  });

  test('matrix values are substituted in label, command, env, plugins and agents', () => {
    const jobs = plan({
      command: 'run {{matrix}}',
      label: 'On {{ matrix }}',
      env: { OS: '{{matrix}}' },
      agents: { os: '{{matrix}}' },
      plugins: [{ 'docker#v1': { image: '{{matrix}}' } }],
      matrix: { setup: ['linux', 'mac'], adjustments: [{ with: 'mac', soft_fail: true }] },
    });
    expect(jobs).toMatchObject([
      { matrix: 'linux', softFail: false },
      {
        matrix: 'mac',
        softFail: true,
        command: 'run mac',
        label: 'On mac',
        env: { OS: 'mac' },
        agents: ['os=mac'],
        plugins: [{ 'github.com/buildkite-plugins/docker-buildkite-plugin#v1': { image: 'mac' } }],
      },
    ]);
    expect(plan({ command: 'x', matrix: { setup: { os: ['a'], arch: ['b'] } } })[0]?.matrix).toEqual({
      os: 'a',
      arch: 'b',
    });
  });

  test.each<[string, Json, string | null]>([
    ['a condition that holds', { if: 'true' }, null],
    ['a branch that matches', { branches: 'main' }, null],
    ['another branch', { branches: 'dev' }, 'branch_mismatch'],
    ['a false condition', { if: 'false' }, 'conditional_failed'],
    ['no parallelism', { parallelism: 0 }, 'parallelism_zero'],
    ['a false condition and no parallelism', { if: 'false', parallelism: 0 }, 'conditional_failed'],
    ['a reason to skip', { skip: 'flaky', if: 'false' }, 'flaky'],
    ['a skip without reason', { skip: true }, 'skipped'],
  ])('a job is created broken for the right reason, or not at all broken: %s', (_story, attributes, brokenReason) => {
    expect(plan({ command: 'x', ...(attributes as object) })).toMatchObject([{ brokenReason }]);
  });

  test('each wait, block and input step becomes one job', () => {
    expect([plan('wait'), plan({ block: 'Go?', branches: 'dev' }), plan({ input: 'Name?' })].flat()).toMatchObject([
      { type: 'wait', command: null, brokenReason: null },
      { type: 'block', label: 'Go?', brokenReason: 'branch_mismatch' },
      { type: 'input', label: 'Name?' },
    ]);
  });
});
