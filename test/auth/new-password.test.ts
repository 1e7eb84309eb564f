import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hashNewPassword, passwordProblem } from '../../src/auth/new-password.js';
import { passwordMatches } from '../../src/auth/passwords.js';

const email = 'ada.lovelace@example.com';
const short = 'must be at least 8 characters';
const common = 'is one of the most common passwords';
const address = 'must not be the email address';

describe('a new password', () => {
  test.each([
    ['x', short],
    ['seven77', short],
    // One character of several code units counts once.
    ['🔑🔑🔑🔑', short],
    ['password', common],
    ['PassWord', common],
    ['12345678', common],
    ['ｐａｓｓｗｏｒｄ', common],
    ['Ada.Lovelace@example.com', address],
    ['ada.lovelace', address],
    ['correct horse', null],
    ['        x', null],
    ['🔑🔑🔑🔑🔑🔑🔑🔑', null],
  ])('that is %j is answered with %j', async (password, problem) => {
    expect(await passwordProblem(password, email)).toBe(problem);
  });

  test('is refused by its field, or hashed', async () => {
    await expect(hashNewPassword('x', email)).rejects.toMatchObject({
      code: 'invalid',
      details: { fields: [{ field: 'password', code: short }] },
    });
    expect(await passwordMatches('correct horse', await hashNewPassword('correct horse', email))).toBe(true);
  });

  test('is hashed by no other code than that which checks it', () => {
    const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
    const users = files
      .map((name) => join('src', name))
      .filter((name) => /\bhashPassword\b/.test(readFileSync(name, 'utf8')));
    expect(users.sort()).toEqual(['src/auth/new-password.ts', 'src/auth/passwords.ts']);
  });
});
