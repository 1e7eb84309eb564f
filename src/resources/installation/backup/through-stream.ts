import { PassThrough, type Readable, type Writable } from 'node:stream';
import type { Encryption } from './encryption.js';

/** Bytes on their way from what writes to what takes them. */
const buffered = 1024 * 1024;

/**
 * Has a backup written and taken at the same time, encrypted in between if there is an encryption. Whatever fails first
 * ends the other with its error.
 */
export async function throughStream<T>(
  write: (sink: Writable) => Promise<T>,
  take: (body: Readable) => Promise<void>,
  encryption: Encryption | null,
): Promise<T> {
  const sink = new PassThrough({ highWaterMark: buffered });
  // Whoever takes the bytes reports the error; until then the stream must not throw it.
  sink.on('error', () => undefined);
  let cause: unknown;
  const fail = (error: unknown) => {
    cause ??= error;
    sink.destroy(error instanceof Error ? error : new Error(String(error)));
  };
  const reading = (async () => take(encryption ? await encryption(sink) : sink))();
  reading.catch(fail);
  const writing = write(sink);
  writing.catch(fail);
  const [outcome, end] = await Promise.allSettled([writing, reading]);
  if (outcome.status === 'rejected' || end.status === 'rejected') throw cause;
  return outcome.value;
}
