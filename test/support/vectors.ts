import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';

/** Where the shared test vectors lie; tests that need them are skipped, visibly, where they are absent. */
export const vectorsDir = process.env['VECTORS_DIR'] ?? resolve(process.cwd(), '../shared/vectors');
export const vectorsPresent = existsSync(resolve(vectorsDir, 'INDEX.md'));

/** Reads one JSON vector file, named relative to the vectors folder. */
export function readVectors<T>(name: string): T {
  return JSON.parse(readFileSync(resolve(vectorsDir, name), 'utf8')) as T;
}

/** What the titles of such tests end in: docs/conformance.md leaves them out, so that it says the same with and without the vectors. */
export const withVectors = '(shared vectors)';

/** `describe` where the vectors are present, a visible skip where they are not: then the tests are not even collected. */
export function describeWithVectors(title: string, tests: () => void): void {
  const marked = `${title} ${withVectors}`;
  if (vectorsPresent) describe(marked, tests);
  else describe.skip(marked, () => void test('needs the shared vectors', () => undefined));
}
