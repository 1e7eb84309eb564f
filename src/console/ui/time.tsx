import { useEffect, useState, useSyncExternalStore } from 'react';

/** One clock for all relative times of a page. */
let now = Date.now();
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

function subscribe(listener: () => void) {
  listeners.add(listener);
  now = Date.now();
  timer ??= setInterval(() => {
    now = Date.now();
    listeners.forEach((each) => each());
  }, 10_000);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) {
      clearInterval(timer);
      timer = undefined;
    }
  };
}

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'long' });
const exact = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'long' });
const steps: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

function relativeText(time: number): string {
  const seconds = Math.round((time - now) / 1000);
  const [unit, size] = steps.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 1];
  return Math.abs(seconds) < 10 ? 'just now' : relative.format(Math.trunc(seconds / size), unit);
}

/** A time as "3 minutes ago", with the exact one in its title. Nothing for null. */
export function RelativeTime({ at }: { at: string | null | undefined }) {
  useSyncExternalStore(subscribe, () => now);
  if (!at) return null;
  const date = new Date(at);
  return (
    <time dateTime={at} title={exact.format(date)}>
      {relativeText(date.getTime())}
    </time>
  );
}

/** Milliseconds as people say them: "4s", "3m 20s", "2h 5m". */
export function durationText(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  if (seconds < 60) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return seconds % 60 === 0 ? `${minutes}m` : `${minutes}m ${seconds % 60}s`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours}h ${minutes % 60}m` : `${Math.floor(hours / 24)}d ${hours % 24}h`;
}

/** Time from one moment to another; counts on while there is no end. */
export function Duration({ from, to }: { from: string | null | undefined; to: string | null | undefined }) {
  const [current, setCurrent] = useState(() => Date.now());
  const counting = Boolean(from) && !to;
  useEffect(() => {
    if (!counting) return;
    const ticking = setInterval(() => setCurrent(Date.now()), 1_000);
    return () => clearInterval(ticking);
  }, [counting]);
  if (!from) return null;
  const end = to ? Date.parse(to) : current;
  return <span className="tabular">{durationText(end - Date.parse(from))}</span>;
}
