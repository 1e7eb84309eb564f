import { Cron } from 'croner';
import { type CalendarDay, type DayRule, readMonthDays, readWeekdays } from './day-fields.js';
import { type CronZone, readZone } from './zone.js';

/** When a schedule makes builds. */
export interface CronLine {
  /** The first time after `after`; null where there is none within some years. */
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

/** Days that are looked at for one that the line names: long enough for a 29 February that falls on a Sunday. */
const daysAtMost = 366 * 41;

/**
 * Reads a cron line: one of the names, or five fields and, optionally, a time zone, UTC where there is none (rest-facts 4.11).
 * Of two restricted day fields either suffices, as everywhere. Refuses `~` and whatever else is not in the documents, with a
 * reason.
 */
export function readCronLine(text: string): CronResult {
  const trimmed = text.trim();
  const [minute, hour, monthDays, month, weekdays, zoneName, ...more] = (names[trimmed.toLowerCase()] ?? trimmed).split(/\s+/) as (string | undefined)[];
  if (trimmed.startsWith('@') && names[trimmed.toLowerCase()] === undefined) return refused(`is not one of ${Object.keys(names).join(', ')}`);
  if (minute === undefined || hour === undefined || monthDays === undefined || month === undefined || weekdays === undefined || more.length > 0) {
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

/** The library's share: times of the day, months, and what a zone's clock does twice or never. */
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
  for (let day = 0; day < daysAtMost; day += 1) {
    const found = times.nextRun(from);
    if (!found) return null;
    if (rule === null || rule(dayIn(zone, found))) return new Date(found.getTime() - zone.shiftMs);
    // The rest of the day is passed over in one go.
    from = new Date((midnights.nextRun(found)?.getTime() ?? Infinity) - 1);
  }
  return null;
}

function dayIn({ days }: CronZone, time: Date): CalendarDay {
  const [year = 0, month = 0, day = 0] = days.format(time).split('-').map(Number);
  return { year, month, day };
}
