import type { Excerpt } from './failure-excerpts.js';

const mostLines = 12;
const mostCharacters = 1_200;
/** Kinds that tell of a failure by themselves; a group that the log wants open, or its end, only may. */
const telling: ReadonlySet<string> = new Set(['error', 'test', 'stack']);

/**
 * The lines that tell most of a failure, for a message: of the first excerpt about an error, a failed test or a stack
 * trace, else of the last excerpt; at most 12 lines and 1,200 characters, from the beginning of an excerpt and to the
 * end of the last one. Empty without excerpts.
 */
export function tellingLines(excerpts: readonly Excerpt[]): string {
  const sure = excerpts.find(({ kind }) => telling.has(kind));
  const lines = (sure ?? excerpts.at(-1))?.text.split('\n') ?? [];
  const chosen = sure ? lines.slice(0, mostLines) : lines.slice(-mostLines);
  const text = chosen.join('\n').trimEnd();
  return sure ? text.slice(0, mostCharacters) : text.slice(-mostCharacters);
}
