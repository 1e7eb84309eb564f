import { limits } from '../../../src/domain/limits/limits.js';
import { type Browser, ConsoleWorld } from '../../support/browser.js';

const change = `mutation ($current: String!, $next: String!) {
  userPasswordChange(input: { currentPassword: $current, newPassword: $next }) { user { email } }
}`;
const viewer = '{ viewer { user { email } } }';
const old = 'p';
const next = 'seventeen small boats';

describe('a person who changes their password', () => {
  let on: ConsoleWorld;
  beforeEach(async () => {
    on = await ConsoleWorld.open();
    await on.setPassword(on.world.admin.id, old);
  });
  afterEach(() => on.close());

  const signedIn = async (password = old): Promise<Browser> => {
    const browser = on.browser({});
    await browser.signIn(on.world.admin.email, password);
    return browser;
  };

  test('signs in with the new one from then on, and is signed out everywhere else', async () => {
    const [laptop, phone] = [await signedIn(), await signedIn()];
    const { body } = await laptop.query(change, { current: old, next });
    expect(body).toEqual({ data: { userPasswordChange: { user: { email: on.world.admin.email } } } });
    expect((await laptop.query(viewer)).status).toBe(200);
    expect((await phone.query(viewer)).status).toBe(401);
    expect((await (await signedIn(next)).query(viewer)).status).toBe(200);
    expect((await (await signedIn(old)).query(viewer)).status).toBe(401);
    const audited = await on.world.services.db
      .selectFrom('audit_events')
      .selectAll()
      .where('operation', '=', 'user.change-password')
      .execute();
    expect(audited).toHaveLength(1);
    expect(JSON.stringify(audited)).not.toContain(next);
  });

  test.each([
    ['a wrong present password', 'q', next, 'currentPassword', 'is not right'],
    ['a short one', old, 'short', 'newPassword', `must be at least ${limits.passwordLengthMinimum} characters`],
    ['a common one', old, 'password123', 'newPassword', 'is one of the most common passwords'],
  ])('is refused %s, by the field', async (_title, current, wanted, field, message) => {
    const browser = await signedIn();
    const { body } = await browser.query(change, { current, next: wanted });
    expect(body.errors[0].extensions).toMatchObject({ fields: [{ field, code: message }] });
    expect((await (await signedIn(old)).query(viewer)).status).toBe(200);
  });

  test('guesses no more often than at sign-in', async () => {
    const browser = await signedIn();
    const codes: unknown[] = [];
    for (let tries = 0; tries <= limits.signInAttemptsPerAccountAndAddress; tries += 1)
      codes.push((await browser.query(change, { current: 'wrong', next })).body.errors[0].extensions.code);
    expect(codes.at(-1)).toBe('RATE_LIMITED');
    expect(new Set(codes.slice(0, -1)).size).toBe(1);
  });

  test('has a password and is no API token', async () => {
    const { token } = on.world.admin;
    const withToken = await on.browser({ authorization: `Bearer ${token}` }).query(change, { current: old, next });
    expect(withToken.body.errors[0].extensions.code).toBe('FORBIDDEN');
    const browser = await signedIn();
    await on.world.services.db.updateTable('users').set({ passwordHash: null }).execute();
    const { body } = await browser.query(change, { current: old, next });
    expect(body.errors[0].message).toContain('This account has no password to change');
  });
});
