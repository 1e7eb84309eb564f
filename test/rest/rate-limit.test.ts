import express from 'express';
import request from 'supertest';
import { restSurface } from '../../src/rest/router.js';
import { checkDocumented } from '../support/checked-request.js';
import { World } from '../support/world.js';

describe('rate limits', () => {
  let world: World;
  beforeAll(async () => {
    world = await World.create();
  });
  afterAll(() => world.close());

  // Each test starts in a new minute, so that it does not inherit the requests counted by the previous one.
  beforeEach(() => world.clock.advance(60));

  const app = (organization: number, user: number) => {
    const limits = { graphqlCost: 0, requestsPerMinuteOrganization: organization, requestsPerMinuteUser: user };
    return express().use('/v2', restSurface({ ...world.services, limits }).router);
  };
  const get = (on: express.Express, path: string, person = world.member) =>
    checkDocumented(request(on).get(path)).set('Authorization', person.authorization);

  test('every reply shows the requests left to the user and to the organization', async () => {
    const limited = app(10, 5);
    const { headers } = await get(limited, '/v2/organizations/acme');
    expect(headers).toMatchObject({
      'ratelimit-scope': 'rest',
      'ratelimit-limit': '10',
      'ratelimit-remaining': '9',
      'ratelimit-user-scope': 'rest_user',
      'ratelimit-user-limit': '5',
      'ratelimit-user-remaining': '4',
    });
    expect(Number(headers['ratelimit-reset'])).toBeGreaterThan(0);
    expect((await get(limited, '/v2/user')).headers).toMatchObject({ 'ratelimit-user-remaining': '3' });
  });

  test('the requests of this minute can be asked for, and those of the last one are forgotten', async () => {
    const limited = app(10, 0);
    for (let count = 0; count < 3; count += 1) await get(limited, '/v2/organizations/acme');
    const { body } = await get(limited, '/v2/organizations/acme/rate_limit');
    expect(body.scopes.rest).toMatchObject({ limit: 10, current: 4, enforced: true });
    expect(Date.parse(body.scopes.rest.reset_at)).toBeGreaterThan(world.clock.now().getTime());
    world.clock.advance(60);
    expect((await get(limited, '/v2/organizations/acme/rate_limit')).body.scopes.rest.current).toBe(1);
    const unlimited = await get(app(0, 0), '/v2/organizations/acme/rate_limit');
    expect(unlimited.body.scopes.rest).toMatchObject({ limit: 0, enforced: false });
  });

  test('a request beyond the limit is answered 429 with the time to wait, for that user only', async () => {
    const limited = app(0, 2);
    await get(limited, '/v2/user');
    await get(limited, '/v2/user');
    const refused = await get(limited, '/v2/user');
    expect(refused.status).toBe(429);
    expect(refused.headers).toMatchObject({
      'retry-after': expect.stringMatching(/^\d+$/),
      'ratelimit-user-remaining': '0',
      'ratelimit-user-warning': 'You have exceeded your API rate limit.',
    });
    expect(refused.body).toEqual({
      message: expect.stringMatching(/^You have exceeded your API rate limit\. Please wait \d+ seconds/),
      scope: 'rest_user',
      limit: 2,
      current: 3,
      reset: expect.any(Number),
    });
    expect((await get(limited, '/v2/user', world.admin)).status).toBe(200);
  });

  test('members share the limit of their organization, and strangers do not use it up', async () => {
    const limited = app(2, 0);
    for (let tries = 0; tries < 5; tries += 1) await get(limited, '/v2/organizations/acme', world.outsider);
    expect((await get(limited, '/v2/organizations/acme')).status).toBe(200);
    expect((await get(limited, '/v2/organizations/acme', world.admin)).status).toBe(200);
    expect((await get(limited, '/v2/organizations/acme')).status).toBe(429);
  });

  test('two replicas together allow as many requests as one would', async () => {
    const replicas = [app(3, 0), app(3, 0)];
    const statuses: number[] = [];
    for (let turn = 0; turn < 6; turn += 1)
      statuses.push((await get(replicas[turn % 2] as express.Express, '/v2/organizations/acme')).status);
    expect(statuses).toEqual([200, 200, 200, 429, 429, 429]);
    world.clock.advance(60);
    expect((await get(replicas[1] as express.Express, '/v2/organizations/acme')).headers['ratelimit-remaining']).toBe(
      '2',
    );
  });

  test('of many simultaneous requests to two replicas as many succeed as the limit allows', async () => {
    const replicas = [app(0, 5), app(0, 5)];
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, index) => get(replicas[index % 2] as express.Express, '/v2/user')),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(5);
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(15);
  });

  test('a large limit is reserved a hundredth at a time, so counting costs no statement per request', async () => {
    const { db } = world.services;
    const limited = app(0, 400);
    for (let asked = 0; asked < 4; asked += 1) await get(limited, '/v2/user');
    const counted = () =>
      db
        .selectFrom('rate_limit_counts')
        .select('requests')
        .where('subjectId', '=', world.member.id)
        .executeTakeFirstOrThrow();
    expect((await counted()).requests).toBe(4);
    const { headers } = await get(limited, '/v2/user');
    expect([headers['ratelimit-user-remaining'], (await counted()).requests]).toEqual(['395', 8]);
  });

  test('a limit of 0 turns rate limiting off', async () => {
    const { headers } = await get(app(0, 0), '/v2/organizations/acme');
    expect(Object.keys(headers).filter((name) => name.startsWith('ratelimit'))).toEqual([]);
  });
});
