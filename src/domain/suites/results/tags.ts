import { byteLength, limits } from '../../limits.js';

const shape = /^[A-Za-z][A-Za-z0-9_.-]*$/;

/** Set through the API only, never by an upload. */
const reservedPrefix = 'mut.';

/** Reads tags: texts by key. A number or a boolean counts as its text. The problem as a sentence, where there is one. */
export function readTags(value: unknown): { tags: Record<string, string> } | { problem: string } {
  if (value === undefined || value === null) return { tags: {} };
  if (typeof value !== 'object' || Array.isArray(value)) return { problem: 'tags must be an object of texts' };
  const entries = Object.entries(value as Record<string, unknown>);
  if (entries.length > limits.testTags) return { problem: `has more than ${limits.testTags} tags` };
  const tags: Record<string, string> = {};
  for (const [key, tag] of entries) {
    if (!['string', 'number', 'boolean'].includes(typeof tag))
      return { problem: `tag ${key.slice(0, 64)} must be a text` };
    tags[key] = String(tag);
  }
  const problem = tagsProblem(tags);
  return problem === null ? { tags } : { problem };
}

function tagsProblem(tags: Record<string, string>): string | null {
  const keys = Object.keys(tags);
  for (const key of keys) {
    if (!shape.test(key) || byteLength(key) >= limits.testTagKeyBytes)
      return `tag ${key.slice(0, 64)} must begin with a letter, consist of letters, digits, _, - and ., and be shorter than ${limits.testTagKeyBytes} bytes`;
    if (key.startsWith(reservedPrefix)) return `tag ${key} cannot be set by an upload`;
    if ((tags[key]?.length ?? 0) > limits.testTagValueLength)
      return `tag ${key} is too long (maximum is ${limits.testTagValueLength} characters)`;
    if (/[\0\p{Cs}]/u.test(tags[key] ?? '')) return `tag ${key} contains characters that cannot be stored`;
    const longer = keys.find((other) => other.startsWith(`${key}.`));
    if (longer !== undefined) return `tag ${key} cannot stand beside ${longer}`;
  }
  return null;
}
