import { note } from './output.js';

/** Milliseconds between two lines: somebody looks at a terminal, and a log is read later. */
const everyMs = { terminal: 2_000, log: 30_000 } as const;

/** Returns a function that says on stderr how far long work is, every now and then. */
export function reportProgress(): (text: () => string) => void {
  const pauseMs = process.stderr.isTTY ? everyMs.terminal : everyMs.log;
  let last = performance.now();
  return (text) => {
    if (performance.now() - last < pauseMs) return;
    last = performance.now();
    void note(text());
  };
}

/** A number of bytes for people, such as `1.5 GB`. */
export function readableBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  return `${power === 0 ? bytes : (bytes / 1000 ** power).toFixed(1)} ${units[power]}`;
}
