import { HeaderScanner, startOfLog, type HeaderScan } from '../../domain/builds/logs/header-scanner.js';
import { JobLogJson, type JobLogFields } from '../../domain/builds/logs/json-form.js';
import { jsonContentMaxBytes } from '../../domain/limits/log-limits.js';
import type { LogStore } from './chunk-index.js';
import { readLog, type LogView } from './read-log.js';

/** The bytes of a log as they are read. */
export type LogBytes = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** Bytes rendered at a time: a thread does it in some 10 ms, and takes a state of up to 2 MB with it. */
const renderedBytes = 256 * 1024;

/** Renders the next bytes, or the end where they are null; a state of null says that nothing comes after it. */
export type RenderStep<State> = (
  state: State | null,
  bytes: Uint8Array | null,
) => Promise<{ html: string; state: State | null }>;

/** Streams a log as HTML in bounded memory; `step` renders each piece when the previous one was taken. */
export async function* renderLog<State>(bytes: LogBytes, step: RenderStep<State>): AsyncGenerator<string> {
  let state: State | null = null;
  for await (const part of bytes) {
    for (let at = 0; at < part.length; at += renderedBytes) {
      const piece: Awaited<ReturnType<RenderStep<State>>> = await step(state, part.subarray(at, at + renderedBytes));
      if (piece.html !== '') yield piece.html;
      if (piece.state === null) return;
      state = piece.state;
    }
  }
  const { html } = await step(state, null);
  if (html !== '') yield html;
}

/**
 * Streams the JSON form of a log as text: the whole content, or the end of a log above `maxBytes`. `fields.size` was
 * measured before; bytes appended later are left out, so that content and size agree.
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
 * Continues scanning a log for group headers from the state `from`. Store `scan` and append `headerTimes` to the stored
 * times in one write that requires the old `scan.offset`, or two readers would append twice.
 */
export async function scanHeaders(
  store: LogStore,
  view: LogView,
  from: HeaderScan = startOfLog,
  end = Infinity,
): Promise<{ scan: HeaderScan; headerTimes: (bigint | null)[] }> {
  const scanner = new HeaderScanner(from);
  const headerTimes: (bigint | null)[] = [];
  for await (const part of readLog(store, view, { start: from.offset, end })) headerTimes.push(...scanner.push(part));
  return { scan: scanner.state, headerTimes };
}
