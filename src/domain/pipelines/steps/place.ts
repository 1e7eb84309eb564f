import { type Document, isAlias, isMap, isScalar, isSeq, LineCounter } from 'yaml';
import { firstDocument } from './document.js';
import type { DefinitionProblem } from './step.js';

/** A problem with the line and column of the text it is about, both from 1. */
export interface PlacedProblem extends DefinitionProblem {
  line: number;
  column: number;
}

/**
 * Finds the places of problems in the text that `parsePipeline` read, and sorts by them: the key or list item that a
 * path names, or the nearest one around it that was written, as for an attribute that is missing.
 */
export function placeProblems(text: string, problems: readonly DefinitionProblem[]): PlacedProblem[] {
  const lines = new LineCounter();
  const document = firstDocument(text, lines);
  return problems
    .map((problem) => ({ ...problem, ...placeOf(problem, document, lines) }))
    .sort((a, b) => a.line - b.line || a.column - b.column);
}

function placeOf(
  { path, message }: DefinitionProblem,
  document: Document | string | undefined,
  lines: LineCounter,
): { line: number; column: number } {
  // Text that is no YAML has no nodes; its one problem says where it is.
  const [, line, column] = / at line (\d+), column (\d+)\.$/.exec(message) ?? [];
  if (path === '' && line !== undefined) return { line: Number(line), column: Number(column) };
  if (typeof document !== 'object' || document.contents === null) return { line: 1, column: 1 };
  const { line: lineNumber, col } = lines.linePos(offsetOf(path, document));
  return { line: lineNumber, column: col };
}

/** Offset of the node that a path such as `steps[2].retry.automatic` leads to, as far as the document has it. */
function offsetOf(path: string, document: Document): number {
  let node: unknown = document.contents;
  let offset = startOf(node);
  let rest = path;
  // A list of steps without a map around it is read as its "steps".
  if (isSeq(node)) rest = rest.replace(/^steps/, '');
  while (rest !== '') {
    const next = enter(node, rest, document);
    if (next === null) return offset;
    ({ node, offset, rest } = next);
  }
  return offset;
}

interface Position {
  node: unknown;
  offset: number;
  rest: string;
}

/** Returns the node at the first part of a path; null if the document does not have it. */
function enter(from: unknown, path: string, document: Document): Position | null {
  const node = isAlias(from) ? from.resolve(document) : from;
  const [item, index] = /^\[(\d+)\]\.?/.exec(path) ?? [];
  if (isSeq(node) && item !== undefined) {
    const member: unknown = node.items[Number(index)];
    return member === undefined ? null : { node: member, offset: startOf(member), rest: path.slice(item.length) };
  }
  if (!isMap(node)) return null;
  // Names may hold dots, so the longest key that the path begins with is meant.
  const [pair] = node.items
    .filter(({ key }) => isScalar(key) && beginsWith(path, String(key.value)))
    .sort(
      (a, b) => String((b.key as { value: unknown }).value).length - String((a.key as { value: unknown }).value).length,
    );
  if (pair && isScalar(pair.key)) {
    const rest = path.slice(String(pair.key.value).length).replace(/^\./, '');
    return { node: pair.value, offset: startOf(pair.key), rest };
  }
  for (const { key, value } of node.items) {
    // A step may be written as `- command: {…}`, and attributes may come from a merge.
    const nested = isScalar(key) && (key.value === '<<' || (node.items.length === 1 && isMap(value)));
    const inside = nested ? enter(value, path, document) : null;
    if (inside !== null) return inside;
  }
  return null;
}

const beginsWith = (path: string, key: string) =>
  key !== '' && path.startsWith(key) && /^(?:$|[.[])/.test(path.slice(key.length));

function startOf(node: unknown): number {
  const { range } = (node ?? {}) as { range?: [number, number, number] | null };
  return range?.[0] ?? 0;
}
