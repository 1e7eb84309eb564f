import { limits } from '../limits/limits.js';

const daysOfUnit: Readonly<Record<string, number>> = { d: 1, w: 7, y: 365 };

/** Returns the days of an age such as `90d`, `12w` or `1y`; null for any other text, and below a day. */
export function readAge(text: string): number | null {
  const [, number = '', unit = ''] = /^(\d{1,6})([dwy])$/.exec(text.trim()) ?? [];
  const days = Number(number) * (daysOfUnit[unit] ?? 0);
  return days >= 1 && days <= limits.retentionDays ? days : null;
}
