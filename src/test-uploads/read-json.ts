import { limits } from '../domain/limits.js';
import { decodeText, parseJsonObject } from '../domain/json-text.js';
import type { UploadFields } from './upload-fields.js';

/** Reads an upload whose body is one JSON object; spans are spans of spans, so it may nest deeper than other bodies. */
export function readJson(body: Buffer): UploadFields {
  const {
    format,
    run_env: runEnv,
    tags,
    data,
  } = parseJsonObject(decodeText(body), { depth: limits.testReportDepth * 2, values: limits.testUploadValues });
  return { format, runEnv, tags, data };
}
