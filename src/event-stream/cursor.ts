import { Problem } from '../domain/problem.js';

/** The cursor of an event: its position, which is the same on every replica and for every stream that shows it. */
export function eventCursor(position: number): string {
  return Buffer.from(`event:${position}`).toString('base64url');
}

/** Parses an event cursor into its position; throws `malformed` for any other text. */
export function eventPosition(cursor: string): number {
  const [, digits] = /^event:(\d{1,15})$/.exec(Buffer.from(cursor.slice(0, 100), 'base64url').toString('utf8')) ?? [];
  if (digits === undefined) throw new Problem('malformed', 'The cursor is not a cursor of an event stream');
  return Number(digits);
}

/** Cursor of a log: the number of bytes sent so far, in decimal. */
export function logPosition(cursor: string): number {
  if (!/^\d{1,13}$/.test(cursor)) throw new Problem('malformed', 'The cursor of a log is a number of bytes');
  return Number(cursor);
}
