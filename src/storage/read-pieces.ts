import { setTimeout as sleep } from 'node:timers/promises';
import { type ObjectStorage, StorageError } from './storage.js';

const attempts = 5;
const pauseMs = 500;

/** An object that is not there any more: another attempt would not find it either. */
class ObjectGone extends StorageError {}

/**
 * The bytes of a large object; where a read breaks off, it goes on from there after a growing pause, five times at
 * most. Throws {@link StorageError} if the object is gone or cannot be read.
 */
export async function* readPieces(storage: ObjectStorage, key: string, size: number): AsyncGenerator<Buffer> {
  let sent = 0;
  for (let attempt = 1; sent < size; attempt += 1) {
    try {
      const body = await storage.get(key, { start: sent });
      if (!body) throw new ObjectGone('unavailable', `${key} was deleted while it was read`);
      for await (const piece of body) {
        yield piece as Buffer;
        sent += (piece as Buffer).length;
      }
      if (sent < size) throw new StorageError('unavailable', `Storage ended ${key} after ${sent} of ${size} bytes`);
    } catch (error) {
      if (error instanceof ObjectGone || attempt >= attempts) throw error;
      await sleep(pauseMs * 2 ** attempt);
    }
  }
}
