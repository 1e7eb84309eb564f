import express, { type Express } from 'express';
import supertest from 'supertest';
import { badgeRouter } from '../../src/web/badges.js';
import { badgeTokenColumns } from '../../src/resources/pipelines/url-token.js';
import { BothSurfaces } from '../support/both-surfaces.js';
import { agentApp, buildOf, ScriptedAgent } from '../support/scripted-agent.js';

let surfaces: BothSurfaces;
let badges: Express;
beforeAll(async () => {
  surfaces = await BothSurfaces.open();
  badges = express().use('/badge', badgeRouter(surfaces.world.services));
  await surfaces.world.pipeline('steps: [{ command: make }]', {
    slug: 'app',
    ...badgeTokenColumns(surfaces.world.services, 'b'.repeat(50)),
  });
});
afterAll(() => surfaces.close());

describe('text that the database cannot store', () => {
  const fields = ['a null character \0', 'half a pair \ud800'];

  test.each(fields)('unstorable text in a REST body is refused: %j', async (message) => {
    const builds = '/organizations/acme/pipelines/app/builds';
    expect((await surfaces.rest(['post', builds, { commit: 'HEAD', branch: 'main', message }])).status).toBe(422);
    expect(
      (await surfaces.rest(['post', builds, { commit: 'HEAD', branch: 'main', message: 'm', env: { [message]: 'x' } }]))
        .status,
    ).toBe(422);
  });

  test('unstorable text in a REST path or query is refused', async () => {
    expect((await surfaces.rest(['get', '/organizations/acme%00/pipelines'])).status).toBe(404);
    expect((await surfaces.rest(['get', '/organizations/acme/builds?branch=%00'])).status).toBe(400);
  });

  test.each(fields)('unstorable text in a GraphQL variable or document is refused: %j', async (slug) => {
    const variable = await surfaces.graphql([
      'query ($slug: ID!) { pipeline(slug: $slug) { id } organization(slug: $slug) { id } }',
      { slug: `acme/${slug}` },
    ]);
    const literal = await surfaces.graphql([`{ organization(slug: ${JSON.stringify(slug)}) { id } }`]);
    for (const { errors = [] } of [variable, literal])
      for (const { extensions } of errors)
        expect(['BAD_USER_INPUT', 'GRAPHQL_PARSE_FAILED']).toContain(extensions.code);
  });

  test.each(fields)("unstorable text in an agent's request is refused: %j", async (key) => {
    await buildOf(surfaces.world, 'steps: [{ command: make }]');
    const agent = await ScriptedAgent.connected(agentApp(surfaces.world), surfaces.world.agentToken);
    const job = await agent.takeJob();
    await agent.call('post', `/jobs/${job}/data/set`, agent.jobToken).send({ key, value: 'v' }).expect(422);
    await agent.call('post', `/jobs/${job}/data/set`, agent.jobToken).send({ key: 'k', value: key }).expect(422);
    // A backslash before the words of an escape is no escape.
    await agent.call('post', `/jobs/${job}/data/set`, agent.jobToken).send({ key: 'k', value: '\\u0000' }).expect(200);
    await agent.finish(job).expect(200);
  });

  test.each(['branch', 'step', 'status', 'theme', 'style'])(
    'unstorable text in the %s of a badge is refused',
    async (name) => {
      for (const path of [`/badge/${'b'.repeat(50)}.svg`, '/badge/sample.svg', `/badge/${'b'.repeat(50)}.json`]) {
        expect([200, 404]).toContain((await supertest(badges).get(`${path}?${name}=%00`)).status);
      }
      expect((await supertest(badges).get(`/badge/${'b'.repeat(50)}.svg?branch=%00`)).status).toBe(404);
    },
  );
});

describe('a query parameter nested in brackets', () => {
  test.each(['x[a][b]=c', 'x[a][b][c]=d', 'x[a]=1&x[a][b]=2', 'x=1&x[a][b]=2', '__proto__[a][b]=c'])(
    'a parameter nested in brackets that no route reads is ignored: ?%s',
    async (query) => {
      for (const path of ['/organizations/acme/pipelines', '/organizations/acme/builds', '/user'])
        expect((await surfaces.rest(['get', `${path}?${query}`])).status).toBe(200);
    },
  );

  test.each(['state[a][b]=c', 'meta_data[a][b]=c'])('one that the route reads is refused: ?%s', async (query) => {
    expect((await surfaces.rest(['get', `/organizations/acme/builds?${query}`])).status).toBe(400);
    expect((await surfaces.rest(['get', `/user?${query}`])).status).toBe(200);
  });
});
