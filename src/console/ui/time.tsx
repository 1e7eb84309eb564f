import { useEffect, useState, useSyncExternalStore } from 'react';
import { durationText, relativeText } from './time-text';

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

const exact = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'long' });

/** A time as "3 minutes ago", with the exact one in its title. Nothing for null. */
export function RelativeTime({ at }: { at: string | null | undefined }) {
  useSyncExternalStore(subscribe, () => now);
  if (!at) return null;
  const date = new Date(at);
  return (
    <time dateTime={at} title={exact.format(date)}>
      {relativeText(date.getTime(), now)}
    </time>
  );
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
