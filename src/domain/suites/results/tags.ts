import { byteLength, limits } from '../../limits/limits.js';

const shape = /^[A-Za-z][A-Za-z0-9_.-]*$/;

/** Begins the keys of tags that are set through the API only, never by an upload. */
export const mutablePrefix = 'mut.';
const isReserved = (key: string) => key.startsWith(mutablePrefix) || `${key}.` === mutablePrefix;

/**
 * Reads tags: texts by key. A number or a boolean counts as its text. The problem as a sentence, where there is one.
 */
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
  const reserved = Object.keys(tags).find(isReserved);
  const problem = tagsProblem(tags) ?? (reserved === undefined ? null : `tag ${reserved} cannot be set by an upload`);
  return problem === null ? { tags } : { problem };
}

/** What is wrong with the mutable tags of an execution, as a sentence; null where nothing is. */
export function mutableTagsProblem(tags: Readonly<Record<string, string>>): string | null {
  const keys = Object.keys(tags);
  if (keys.length > limits.testMutableTags) return `has more than ${limits.testMutableTags} tags`;
  const fixed = keys.find((key) => !key.startsWith(mutablePrefix));
  return fixed === undefined ? tagsProblem(tags) : `tag ${fixed.slice(0, 64)} must begin with ${mutablePrefix}`;
}

function tagsProblem(tags: Readonly<Record<string, string>>): string | null {
  const keys = Object.keys(tags);
  for (const key of keys) {
    if (!shape.test(key) || byteLength(key) >= limits.testTagKeyBytes)
      return (
        `tag ${key.slice(0, 64)} must begin with a letter, consist of letters, digits, _, - and ., and be ` +
        `shorter than ${limits.testTagKeyBytes} bytes`
      );
    if ((tags[key]?.length ?? 0) > limits.testTagValueLength)
      return `tag ${key} is too long (maximum is ${limits.testTagValueLength} characters)`;
    if (/[\0\p{Cs}]/u.test(tags[key] ?? '')) return `tag ${key} contains characters that cannot be stored`;
    const longer = keys.find((other) => other.startsWith(`${key}.`));
    if (longer !== undefined) return `tag ${key} cannot stand beside ${longer}`;
  }
  return null;
}
