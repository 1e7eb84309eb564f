import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';
import type { Context } from '../../request/context.js';
import { type LogForm, parseRange } from '../../domain/builds/logs/range.js';
import { Problem } from '../../domain/problem.js';
import type { ReadableLog } from '../../resources/builds/logs/readable-log.js';
import { logHtml } from '../../resources/builds/logs/log-html.js';
import { jobLogJson } from '../../storage/logs/forms.js';
import { readLog } from '../../storage/logs/read-log.js';
import { Urls } from '../present/urls.js';
import type { Exchange } from '../route.js';
import { storageProblem } from '../../core/storage-problem.js';

const contentTypes: Record<LogForm, string> = {
  json: 'application/json; charset=utf-8',
  text: 'text/plain; charset=utf-8',
  html: 'text/html; charset=utf-8',
};

/**
 * Streams a job's log as JSON, text or HTML, chosen by suffix or Accept. HEAD returns the size of the stored log in
 * bytes. The HTML form is served from the product's origin, so its headers forbid browsers to run scripts in it. Throws
 * `malformed` for an unsupported range.
 */
export function sendLog(suffix?: LogForm) {
  return async (context: Context, log: ReadableLog, { request, response }: Exchange): Promise<void> => {
    const form = suffix ?? formOf(request.accepts(['application/json', 'text/plain', 'text/html']));
    response.set({ 'Content-Type': contentTypes[form], 'Accept-Ranges': 'bytes' });
    if (form === 'html')
      response.set(
        'Content-Security-Policy',
        "default-src 'none'; img-src http: https:; style-src 'unsafe-inline'; sandbox",
      );
    if (request.method === 'HEAD') return void response.set('Content-Length', String(log.size)).end();
    const range = parseRange(request.headers.range, form, log.size);
    switch (range.kind) {
      case 'refused':
        throw new Problem('malformed', range.message);
      case 'empty':
        response
          .set('Content-Range', range.contentRange)
          .status(416)
          .type('application/json')
          .send(JSON.stringify({ message: 'The log is empty' }));
        return;
      case 'part':
        response
          .status(206)
          .set({ 'Content-Range': range.contentRange, 'Content-Length': String(range.end - range.start) });
        return stream(context, response, readLog(log.store, log.view, range));
      case 'whole':
        return stream(context, response, await wholeLog(context, log, form));
    }
  };
}

function formOf(accepted: string | false): LogForm {
  if (accepted === 'text/plain') return 'text';
  return accepted === 'text/html' ? 'html' : 'json';
}

/** Returns the log up to its measured size, so that a log that still grows agrees with the size in the reply. */
async function wholeLog(
  context: Context,
  log: ReadableLog,
  form: LogForm,
): Promise<AsyncIterable<string | Uint8Array> | Iterable<string>> {
  const { store, view, size } = log;
  if (form === 'text') return readLog(store, view, { end: size });
  if (form === 'html') return logHtml(context, log);
  const urls = Urls.of(context);
  const url = `${urls.job(urls.build(log.organization, log.pipeline, log.build), log.job).api}/log`;
  return jobLogJson(store, view, { url, size, headerTimes: await log.headerTimes() });
}

/** Writes pieces as fast as the client reads, until it disconnects. Storage errors become `unavailable`. */
async function stream(
  { services }: Context,
  response: Response,
  pieces: AsyncIterable<string | Uint8Array> | Iterable<string>,
): Promise<void> {
  try {
    // A pipeline listens several times for the end, as most layers of the server do once: more than Node takes for no
    // leak.
    response.setMaxListeners(20);
    await pipeline(Readable.from(pieces, { objectMode: true }), response);
  } catch (error) {
    if (!response.destroyed && !response.writableEnded) throw storageProblem(error, services);
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE')) throw error;
  }
}
