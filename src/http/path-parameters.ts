import type { Request } from 'express';
import { notFound } from '../domain/problem.js';

const longestParameter = 300;

/**
 * Path parameters, decoded segment by segment: agents send every `.` and `/` in them percent-encoded. Throws
 * `not_found` for a parameter that no text column can hold, because it cannot name anything.
 */
export function pathParameters(request: Request): Record<string, string> {
  const parameters: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.params)) {
    if (typeof value !== 'string' || value.includes('\0') || value.length > longestParameter) throw notFound();
    parameters[name] = value;
  }
  return parameters;
}
