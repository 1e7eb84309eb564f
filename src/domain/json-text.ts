import { isUtf8 } from 'node:buffer';
import { limits } from './limits/limits.js';
import { Problem } from './problem.js';
import type { Json, JsonObject } from './pipelines/steps/step.js';

/**
 * Decodes a body as UTF-8, without its byte order mark. Throws `malformed` for other bytes: they would be stored as
 * something else than was sent.
 */
export function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw notText();
  }
}

/** Returns the bytes that {@link decodeText} would decode; throws as it does. Nothing is decoded, which is dear. */
export function encodedText(bytes: Uint8Array): Uint8Array {
  if (!isUtf8(bytes)) throw notText();
  const isMarked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return isMarked ? bytes.subarray(3) : bytes;
}

const notText = () => new Problem('malformed', 'The request body is not valid UTF-8');

export interface JsonBounds {
  /** Levels of nesting; `limits.jsonDepth` by default. */
  depth?: number;
  /** Objects, arrays and members together; `limits.jsonValues` by default. */
  values?: number;
  /** Members of one object; `limits.jsonMembers` by default. */
  members?: number;
}

/**
 * Parses JSON of bounded depth and number of values, measured before anything is built of it, so later recursion over
 * the value is bounded too. Throws `malformed`.
 */
export function parseJson(text: string, bounds: JsonBounds = {}): Json {
  const { jsonDepth, jsonValues, jsonMembers } = limits;
  measure(text, { depth: jsonDepth, values: jsonValues, members: jsonMembers, ...bounds });
  try {
    return JSON.parse(text) as Json;
  } catch {
    throw new Problem('malformed', 'The request body is not valid JSON');
  }
}

/** Parses a JSON object; throws `malformed` for every other value. */
export function parseJsonObject(text: string, bounds: JsonBounds = {}): JsonObject {
  const value = parseJson(text, bounds);
  if (value === null || typeof value !== 'object' || Array.isArray(value))
    throw new Problem('malformed', 'The request body must be a JSON object');
  return value;
}

const [quote, backslash, comma] = ['"', '\\', ','].map((character) => character.charCodeAt(0)) as [
  number,
  number,
  number,
];
const [openBrace, closeBrace, openBracket, closeBracket] = ['{', '}', '[', ']'].map((character) =>
  character.charCodeAt(0),
) as [number, number, number, number];

/**
 * One pass over the text without recursion; text that is no JSON is left to the parser. Members of one object have a
 * bound of their own: half a microsecond each where the names are many, ten times what a value of an array takes.
 */
function measure(text: string, most: Required<JsonBounds>): void {
  let values = 1;
  /** Members of each open object, NaN for an array, which has any number of values. */
  const members: number[] = [];
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === quote) index = endOfString(text, index);
    else if (code === comma) {
      values += 1;
      const last = members.length - 1;
      const count = (members[last] ?? NaN) + 1;
      if (count > most.members)
        throw new Problem('malformed', `An object of the request body has more than ${most.members} members`);
      members[last] = count;
    } else if (code === openBrace || code === openBracket) {
      values += 1;
      members.push(code === openBrace ? 1 : NaN);
    } else if (code === closeBrace || code === closeBracket) members.pop();
    if (members.length > most.depth)
      throw new Problem('malformed', `The request body is nested more than ${most.depth} levels deep`);
    if (values > most.values) throw new Problem('malformed', `The request body has more than ${most.values} values`);
  }
}

/** Index of the quote that ends the string which starts at `start`; the text's length where none does. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text.charCodeAt(end - 1 - escapes) === backslash) escapes += 1;
    if (escapes % 2 === 0) return end;
  }
  return text.length;
}
