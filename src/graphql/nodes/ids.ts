import { idFromEither, type NodeKind } from '../../domain/node-id.js';

/** UUID that no row has: a malformed id is looked up as this one and so is absent. */
const unusedId = '00000000-0000-0000-0000-000000000000';

/** The UUID in a GraphQL ID of one of `kinds` or in a plain UUID; a UUID that no row has for any other text. */
export function uuidOf(text: string, kinds: readonly NodeKind[]): string {
  return idFromEither(text, kinds) ?? unusedId;
}

/**
 * Splits a composite slug such as `org/pipeline/12` into `count` parts; null for another number of parts or an empty
 * one.
 */
export function slugParts(slug: string, count: number): string[] | null {
  const parts = slug.split('/');
  return parts.length === count && parts.every((part) => part !== '') ? parts : null;
}
