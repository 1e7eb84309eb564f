import { formatTime } from '../../domain/time.js';

/** Formats a time as ISO 8601 with milliseconds and `Z`; null stays null. */
export function timeOrNull(time: Date | null): string | null {
  return time === null ? null : formatTime(time);
}

/** Returns a row that a foreign key refers to; throws if it is null, which the database rules out. */
export function existing<T>(row: T | null, description: string): T {
  if (row === null) throw new Error(`a row refers to ${description} that does not exist`);
  return row;
}
