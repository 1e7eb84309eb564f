import { limits } from '../../limits/limits.js';

/** Cuts a text to `length` UTF-16 units and replaces characters that PostgreSQL cannot store. */
export function truncate(text: string, length: number = limits.testFailureLength): string {
  const cut = text.length > length ? text.slice(0, length) : text;
  return cut.replace(/[\0\p{Cs}]/gu, '\uFFFD');
}

/** Returns the trimmed text; null for other values and blank text. */
export function truncateOrNull(value: unknown, length: number): string | null {
  return typeof value === 'string' && value.trim() !== '' ? truncate(value, length) : null;
}

/** Colours and other commands to a terminal. */
const terminalCodes = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*[A-Za-z]`, 'g');

/** Returns the lines of a text without terminal colors, at most as many as a failure stores. */
export function truncateLines(text: string): string[] {
  const plain = truncate(text.slice(0, limits.testFailureLength)).replace(terminalCodes, '');
  return plain
    .replace(/^(?:\s*\n)+|\s+$/g, '')
    .split(/\r?\n/)
    .slice(0, limits.testFailureLines);
}

/** Returns a duration in seconds; null for an invalid one. */
export function secondsOrNull(value: unknown): number | null {
  const seconds = typeof value === 'string' && value.trim() !== '' ? Number(value.replaceAll(',', '')) : value;
  return typeof seconds === 'number' && Number.isFinite(seconds) && seconds >= 0 ? seconds : null;
}

/** `file:line`, the file alone, or null. */
export function locationOf(file: string | null, line: unknown): string | null {
  if (file === null) return null;
  const number = typeof line === 'string' ? Number(line) : line;
  return typeof number === 'number' && Number.isInteger(number) && number > 0 ? `${file}:${number}` : file;
}
