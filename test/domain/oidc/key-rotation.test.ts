import { isKeyDue, keyDays, retiredKeys, signingKeyOf } from '../../../src/domain/oidc/key-rotation.js';
import { limits } from '../../../src/domain/limits/limits.js';

const hourMs = 3_600_000;

test('over two years every token names a published key, and every key but the first was published a day before it signs', () => {
  let keys: { id: string; sequence: number; createdAt: Date }[] = [];
  const issued: { key: string; until: number }[] = [];
  const signers = new Set<string>();
  for (let hour = 0; hour < 2 * 365 * 24; hour += 1) {
    const now = new Date(hour * hourMs);
    if (isKeyDue(keys, now)) {
      const sequence = (keys.at(-1)?.sequence ?? 0) + 1;
      keys = [...keys, { id: `k${sequence}`, sequence, createdAt: now }];
    }
    const retired = retiredKeys(keys, now);
    keys = keys.filter((key) => !retired.includes(key));
    const signing = signingKeyOf(keys, now)!;
    if (signing.sequence > 1) expect(now.getTime() - signing.createdAt.getTime()).toBeGreaterThanOrEqual(24 * hourMs);
    signers.add(signing.id);
    issued.push({ key: signing.id, until: now.getTime() + limits.oidcTokenSeconds * 1000 });
    const published = new Set(keys.map(({ id }) => id));
    const valid = issued.slice(-12).filter(({ until }) => until >= now.getTime());
    expect(valid.every(({ key }) => published.has(key))).toBe(true);
    expect(keys.length).toBeLessThanOrEqual(2);
  }
  expect(signers.size).toBe(Math.ceil((2 * 365) / keyDays));
});

test('no key signs while there is none, and one is due', () => {
  expect([signingKeyOf([], new Date()), isKeyDue([], new Date()), retiredKeys([], new Date())]).toEqual([
    null,
    true,
    [],
  ]);
});
