import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';
import type { Context } from '../context.js';
import { type LogForm, parseRange } from '../domain/logs/range.js';
import { Problem } from '../domain/problem.js';
import type { ReadableLog } from '../operations/jobs/read-log.js';
import { jobLogJson, renderLog } from '../storage/logs/forms.js';
import { readLog } from '../storage/logs/read-log.js';
import { Urls } from './present/urls.js';
import type { Exchange } from './route.js';

const contentTypes: Record<LogForm, string> = {
  json: 'application/json; charset=utf-8',
  text: 'text/plain; charset=utf-8',
  html: 'text/html; charset=utf-8',
};

/**
 * A job's log in one of its three forms, by suffix or Accept (rest-facts 2.3.2), written as it is read. HEAD answers
 * the size of what is stored. The HTML form is on our own origin, so a browser is told to run nothing in it.
 */
export function sendLog(suffix?: LogForm) {
  return async (context: Context, log: ReadableLog, { request, response }: Exchange): Promise<void> => {
    const form = suffix ?? formOf(request.accepts(['application/json', 'text/plain', 'text/html']));
    response.set({ 'Content-Type': contentTypes[form], 'Accept-Ranges': 'bytes' });
    if (form === 'html') response.set('Content-Security-Policy', "default-src 'none'; img-src http: https:; style-src 'unsafe-inline'; sandbox");
    if (request.method === 'HEAD') return void response.set('Content-Length', String(log.size)).end();
    const range = parseRange(request.headers.range, form, log.size);
    switch (range.kind) {
      case 'refused':
        throw new Problem('malformed', range.message);
      case 'empty':
        response.set('Content-Range', range.contentRange).status(416).type('application/json').send(JSON.stringify({ message: 'The log is empty' }));
        return;
      case 'part':
        response.status(206).set({ 'Content-Range': range.contentRange, 'Content-Length': String(range.end - range.start) });
        return stream(response, readLog(log.store, log.view, range));
      case 'whole':
        return stream(response, await wholeLog(context, log, form));
    }
  };
}

function formOf(accepted: string | false): LogForm {
  if (accepted === 'text/plain') return 'text';
  return accepted === 'text/html' ? 'html' : 'json';
}

/** The whole log as far as it was measured, so that a log that grows meanwhile agrees with its size. */
async function wholeLog(context: Context, log: ReadableLog, form: LogForm): Promise<AsyncIterable<string | Uint8Array>> {
  const { store, view, size } = log;
  if (form === 'text') return readLog(store, view, { end: size });
  if (form === 'html') return renderLog(readLog(store, view, { end: size }));
  const urls = Urls.of(context);
  const url = `${urls.job(urls.build(log.organization, log.pipeline, log.build), log.job).api}/log`;
  return jobLogJson(store, view, { url, size, headerTimes: await log.headerTimes() });
}

/** Writes as fast as the reader reads; one that goes away ends it. */
async function stream(response: Response, pieces: AsyncIterable<string | Uint8Array>): Promise<void> {
  try {
    await pipeline(Readable.from(pieces, { objectMode: true }), response);
  } catch (error) {
    if (!response.destroyed && !response.writableEnded) throw error;
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE')) throw error;
  }
}
