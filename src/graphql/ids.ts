import { idFromEither, type NodeKind } from '../domain/node-id.js';

/** Names nothing: what cannot be an id is looked up like one, and not found. */
const nothing = '00000000-0000-0000-0000-000000000000';

/** The uuid behind an argument that takes node ids and uuids alike (graphql-facts 1.2); text that is neither names nothing. */
export function uuidOf(text: string, kinds: readonly NodeKind[]): string {
  return idFromEither(text, kinds) ?? nothing;
}

/** Splits a composite slug such as `org/pipeline/12` into as many parts as wanted; null for any other number of them. */
export function slugParts(slug: string, count: number): string[] | null {
  const parts = slug.split('/');
  return parts.length === count && parts.every((part) => part !== '') ? parts : null;
}
