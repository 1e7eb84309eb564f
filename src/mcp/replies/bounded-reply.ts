import type { Json, JsonObject } from '../../domain/pipelines/steps/step.js';

/** Most bytes of a reply: clients refuse about 25,000 tokens. */
export const replyBytes = 100 * 1024;

const cuts = [16_000, 4_000, 1_000, 300] as const;
const how =
  'The reply was too large: texts are cut, or items left out. Ask for fewer items (per_page, max_jobs, limit), ' +
  'or for one of them alone.';

/**
 * A reply that fits: of one that does not, the longest texts are cut, then the ends of lists, and `truncated` says how
 * to get the rest. It is valid JSON in any case.
 */
export function boundedReply(reply: JsonObject, most = replyBytes): JsonObject {
  const clean = cleaned(reply) as JsonObject;
  if (sizeOf(clean) <= most) return clean;
  for (const length of cuts) {
    const shorter = { ...(withTexts(clean, length) as JsonObject), truncated: how };
    if (sizeOf(shorter) <= most) return shorter;
  }
  const [shortest] = cuts.slice(-1);
  for (let items = 64; items >= 1; items = Math.floor(items / 2)) {
    const fewer = { ...(withItems(withTexts(clean, shortest ?? 0), items) as JsonObject), truncated: how };
    if (sizeOf(fewer) <= most) return fewer;
  }
  return { truncated: how };
}

const sizeOf = (value: Json): number => Buffer.byteLength(JSON.stringify(value));

/** Characters that steer terminals, or that a reader does not see, such as marks of direction. */
const unseen = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

function cleaned(value: Json): Json {
  return mapped(value, (text) => text.replace(unseen, ''));
}

const withTexts = (value: Json, length: number): Json =>
  mapped(value, (text) => (text.length > length ? `${text.slice(0, length)}…` : text));

function mapped(value: Json, change: (text: string) => string): Json {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((each) => mapped(each, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, mapped(each as Json, change)]));
}

function withItems(value: Json, most: number): Json {
  if (Array.isArray(value)) return value.slice(0, most).map((each) => withItems(each, most));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withItems(each as Json, most)]));
}
