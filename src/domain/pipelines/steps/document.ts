import {
  Composer,
  Lexer,
  LineCounter,
  Parser,
  Scalar,
  isAlias,
  isMap,
  isPair,
  isScalar,
  isSeq,
  type Document,
  visit,
} from 'yaml';
import { limits } from '../../limits/limits.js';
import { limitOf } from '../../limits/raised-limits.js';
import { stepLimits } from '../../limits/step-limits.js';
import type { DefinitionProblem, Json } from './step.js';
import { firstLine } from '../../first-line.js';

export type DocumentResult = { ok: true; document: Json } | { ok: false; problems: DefinitionProblem[] };

/**
 * Reads pipeline text of at most `configurationBytes` into plain JSON, without interpretation: YAML 1.2 with anchors,
 * aliases and merge keys, or JSON. Of several documents it reads the first. Returns one problem with the path '' if the
 * text cannot be read.
 */
export function readDocument(text: string): DocumentResult {
  const size = Buffer.byteLength(text);
  if (size > limits.configurationBytes)
    return refused(`The definition is larger than ${limits.configurationBytes} bytes: it has ${size}.`);
  try {
    const document = readJson(text) ?? readYaml(text);
    return typeof document === 'string' ? refused(document) : { ok: true, document: document.value };
  } catch (error) {
    // The library throws problems that appear only when aliases and merges are resolved.
    return refused(
      `The definition is not valid YAML: ${sentenceOf(error instanceof Error ? error.message : String(error))}`,
    );
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

const sentenceOf = (message: string): string => firstLine(message).replace(/:$/, '');

/** Reads JSON with the faster reader; undefined for other text and for repeated keys, which the YAML reader reports. */
function readJson(text: string): { value: Json } | string | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
  if (nestsTooDeep(value)) return tooDeep;
  return countKeys(value) === countWrittenKeys(text) ? { value } : undefined;
}

function countKeys(value: Json): number {
  if (value === null || typeof value !== 'object') return 0;
  const children = Object.values(value) as Json[];
  return children.reduce<number>((sum, child) => sum + countKeys(child), Array.isArray(value) ? 0 : children.length);
}

/** Number of keys in JSON text: strings that a colon follows. */
function countWrittenKeys(text: string): number {
  let count = 0;
  for (const [, colon] of text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"\s*(:?)/g)) if (colon) count += 1;
  return count;
}

/** Returns the document's value, or a sentence that says why there is none. */
function readYaml(text: string): { value: Json } | string {
  const lines = new LineCounter();
  const document = withoutStackTraces(() => firstDocument(text, lines));
  if (document === undefined) return { value: null };
  if (typeof document === 'string') return document;
  const error = document.errors[0];
  if (error) {
    const { line, col } = lines.linePos(error.pos[0]);
    const reason = unquotedColon(error.message, text, line) ?? sentenceOf(error.message);
    return `The definition is not valid YAML: ${reason} at line ${line}, column ${col}.`;
  }
  const excess = excessOf(document) ?? repeatedKey(document, lines);
  if (excess) return excess;
  return { value: plain(document.toJS({ maxAliasCount: stepLimits.anchorsAndAliases }), new Map()) };
}

/** The advice for `label: :rocket: Ship`, which YAML reads as a map inside a map; null for any other mistake. */
function unquotedColon(message: string, text: string, line: number): string | null {
  if (!message.startsWith('Nested mappings are not allowed')) return null;
  const [, key, value] = /^[\s-]*([\w.-]+):\s+(\S.*:(?:\s.*)?)$/.exec(text.split('\n', line).at(-1) ?? '') ?? [];
  if (key === undefined || value === undefined || value.length > 200) return null;
  return (
    `a value with a colon before a space or at its end needs ` +
    `quotes, as in ${key}: ${JSON.stringify(value.trim())},`
  );
}

/**
 * Composes without stack traces: the library creates an error object for each of up to 100,000 mistakes and spends nine
 * tenths of the time on their stacks.
 */
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
 * Composes the first document of a text. The library composes recursively, and near the end of the stack the engine may
 * abort the whole process rather than throw, so the depth is checked token by token and a document that is too deep is
 * never composed. Returns a sentence for such a document, undefined for a text without documents.
 */
export function firstDocument(text: string, lines: LineCounter): Document | string | undefined {
  const composer = new Composer({
    version: '1.2',
    merge: true,
    stringKeys: true,
    // The library compares each key with all earlier keys; repeated keys are found below, in one pass.
    uniqueKeys: false,
    intAsBigInt: true,
    logLevel: 'silent',
  });
  const parser = new Parser(lines.addNewLine);
  lines.addNewLine(0);
  let tokens = 0;
  for (const lexeme of new Lexer().lex(text)) {
    for (const token of parser.next(lexeme)) for (const document of composer.next(token)) return document;
    // The stack contains the document and the current node besides the collections.
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
 * Measures the expanded size of a document with aliases in one pass, without expanding them, so that a few kilobytes of
 * nested aliases are refused cheaply.
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
      // An alias to a node that is not measured yet is inside the node: a loop.
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
  // Without aliases nothing grows; the size counts a little for each node.
  if (references > 0 && size > limitOf('definitionBytes'))
    return `The definition grows over ${limitOf('definitionBytes')} bytes once its aliases are expanded.`;
  if (references > stepLimits.anchorsAndAliases)
    return `The definition has more than ${stepLimits.anchorsAndAliases} anchors and aliases.`;
  return undefined;
}

/**
 * The sentence about the first key that a mapping has twice: one of its values would be lost. Several `<<` are common
 * in real files.
 */
function repeatedKey(document: Document, lines: LineCounter): string | undefined {
  let problem: string | undefined;
  visit(document, {
    Map: (_, map) => {
      const keys = new Set<string>();
      for (const { key } of map.items) {
        if (!isScalar(key) || isMergeKey(key)) continue;
        const name = String(key.value);
        if (!keys.has(name)) {
          keys.add(name);
          continue;
        }
        const { line, col } = lines.linePos(key.range?.[0] ?? 0);
        problem =
          `The definition is not valid ` +
          `YAML: the key ${JSON.stringify(name.slice(0, 100))} is repeated at line ${line}, column ${col}.`;
        return visit.BREAK;
      }
      return undefined;
    },
  });
  return problem;
}

/** A plain `<<`; in quotes it is a key like any other. */
function isMergeKey(key: Scalar): boolean {
  return key.source === '<<' && (key.type === undefined || key.type === Scalar.PLAIN);
}

/** Converts the YAML library's value to JSON; values shared by aliases remain shared. */
function plain(value: unknown, plainValues: Map<object, Json>): Json {
  // An account number longer than a double holds keeps its digits.
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value.toString();
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  if (value === null || typeof value !== 'object') return null;
  const known = plainValues.get(value);
  if (known !== undefined) return known;
  const result: Json = Array.isArray(value)
    ? value.map((item) => plain(item, plainValues))
    : Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item, plainValues)]));
  plainValues.set(value, result);
  return result;
}
