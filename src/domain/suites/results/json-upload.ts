import { decodeText, parseJsonObject } from '../../json-text.js';
import { limits } from '../../limits/limits.js';
import { Problem } from '../../problem.js';

/**
 * Fields of an upload that is one JSON object. `data` is the text of the field, or its value as JSON text; parsers of
 * results read both.
 */
export interface JsonUpload {
  format: unknown;
  runEnv: unknown;
  tags: unknown;
  data: unknown;
}

export type ParsedJsonUpload = { ok: true; upload: JsonUpload } | { ok: false; problem: string };

/** Reads an upload whose body is one JSON object; spans are spans of spans, so it may nest deeper than other bodies. */
export function parseJsonUpload(bytes: Uint8Array): ParsedJsonUpload {
  try {
    const {
      format,
      run_env: runEnv,
      tags,
      data,
    } = parseJsonObject(decodeText(bytes), { depth: limits.testReportDepth * 2, values: limits.testUploadValues });
    // A report in XML is a text; the value of anything else would be copied between threads object by object.
    const isText = typeof data === 'string' || data === undefined || format === 'junit';
    return { ok: true, upload: { format, runEnv, tags, data: isText ? data : JSON.stringify(data) } };
  } catch (error) {
    if (error instanceof Problem) return { ok: false, problem: error.message };
    throw error;
  }
}
