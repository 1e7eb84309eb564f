import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { limits } from '../../../../src/domain/limits/limits.js';
import {
  parseBuildConfiguration,
  parseConfigurationText,
  parseUploadText,
} from '../../../../src/domain/pipelines/steps/configuration.js';
import { withinSizes } from '../../../../src/domain/pipelines/steps/definition-sizes.js';
import type { DefinitionProblem, ParseResult } from '../../../../src/domain/pipelines/steps/step.js';
import { raiseLimits, readLimits } from '../../../../src/domain/limits/raised-limits.js';
import { describeWithVectors, vectorsDir } from '../../../support/vectors.js';

const noFacts = { standard: {}, own: {} };
const text = (bytes: number) => 'x'.repeat(bytes);
const stored = (definition: unknown): ParseResult => withinSizes(parseConfigurationText(JSON.stringify(definition)));
const uploaded = (definition: unknown): ParseResult => parseUploadText(JSON.stringify(definition));
const problems = (result: { ok: boolean; problems?: DefinitionProblem[] }) => result.problems ?? [];

describe('sizes of a definition', () => {
  afterEach(() => raiseLimits(new Map()));

  test.each<[string, object, string, RegExp]>([
    [
      'a command',
      { command: text(limits.commandBytes + 1) },
      'steps[0].command',
      /^"command" has 262145 bytes; .* 262144\.$/,
    ],
    ['a label', { command: 'a', label: text(1_001) }, 'steps[0].label', /^"label" has 1001 characters/],
    ['an environment', { command: 'a', env: { A: text(limits.envBytes) } }, 'steps[0].env', /262144/],
    ['plugin settings', { plugins: [{ 'docker#v1': { a: text(limits.pluginsBytes) } }] }, 'steps[0].plugins', /131072/],
    [
      'artifact paths',
      { command: 'a', artifact_paths: text(limits.artifactPathsBytes + 1) },
      'steps[0].artifact_paths',
      /65536/,
    ],
    ['branches', { command: 'a', branches: text(5_000) }, 'steps[0].branches', /4096/],
    ['an agent rule', { command: 'a', agents: { a: text(300) } }, 'steps[0].agents', /255/],
    [
      'a notification',
      { command: 'a', notify: [{ slack: text(20_000) }] },
      'steps[0].notify[0]',
      /^"notify\[0\]" has 200\d\d bytes; .* 16384\.$/,
    ],
    ['the message of a trigger', { trigger: 'a', build: { message: text(70_000) } }, 'steps[0].build.message', /65536/],
    [
      'a value of the meta-data of a trigger',
      { trigger: 'a', build: { meta_data: { k: text(110_000) } } },
      'steps[0].build.meta_data.k',
      /102400/,
    ],
    [
      'a step in all',
      { command: 'a', note: text(1024 * 1024 - 100) },
      'steps[0]',
      /^The step has 10\d{5} bytes; .* 1048576\.$/,
    ],
  ])('%s above its limit is refused with its path, its size and the limit', (_what, step, path, message) => {
    expect(problems(uploaded({ steps: [step] }))).toEqual([{ path, message: expect.stringMatching(message) }]);
  });

  test('texts at their limits are accepted', () => {
    const step = {
      command: text(limits.commandBytes),
      label: text(limits.stepLabelLength),
      env: { A: text(limits.envBytes - 8) },
      artifact_paths: text(limits.artifactPathsBytes),
    };
    // As written and as read, the step holds each of its texts twice.
    expect(problems(uploaded({ steps: [{ ...step, env: {} }] }))).toEqual([]);
    expect(problems(uploaded({ steps: [{ command: 'a', env: step.env }] }))).toEqual([]);
  });

  test('texts times jobs are counted: 250 kB with a parallelism of 500 is refused where it is stored, built and uploaded', () => {
    const definition = { steps: ['wait', { command: text(250_000), parallelism: 499 }] };
    const refused = [
      {
        path: 'steps[1]',
        message:
          'The texts of the jobs of a build together may have at most 16777216 bytes; these have 124751000 or more (this step alone has 124750998 in 499 jobs).',
      },
    ];
    expect(problems(stored(definition))).toEqual(refused);
    expect(problems(parseBuildConfiguration(JSON.stringify(definition), noFacts))).toEqual(refused);
    expect(problems(uploaded(definition))).toEqual(refused);
    expect(problems(uploaded({ steps: [{ command: text(30_000), parallelism: 500 }] }))).toEqual([]);
  });

  test('the values of a matrix are counted job by job, in a group too', () => {
    const matrix = Array.from({ length: 25 }, (_none, index) => `${index}${text(120)}`);
    const command = '{{matrix}}'.repeat(20_000);
    expect(problems(uploaded({ steps: [{ group: 'g', steps: [{ command, matrix }] }] }))).toEqual([
      { path: 'steps[0].steps[0]', message: expect.stringMatching(/at most 16777216 bytes/) },
    ]);
    expect(problems(uploaded({ steps: [{ command: command.slice(0, 10_000), matrix }] }))).toEqual([]);
  });

  test('defaults of a definition count in every step that takes them', () => {
    const steps = Array.from({ length: 500 }, () => ({ command: 'a' }));
    expect(problems(uploaded({ cache: { paths: [text(100_000)] }, steps }))).toEqual([
      {
        path: 'steps',
        message: expect.stringMatching(/^The steps of a build together may have at most 33554432 bytes/),
      },
    ]);
  });

  test('770 aliases of one text of 20 kB are refused before they are expanded', () => {
    const names = Array.from({ length: 770 }, (_none, index) => `      V${index}: *t`).join('\n');
    const yaml = `x: &t ${text(20_000)}\nsteps:\n  - command: a\n    env:\n${names}`;
    expect(problems(parseConfigurationText(yaml))).toEqual([
      { path: '', message: 'The definition grows over 2097152 bytes once its aliases are expanded.' },
    ]);
  });

  test('190 notifications that grow by an alias are refused', () => {
    const entries = Array.from(
      { length: 190 },
      (_none, index) => `  - webhook: https://example.com/${index}\n    note: *t`,
    );
    const yaml = `x: &t ${text(8_000)}\nnotify:\n${entries.join('\n')}\nsteps:\n  - command: a`;
    expect(problems(withinSizes(parseConfigurationText(yaml)))).toEqual([
      { path: 'notify', message: expect.stringMatching(/^"notify" has 15\d{5} bytes; it may have at most 262144\.$/) },
    ]);
  });

  test('an upload of 7.5 MB is refused by its size', () => {
    expect(problems(uploaded({ steps: [{ command: text(7_500_000) }] }))).toEqual([
      { path: '', message: 'The upload has 7500026 bytes; it may have at most 4194304.' },
    ]);
  });

  test('an operator raises sums as far as the heap has room', () => {
    const heap = 2 * 1024 * 1024 * 1024;
    expect(readLimits('jobTextBytes=67108864', heap)).toEqual({
      values: new Map([['jobTextBytes', 67_108_864]]),
      problems: [],
    });
    expect(readLimits('jobTextBytes=67108865', heap).problems).toEqual([
      'jobTextBytes must be a whole number from 16777216 to 67108864, the most that a heap of 2048 MiB has room for; node --max-old-space-size gives it more',
    ]);
    expect(readLimits('uploadBytes=8388609', heap * 8).problems).toHaveLength(1);
    const definition = { steps: [{ command: text(100_000), parallelism: 500 }] };
    expect(uploaded(definition).ok).toBe(false);
    raiseLimits(readLimits('jobTextBytes=67108864', heap).values);
    expect(uploaded(definition).ok).toBe(true);
  });
});

describeWithVectors('public pipelines', () => {
  test('no public pipeline comes near a limit: none is refused with four times its texts', () => {
    const folder = join(vectorsDir, 'pipelines', 'real');
    let read = 0;
    for (const file of readdirSync(folder)) {
      const parsed = parseConfigurationText(readFileSync(join(folder, file), 'utf8'));
      if (!parsed.ok) continue;
      read += 1;
      const steps = Array.from({ length: 4 }, () => parsed.definition.steps).flat();
      expect([file, withinSizes({ ok: true, definition: { ...parsed.definition, steps } }).ok]).toEqual([file, true]);
    }
    expect(read).toBeGreaterThan(50);
  });
});
