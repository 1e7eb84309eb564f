import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describeUnless } from './skips.js';

/** The folder of the shared test vectors; tests that need them are visibly skipped where it is absent. */
export const vectorsDir = process.env['VECTORS_DIR'] ?? resolve(process.cwd(), '../shared/vectors');
export const vectorsPresent = existsSync(resolve(vectorsDir, 'INDEX.md'));

/** Reads one JSON vector file, named relative to the vectors folder. */
export function readVectors<T>(name: string): T {
  return JSON.parse(readFileSync(resolve(vectorsDir, name), 'utf8')) as T;
}

/** Suffix of titles of tests that need the vectors; docs/conformance.md omits these tests, which may be skipped. */
export const withVectors = '(shared vectors)';

/** `describe` where the vectors are present; a visible skip, without collecting the tests, where they are not. */
export function describeWithVectors(title: string, tests: () => void): void {
  describeUnless(vectorsPresent ? null : `${vectorsDir} has no vectors`, `${title} ${withVectors}`, tests);
}
