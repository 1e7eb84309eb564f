import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { limits } from '../domain/limits/limits.js';
import { Problem } from '../domain/problem.js';
import { joinShared } from '../event-loop/shared-bytes.js';

const message = `The upload is larger than ${limits.testUploadBytes} bytes; send it in several with the same key`;

/** Limits of an upload, as received and decompressed. */
export const uploadLimit = { bytes: limits.testUploadBytes, message };

/** Limits of a form with a TESTOWNERS file. */
export const ownersLimit = {
  bytes: limits.testOwnersBytes + 16 * 1024,
  message: `A TESTOWNERS file has at most ${limits.testOwnersBytes} bytes`,
};

const unpack = promisify(gunzip);

/** Whether a file is gzip. */
export const isPacked = (bytes: Buffer): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b;

/** A file that was packed before it was sent, unpacked within the same limit. */
export async function unpackFile(bytes: Buffer): Promise<Buffer> {
  if (!isPacked(bytes)) return bytes;
  try {
    return await joinShared([await unpack(bytes, { maxOutputLength: limits.testUploadBytes })]);
  } catch (error) {
    if (typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE')
      throw new Problem('too_large', message);
    throw new Problem('malformed', 'The data file cannot be decompressed');
  }
}
