import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { describeWithVectors, readVectors, vectorsDir } from '../support/vectors.js';
import { vectorCases, vectorExceptions } from './vector-exceptions.js';

/** The content of a file of vectors: cases, and in one file the names of variables. */
type Vectors = Partial<Record<'cases' | 'variables' | 'env_allowlist' | 'env_suggestions', { id?: string }[]>>;

const casesOf = ({
  cases = [],
  variables = [],
  env_allowlist: allowed = [],
  env_suggestions: suggestions = [],
}: Vectors) => [...cases, ...variables, ...allowed, ...suggestions];

describeWithVectors('the vectors of conditions and branch filters', () => {
  const folders = ['branch-filters', 'conditionals'];

  test('the vector files hold as many cases as docs/conformance.md counts', () => {
    const files = folders.flatMap((folder) =>
      readdirSync(resolve(vectorsDir, folder))
        .filter((name) => name.endsWith('.json'))
        .map((name) => `${folder}/${name}`),
    );
    expect(Object.fromEntries(files.sort().map((name) => [name, casesOf(readVectors<Vectors>(name)).length]))).toEqual(
      vectorCases,
    );
  });

  test('every excepted vector still exists in the vector files', () => {
    const ids = new Set(
      Object.keys(vectorCases).flatMap((name) => casesOf(readVectors<Vectors>(name)).map(({ id }) => id)),
    );
    expect(Object.keys(vectorExceptions).filter((id) => !ids.has(id))).toEqual([]);
  });
});
