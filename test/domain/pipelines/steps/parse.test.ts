import fc from 'fast-check';
import { parsePipeline, type ParseOptions } from '../../../../src/domain/pipelines/steps/parse.js';
import type {
  BlockStep,
  CommandStep,
  GroupStep,
  Json,
  PipelineDefinition,
  Step,
  TriggerStep,
} from '../../../../src/domain/pipelines/steps/step.js';

function parsed(input: Json, options?: ParseOptions): PipelineDefinition {
  const result = parsePipeline(input, options);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.definition;
}

function step<T extends Step = CommandStep>(attributes: Json): T {
  return parsed([attributes]).steps[0] as T;
}

function problems(input: Json, options?: ParseOptions): string[] {
  const result = parsePipeline(input, options);
  return result.ok ? [] : result.problems.map(({ path, message }) => `${path}: ${message}`);
}

describe('text that no database column can hold', () => {
  test.each<[string, Json, string]>([
    ['a null character in YAML', 'steps: [{ command: "echo \\0" }]', 'steps[0].command'],
    ['a null character in a key', 'env: { "A\\0B": c }\nsteps: []', 'env'],
    [
      'half of a surrogate pair in JSON',
      '{"steps": [{"group": "g", "steps": ["wait", {"label": "\\ud83d"}]}]}',
      'steps[0].steps[1].label',
    ],
    ['a null character behind an alias', 'x: &a ["\\0"]\nsteps: [{ command: *a }]', 'x[0]'],
    ['a document of an agent', { steps: [{ command: ['a', '\0'] }] }, 'steps[0].command[1]'],
  ])('is refused with its place: %s', (_story, written, place) => {
    expect(problems(written)).toEqual([
      expect.stringMatching(`^${place.replaceAll(/[[\]]/g, '\\$&')}: .*null characters`),
    ]);
  });
});

describe('the type of a step', () => {
  test.each<[string, Json, string]>([
    ['the word waiter', 'waiter', 'wait'],
    ['the word manual', 'manual', 'block'],
    ['a type wins over keys', { type: 'block', command: 'x' }, 'block'],
    ['a script without a command', { type: 'script' }, 'command'],
    ['plugins without a command', { plugins: ['docker#v1'] }, 'command'],
    ['a command before a trigger', { trigger: 'x', command: 'y' }, 'command'],
    ['attributes inside', { block: { label: 'Go?' } }, 'block'],
    ['attributes inside script', { script: { command: 'x' } }, 'command'],
    ['a type inside', { wait: { type: 'wait', key: 'w' } }, 'wait'],
    ['input', { input: 'Name?' }, 'input'],
  ])('the type of a step is recognized: %s', (_story, written, type) => {
    expect(step<Step>(written).type).toBe(type);
  });

  test.each<[Json, string]>([
    ['llama', 'steps[0]: "llama" is not a step'],
    [null, 'steps[0]: A step must be a map.'],
    [{ llama: 1 }, 'steps[0]: The step has no type'],
    [{ type: 'llama' }, 'steps[0].type: "llama" is not a type of step'],
    [{ type: 'toString' }, 'steps[0].type: "toString" is not a type of step'],
    [{ label: 'x', if_changed: '*.go' }, 'steps[0]: The step has no type'],
    [
      { group: 'a', steps: [{ group: 'b', steps: ['wait'] }] },
      'steps[0].steps[0]: A group cannot be inside another group.',
    ],
    [{ group: 'a', steps: [] }, 'steps[0].steps: A group needs a list of at least one step.'],
    [{ trigger: null }, 'steps[0].trigger: A trigger step needs the slug'],
  ])('the step %j is refused', (written, problem) => {
    expect(problems([written])[0]).toContain(problem);
  });

  test.each<[Json, string]>([
    ['', ': The definition must be a map'],
    ['just text', ': The definition must be a map'],
    [{ env: {} }, 'steps: The definition has no "steps".'],
    [{ steps: { command: 'x' } }, 'steps: "steps" must be a list.'],
    ['{', ': The definition is not valid YAML'],
    ['steps: [{command: x, env: {{A: b}: c}}]', ': The definition is not valid YAML'],
  ])('the document %j is refused', (document, problem) => {
    expect(problems(document)[0]).toContain(problem);
  });

  test('empty steps, further documents and unknown keys are accepted and ignored', () => {
    expect(parsed('steps: ~').steps).toEqual([]);
    expect(parsed('steps: [wait]\n---\nsteps: [llama]').steps).toHaveLength(1);
    expect(parsed('x: &x {command: a}\nsteps:\n- <<: *x\n  llama: 1\n  if_changed: "*.go"').steps).toMatchObject([
      { command: 'a' },
    ]);
  });
});

describe('attributes of a command step', () => {
  test('a command step with every attribute is parsed', () => {
    const written: Json = {
      name: 'Test',
      id: 't',
      commands: ['a', 'b'],
      agent_query_rules: ['queue=x'],
      artifacts: ['a/*', 'b/*'],
      branches: ['main', 'release/*'],
      env: { A: 1, B: true, C: null },
      timeout: '5',
      parallelism: 2,
      concurrency: 1,
      concurrency_group: 'g',
      concurrency_method: 'eager',
      priority: -1,
      skip: '',
      soft_fail: [{ exit_status: 1 }, { exit_status: '*' }],
      cancel_on_build_failing: 'true',
      depends_on: ['a', { step: 'b', allow_failure: 'true' }],
      retry: {
        automatic: [
          { exit_status: [1, 2], signal: 'SIGKILL', signal_reason: ['agent_stop'] },
          { exit_status: '*', limit: 0 },
        ],
        manual: { permit_on_passed: true, reason: 'r' },
      },
      secrets: { V: 'K' },
      plugins: { 'docker#v1': { image: 'a' } },
      notify: ['github_check'],
      cache: 'dist/',
    };
    expect(step(written)).toEqual({
      type: 'command',
      label: 'Test',
      key: 't',
      command: 'a\nb',
      agents: ['queue=x'],
      artifactPaths: 'a/*;b/*',
      branches: 'main release/*',
      env: { A: '1', B: 'true', C: '' },
      timeoutInMinutes: 5,
      parallelism: 2,
      concurrency: 1,
      concurrencyGroup: 'g',
      concurrencyMethod: 'eager',
      priority: -1,
      skip: false,
      softFail: [{ exitStatus: 1 }, { exitStatus: '*' }],
      cancelOnBuildFailing: true,
      if: null,
      allowDependencyFailure: false,
      matrix: null,
      dependsOn: [
        { step: 'a', allowFailure: false },
        { step: 'b', allowFailure: true },
      ],
      retryAutomatic: [
        { exitStatus: [1, 2], signal: ['SIGKILL'], signalReason: ['agent_stop'], limit: 2 },
        { exitStatus: '*', limit: 0 },
      ],
      retryManual: { allowed: true, permitOnPassed: true, reason: 'r' },
      secrets: [{ key: 'K', environment_variable: 'V' }],
      plugins: [{ 'github.com/buildkite-plugins/docker-buildkite-plugin#v1': { image: 'a' } }],
      notify: ['github_check'],
      cache: 'dist/',
      image: null,
      signature: null,
      checkout: null,
      source: written,
    });
  });

  test.each<[string, Json, Partial<CommandStep>]>([
    ['no dependency at all', { depends_on: null }, { dependsOn: [] }],
    ['one dependency', { depends_on: 'a' }, { dependsOn: [{ step: 'a', allowFailure: false }] }],
    ['implicit order', {}, { dependsOn: null }],
    ['automatic retry', { retry: { automatic: true } }, { retryAutomatic: [{ exitStatus: '*', limit: 2 }] }],
    ['one rule', { retry: { automatic: { exit_status: -1 } } }, { retryAutomatic: [{ exitStatus: [-1], limit: 2 }] }],
    ['no retry', {}, { retryAutomatic: [], retryManual: { allowed: true, permitOnPassed: false, reason: null } }],
    [
      'no manual retry',
      { retry: { manual: false } },
      { retryManual: { allowed: false, permitOnPassed: false, reason: null } },
    ],
    ['skip without a reason', { skip: true }, { skip: '' }],
    ['skip with a reason', { skip: 'later' }, { skip: 'later' }],
    ['not skipped', { skip: 'false' }, { skip: false }],
    ['agents as a map', { agents: { queue: 'q', os: null } }, { agents: ['queue=q', 'os='] }],
    ['agents win over their old name', { agents: { a: 1 }, agent_query_rules: ['b=2'] }, { agents: ['a=1'] }],
    ['a matrix', { matrix: ['a', 1, true] }, { matrix: ['a', '1', 'true'] }],
    ['an empty command', { command: '' }, { command: null }],
  ])('a command step is parsed as expected: %s', (_story, attributes, expected) => {
    expect(step({ command: 'x', ...(attributes as object) })).toMatchObject(expected);
  });

  test.each<[Json, string]>([
    [
      { concurrency: 1 },
      'concurrency: "concurrency" also needs a "concurrency_group" (concurrency_group_id is missing).',
    ],
    [{ concurrency_group: 'g' }, 'concurrency_group: "concurrency_group" also needs "concurrency"'],
    [
      { concurrency: 1, concurrency_group: 'g'.repeat(201) },
      'concurrency_group: "concurrency_group" must have at most 200',
    ],
    [
      { concurrency: 1, concurrency_group: 'g', concurrency_method: 'lazy' },
      'concurrency_method: "concurrency_method" must be one of ordered, eager.',
    ],
    [{ if: 'true', branches: 'main' }, 'if: "if" and "branches" cannot both'],
    [{ parallelism: 2, matrix: ['a'] }, 'parallelism: "parallelism" and "matrix" cannot both'],
    [{ parallelism: -1 }, 'parallelism: "parallelism" must be at least 0.'],
    [{ parallelism: 1.5 }, 'parallelism: "parallelism" must be a whole number.'],
    [{ parallelism: '$N' }, 'parallelism: "parallelism" must be a whole number.'],
    [{ timeout_in_minutes: 0 }, 'timeout_in_minutes: "timeout_in_minutes" must be at least 1.'],
    [{ skip: 'x'.repeat(71) }, 'skip: The reason in "skip" must have at most 70 characters.'],
    [{ soft_fail: 'maybe' }, 'soft_fail: "soft_fail" must be true, false, or a list'],
    [{ retry: { automatic: { limit: 11 } } }, 'retry.automatic.limit: "limit" must be at most 10.'],
    [{ retry: { automatic: [{ exit_status: 'x' }] } }, 'retry.automatic[0].exit_status: "exit_status" must be'],
    [{ retry: 3 }, 'retry: "retry" must be a map.'],
    [{ env: ['A=b'] }, 'env: "env" must be a map of names to values.'],
    [{ env: { A: {} } }, 'env.A: The value of "A" in "env"'],
    [{ agents: [[1]] }, 'agents: "agents" must be a map of tags'],
    [{ plugins: [1] }, 'plugins[0]: A plugin must be a source'],
    [{ depends_on: [{ key: 'a' }] }, 'depends_on[0]: A dependency must be a step key'],
    [{ secrets: [1] }, 'secrets: "secrets" must be a list of secret names'],
    [{ key: 'a b' }, 'key: The key "a b" may only contain'],
    [{ key: 'k'.repeat(101) }, 'key: A step key must have at most 100 characters.'],
    [
      { id: '9b30da58-3dac-4dbb-89e9-b9748ca76445' },
      'id: The key "9b30da58-3dac-4dbb-89e9-b9748ca76445" must not have the form of a UUID.',
    ],
    [{ matrix: 'a' }, 'matrix: A matrix must be a list'],
    [
      { matrix: { setup: { a: ['x'] } }, label: '{{matrix.b}}' },
      'label: The matrix has no dimension for {{matrix.b}}.',
    ],
  ])('a command step with %j is refused', (attributes, problem) => {
    expect(problems([{ command: 'x', ...(attributes as object) }]).join('\n')).toContain(`steps[0].${problem}`);
  });

  test('a key used twice is refused, also between groups and their members', () => {
    const steps: Json = [
      { command: 'a', key: 'k' },
      { group: 'g', steps: [{ wait: null, identifier: 'k' }] },
    ];
    expect(problems(steps)).toEqual([
      'steps[1].steps[0].identifier: The key "k" has already been used by another step in this build',
    ]);
  });

  test('a definition that makes more jobs than one upload may is refused', () => {
    expect(
      problems([
        { command: 'a', parallelism: 300 },
        { command: 'b', parallelism: 201 },
      ]),
    ).toEqual(['steps: The definition makes more than 500 jobs.']);
    expect(problems([{ command: 'a', parallelism: 1e12 }])[0]).toContain('must be at most 500');
  });
});

describe('variables that are not known yet', () => {
  const stored =
    'steps: [{command: a, parallelism: $N, skip: "${SKIP:-false}", soft_fail: $S, concurrency: $C, concurrency_group: g, if: "$COND"}]';

  test('a stored definition may have a variable where a number or flag is expected', () => {
    const refuse = (): string => 'bad';
    expect(parsed(stored, { checkCondition: refuse }).steps).toMatchObject([
      { parallelism: null, skip: false, softFail: false, concurrency: null },
    ]);
    expect(problems(stored, { pendingVariables: false })).toHaveLength(3);
  });
});

describe('conditions of steps', () => {
  const options: ParseOptions = {
    checkCondition: (expression) => (expression.includes('llama') ? 'llama is unknown' : null),
  };

  test('each condition is checked, and an invalid one is a problem of its step', () => {
    const steps: Json = [
      { command: 'a', if: 'llama' },
      { group: 'g', if: 'llama', steps: [{ wait: null, if: 'fine' }] },
    ];
    expect(problems(steps, options)).toEqual(['steps[0].if: llama is unknown', 'steps[1].if: llama is unknown']);
  });

  test('a stored condition is checked with its escapes removed', () => {
    const seen: string[] = [];
    parsed('steps: [{wait: ~, if: "build.branch =~ /^a$$/"}]', {
      checkCondition: (expression) => (seen.push(expression), null),
    });
    expect(seen).toEqual(['build.branch =~ /^a$/']);
  });

  test('a group passes its condition and skip on to its members', () => {
    const group = step<GroupStep>({
      group: 'g',
      if: 'a == b // why',
      skip: 'later',
      steps: [{ command: 'x' }, { command: 'y', if: 'c', skip: 'mine' }],
    });
    expect(group.steps.map((member) => [member.if, member.skip])).toEqual([
      ['a == b // why', 'later'],
      ['(a == b // why\n) && (c)', 'mine'],
    ]);
  });
});

describe('block, input and trigger steps', () => {
  test('a block step and an input step are parsed with their fields', () => {
    const fields: Json = [
      { text: 'Name', key: 'name' },
      {
        select: 'One',
        key: 'one/two',
        default: ['a'],
        multiple: true,
        required: 'false',
        options: [{ label: 'A', value: 1 }],
      },
    ];
    expect(
      step<BlockStep>({
        block: 'Go?',
        label: 'ignored',
        prompt: 'p',
        fields,
        blocked_state: 'failed',
        allowed_teams: 'ops',
      }),
    ).toMatchObject({
      type: 'block',
      label: 'Go?',
      prompt: 'p',
      submit: null,
      blockedState: 'failed',
      allowedTeams: ['ops'],
      fields: [
        { text: 'Name', key: 'name', hint: null, required: true, default: null, format: null },
        {
          select: 'One',
          key: 'one/two',
          default: ['a'],
          multiple: true,
          required: false,
          options: [{ label: 'A', value: '1', hint: null, required: true }],
        },
      ],
    });
  });

  test.each<[Json, string]>([
    [{ text: 'x' }, 'key: A field needs a "key"'],
    [{ text: 'x', key: 'a b' }, 'key: The field key "a b" may only contain'],
    [{ key: 'a' }, ': A field must have "text" or "select".'],
    [{ select: 'x', key: 'a', options: [] }, 'options: A select field needs at least one option.'],
    [{ select: 'x', key: 'a', options: [{ label: 'A' }] }, 'options[0]: An option must be a map'],
  ])('the field %j is refused', (field, problem) => {
    expect(problems([{ input: 'x', fields: [field] }]).join('\n')).toContain(
      `steps[0].fields[0]${problem.startsWith(':') ? '' : '.'}${problem}`,
    );
  });

  test('a trigger step is parsed with the build it starts', () => {
    const build = { branch: 'main', env: { A: 1 }, meta_data: { m: 2 } };
    expect(
      step<TriggerStep>({ trigger: 'deploy', async: 'true', build, parallelism: 2, name: 'Deploy' }),
    ).toMatchObject({
      type: 'trigger',
      trigger: 'deploy',
      label: 'Deploy',
      async: true,
      parallelism: 2,
      softFail: false,
      build: { message: null, branch: 'main', commit: null, env: { A: '1' }, metaData: { m: '2' } },
    });
  });
});

describe('top-level defaults', () => {
  test('steps inherit top-level defaults they do not set; env belongs to the build', () => {
    const definition = parsed({
      env: { A: 1 },
      agents: { queue: 'q' },
      priority: 5,
      image: 'i',
      secrets: ['S', 'T'],
      checkout: { depth: 1, flags: { clone: 'a' } },
      steps: [
        { command: 'x' },
        {
          group: 'g',
          steps: [
            {
              command: 'y',
              agents: ['a=b'],
              priority: 0,
              secrets: { S: 'other' },
              checkout: { flags: { fetch: 'b' } },
            },
          ],
        },
      ],
    });
    expect(definition.env).toEqual({ A: '1' });
    expect(definition.steps[0]).toMatchObject({
      agents: ['queue=q'],
      priority: 5,
      image: 'i',
      env: {},
      checkout: { depth: 1 },
    });
    expect((definition.steps[1] as GroupStep).steps[0]).toMatchObject({
      agents: ['a=b'],
      priority: 0,
      checkout: { depth: 1, flags: { clone: 'a', fetch: 'b' } },
      secrets: [
        { key: 'other', environment_variable: 'S' },
        { key: 'T', environment_variable: 'T' },
      ],
    });
  });
});

describe('parsePipeline', () => {
  const key = fc.constantFrom(
    'steps',
    'command',
    'plugins',
    'env',
    'agents',
    'retry',
    'automatic',
    'matrix',
    'setup',
    'adjustments',
    'with',
    'group',
    'wait',
    'block',
    'fields',
    'options',
    'select',
    'trigger',
    'build',
    'type',
    'if',
    'branches',
    'skip',
    'soft_fail',
    'depends_on',
    'key',
    'checkout',
    'secrets',
    '__proto__',
    'constructor',
  );
  const { document } = fc.letrec<{ document: Json }>((tie) => ({
    document: fc.oneof(
      { maxDepth: 6, withCrossShrink: true },
      fc.oneof(fc.constant(null), fc.boolean(), fc.double(), fc.string(), fc.constantFrom('wait', '$A', '*', 'group')),
      fc.array(tie('document') as fc.Arbitrary<Json>, { maxLength: 4 }),
      fc.dictionary(key, tie('document') as fc.Arbitrary<Json>, { maxKeys: 6 }),
    ),
  }));

  test('parsing any value never throws, and every problem has a message', () => {
    fc.assert(
      fc.property(document, (value) => {
        for (const input of [
          value,
          { steps: [value] },
          [{ command: 'x', ...(value as object) }],
          JSON.stringify(value),
        ]) {
          const result = parsePipeline(input as Json);
          if (!result.ok && !result.problems.every(({ message }) => message.length > 10)) return false;
        }
        return true;
      }),
      { numRuns: 500 },
    );
  });

  test('parsing any text never throws', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...'[]{}:,-&*!|>\'"%@`#?\n \tab<~') }),
        (text) => typeof parsePipeline(text).ok === 'boolean',
      ),
      { numRuns: 500 },
    );
  });
});
