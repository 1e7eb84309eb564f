import { parsePipeline } from '../../../../src/domain/pipelines/steps/parse.js';
import { presentSteps } from '../../../../src/domain/pipelines/steps/present-steps.js';
import type { Json, ParseResult, PipelineDefinition } from '../../../../src/domain/pipelines/steps/step.js';
import { visualSteps } from '../../../../src/domain/pipelines/steps/visual.js';

function definitionOf(result: ParseResult): PipelineDefinition {
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.definition;
}

function problems(steps: Json): string[] {
  const result = visualSteps(steps);
  return result.ok ? [] : result.problems.map(({ path, message }) => `${path}: ${message}`);
}

const script = {
  type: 'script',
  name: 'Test',
  command: 'make test',
  artifact_paths: 'results/*',
  branch_configuration: 'main feature/*',
  env: { A: '1' },
  timeout_in_minutes: 5,
  agent_query_rules: ['queue=x'],
  concurrency: null,
  parallelism: null,
};

describe('visual steps', () => {
  test('visual steps are returned as written, with triggers under their response names', () => {
    const steps: Json = [
      script,
      { type: 'waiter' },
      { type: 'manual', label: 'Deploy?', name: 'ignored', command: 'ignored' },
      {
        type: 'trigger',
        label: 'Deploy',
        trigger_project_slug: 'deploy',
        trigger_commit: 'HEAD',
        trigger_branch: 'main',
        trigger_async: true,
      },
    ];
    const shown = presentSteps(definitionOf(visualSteps(steps)));
    expect(shown).toEqual([
      script,
      { type: 'waiter' },
      { type: 'manual', label: 'Deploy?' },
      {
        type: 'trigger',
        label: 'Deploy',
        pipeline: 'deploy',
        build: { message: null, branch: 'main', commit: 'HEAD', env: null },
        async: true,
        branch_configuration: null,
        concurrency: null,
        parallelism: null,
      },
    ]);
    expect(presentSteps(definitionOf(visualSteps(shown)))).toEqual(shown);
  });

  test('a visual script step needs only a command', () => {
    expect(presentSteps(definitionOf(visualSteps([{ type: 'script', command: 'x' }])))).toEqual([
      {
        ...script,
        name: null,
        command: 'x',
        artifact_paths: null,
        branch_configuration: null,
        env: {},
        timeout_in_minutes: null,
        agent_query_rules: [],
      },
    ]);
  });

  test.each<[Json, string]>([
    [{}, 'steps: "steps" must be a list of steps.'],
    [['wait'], 'steps[0]: A step must be an object.'],
    [[{ type: 'block' }], 'steps[0].type: The type of a step must be one of script, waiter, manual, trigger.'],
    [[{ type: 'waiter' }, { type: 'script', name: 'x' }], 'steps[1].command: A script step needs "command".'],
    [[{ type: 'trigger' }], 'steps[0].trigger_project_slug: A trigger step needs "trigger_project_slug".'],
    [
      [{ type: 'script', command: 'x', agent_query_rules: [[]] }],
      'steps[0].agent_query_rules: "agent_query_rules" must be a map',
    ],
    [[{ type: 'script', command: 'x', env: { A: [] } }], 'steps[0].env.A: '],
    [
      [{ type: 'script', command: 'x', timeout_in_minutes: 'soon' }],
      'steps[0].timeout_in_minutes: "timeout_in_minutes" must be',
    ],
    [
      [{ type: 'trigger', trigger_project_slug: 'x', trigger_async: 'maybe' }],
      'steps[0].trigger_async: "trigger_async" must be true or false.',
    ],
  ])('the visual steps %j are refused', (steps, problem) => {
    expect(problems(steps)[0]).toContain(problem);
  });
});

test('the steps of a YAML pipeline are shown in the form of visual steps', () => {
  const yaml =
    'steps:\n- plugins: [docker#v1]\n- group: g\n  steps: [{command: [a, b], parallelism: 2}, {input: Name}]\n- wait';
  const shown = presentSteps(definitionOf(parsePipeline(yaml)));
  expect(shown).toMatchObject([
    { type: 'script', command: null },
    { command: 'a\nb', parallelism: 2 },
    { type: 'manual', label: 'Name' },
    { type: 'waiter' },
  ]);
  expect(Object.keys(shown[0] ?? {})).toEqual(Object.keys(script));
});
