import { ConsoleWorld } from '../../support/browser.js';

const change = `mutation ($choice: BuildMail!) {
  userBuildMailUpdate(input: { buildMail: $choice }) { viewer { buildMail user { email } } }
}`;
const chosen = '{ viewer { buildMail } }';

describe('a person who wants mail of their builds', () => {
  let on: ConsoleWorld;
  beforeAll(async () => {
    on = await ConsoleWorld.open();
    await on.setPassword(on.world.admin.id, 'p');
  });
  afterAll(() => on.close());

  test('says so once, in the console, and nobody else is changed', async () => {
    const browser = on.browser({});
    await browser.signIn(on.world.admin.email, 'p');
    expect((await browser.query(chosen)).body).toEqual({ data: { viewer: { buildMail: 'NEVER' } } });
    expect((await browser.query(change, { choice: 'FAILED' })).body).toEqual({
      data: { userBuildMailUpdate: { viewer: { buildMail: 'FAILED', user: { email: on.world.admin.email } } } },
    });
    expect((await browser.query(chosen)).body).toEqual({ data: { viewer: { buildMail: 'FAILED' } } });
    const { db } = on.world.services;
    expect(await db.selectFrom('users').select('email').where('buildMail', '<>', 'never').execute()).toEqual([
      { email: on.world.admin.email },
    ]);
  });

  test('does not say so with an API token, which somebody else may hold', async () => {
    const response = await fetch(`${on.url}/graphql`, {
      method: 'POST',
      headers: { authorization: on.world.member.authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ query: change, variables: { choice: 'ALWAYS' } }),
    });
    expect(await response.json()).toMatchObject({ errors: [{ extensions: { code: 'FORBIDDEN' } }] });
  });
});
