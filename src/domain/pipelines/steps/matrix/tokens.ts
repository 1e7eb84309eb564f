import { isObject } from '../attributes/attributes.js';
import type { Permutation } from './matrix.js';
import type { Json } from '../step.js';

/** Text that refers to a dimension its matrix does not have. */
export class MatrixTokenError extends Error {
  override readonly name = 'MatrixTokenError';
}

const token = /\{\{\s*matrix(?:\.([\w.-]+))?\s*\}\}/g;

/**
 * Replaces `{{matrix}}` and `{{matrix.dimension}}` (spaces inside allowed) by the values of a permutation.
 * @throws MatrixTokenError
 */
export function substituteMatrix(text: string, permutation: Permutation): string {
  const unknown = unknownTokens(text, Object.keys(permutation));
  if (unknown.length > 0) throw new MatrixTokenError(`unknown matrix tokens in input: ${unknown.join(', ')}`);
  return text.replace(token, (_written, dimension: string | undefined) => permutation[dimension ?? ''] ?? '');
}

/** As substituteMatrix, over all strings of a value, names of a map included. */
export function substituteMatrixIn(value: Json, permutation: Permutation): Json {
  if (typeof value === 'string') return substituteMatrix(value, permutation);
  if (Array.isArray(value)) return value.map((item) => substituteMatrixIn(item, permutation));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      substituteMatrix(name, permutation),
      substituteMatrixIn(item, permutation),
    ]),
  );
}

/** The tokens of a text that none of these dimensions answers, as `matrix` or `matrix.dimension`. */
export function unknownTokens(text: string, dimensions: readonly string[]): string[] {
  return [...text.matchAll(token)]
    .map(([, dimension]) => dimension)
    .filter((dimension) => !dimensions.includes(dimension ?? ''))
    .map((dimension) => (dimension === undefined ? 'matrix' : `matrix.${dimension}`));
}
