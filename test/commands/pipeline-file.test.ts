import { describePlan, planDefinition } from '../../src/commands/pipeline-file/plan.js';
import { describeProblem, lintPipelineFile, parsePipelineFile } from '../../src/commands/pipeline-file/read.js';
import { localDefinition } from '../../src/commands/run/local-definition.js';

const read = (...lines: string[]) => {
  const file = { name: 'p.yml', text: lines.join('\n') };
  const result = parsePipelineFile(file);
  return result.ok ? [] : result.problems.map((problem) => describeProblem(file, problem));
};

describe('problems of a pipeline file', () => {
  test.each([
    [
      'an attribute',
      ['steps:', '  - command: a', '    timeout_in_minutes: soon'],
      /^p\.yml:3:5: steps\[0\]\.timeout_in_minutes: /,
    ],
    ['a step without a kind', ['steps:', '  - wait', '  - comand: a'], /^p\.yml:3:5: steps\[1\]: The step has no type/],
    ['a step in a bare list', ['- command: a', '- retry: {}'], /^p\.yml:2:3: steps\[1\]: /],
    [
      'a step in a group',
      ['steps:', '  - group: g', '    steps:', '      - label: x'],
      /^p\.yml:4:9: steps\[0\]\.steps\[0\]: /,
    ],
    ['a name with dots', ['env:', '  a.b: [1]', 'steps: []'], /^p\.yml:2:3: env\.a\.b: /],
    [
      'an attribute behind an alias',
      ['x: &x { command: a, parallelism: -1 }', 'steps: [*x]'],
      /^p\.yml:1:21: steps\[0\]\.parallelism: /,
    ],
    [
      'an attribute from a merge',
      ['x: &x { parallelism: -1 }', 'steps:', '  - <<: *x', '    command: a'],
      /^p\.yml:1:9: /,
    ],
    ['text that is no YAML', ['steps:', '  - a: ['], /^p\.yml:\d+:\d+: The definition is not valid YAML/],
    ['a file without steps', ['agents: {}'], /^p\.yml:1:1: steps: The definition has no "steps"\.$/],
    [
      'steps that wait for each other',
      ['steps:', '  - { key: a, command: a, depends_on: b }', '  - { key: b, command: b, depends_on: a }'],
      /^p\.yml:2:27: steps\[0\]\.depends_on: The step waits for itself/,
    ],
  ])('%s is shown with its line and column', (_what, lines, expected) => {
    expect(read(...lines)[0]).toMatch(expected);
  });

  test.each([
    [['steps:', '  - command: a', '    timeout_in_minute: 5'], 3, 'timeout_in_minute', 'timeout_in_minutes'],
    [['steps:', '  - command: a', '    agent: { queue: x }'], 3, 'agent', 'agents'],
    [['steps:', '  - { command: a, retry: { automatc: true } }'], 2, 'automatc', 'automatic'],
    [['step:', '  - command: a', 'steps: []'], 1, 'step', 'steps'],
  ])('an attribute that nothing reads is named with the nearest that is read: %j', (lines, line, name, nearest) => {
    const { misspelt, warnings } = lintPipelineFile({ name: 'p.yml', text: lines.join('\n') });
    expect(misspelt).toMatchObject([{ line, message: `There is no attribute "${name}"; did you mean "${nearest}"?` }]);
    expect(warnings).toEqual([]);
  });

  test('an attribute like none is a warning in a step, and an anchor at the top', () => {
    const text = 'x-common: &common { expeditor: 5 }\nsteps:\n  - <<: *common\n    command: a\n';
    const { misspelt, warnings } = lintPipelineFile({ name: 'p.yml', text });
    expect([misspelt, warnings.map(({ path }) => path)]).toEqual([[], ['steps[0].expeditor']]);
  });

  test('a variable that nothing defines is a warning; one of the shell, of the file, of the service or with a default is none', () => {
    const command = 'for i in 1; do echo $i $$j ${K:-k} $OWN $BUILDKITE_BRANCH \\$l; done';
    const text = `env: { OWN: x }\nsteps:\n  - label: Loop\n    env: { STEP: y }\n    command: '${command}'\n`;
    const { warnings } = lintPipelineFile({ name: 'p.yml', text });
    expect(warnings.map(({ line, path }) => [line, path])).toEqual([[5, 'steps[0].command']]);
    expect(warnings[0]!.message).toContain('write $$i for a variable of the shell');
  });

  test('a label that begins with an emoji gets advice about quotes', () => {
    expect(read('steps:', '  - label: :rocket: Ship', '    command: a')[0]).toMatch(
      /^p\.yml:2:\d+: .*needs quotes, as in label: ":rocket: Ship"/,
    );
  });

  test('problems come in the order of their lines', () => {
    const lines = ['steps:', '  - command: a', '    timeout_in_minutes: x', '    parallelism: y', '  - label: z'];
    expect(read(...lines).map((line) => line.split(':')[1])).toEqual(['3', '4', '5']);
  });
});

const text = `
notify: [{ slack: "#all" }]
steps:
  - { label: Lint, key: lint, command: lint, notify: [{ slack: "#lint" }] }
  - wait
  - group: Tests
    key: tests
    steps:
      - { label: "Unit %n", key: unit, command: unit, parallelism: 3 }
      - { label: "On {{matrix}}", key: os, command: os, matrix: [a, b] }
  - { key: deploy, trigger: deploy, depends_on: [unit, elsewhere] }
`;
const definition = () => {
  const result = parsePipelineFile({ name: 'p.yml', text });
  if (!result.ok) throw new Error('the definition is valid');
  return result.definition;
};

describe('the plan of a pipeline file', () => {
  test('a plan counts jobs after matrix and parallelism and says which steps run after which', () => {
    const plan = planDefinition(definition());
    expect(plan.jobs).toBe(7);
    expect(plan.steps.map(({ number, key, group, after, jobs }) => [number, key, group, after, jobs.length])).toEqual([
      [1, 'lint', null, [], 1],
      [2, null, null, [1], 1],
      [3, 'tests', null, [], 0],
      [4, 'unit', 3, [2], 3],
      [5, 'os', 3, [2], 2],
      [6, 'deploy', null, [4], 1],
    ]);
    expect(plan.steps[5]?.unknown_dependencies).toEqual(['elsewhere']);
    expect(describePlan('p.yml', plan)).toMatch(/^p\.yml: 6 steps, 7 jobs\n1\. .*Lint \(lint\)/);
  });
});

describe('the part of a pipeline that slipway run builds', () => {
  const local = (step?: string, alone = false) =>
    JSON.parse(localDefinition(text, definition(), { step, alone })) as { steps: Record<string, unknown>[] };

  test('nobody is notified and no other pipeline is started', () => {
    const whole = local();
    expect(JSON.stringify(whole)).not.toContain('slack');
    expect(whole.steps).toHaveLength(4);
    expect(whole.steps[3]).toMatchObject({ trigger: 'deploy', skip: expect.stringContaining('slipway run') });
  });

  test('a step runs with all that it waits for, in its group', () => {
    const { steps } = local('unit');
    expect(steps.map((step) => (typeof step === 'string' ? step : step['key']))).toEqual(['lint', 'wait', 'tests']);
    expect(steps[2]?.['steps']).toMatchObject([{ key: 'unit' }]);
  });

  test('a step alone depends on no step that is left out', () => {
    expect(local('deploy', true).steps).toMatchObject([
      { key: 'deploy', depends_on: [{ step: 'elsewhere', allow_failure: false }] },
    ]);
  });

  test('a key that no step has is refused with the keys there are', () => {
    expect(() => local('Unit')).toThrow('the keys are: lint, tests, unit, os, deploy');
  });
});
