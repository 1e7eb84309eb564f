/** How the time of a line is written: not at all, the clock of the reader, since the job's start, or UTC in full. */
export const timeForms = ['off', 'clock', 'elapsed', 'utc'] as const;
export type TimeForm = (typeof timeForms)[number];

const clock = new Intl.DateTimeFormat('en', { timeStyle: 'medium', hour12: false });

/** The form after this one, in turn. */
export const nextTimeForm = (form: TimeForm): TimeForm =>
  timeForms[(timeForms.indexOf(form) + 1) % timeForms.length] ?? 'off';

/** The time of a line; `start` is that of its job. Both in milliseconds. Empty where there is none. */
export function timeOfLine(form: TimeForm, time: number | null, start: number | null): string {
  if (time === null || form === 'off') return '';
  if (form === 'clock') return clock.format(time);
  if (form === 'utc') return new Date(time).toISOString();
  return start === null ? '' : elapsedText(time - start);
}

/** `1:02:03.4`, `2:03.4` or `3.4`; lines from before the start have a minus. */
function elapsedText(milliseconds: number): string {
  const tenths = Math.round(Math.abs(milliseconds) / 100);
  const [hours, minutes, seconds] = [Math.floor(tenths / 36_000), Math.floor(tenths / 600) % 60, (tenths % 600) / 10];
  const sign = milliseconds < 0 && tenths > 0 ? '−' : '';
  const rest = seconds.toFixed(1);
  if (hours > 0) return `${sign}${hours}:${String(minutes).padStart(2, '0')}:${rest.padStart(4, '0')}`;
  return minutes > 0 ? `${sign}${minutes}:${rest.padStart(4, '0')}` : `${sign}${rest}`;
}
