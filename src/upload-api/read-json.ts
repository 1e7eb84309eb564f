import { limits } from '../domain/limits.js';
import { Problem } from '../domain/problem.js';
import { textOf } from './request-body.js';
import type { UploadFields } from './upload-fields.js';

/** Reads an upload whose body is one JSON object (agent-protocol 18). */
export function readJson(body: Buffer): UploadFields {
  const upload = parse(textOf(body));
  if (typeof upload !== 'object' || upload === null || Array.isArray(upload)) throw new Problem('malformed', 'The request body must be a JSON object');
  checkDepth(upload, 1);
  const { format, run_env: runEnv, tags, data } = upload as Record<string, unknown>;
  return { format, runEnv, tags, data };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new Problem('malformed', 'The request body is not valid JSON');
  }
}

/** Refuses nesting without end: spans are spans of spans. */
function checkDepth(value: unknown, depth: number): void {
  if (typeof value !== 'object' || value === null) return;
  if (depth > limits.testReportDepth * 2) throw new Problem('malformed', `The request body is nested more than ${limits.testReportDepth * 2} levels deep`);
  for (const inner of Object.values(value)) checkDepth(inner, depth + 1);
}
