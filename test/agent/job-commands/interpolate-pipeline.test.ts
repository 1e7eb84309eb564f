import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import fc from 'fast-check';

import { interpolatePipeline } from '../../../src/agent/pipeline-upload/interpolate-pipeline.js';
import { readPipelines } from '../../../src/agent/pipeline-upload/pipeline-text.js';
import { describeWithVectors, readVectors, vectorsDir, vectorsPresent } from '../../support/vectors.js';

interface InterpolationCase {
  id: string;
  input: string;
  env?: Record<string, string>;
  expected?: string;
  expected_error?: string;
}

interface ParseCase {
  id: string;
  input: string;
  interpolate: boolean;
  env?: Record<string, string>;
  prefer_runtime_env?: boolean;
  expected_json?: { env?: unknown; steps: Record<string, unknown>[] };
}

describeWithVectors('interpolation of an uploaded pipeline', () => {
  const { cases } = vectorsPresent
    ? readVectors<{ cases: InterpolationCase[] }>('interpolation/interpolate.json')
    : { cases: [] };
  const expanded = cases.filter((each) => each.expected !== undefined || each.expected_error !== undefined);

  test.each(expanded)('$id: $input', ({ input, env = {}, expected, expected_error: error }) => {
    const pipeline = { steps: [{ command: input, env: { [`name ${input}`]: [input] } }] };
    if (error !== undefined) expect(() => interpolatePipeline(pipeline, env)).toThrow(error);
    else
      expect(interpolatePipeline(pipeline, env)).toEqual({
        steps: [{ command: expected, env: { [`name ${expected}`]: [expected] } }],
      });
  });

  const parsed = vectorsPresent ? readVectors<{ cases: ParseCase[] }>('pipelines/go-pipeline-parse.json').cases : [];
  const interpolated = parsed.filter((each) => each.interpolate && each.expected_json && !each.prefer_runtime_env);

  test.each(interpolated)('$id: env, commands and conditions are those of the reference', (each) => {
    const [document] = readPipelines(each.input);
    const pipeline = interpolatePipeline(document ?? {}, each.env ?? {}) as ParseCase['expected_json'];
    expect(pipeline?.env).toEqual(each.expected_json?.env);
    const shown = (steps: Record<string, unknown>[] | undefined) =>
      steps?.map((step) => (typeof step === 'string' ? step : [step['command'], step['if']]));
    expect(shown(pipeline?.steps)).toEqual(shown(each.expected_json?.steps));
  });
});

interface RealPipeline {
  id: string;
  file: string;
  valid: boolean;
  reference_json: string;
}

describeWithVectors('real pipeline files', () => {
  const files = vectorsPresent ? readVectors<RealPipeline[]>('pipelines/real-index.json') : [];

  test.each(files.filter(({ valid }) => valid))('$id is read as the reference reads it', ({ file, reference_json }) => {
    const [pipeline] = readPipelines(readFileSync(resolve(vectorsDir, 'pipelines', file), 'utf8'));
    const reference = readVectors<{ env?: unknown; steps: unknown[] }>(`pipelines/${reference_json}`);
    // The reference rewrites commands and plugins, and has a variable's value as text.
    const shown = (steps: unknown) =>
      (steps as Record<string, unknown>[]).map((step) =>
        typeof step === 'string'
          ? step
          : [step['if'], step['depends_on'], step['retry'], step['agents'], step['matrix']],
      );
    expect(shown(pipeline?.['steps'])).toEqual(shown(reference.steps));
    const texts = (env: unknown) =>
      Object.fromEntries(Object.entries(env ?? {}).map(([name, value]) => [name, String(value)]));
    expect(texts(pipeline?.['env'])).toEqual(texts(reference.env));
  });
});

describe('interpolation of an uploaded pipeline', () => {
  const plainText = fc
    .string({ unit: 'binary', maxLength: 40 })
    .filter((text) => !/[$\\]/.test(text) && text !== '__proto__');
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4 },
      plainText,
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie('tree'), { maxLength: 4 }),
      fc.dictionary(plainText, tie('tree'), { maxKeys: 4, noNullPrototype: true }),
    ),
  }));

  test('a pipeline without $ and \\ stays as it is, whatever the variables', () => {
    fc.assert(
      fc.property(tree, fc.dictionary(fc.string(), fc.string(), { noNullPrototype: true }), (steps, env) => {
        const pipeline = { steps: steps as never, env: { A: 'b' } };
        expect(interpolatePipeline(pipeline, env)).toEqual(pipeline);
      }),
    );
  });

  test('any text is interpolated or refused in bounded time', () => {
    const nasty = fc.array(fc.constantFrom('$', '${', '}', ':-', '?', ':', '\\', '$$', 'A', 'B1', '-', ' ', '(', '9'), {
      maxLength: 3000,
    });
    fc.assert(
      fc.property(nasty, (parts) => {
        const start = performance.now();
        try {
          interpolatePipeline({ steps: parts.join('') }, { A: 'x'.repeat(50), B1: '' });
        } catch (error) {
          expect((error as Error).name).toBe('PipelineTextError');
        }
        expect(performance.now() - start).toBeLessThan(1_000);
      }),
      { numRuns: 200 },
    );
  });

  test('the value of a variable is never interpolated again', () => {
    fc.assert(
      fc.property(fc.string(), (value) => {
        expect(interpolatePipeline({ steps: ['$A', '${A}', 'x${B-$A}'] }, { A: value })).toEqual({
          steps: [value, value, `x${value}`],
        });
      }),
    );
  });
});
