import { createReadStream } from 'node:fs';

import { AgentHttpError } from '../http.js';

/** Longest pause of a server while it receives a file, and longest wait for its answer. */
const stillMs = 5 * 60_000;

/**
 * Puts a file to an address as a stream, without a credential: the address is one.
 * @throws AgentHttpError for anything but a 2xx
 */
export async function sendFile(
  url: string,
  file: { absolutePath: string; fileSize: number; contentType: string },
  signal?: AbortSignal,
): Promise<void> {
  const { request } = await import('undici');
  let status: number;
  let text: string;
  try {
    const reply = await request(url, {
      method: 'PUT',
      headers: { 'content-type': file.contentType, 'content-length': String(file.fileSize) },
      // Sends only the bytes that were registered, even if the file has grown.
      body: file.fileSize === 0 ? '' : createReadStream(file.absolutePath, { end: file.fileSize - 1 }),
      headersTimeout: stillMs,
      bodyTimeout: stillMs,
      signal,
    });
    status = reply.statusCode;
    text = await reply.body.text();
  } catch (error) {
    const { message, code } = error as { message?: string; code?: string };
    throw new AgentHttpError(
      `the transfer broke off: ${message || code || String(error)}`,
      signal?.aborted ? 'aborted' : 'network',
    );
  }
  if (status >= 200 && status < 300) return;
  throw new AgentHttpError(`the server answered ${status}: ${replyText(text)}`, 'status', status);
}

function replyText(text: string): string {
  try {
    const { message } = JSON.parse(text) as { message?: unknown };
    if (typeof message === 'string') return message;
  } catch {
    // Not every storage answers JSON; its text says enough.
  }
  return text.slice(0, 200);
}
