import { formatTime } from '../../domain/time.js';

/** A time as every reply prints it, or null. */
export function timeOrNull(time: Date | null): string | null {
  return time === null ? null : formatTime(time);
}

/** A row that a reference of another row leads to; its absence is a fault of ours. */
export function existing<T>(row: T | null, what: string): T {
  if (row === null) throw new Error(`a row refers to ${what} that does not exist`);
  return row;
}
