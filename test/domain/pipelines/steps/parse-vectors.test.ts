import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { readDocument } from '../../../../src/domain/pipelines/steps/document.js';
import { interpolateDefinition } from '../../../../src/domain/pipelines/steps/interpolate-definition.js';
import { matrixJobs, parseMatrix, type Permutation } from '../../../../src/domain/pipelines/steps/matrix/matrix.js';
import { substituteMatrix } from '../../../../src/domain/pipelines/steps/matrix/tokens.js';
import { parsePipeline } from '../../../../src/domain/pipelines/steps/parse.js';
import { canonicalPlugin, fullPluginSource } from '../../../../src/domain/pipelines/steps/attributes/plugins.js';
import type { Json, ParseResult } from '../../../../src/domain/pipelines/steps/step.js';
import { describeWithVectors, readVectors, vectorsDir, vectorsPresent } from '../../../support/vectors.js';
import { essentials, essentialsOfUpload, type UploadDocument } from './upload-projection.js';

function vectorCases<T>(name: string): T[] {
  return vectorsPresent ? readVectors<{ cases: T[] }>(name).cases : [];
}

function problemsOf(result: ParseResult): string[] {
  return result.ok ? [] : result.problems.map(({ path, message }) => `${path}: ${message}`);
}

interface ParseCase {
  id: string;
  name: string;
  input: string;
  interpolate: boolean;
  env?: Record<string, string>;
  prefer_runtime_env?: boolean;
  expected_json?: UploadDocument;
  expected_error?: string;
}

/** The agent uploads these with at most a warning; the server is the one to refuse them. */
const refusedByServer: Record<string, string[]> = {
  'parse-022': ['steps[0].key: The key "hello there" may only contain letters, digits, and the characters _ - : . ,'],
  'parse-033': [
    'steps[0]: "catawumpus" is not',
    'steps[1]: The step has no type',
    'steps[2].type: "mystery" is not',
    'steps[3].env.GREETING: ',
  ],
};

describeWithVectors('the vectors of pipeline definitions', () => {
  test.each(
    vectorCases<ParseCase>('pipelines/go-pipeline-parse.json').map((each) => [each.id, each.name, each] as const),
  )('the definition %s is parsed and interpolated as the agent does: %s', (id, _name, each) => {
    const read = readDocument(each.input);
    if (each.expected_error !== undefined) return expect(read.ok).toBe(false);
    if (!read.ok) throw new Error(JSON.stringify(read.problems));
    const document = each.interpolate
      ? interpolateDefinition(read.document, each.env ?? {}, { preferEnvironment: each.prefer_runtime_env })
      : read.document;
    const result = parsePipeline(document);
    const refusals = refusedByServer[id];
    if (refusals) return refusals.forEach((refusal) => expect(problemsOf(result).join('\n')).toContain(refusal));
    if (!result.ok) throw new Error(JSON.stringify(result.problems));
    const expected = each.expected_json as UploadDocument;
    expect(essentials(result.definition)).toEqual(essentialsOfUpload(expected));
    expect(result.definition.env).toEqual(expected['env'] ?? {});
    expect(result.definition.secrets).toEqual(expected['secrets'] ?? null);
    expect(result.definition.checkout).toEqual(expected['checkout'] ?? null);
    expect(parsePipeline(expected)).toEqual({
      ok: true,
      definition: expect.objectContaining({ env: result.definition.env }),
    });
  });

  test('an end-of-line anchor in a condition survives interpolation', () => {
    const document = interpolateDefinition([{ wait: null, if: 'build.branch =~ /^(a|b)\\$/' }], {});
    expect(document).toEqual([{ wait: null, if: 'build.branch =~ /^(a|b)$/' }]);
  });
});

type MatrixCase = { id: string } & (
  | { kind: 'validate_permutation'; matrix: Json; permutation: Permutation; error: string | null }
  | { kind: 'matrix_interpolate'; permutation: Permutation; input: string; expected?: string; expected_error?: boolean }
  | { kind: 'full_source'; source: string; expected: string }
  | { kind: 'canonical_json'; plugin: [string, Json]; expected: Json }
);

describeWithVectors('the vectors of matrices and plugins', () => {
  test.each(
    vectorCases<MatrixCase>('pipelines/go-pipeline-matrix-plugins.json').map(
      (each) => [each.id, each.kind, each] as const,
    ),
  )('vector %s gives the expected result for %s', (_id, _kind, each) => {
    if (each.kind === 'full_source') expect(fullPluginSource(each.source)).toBe(each.expected);
    else if (each.kind === 'canonical_json') expect(canonicalPlugin(...each.plugin)).toEqual(each.expected);
    else if (each.kind === 'matrix_interpolate') {
      if (each.expected_error)
        expect(() => substituteMatrix(each.input, each.permutation)).toThrow(/unknown matrix tokens/);
      else expect(substituteMatrix(each.input, each.permutation)).toBe(each.expected);
    } else {
      const matrix = each.matrix === null ? null : parseMatrix(each.matrix);
      if (matrix !== null && !matrix.ok) throw new Error(JSON.stringify(matrix.problems));
      // A step without a matrix has one job, without values.
      const permutations = matrix ? matrixJobs(matrix.matrix).map(({ permutation }) => permutation) : [{}];
      if (each.error === null) expect(permutations).toContainEqual(each.permutation);
      else expect(permutations).not.toContainEqual(each.permutation);
    }
  });
});

interface SchemaCase {
  id: string;
  file?: string;
  pipeline?: Json;
  valid: boolean;
}

/** Valid by the schema, which cannot see across steps: these examples use one key twice. */
const repeatedKeys: Record<string, string> = {
  'schema/valid/block.yml': 'an-id',
  'schema/valid/command.yml': 'an-id',
  'schema/valid/group.yml': 'an-id',
  'schema/valid/input.yml': 'an-id',
};

describeWithVectors('the vectors of the public pipeline schema', () => {
  test.each(
    vectorCases<SchemaCase>('pipelines/schema/cases.json').map(
      (each) => [each.id, each.file ?? 'inline', each] as const,
    ),
  )('vector %s is accepted or refused as the schema says: %s', (_id, file, each) => {
    const input =
      each.file === undefined
        ? (each.pipeline ?? null)
        : readFileSync(resolve(vectorsDir, 'pipelines', each.file), 'utf8');
    const result = parsePipeline(input);
    const repeated = repeatedKeys[file];
    if (repeated === undefined) return expect(result.ok).toBe(each.valid);
    expect(result.ok).toBe(false);
    for (const problem of problemsOf(result)) expect(problem).toContain('has already been used');
  });
});
