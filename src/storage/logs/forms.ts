import { HeaderScanner, startOfLog, type HeaderScan } from '../../domain/logs/header-scanner.js';
import { JobLogJson, type JobLogFields } from '../../domain/logs/json-form.js';
import { jsonContentMaxBytes } from '../../domain/logs/limits.js';
import { PlainLines } from '../../domain/logs/plain-text.js';
import { LogRenderer, type RenderOptions } from '../../domain/logs/terminal/log-renderer.js';
import type { LogStore } from './chunk-index.js';
import { readLog, type LogView } from './read-log.js';

/** The bytes of a log as they are read. */
export type LogBytes = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** A log as HTML, in pieces, in bounded memory. */
export async function* renderLog(bytes: LogBytes, options?: RenderOptions): AsyncGenerator<string> {
  const renderer = new LogRenderer(options);
  for await (const part of bytes) {
    const html = renderer.push(part);
    if (html !== '') yield html;
  }
  const rest = renderer.end();
  if (rest !== '') yield rest;
}

/** A log as lines of plain text without escape sequences and time marks. */
export async function* plainLines(bytes: LogBytes): AsyncGenerator<string> {
  const lines = new PlainLines();
  for await (const part of bytes) yield* lines.push(part);
  yield* lines.end();
}

/**
 * The JSON form of a log as text in pieces: the whole content, or of a log above `maxBytes` its end.
 * `fields.size` is the size measured before; what is appended meanwhile is left out, so that both agree.
 */
export async function* jobLogJson(
  store: LogStore,
  view: LogView,
  fields: JobLogFields,
  maxBytes = jsonContentMaxBytes,
): AsyncGenerator<string> {
  const start = Math.max(0, fields.size - maxBytes);
  const json = new JobLogJson(fields, start > 0);
  yield json.begin();
  for await (const part of readLog(store, view, { start, end: fields.size })) yield json.content(part);
  yield json.end();
}

/**
 * Goes on scanning a log for group headers from where `from` stands. Keep `scan` and append `found` to the
 * times kept with it, in one write that requires the old `scan.offset`, or two readers would append twice.
 */
export async function scanHeaders(
  store: LogStore,
  view: LogView,
  from: HeaderScan = startOfLog,
  end = Infinity,
): Promise<{ scan: HeaderScan; found: (bigint | null)[] }> {
  const scanner = new HeaderScanner(from);
  const found: (bigint | null)[] = [];
  for await (const part of readLog(store, view, { start: from.offset, end })) found.push(...scanner.push(part));
  return { scan: scanner.state, found };
}
