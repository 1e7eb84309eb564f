import { Cron } from 'croner';
import { type CalendarDay, type DayRule, readMonthDays, readWeekdays } from './day-fields.js';
import { type CronZone, readZone } from './zone.js';

/** When a schedule makes builds. */
export interface CronLine {
  /** Returns the first time after `after`; null if there is none within some years. */
  next(after: Date): Date | null;
}

export type CronResult = { ok: true; line: CronLine } | { ok: false; message: string };

const names: Readonly<Record<string, string>> = {
  '@hourly': '0 * * * *',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@weekly': '0 0 * * 0',
  '@monthly': '0 0 1 * *',
  '@yearly': '0 0 1 1 *',
};

const dayMs = 24 * 60 * 60 * 1000;
/** How far one looks for a day that the line names: long enough for a 29 February that falls on a Sunday. */
const horizonMs = 366 * 41 * dayMs;

/**
 * Reads a cron line: one of the names, or five fields and optionally a time zone, by default UTC. If both day fields
 * are restricted, either suffices, like in other cron implementations. Refuses `~` and other undocumented syntax with a
 * reason.
 */
export function readCronLine(text: string): CronResult {
  const trimmed = text.trim();
  const [minute, hour, monthDays, month, weekdays, zoneName, ...more] = (names[trimmed.toLowerCase()] ?? trimmed).split(
    /\s+/,
  ) as (string | undefined)[];
  if (trimmed.startsWith('@') && names[trimmed.toLowerCase()] === undefined)
    return refused(`is not one of ${Object.keys(names).join(', ')}`);
  if (
    minute === undefined ||
    hour === undefined ||
    monthDays === undefined ||
    month === undefined ||
    weekdays === undefined ||
    more.length > 0
  ) {
    return refused('must be five fields: minute, hour, day of month, month, day of week, and optionally a time zone');
  }
  const zone = readZone(zoneName ?? 'UTC');
  if (!zone) return refused(`has an unknown time zone ${zoneName}`);
  const rules = [readMonthDays(monthDays), readWeekdays(weekdays)] as const;
  if (rules[0] === undefined) return refused('has a day of month that cannot be read');
  if (rules[1] === undefined) return refused('has a day of week that cannot be read');
  const times = readTimes(minute, hour, month, zone);
  if (!times) return refused('has a minute, hour or month that cannot be read');
  return { ok: true, line: { next: (after) => nextOf(times, zone, anyOf(rules[0] ?? null, rules[1] ?? null), after) } };
}

const refused = (message: string): CronResult => ({ ok: false, message });

/** The part that the library evaluates: times of the day, months, and changes of a zone's clock. */
function readTimes(minute: string, hour: string, month: string, { timeZone }: CronZone): Cron | null {
  const readable = [minute, hour].every((field) => /^[\d*,/-]+$/.test(field)) && /^[\da-z*,/-]+$/i.test(month);
  if (!readable) return null;
  try {
    return new Cron(`${minute} ${hour} * ${month} *`, { paused: true, timezone: timeZone });
  } catch {
    return null;
  }
}

function anyOf(monthDay: DayRule, weekday: DayRule): DayRule {
  if (monthDay === null || weekday === null) return monthDay ?? weekday;
  return (day) => monthDay(day) || weekday(day);
}

function nextOf(times: Cron, zone: CronZone, rule: DayRule, after: Date): Date | null {
  const midnights = new Cron('0 0 * * *', { paused: true, timezone: zone.timeZone });
  let from = new Date(after.getTime() + zone.shiftMs);
  const last = from.getTime() + horizonMs;
  for (;;) {
    const next = times.nextRun(from);
    if (!next || next.getTime() > last) return null;
    const day = dayIn(zone, next);
    if (rule === null || rule(day)) return new Date(next.getTime() - zone.shiftMs);
    // The library is slow: distant days are skipped at once, except days that a change of the clock may shift, and the
    // rest of a day is skipped in one step.
    const days = daysUntil(rule, day);
    from = new Date(
      days > 3 ? next.getTime() + (days - 3) * dayMs : (midnights.nextRun(next)?.getTime() ?? Infinity) - 1,
    );
  }
}

/** Days from this one to the next that the rule names; a year where none is nearer. */
function daysUntil(rule: (day: CalendarDay) => boolean, { year, month, day }: CalendarDay): number {
  for (let days = 1; days < 365; days += 1) {
    const date = new Date(Date.UTC(year, month - 1, day + days));
    if (rule({ year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() })) return days;
  }
  return 365;
}

function dayIn({ days }: CronZone, time: Date): CalendarDay {
  const [year = 0, month = 0, day = 0] = days.format(time).split('-').map(Number);
  return { year, month, day };
}
