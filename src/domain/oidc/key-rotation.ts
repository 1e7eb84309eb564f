const dayMs = 86_400_000;

/** Days after which another key is made. */
export const keyDays = 90;
/** Days for which a key is published before it signs, so that receivers that cache the keys know it by then. */
const leadDays = 1;
/** Days for which a replaced key stays published: longer than any token lives. */
const retirementDays = 1;

export interface DatedKey {
  id: string;
  sequence: number;
  createdAt: Date;
}

/** Returns the key that signs now: the newest that was published long enough, else the oldest; null without keys. */
export function signingKeyOf<Key extends DatedKey>(keys: readonly Key[], now: Date): Key | null {
  const newestFirst = [...keys].sort((one, other) => other.sequence - one.sequence);
  return newestFirst.find((key) => isOlder(key, leadDays, now)) ?? newestFirst.at(-1) ?? null;
}

/** Whether another key is due: there is none, or the newest is old. */
export function isKeyDue(keys: readonly DatedKey[], now: Date): boolean {
  return keys.every((key) => isOlder(key, keyDays, now));
}

/** Returns the keys that no valid token can name any more: their successor has signed for longer than a token lives. */
export function retiredKeys<Key extends DatedKey>(keys: readonly Key[], now: Date): Key[] {
  const signing = signingKeyOf(keys, now);
  if (signing === null) return [];
  const successor = (key: Key) =>
    keys.filter(({ sequence }) => sequence > key.sequence).sort((one, other) => one.sequence - other.sequence)[0];
  return keys.filter((key) => {
    const next = successor(key);
    return key.sequence < signing.sequence && next !== undefined && isOlder(next, leadDays + retirementDays, now);
  });
}

const isOlder = ({ createdAt }: DatedKey, days: number, now: Date) =>
  now.getTime() - createdAt.getTime() >= days * dayMs;
