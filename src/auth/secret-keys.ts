import { createHmac } from 'node:crypto';

/** The installation's secret keys. New values are always sealed and signed with `current`. */
export interface SecretKeys {
  readonly current: string;
  /** Another key whose values are still accepted, while one is exchanged for the other; null at other times. */
  readonly previous: string | null;
}

/** The keys whose values are accepted, the current one first. */
export const acceptedKeys = ({ current, previous }: SecretKeys): readonly string[] =>
  previous === null ? [current] : [current, previous];

const ids = new Map<string, string>();

/** Returns the id of a key in the database: 16 hex characters from which the key cannot be derived. */
export function keyId(key: string): string {
  const known = ids.get(key);
  if (known !== undefined) return known;
  const id = createHmac('sha256', key).update('slipway secret key id').digest('hex').slice(0, 16);
  // A process knows two keys; tests make more.
  if (ids.size < 100) ids.set(key, id);
  return id;
}
