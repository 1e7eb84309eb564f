import { limits } from '../limits.js';

/** A text of the largest length that is kept of it; what a database cannot hold is replaced. */
export function kept(text: string, length: number = limits.testFailureLength): string {
  const cut = text.length > length ? text.slice(0, length) : text;
  return cut.replace(/[\0\p{Cs}]/gu, '\uFFFD');
}

/** The same, null for what is no text or says nothing. */
export function keptOrNull(value: unknown, length: number): string | null {
  return typeof value === 'string' && value.trim() !== '' ? kept(value, length) : null;
}

/** Colours and other commands to a terminal. */
const terminalCodes = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*[A-Za-z]`, 'g');

/** The lines of a text, as many as are kept of a failure, without the colours of a terminal. */
export function keptLines(text: string): string[] {
  const plain = kept(text.slice(0, limits.testFailureLength)).replace(terminalCodes, '');
  return plain.replace(/^(?:\s*\n)+|\s+$/g, '').split(/\r?\n/).slice(0, limits.testFailureLines);
}

/** A duration in seconds, or null for what is none. */
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
