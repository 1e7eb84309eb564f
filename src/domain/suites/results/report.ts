import { createHash } from 'node:crypto';
import { decodeText } from '../../json-text.js';
import { readResults, type UploadFormat } from './formats.js';
import type { ReadResults } from './result.js';

/** A test report of an upload: a text, or bytes of UTF-8. */
export interface Report {
  format: UploadFormat;
  /** The other fields of the upload as JSON text. */
  facts: string;
  data: string | Uint8Array;
}

/** The results in a report, with a hash of the whole upload, the same when it is sent again. */
export type ReadReport = ReadResults & { fingerprint: string };

/** Reads a report; the cost of it is its sender's to choose. */
export function readReport({ format, facts, data }: Report): ReadReport {
  return {
    ...readResults(format, typeof data === 'string' ? data : decodeText(data)),
    fingerprint: uploadFingerprint(facts, data),
  };
}

/** Returns the SHA-256 of an upload, in hexadecimal. */
export const uploadFingerprint = (facts: string, data: string | Uint8Array): string =>
  createHash('sha256').update(facts).update(data).digest('hex');
