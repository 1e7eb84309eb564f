const shape =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(?:([Zz])| ?UTC|([ +-])(\d{2}):?(\d{2})?)?)?$/;

/**
 * Reads a time as it arrives in a parameter: full ISO 8601, without a zone (UTC), a bare date (midnight UTC), or
 * with an offset whose raw `+` arrived as a space; 0 to 9 fractional digits, cut to milliseconds; also
 * our own old form `YYYY-MM-DD HH:MM:SS UTC`. Null for everything else, days that do not exist included.
 */
export function parseTime(text: string): Date | null {
  const match = shape.exec(text.trim());
  if (!match) return null;
  const [
    ,
    year,
    month,
    day,
    hour = '0',
    minute = '0',
    second = '0',
    fraction = '',
    ,
    sign,
    offsetHour = '0',
    offsetMinute = '0',
  ] = match;
  const milliseconds = Number(fraction.padEnd(3, '0').slice(0, 3));
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 60) return null;
  if (Number(offsetHour) > 23 || Number(offsetMinute) > 59) return null;
  const midnight = new Date(`${year}-${month}-${day}T00:00:00.000Z`);
  // The engine turns 30 February into a day in March; such times are refused instead.
  if (Number.isNaN(midnight.getTime()) || midnight.getUTCDate() !== Number(day)) return null;
  const local = ((Number(hour) * 60 + Number(minute)) * 60 + Number(second)) * 1000 + milliseconds;
  const offset = (Number(offsetHour) * 60 + Number(offsetMinute)) * 60_000 * (sign === '-' ? -1 : 1);
  return new Date(midnight.getTime() + local - offset);
}

const minuteMs = 60_000;
/**
 * Minutes that were formatted last, by their lowest bits: pages hold thousands of times, many of them of the same
 * minutes.
 */
const minutes = Array.from({ length: 256 }, () => ({ minute: NaN, text: '' }));
const seconds = Array.from({ length: 60 }, (_, second) => `${String(second).padStart(2, '0')}.`);
const milliseconds = Array.from({ length: 1000 }, (_, millisecond) => `${String(millisecond).padStart(3, '0')}Z`);

/** A time as every surface prints it: ISO 8601, milliseconds, `Z`. Throws for an invalid date. */
export function formatTime(time: Date): string {
  const at = time.getTime();
  const minute = Math.floor(at / minuteMs);
  const known = minutes[minute & 255];
  if (known?.minute !== minute) {
    const text = time.toISOString();
    if (known) Object.assign(known, { minute, text: text.slice(0, -'00.000Z'.length) });
    return text;
  }
  const inMinute = at - minute * minuteMs;
  return known.text + (seconds[Math.floor(inMinute / 1000)] ?? '') + (milliseconds[inMinute % 1000] ?? '');
}

/** A duration in words, in its two largest units: `3 minutes, 4 seconds`. */
export function spokenDuration(milliseconds: number): string {
  const total = Math.max(0, Math.round(milliseconds / 1000));
  const units = [
    [Math.floor(total / 86_400), 'day'],
    [Math.floor(total / 3600) % 24, 'hour'],
    [Math.floor(total / 60) % 60, 'minute'],
    [total % 60, 'second'],
  ] as const;
  const first = units.findIndex(([count]) => count > 0);
  const shown = first < 0 ? units.slice(-1) : units.slice(first, first + 2).filter(([count]) => count > 0);
  return shown.map(([count, unit]) => `${count} ${unit}${count === 1 ? '' : 's'}`).join(', ');
}
