import { limits } from '../domain/limits/limits.js';
import { Problem } from '../domain/problem.js';
import type { Json, JsonObject } from '../domain/pipelines/steps/step.js';
import { parseJson } from '../domain/json-text.js';

/**
 * Returns the payload of a delivery: a JSON body, or the field `payload` of a form, which is GitHub's default. Replaces
 * characters that the database cannot store and removes secrets. Throws `malformed` if the payload is not a JSON
 * object.
 */
export function readPayload(body: Buffer, contentType: string | undefined): JsonObject {
  const text = body.toString('utf8');
  const json = contentType?.toLowerCase().startsWith('application/x-www-form-urlencoded')
    ? (new URLSearchParams(text).get('payload') ?? '')
    : text;
  const value = parseJson(json);
  if (value === null || typeof value !== 'object' || Array.isArray(value))
    throw new Problem('malformed', 'The body of a delivery must be a JSON object');
  return suspicious.test(json) ? (storable(value) as JsonObject) : value;
}

/**
 * Replaces characters that the database cannot store, and removes members named `secret` at any depth: old versions of
 * Gitea and Gogs send the webhook's secret in the body.
 */
function storable(value: Json, depth = 0): Json {
  if (depth > limits.jsonDepth)
    throw new Problem('malformed', `The body of a delivery may be nested at most ${limits.jsonDepth} deep`);
  if (typeof value === 'string') return unstorable.test(value) ? value.replace(allUnstorable, '\uFFFD') : value;
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map((each) => storable(each, depth + 1));
  const entries = Object.entries(value).filter(([key]) => key !== 'secret');
  return Object.fromEntries(
    entries.map(([key, inner]) => [storable(key) as string, storable(inner as Json, depth + 1)]),
  );
}

/** A payload without these needs no change, which saves walking up to 25 MiB. */
const suspicious = /\0|\\u0000|\\ud[89a-f]|secret|\\u00[67]/i;

const unstorable = /[\0\p{Cs}]/u;
const allUnstorable = /[\0\p{Cs}]/gu;
