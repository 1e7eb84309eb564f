import { lastStateOf } from '../plain-text.js';
import { compileLogPattern, type LogPattern } from './log-pattern.js';
import { visibleText } from './visible-text.js';

/** A line of a log that matches a pattern. */
export interface FoundLine {
  /** Number of the line in the text that was looked through, from 0. */
  line: number;
  /** The line without escape sequences, at most 1,000 characters round the match. */
  text: string;
  /** Whether characters of the line are left out. */
  isCut: boolean;
}

export interface FoundLines {
  matches: FoundLine[];
  /** Lines that end in the text. */
  lines: number;
}

/** Most characters that are shown of a line. */
export const mostOfFoundLine = 1_000;
const shownBefore = 200;

/**
 * The lines of a log's bytes that match, in order, at most `most`. Escape sequences are no text, and of a line that a
 * program wrote over only what stands after its last carriage return is looked at, as the log page shows it. Throws
 * for a pattern that cannot be compiled.
 */
export function searchLines(bytes: Uint8Array, pattern: LogPattern, most: number): FoundLines {
  const compiled = compileLogPattern(pattern);
  if (!compiled.ok) throw new Error(compiled.message);
  const visible = visibleText(bytes);
  // Most parts of logs hold no match: they are not cut into lines.
  if (compiled.literal !== null && !visible.toLowerCase().includes(compiled.literal))
    return { matches: [], lines: endsIn(visible) };
  const lines = visible.split('\n');
  const matches: FoundLine[] = [];
  for (const [line, whole] of lines.entries()) {
    if (matches.length >= most) break;
    const shown = lastStateOf(whole);
    const at = compiled.find(shown);
    if (at >= 0 && shown !== '') matches.push({ line, ...cut(shown, at) });
  }
  return { matches, lines: lines.length - 1 };
}

function cut(line: string, at: number): { text: string; isCut: boolean } {
  if (line.length <= mostOfFoundLine) return { text: line, isCut: false };
  const from = Math.max(0, Math.min(at - shownBefore, line.length - mostOfFoundLine));
  return { text: line.slice(from, from + mostOfFoundLine), isCut: true };
}

function endsIn(text: string): number {
  let lines = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines;
}
