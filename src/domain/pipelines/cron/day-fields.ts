/** A day of some calendar, as its people count it. */
export interface CalendarDay {
  year: number;
  /** From 1. */
  month: number;
  day: number;
}

/** Whether a cron line names a day; null for a field that allows every day. */
export type DayRule = ((day: CalendarDay) => boolean) | null;

const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const dayMs = 86_400_000;
/** Weeks are counted from here on, the first is 1. */
const firstDay = Date.UTC(2019, 0, 1);

const utc = ({ year, month, day }: CalendarDay) => Date.UTC(year, month - 1, day);
const lastDayOf = ({ year, month }: CalendarDay) => new Date(Date.UTC(year, month, 0)).getUTCDate();
const weekdayOf = (day: CalendarDay) => new Date(utc(day)).getUTCDay();
const weekOf = (day: CalendarDay) => Math.floor((utc(day) - firstDay) / dayMs / 7) + 1;

/**
 * Reads the days of the month: numbers, ranges, steps, lists, `L` or `last` for the last day, and ranges that count
 * back from it (`-2-L`: the last two). Undefined for other text.
 */
export function readMonthDays(field: string): DayRule | undefined {
  if (field === '*') return null;
  const rules = field.split(',').map(monthDays);
  if (rules.includes(undefined)) return undefined;
  return (day) => rules.some((rule) => rule?.(day));
}

function monthDays(item: string): ((day: CalendarDay) => boolean) | undefined {
  const match = /^(?:(\*)|(-?\d{1,2}|L|last)(?:-(-?\d{1,2}|L|last))?)(?:\/(\d{1,2}))?$/i.exec(item);
  if (!match) return undefined;
  const [, every, first = '1', second, stepText] = match;
  const step = stepText === undefined ? 1 : Number(stepText);
  const from = every === undefined ? monthDay(first) : 1;
  // A single day with a step extends to the end of the month.
  const toEnd = every !== undefined || (second === undefined && stepText !== undefined);
  const last = second === undefined ? from : monthDay(second);
  const to = toEnd ? -1 : last;
  if (from === undefined || to === undefined || step < 1) return undefined;
  if (from > 0 && to > 0 && from > to) return undefined;
  return (day) => {
    const last = lastDayOf(day);
    const [start, end] = [from, to].map((value) => (value < 0 ? last + 1 + value : value)) as [number, number];
    return day.day >= start && day.day <= end && (day.day - start) % step === 0;
  };
}

/** Day from 1, or counted back from the end: -1 is the last day, and -2 the day before it. */
function monthDay(word: string): number | undefined {
  if (/^(?:L|last)$/i.test(word)) return -1;
  const number = Number(word);
  return Math.abs(number) >= 1 && Math.abs(number) <= 31 ? number : undefined;
}

/**
 * Reads the days of the week: numbers from 0 (Sunday) to 7 (also Sunday), names, ranges, steps, lists, and weeks
 * counted from 2019-01-01 (`0%3`: every third Sunday, `2%2+1`: odd Tuesdays). Undefined for other text.
 */
export function readWeekdays(field: string): DayRule | undefined {
  if (field === '*') return null;
  const rules = field.split(',').map(weekdayItem);
  if (rules.includes(undefined)) return undefined;
  return (day) => rules.some((rule) => rule?.(day));
}

function weekdayItem(item: string): ((day: CalendarDay) => boolean) | undefined {
  const counted = /^([0-7]|[a-z]{3})%(\d{1,2})(?:\+(\d{1,2}))?$/i.exec(item);
  if (counted) {
    const [, word = '', modulus = '0', rest = '0'] = counted;
    const targetDay = weekday(word);
    const every = Number(modulus);
    if (targetDay === undefined || every < 1) return undefined;
    return (day) => weekdayOf(day) === targetDay % 7 && weekOf(day) % every === Number(rest) % every;
  }
  const match = /^(?:(\*)|([0-7]|[a-z]{3})(?:-([0-7]|[a-z]{3}))?)(?:\/([1-7]))?$/i.exec(item);
  if (!match) return undefined;
  const [, every, first = '', second, step = '1'] = match;
  const from = every === undefined ? weekday(first) : 0;
  const toEnd = every !== undefined || (second === undefined && match[4] !== undefined);
  const last = second === undefined ? from : weekday(second);
  const end = toEnd ? 6 : last;
  if (from === undefined || end === undefined) return undefined;
  // Sunday ends a week as well as it begins one: Friday to Sunday, Saturday to Monday.
  const to = end < from ? end + 7 : end;
  const days = new Set<number>();
  for (let day = from; day <= to; day += Number(step)) days.add(day % 7);
  return (day) => days.has(weekdayOf(day));
}

function weekday(word: string): number | undefined {
  if (/^[0-7]$/.test(word)) return Number(word);
  const index = weekdays.indexOf(word.toLowerCase());
  return index < 0 ? undefined : index;
}
