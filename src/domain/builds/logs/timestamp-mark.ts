import { keyAndValue, SequenceError, splitTokens } from './terminal/tokens.js';

const prefix = 'bk;';
/** Fast path for the mark that agents write before nearly every line; the general parser below returns the same. */
const usualMark = /^bk;t=(\d{1,15})$/;
const minInt64 = -(2n ** 63n);
const maxInt64 = 2n ** 63n - 1n;

/** Result of reading one mark: the line's time if it carries one, and the time later deltas count from. */
export interface TimestampMark {
  /** Milliseconds since the epoch, or null where the mark holds no time. */
  time: bigint | null;
  last: bigint;
}

function integer(key: string, value: string): bigint {
  const problem = (reason: string): SequenceError =>
    new SequenceError(
      `${key} key has non-integer value ${JSON.stringify(value)}: strconv.ParseInt: parsing ${JSON.stringify(value)}: ${reason}`,
    );
  if (!/^[+-]?\d+$/.test(value)) throw problem('invalid syntax');
  const number = BigInt(value.replace(/^\+/, ''));
  if (number < minInt64 || number > maxInt64) throw problem('value out of range');
  return number;
}

/**
 * Reads the content of an APC sequence as the agent's timestamp mark: `bk;t=<ms>` is a time,
 * `bk;dt=<ms>` a delta to the previous one. Returns null for any other APC; throws SequenceError where malformed.
 */
export function readTimestampMark(content: string, last: bigint): TimestampMark | null {
  const usual = usualMark.exec(content)?.[1];
  if (usual !== undefined) {
    const time = BigInt(usual);
    return { time, last: time };
  }
  if (!content.startsWith(prefix)) return null;
  let time: bigint | null = null;
  let previous = last;
  for (const token of splitTokens(content.slice(prefix.length))) {
    const pair = keyAndValue(token);
    if (!pair) throw new SequenceError(`Failed to read key=value from token ${JSON.stringify(token)}`);
    const [key, value] = pair;
    if (key !== 't' && key !== 'dt') continue;
    const number = integer(key, value);
    previous = key === 't' ? number : BigInt.asIntN(64, previous + number);
    time = previous;
  }
  return { time, last: previous };
}

/** The most a JavaScript date can hold, in milliseconds. */
const maxDate = 8_640_000_000_000_000;

/** The last second that was formatted: lines of a log come in runs of the same one. */
let known = { second: Number.NaN, text: '' };

/**
 * Milliseconds since the epoch as ISO 8601 in UTC, the fraction without trailing zeros
 * (`1970-01-01T00:00:00.12Z`), or null beyond the range of dates.
 */
export function isoTime(milliseconds: bigint): string | null {
  return isoTimeOf(Number(milliseconds));
}

/** Fractions of a second as they are written, by milliseconds. */
const fractions = Array.from({ length: 1000 }, (_, ms) =>
  ms === 0 ? 'Z' : `.${String(ms).padStart(3, '0').replace(/0+$/, '')}Z`,
);

/** The same for whole milliseconds as a number. */
export function isoTimeOf(time: number): string | null {
  if (Math.abs(time) > maxDate) return null;
  const second = Math.floor(time / 1000);
  if (known.second !== second) known = { second, text: new Date(second * 1000).toISOString().slice(0, -5) };
  return known.text + (fractions[time - second * 1000] ?? 'Z');
}
