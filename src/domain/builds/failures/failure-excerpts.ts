import { groupKind, opensPreviousGroup } from '../logs/log-line.js';
import { EscapeStripper, lastStateOf } from '../logs/plain-text.js';
import { type ExcerptKind, goesOn, markOfLine, type LineMark, sureWeight } from './failure-lines.js';

/** A part of a log that tells of a failure. Lines count from 0 in the text that was looked through. */
export interface Excerpt {
  firstLine: number;
  lastLine: number;
  /** The lines, without escape sequences; what is left of a line that a program wrote over. */
  text: string;
  kind: ExcerptKind;
}

export const mostExcerpts = 8;
export const mostLinesOfExcerpt = 30;
const mostCharacters = 16_000;
const mostOfLine = 500;
const linesBefore = 2;
const linesBehind = 3;
/** What goes on with an error or a failed test; a stack trace has room for more. */
const linesOfDetail = 14;
const linesOfGroup = 10;
const linesOfEnd = 12;
/** Lines at the end of a log that tell more often than others why it ended. */
const linesNearEnd = 80;

interface Window {
  first: number;
  last: number;
  kind: ExcerptKind;
  weight: number;
}

/**
 * The parts of a log that tell why its job failed, in their order: errors, failed tests and stack traces with the lines
 * around them, what stands before the word that a command has failed, the beginning of a group that the log wants open,
 * and its end; at most 8 of at most 30 lines, 16,000 characters in all. Lines of the command, which agents print before
 * they run it, tell of no failure.
 */
export function failureExcerpts(text: string, command: string | null = null): Excerpt[] {
  const lines = visibleLines(text);
  const end = lastLineWithText(lines);
  if (end < 0) return [];
  const windows = [...markedWindows(lines, end, linesOfCommand(command)), ...openGroups(lines)];
  const chosen = choose(windows, mostExcerpts - 1);
  const parts = withEnd(withoutOverlap(chosen), windowOfEnd(lines, end));
  return withinCharacters(parts.map((window) => excerptOf(lines, window)));
}

/** Without escape sequences, and of each line what stands after the last carriage return. */
function visibleLines(text: string): string[] {
  return new EscapeStripper().push(text).split('\n').map(lastStateOf);
}

function linesOfCommand(command: string | null): ReadonlySet<string> {
  return new Set((command ?? '').split('\n').map((line) => line.trim()));
}

function lastLineWithText(lines: readonly string[]): number {
  return lines.findLastIndex((line) => line.trim() !== '');
}

/** One stretch for each marked line with what belongs to it; those that touch are one, up to 30 lines. */
function markedWindows(lines: readonly string[], end: number, ofCommand: ReadonlySet<string>): Window[] {
  const windows: Window[] = [];
  let surest: Window | null = null;
  for (let at = 0; at <= end; at++) {
    const mark = markOfLine((lines[at] ?? '').slice(0, mostOfLine));
    if (!mark || ofCommand.has((lines[at] ?? '').replace(/^\$ /, '').trim())) continue;
    const window = around(lines, at, mark, end);
    const before = windows.at(-1);
    if (before && window.first <= before.last + 1 && window.last - before.first < mostLinesOfExcerpt) {
      before.last = Math.max(before.last, window.last);
      if (window.weight > before.weight) Object.assign(before, { weight: window.weight, kind: window.kind });
      else if (window.weight === mark.weight && before.weight === mark.weight) before.weight += 0.1;
    } else {
      if (before) window.first = Math.max(window.first, before.last + 1);
      window.last = Math.max(window.last, window.first);
      windows.push(window);
    }
    if (mark.weight >= sureWeight) surest ??= windows.at(-1) ?? null;
  }
  // The first sure error is the cause of others more often than it is not.
  if (surest) surest.weight += 1;
  for (const window of windows) if (window.last > end - linesNearEnd) window.weight += 1;
  return windows;
}

function around(lines: readonly string[], at: number, { kind, weight, isEndOfCommand }: LineMark, end: number): Window {
  if (isEndOfCommand) return { ...windowOfEnd(lines, at), kind, weight };
  let last = at;
  const most = kind === 'stack' ? end : Math.min(end, at + linesOfDetail);
  while (last < most && goesOn(lines[last + 1] ?? '')) last += 1;
  // What a Python trace tells stands under it.
  if (kind === 'stack' && last < end) last += 1;
  const isPython = kind === 'stack' && /Traceback/.test(lines[at] ?? '');
  if (isPython && last - at >= mostLinesOfExcerpt) return { first: last - mostLinesOfExcerpt + 1, last, kind, weight };
  const first = Math.max(0, at - linesBefore);
  if (last === at) last = Math.min(end, at + linesBehind);
  return { first, last: Math.min(last, first + mostLinesOfExcerpt - 1), kind, weight };
}

/** The beginning of each group that the log wants to be seen. */
function openGroups(lines: readonly string[]): Window[] {
  const windows: Window[] = [];
  let head = -1;
  const take = (first: number, next: number) => {
    const last = Math.min(next - 1, first + linesOfGroup - 1);
    if (last > first) windows.push({ first, last, kind: 'group', weight: 2.5 });
  };
  let isOpen = false;
  lines.forEach((line, at) => {
    const kind = groupKind(line);
    if (kind === null) {
      isOpen ||= head >= 0 && opensPreviousGroup(line);
      return;
    }
    if (isOpen) take(head, at);
    head = at;
    isOpen = kind === 'expanded';
  });
  if (isOpen) take(head, lines.length);
  return windows;
}

function windowOfEnd(lines: readonly string[], end: number): Window {
  let first = end;
  for (let count = 1; first > 0 && count < linesOfEnd; first -= 1)
    if ((lines[first - 1] ?? '').trim() !== '') count += 1;
  return { first: Math.max(first, end - mostLinesOfExcerpt + 1), last: end, kind: 'end', weight: 0 };
}

/** The surest; of equals the first and the last by turns, since a cause stands before and a summary behind. */
function choose(windows: readonly Window[], most: number): Window[] {
  // Beside what tells of the failure for sure, a mere word of failure does not.
  const isSure = windows.some(({ kind, weight }) => kind !== 'group' && weight >= sureWeight);
  const worth = windows.filter(({ weight }) => !isSure || weight >= sureWeight / 2);
  const weights = [...new Set(worth.map(({ weight }) => weight))].sort((a, b) => b - a);
  const chosen: Window[] = [];
  for (const weight of weights) {
    const equal = worth.filter((window) => window.weight === weight);
    for (let fromFront = true; equal.length > 0 && chosen.length < most; fromFront = !fromFront) {
      const window = fromFront ? equal.shift() : equal.pop();
      if (window) chosen.push(window);
    }
  }
  return chosen;
}

/** The end of the log, which is one with what it begins in, if that has room for it. */
function withEnd(windows: readonly Window[], end: Window): Window[] {
  const last = windows.at(-1);
  if (!last || last.last < end.first - 1) return [...windows, end];
  const inEnd = windows.find((window) => window.last >= end.first - 1) ?? last;
  if (end.last - inEnd.first < mostLinesOfExcerpt)
    return [...windows.slice(0, windows.indexOf(inEnd)), { ...inEnd, last: end.last }];
  return last.last >= end.last ? [...windows] : [...windows, { ...end, first: last.last + 1 }];
}

/** In order; what two have in common is said once. */
function withoutOverlap(windows: readonly Window[]): Window[] {
  const result: Window[] = [];
  for (const window of [...windows].sort((a, b) => a.first - b.first || b.weight - a.weight)) {
    const before = result.at(-1);
    if (!before || window.first > before.last) result.push({ ...window });
    else if (window.last > before.last) result.push({ ...window, first: before.last + 1 });
  }
  return result;
}

function excerptOf(lines: readonly string[], { first, last, kind }: Window): Excerpt {
  const text = lines
    .slice(first, last + 1)
    .map((line) => (line.length > mostOfLine ? `${line.slice(0, mostOfLine)}…` : line))
    .join('\n');
  return { firstLine: first, lastLine: last, text, kind };
}

/** Cuts the longest excerpts first where all together have too many characters. */
function withinCharacters(excerpts: readonly Excerpt[]): Excerpt[] {
  const each = Math.floor(mostCharacters / Math.max(1, excerpts.length));
  const total = excerpts.reduce((sum, { text }) => sum + text.length, 0);
  return total <= mostCharacters ? [...excerpts] : excerpts.map((excerpt) => shortened(excerpt, each));
}

/** Whole lines of an excerpt, from its beginning; from its end for the end of a log. */
function shortened(excerpt: Excerpt, most: number): Excerpt {
  if (excerpt.text.length <= most) return excerpt;
  const lines = excerpt.text.split('\n');
  const fromEnd = excerpt.kind === 'end';
  const rest: string[] = [];
  let length = 0;
  for (const line of fromEnd ? lines.toReversed() : lines) {
    length += line.length + 1;
    if (length > most && rest.length > 0) break;
    rest.push(line);
  }
  if (fromEnd) return { ...excerpt, firstLine: excerpt.lastLine - rest.length + 1, text: rest.toReversed().join('\n') };
  return { ...excerpt, lastLine: excerpt.firstLine + rest.length - 1, text: rest.join('\n') };
}
