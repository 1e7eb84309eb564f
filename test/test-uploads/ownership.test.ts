import { findTestOwners } from '../../src/background/suites/find-test-owners.js';
import { limits } from '../../src/domain/limits/limits.js';
import { BothSurfaces, type Data } from '../support/both-surfaces.js';
import { newSuite, result, upload } from '../support/suites.js';

describe('the TESTOWNERS file of a suite', () => {
  let surfaces: BothSurfaces;
  let suite: Awaited<ReturnType<typeof newSuite>>;
  const teams: Record<string, string> = {};

  beforeAll(async () => {
    surfaces = await BothSurfaces.open();
    suite = await newSuite(surfaces, 'RSpec');
    for (const name of ['Platform', 'Web Shop', 'QA']) {
      const team = await surfaces.read([
        'post',
        '/organizations/acme/teams',
        { name, privacy: 'visible', is_default_team: false, default_member_role: 'member' },
      ]);
      teams[team.slug] = team.id;
      if (name === 'QA') continue;
      const access = { suite_id: suite.id, access_level: ['read'] };
      await surfaces.read(['post', `/organizations/acme/teams/${team.id}/suites`, access]);
    }
    await send('first', { cart: 'spec/web/cart_spec.rb', user: 'spec/models/user_spec.rb', stray: null });
  });
  afterAll(() => surfaces.close());

  const send = (key: string, files: Readonly<Record<string, string | null>>) =>
    upload(
      surfaces,
      suite.authorization,
      key,
      Object.entries(files).map(([name, file]) => result(name, file === null ? {} : { file_name: file })),
    );
  const store = (content: string, authorization: string | null = suite.authorization) =>
    surfaces
      .collector(authorization, '/v1/test-ownerships')
      .attach('file', Buffer.from(content), { filename: 'TESTOWNERS', contentType: 'text/plain' });
  const findAll = async () => {
    let rounds = 0;
    while ((await findTestOwners(surfaces.world.services)) > 0) rounds += 1;
    return rounds;
  };
  const owners = async () => {
    const tests: Data[] = await surfaces.read(['get', `${suite.path}/tests`]);
    return Object.fromEntries(tests.map(({ name, owners: of }) => [name, of]));
  };
  const owned = async (filter: string) =>
    (await surfaces.read(['get', `${suite.path}/tests?owners=${filter}`])).map(({ name }: Data) => name).sort();

  test('is taken with the token of the suite, and gives its tests to teams', async () => {
    expect(await findAll()).toBe(0);
    const { status, body } = await store('* platform\n/spec/web/ web-shop platform\n');
    expect([status, body]).toEqual([201, { suite_id: suite.id, stored_at: expect.any(String) }]);
    expect(await findAll()).toBe(1);
    expect(await owners()).toEqual({ cart: ['web-shop', 'platform'], user: ['platform'], stray: [] });
    expect(await owned('platform')).toEqual(['cart', 'user']);
    expect(await owned('web-shop')).toEqual(['cart']);
    expect(await owned('!web-shop')).toEqual(['stray', 'user']);
    expect(await owned('qa')).toEqual([]);
    const { suite: same } = await surfaces.select([
      `query ($slug: ID!) { suite(slug: $slug) { tests(first: 10, owners: ["web-shop"]) { nodes { name owners } } } }`,
      { slug: `acme/${suite.slug}` },
    ]);
    expect(same.tests.nodes).toEqual([{ name: 'cart', owners: ['web-shop', 'platform'] }]);
  });

  test('counts for tests that come later and for those that move, and another one counts for all', async () => {
    await send('second', { login: 'spec/web/login_spec.rb', user: 'spec/web/user_spec.rb' });
    expect(await findAll()).toBe(1);
    expect(await owned('web-shop')).toEqual(['cart', 'login', 'user']);
    surfaces.world.clock.advance(1);
    await store('spec/web/login* web-shop');
    expect(await findAll()).toBe(1);
    expect(await owners()).toEqual({ cart: [], login: ['web-shop'], user: [], stray: [] });
    expect(await findAll()).toBe(0);
  });

  test('names the owners of flaky tests', async () => {
    const commit = 'a'.repeat(40);
    for (const [key, came] of Object.entries({ K1: 'passed', K2: 'failed' }))
      await upload(surfaces, suite.authorization, key, [result('login', { result: came })], {
        runEnv: { commit_sha: commit },
      });
    const [flaky] = await surfaces.read(['get', `${suite.path}/flaky-tests`]);
    expect(flaky).toMatchObject({ name: 'login', ownership_team_ids: [teams['web-shop']] });
  });

  test.each([
    ['* platform\n!x platform', 422, 'line 2: a pattern cannot be negated'],
    ['* platform qa nobody', 422, 'names teams without access to the suite: qa, nobody'],
    ['#'.repeat(limits.testOwnersBytes + 1), 422, `is too long (maximum is ${limits.testOwnersBytes} characters)`],
    ['#'.repeat(limits.testOwnersBytes + 32_000), 413, `at most ${limits.testOwnersBytes} bytes`],
  ])('is refused where it has a mistake, and the one before stands', async (content, status, sentence) => {
    const reply = await store(content);
    expect([reply.status, reply.body.message]).toEqual([status, expect.stringContaining(sentence)]);
    expect(await findAll()).toBe(0);
  });

  test('is for those who have the token of the suite, as a form', async () => {
    expect((await store('* platform', null)).status).toBe(401);
    const request = surfaces.collector(suite.authorization, '/v1/test-ownerships');
    expect((await request.type('json').send({ file: '* platform' })).status).toBe(415);
    const empty = await surfaces.collector(suite.authorization, '/v1/test-ownerships').field('other', 'x');
    expect([empty.status, empty.body.message]).toEqual([422, 'Validation failed: File is missing']);
  });
});
