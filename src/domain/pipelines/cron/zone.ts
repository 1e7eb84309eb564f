/** The clock that a cron line is read by. */
export interface CronZone {
  timeZone: string;
  /** Added to a time before it is read there: the offset of a zone that is nothing but an offset. */
  shiftMs: number;
  /** Days as `2026-01-31`. */
  days: Intl.DateTimeFormat;
}

/** Returns a zone by its name (`America/Vancouver`) or offset (`+09:00`); null for other text. */
export function readZone(name: string): CronZone | null {
  const [, sign, hours, minutes] = /^([+-])(\d{2}):?(\d{2})$/.exec(name) ?? [];
  if (sign !== undefined) {
    const offset = Number(hours) * 60 + Number(minutes);
    if (Number(minutes) > 59 || offset > 14 * 60) return null;
    return { timeZone: 'UTC', shiftMs: (sign === '-' ? -1 : 1) * offset * 60_000, days: formatter('UTC') };
  }
  if (!/^[A-Za-z][\w+/-]{0,63}$/.test(name)) return null;
  try {
    return { timeZone: name, shiftMs: 0, days: formatter(name) };
  } catch {
    return null;
  }
}

// This locale writes days as ISO 8601 does.
const formatter = (timeZone: string) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
