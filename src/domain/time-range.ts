import { Problem } from './problem.js';

const dayMs = 86_400_000;
const usualMs = 7 * dayMs;
/** Days of the longest time that figures are of where they are computed from rows. */
const usualMostDays = 92;

/**
 * The time that figures are of, up to now and a week long (or `lengthMs`) where nothing else is asked for. Throws
 * `invalid` for one that is empty or too long, with `names`, what the caller calls its ends.
 */
export function readTimeRange(
  {
    from,
    to,
    lengthMs = usualMs,
    mostDays = usualMostDays,
  }: { from?: Date | null; to?: Date | null; lengthMs?: number; mostDays?: number },
  now: Date,
  names: { from: string; to: string } = { from: 'from', to: 'to' },
): { from: Date; to: Date } {
  const end = to ?? now;
  const begin = from ?? new Date(end.getTime() - lengthMs);
  const length = end.getTime() - begin.getTime();
  if (length <= 0) throw new Problem('invalid', `${names.from} must be before ${names.to}`);
  if (length > mostDays * dayMs)
    throw new Problem('invalid', `${names.from} and ${names.to} are at most ${mostDays} days apart`);
  return { from: begin, to: end };
}
