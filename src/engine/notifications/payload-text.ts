import { byteLength, limits } from '../../domain/limits/limits.js';
import type { Json, JsonObject } from '../../domain/pipelines/steps/step.js';

/**
 * Writes a payload of at most `notificationBytes`. Rows from before the limits on sums may make a larger one: it goes
 * out without the largest members of its resources, whose paths `omitted` lists, because a change must not fail for the
 * size of what is said about it.
 *
 * @param omitted paths of members that were left out before, such as `build.meta_data`
 */
export function payloadText(payload: JsonObject, omitted: readonly string[] = []): string {
  const text = textOf(omitted.length === 0 ? payload : { ...payload, omitted: [...omitted] });
  if (text !== null && byteLength(text) <= limits.notificationBytes) return text;
  const members = Object.entries(payload).flatMap(([resource, value]) =>
    isObject(value) ? Object.entries(value).map(([name, member]) => ({ resource, name, bytes: bytesOf(member) })) : [],
  );
  let sum = members.reduce((bytes, member) => bytes + member.bytes, 0);
  const smaller = { ...payload };
  const left = [...omitted];
  for (const { resource, name, bytes } of members.sort((one, other) => other.bytes - one.bytes)) {
    if (sum <= limits.notificationBytes / 2) break;
    const { [name]: _large, ...others } = smaller[resource] as JsonObject;
    smaller[resource] = others;
    left.push(`${resource}.${name}`);
    sum -= bytes;
  }
  return JSON.stringify({ ...smaller, omitted: left });
}

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Size as JSON; more than any payload has room for, where the text would be longer than a string can be. */
function bytesOf(value: Json): number {
  const text = textOf(value);
  return text === null ? 2 ** 30 : byteLength(text);
}

function textOf(value: Json): string | null {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
