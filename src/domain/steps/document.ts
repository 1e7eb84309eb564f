import { Composer, Lexer, LineCounter, Parser, isAlias, isMap, isPair, isScalar, isSeq, type Document } from 'yaml';
import { stepLimits } from './step-limits.js';
import type { DefinitionProblem, Json } from './step.js';

export type DocumentResult = { ok: true; document: Json } | { ok: false; problems: DefinitionProblem[] };

/**
 * Reads pipeline text into plain JSON, nothing interpreted yet: YAML 1.2 with anchors, aliases and merge keys, or JSON.
 * Of several documents the first counts. Takes text of at most 1 MiB; gives one problem with path '' where it cannot be read.
 */
export function readDocument(text: string): DocumentResult {
  if (Buffer.byteLength(text) > stepLimits.documentBytes) {
    return refused(`The definition is larger than ${stepLimits.documentBytes} bytes.`);
  }
  try {
    const document = readJson(text) ?? readYaml(text);
    return typeof document === 'string' ? refused(document) : { ok: true, document: document.value };
  } catch (error) {
    // What only shows once aliases and merges are resolved is thrown by the library.
    return refused(`The definition is not valid YAML: ${firstLine(error instanceof Error ? error.message : String(error))}`);
  }
}

/** Whether a value nests deeper than a definition may; never recurses further than the limit. */
export function nestsTooDeep(value: Json, depth: number = stepLimits.nestingDepth): boolean {
  if (value === null || typeof value !== 'object') return false;
  if (depth === 0) return true;
  return Object.values(value).some((child) => nestsTooDeep(child as Json, depth - 1));
}

export const tooDeep = `The definition nests deeper than ${stepLimits.nestingDepth} levels.`;

function refused(message: string): DocumentResult {
  return { ok: false, problems: [{ path: '', message }] };
}

function firstLine(message: string): string {
  return (message.split('\n')[0] ?? '').replace(/:$/, '');
}

/** JSON is taken by the faster reader where it is JSON; undefined where it is not. */
function readJson(text: string): { value: Json } | string | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
  return nestsTooDeep(value) ? tooDeep : { value };
}

/** The document's value, or the sentence saying why there is none. */
function readYaml(text: string): { value: Json } | string {
  const lines = new LineCounter();
  const document = withoutStackTraces(() => firstDocument(text, lines));
  if (document === undefined) return { value: null };
  if (typeof document === 'string') return document;
  const error = document.errors[0];
  if (error) {
    const { line, col } = lines.linePos(error.pos[0]);
    return `The definition is not valid YAML: ${firstLine(error.message)} at line ${line}, column ${col}.`;
  }
  const excess = excessOf(document);
  if (excess) return excess;
  return { value: plain(document.toJS({ maxAliasCount: stepLimits.anchorsAndAliases }), new Map()) };
}

/** The library makes an error object for each of what may be 100,000 mistakes; nine tenths of that time goes into their stacks. */
function withoutStackTraces<T>(run: () => T): T {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 0;
  try {
    return run();
  } finally {
    Error.stackTraceLimit = limit;
  }
}

/**
 * Composes the first document of a text. The library composes by recursion, and close to the end of the stack the
 * engine may abort the whole process rather than throw; so the depth is watched token by token, and what is too deep is
 * never composed. Gives a sentence where it stopped, undefined for a text without documents.
 */
function firstDocument(text: string, lines: LineCounter): Document | string | undefined {
  const composer = new Composer({
    version: '1.2',
    merge: true,
    stringKeys: true,
    // Two `<<` in one mapping are common in real files; of two plain keys the last counts.
    uniqueKeys: false,
    intAsBigInt: true,
    logLevel: 'silent',
  });
  const parser = new Parser(lines.addNewLine);
  lines.addNewLine(0);
  let tokens = 0;
  for (const lexeme of new Lexer().lex(text)) {
    for (const token of parser.next(lexeme)) for (const document of composer.next(token)) return document;
    // Above the collections the stack holds the document and what is being read.
    if (parser.stack.length > stepLimits.nestingDepth + 2) return tooDeep;
    tokens += 1;
    if (tokens > stepLimits.tokens) return `The definition has more than ${stepLimits.tokens} YAML tokens.`;
  }
  for (const token of parser.end()) for (const document of composer.next(token)) return document;
  for (const document of composer.end()) return document;
  return undefined;
}

interface Extent {
  /** Bytes, about, once every alias is expanded. */
  size: number;
  /** Levels of collections. */
  height: number;
}

/**
 * Measures what the document becomes once aliases are expanded, in one pass and without expanding them, so that
 * a few kilobytes of nested aliases are refused before they cost anything.
 */
function excessOf(document: Document): string | undefined {
  const anchors = new Map<string, Extent>();
  let references = 0;
  const measureAll = (nodes: readonly unknown[]): Extent => {
    const extents = nodes.map(measure);
    return {
      size: extents.reduce((sum, extent) => sum + extent.size, 8),
      height: extents.reduce((highest, extent) => Math.max(highest, extent.height), 0),
    };
  };
  const measure = (node: unknown): Extent => {
    if (isPair(node)) return measureAll([node.key, node.value]);
    if (isAlias(node)) {
      references += 1;
      return anchors.get(node.source) ?? { size: 0, height: 0 };
    }
    const anchor = isScalar(node) || isMap(node) || isSeq(node) ? node.anchor : undefined;
    if (anchor !== undefined) {
      references += 1;
      // Until the node is measured an alias to it stands inside it: a loop.
      anchors.set(anchor, { size: Infinity, height: 0 });
    }
    let extent: Extent = { size: 8, height: 0 };
    if (isMap(node) || isSeq(node)) {
      const members = measureAll(node.items);
      extent = { size: members.size, height: members.height + 1 };
    } else if (isScalar(node) && typeof node.value === 'string') extent.size += node.value.length;
    if (anchor !== undefined) anchors.set(anchor, extent);
    return extent;
  };
  const { size, height } = measure(document.contents);
  if (size === Infinity) return 'The definition holds an alias inside the value it stands for.';
  if (height > stepLimits.nestingDepth) return tooDeep;
  if (size > stepLimits.expandedBytes) return `The definition grows over ${stepLimits.expandedBytes} bytes once its aliases are expanded.`;
  if (references > stepLimits.anchorsAndAliases) return `The definition has more than ${stepLimits.anchorsAndAliases} anchors and aliases.`;
  return undefined;
}

/** What the YAML library gives, as JSON; values shared by aliases stay shared. */
function plain(value: unknown, seen: Map<object, Json>): Json {
  // An account number longer than a double holds keeps its digits.
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value.toString();
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  if (value === null || typeof value !== 'object') return null;
  const known = seen.get(value);
  if (known !== undefined) return known;
  const result: Json = Array.isArray(value)
    ? value.map((item) => plain(item, seen))
    : Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item, seen)]));
  seen.set(value, result);
  return result;
}
