/** Requested part of a log, in bytes; `end` is exclusive. */
export type LogRange =
  | { kind: 'whole' }
  | { kind: 'part'; start: number; end: number; contentRange: string }
  | { kind: 'refused'; message: string }
  | { kind: 'empty'; contentRange: string };

/** The forms in which a log is served. */
export type LogForm = 'json' | 'text' | 'html';

/**
 * Reads the `Range` header of a log request: only the text form takes one, and only
 * `bytes=-N` with N above zero, the last N bytes.
 *
 * - `whole`: no header; answer 200.
 * - `part`: answer 206 with `contentRange`.
 * - `refused`: answer 400 with the message.
 * - `empty`: the log has no bytes; answer 416 with `contentRange`.
 */
export function parseRange(header: string | undefined, form: LogForm, size: number): LogRange {
  if (header === undefined) return { kind: 'whole' };
  if (form !== 'text') return { kind: 'refused', message: 'Range is only supported for the text/plain log format' };
  const suffix = /^bytes=-(\d+)$/.exec(header.trim())?.[1];
  if (suffix === undefined || /^0+$/.test(suffix)) {
    return { kind: 'refused', message: 'Range must be of the form bytes=-N, with N greater than zero' };
  }
  if (size === 0) return { kind: 'empty', contentRange: 'bytes */0' };
  const start = Math.max(0, size - Number(suffix));
  return { kind: 'part', start, end: size, contentRange: `bytes ${start}-${size - 1}/${size}` };
}
