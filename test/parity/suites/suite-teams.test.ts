import { createBuild } from '../../../src/operations/builds/create.js';
import { encodeNodeId } from '../../../src/domain/node-id.js';
import { BothSurfaces, type Data, type GraphqlCall, type RestCall } from '../../support/both-surfaces.js';
import { newSuite, result, upload } from '../../support/suites.js';
import type { Person } from '../../support/world.js';
import { suiteWrites } from './suite-writes.js';

const path = '/analytics/organizations/acme/suites/front-end';

/** The writes to a suite that exists, without those that would end the suite for others. */
const writes = suiteWrites.filter(({ operation }) => operation !== 'suite.create');

describe('access to a test suite where teams are enabled', () => {
  let surfaces: BothSurfaces;
  let suite: Awaited<ReturnType<typeof newSuite>>;
  let at: Record<
    'suite' | 'organization' | 'test' | 'execution' | 'workflow' | 'run' | 'team' | 'link' | 'build',
    string
  >;
  const people: Record<string, Person> = {};

  beforeAll(async () => {
    surfaces = await BothSurfaces.open({ teamsEnabled: true });
    const { world } = surfaces;
    const organizationId = world.organization.id;
    suite = await newSuite(surfaces, 'Front End');
    const pipeline = await world.pipeline('steps: [{ command: "true" }]', { slug: 'app', visibility: 'public' });
    const { build } = await world.perform(world.admin, createBuild, {
      pipeline: { id: pipeline.id },
      commit: 'HEAD',
      branch: 'main',
      message: 'One',
    });
    await upload(surfaces, suite.authorization, build.id, [result('a', { result: 'failed' })]);
    const run = (await surfaces.read(['get', `${path}/runs`]))[0].id;
    const [execution] = await surfaces.read(['get', `${path}/runs/${run}/executions`]);
    people['an administrator'] = world.admin;
    people['a stranger'] = world.outsider;
    people['a member without a team'] = await world.person({ organizationId });
    // A team that sees everything but this suite.
    const other = await world.insert('suites', {
      organizationId,
      slug: 'other',
      name: 'Other',
      defaultBranch: 'main',
      tokenHash: 'o',
    });
    const kinds: [string, ('read' | 'edit')[], string][] = [
      ['a reader', ['read'], suite.id],
      ['an editor', ['read', 'edit'], suite.id],
      ['an editor by the word edit alone', ['edit'], suite.id],
      ['a member of another team', ['read', 'edit'], other],
    ];
    const links: string[] = [];
    const teams: string[] = [];
    for (const [who, accessLevel, suiteId] of kinds) {
      const slug = who.replaceAll(' ', '-');
      const teamId = await world.insert('teams', { organizationId, slug, name: who });
      const person = await world.person({ organizationId });
      await world.insert('team_members', { organizationId, teamId, userId: person.id, role: 'maintainer' });
      links.push(await world.insert('team_suites', { organizationId, teamId, suiteId, accessLevel }));
      teams.push(teamId);
      people[who] = person;
    }
    const { id: workflow } = await surfaces.read([
      'post',
      `${path}/workflows`,
      { name: 'New tests', monitor: { type: 'new_test' } },
    ]);
    at = {
      suite: suite.id,
      organization: organizationId,
      test: execution.test_id,
      execution: execution.execution_id ?? execution.id,
      workflow,
      run,
      team: teams[0]!,
      link: links[0]!,
      build: build.id,
    };
  });
  afterAll(() => surfaces.close());

  const seeing = ['an administrator', 'a reader', 'an editor', 'an editor by the word edit alone'];
  const blind = ['a member without a team', 'a member of another team', 'a stranger'];
  const editing = ['an administrator', 'an editor', 'an editor by the word edit alone'];

  /** Reads of the suite and of what is in it, with the value that GraphQL has for what is hidden. */
  const reads: [string, () => RestCall, () => GraphqlCall][] = [
    ['the suite', () => ['get', path], () => ['{ found: suite(slug: "acme/front-end") { id } }']],
    [
      'a run',
      () => ['get', `${path}/runs/${at.run}`],
      () => ['query ($id: ID!) { found: node(id: $id) { id } }', { id: encodeNodeId('Run', at.run) }],
    ],
    [
      'a test',
      () => ['get', `${path}/tests/${at.test}`],
      () => ['query ($id: ID!) { found: node(id: $id) { id } }', { id: encodeNodeId('SuiteTest', at.test) }],
    ],
    [
      "a team's access",
      () => ['get', `/organizations/acme/teams/${at.team}/suites/${at.suite}`],
      () => ['query ($id: ID!) { found: node(id: $id) { id } }', { id: encodeNodeId('TeamSuite', at.link) }],
    ],
  ];

  describe.each(reads)('reading %s', (_what, rest, graphql) => {
    test.each(seeing)('is open to %s', async (who) => {
      expect((await surfaces.rest(rest(), people[who])).status).toBe(200);
      expect((await surfaces.graphql(graphql(), people[who])).data.found).toEqual({ id: expect.any(String) });
    });

    test.each(blind)('is like reading what does not exist to %s', async (who) => {
      const { status, body } = await surfaces.rest(rest(), people[who]);
      expect([status, body]).toEqual([404, { message: 'Not Found' }]);
      const { data, errors } = await surfaces.graphql(graphql(), people[who]);
      expect([data.found, errors]).toEqual([null, undefined]);
    });
  });

  /** Everything that lists suites, or shows them beside something else; each as the number of traces of the suite. */
  const traces = async (who: string) => {
    const person = people[who]!;
    const rest = async (call: RestCall): Promise<Data[]> => surfaces.read(call, person);
    const { organization, build, team } = (
      await surfaces.graphql(
        [
          `query ($build: ID!) {
          organization(slug: "acme") { suites(first: 10) { count nodes { slug } } }
          build(uuid: $build) { tests(first: 10) { nodes { test { name } } } }
          team(slug: "acme/a-reader") { suites(first: 10) { count edges { node { suite { slug } } } } }
        }`,
          { build: at.build },
        ],
        person,
      )
    ).data;
    const [built] = await rest(['get', '/organizations/acme/pipelines/app/builds?include_test_engine=true']);
    return {
      list: (await rest(['get', '/analytics/organizations/acme/suites'])).filter(({ slug }) => slug === 'front-end')
        .length,
      suites: organization.suites.nodes.filter(({ slug }: Data) => slug === 'front-end').length,
      runsOfBuild: built?.test_engine.runs.length,
      tests: (await rest(['get', `/analytics/organizations/acme/builds/${at.build}/tests`])).length,
      testsOfBuild: build.tests.nodes.length,
      ofTeam: (await rest(['get', `/organizations/acme/teams/${at.team}/suites`])).length,
      suitesOfTeam: [team.suites.count, team.suites.edges.length],
    };
  };

  test.each(seeing)('lists and builds show it to %s', async (who) => {
    expect(await traces(who)).toEqual({
      list: 1,
      suites: 1,
      runsOfBuild: 1,
      tests: 1,
      testsOfBuild: 1,
      ofTeam: 1,
      suitesOfTeam: [1, 1],
    });
  });

  test.each(blind.filter((who) => who !== 'a stranger'))('lists and builds do not show it to %s', async (who) => {
    expect(await traces(who)).toEqual({
      list: 0,
      suites: 0,
      runsOfBuild: 0,
      tests: 0,
      testsOfBuild: 0,
      ofTeam: 0,
      suitesOfTeam: [0, 0],
    });
  });

  describe.each(writes.map((write) => [write.tells, write] as const))('%s', (_tells, { rest, graphql }) => {
    test('is forbidden to a reader', async () => {
      const { status, body } = await surfaces.rest(rest(at), people['a reader']);
      expect([status, body]).toEqual([403, { message: 'Forbidden' }]);
      const { errors } = await surfaces.graphql(graphql(at), people['a reader']);
      expect(errors?.[0]).toMatchObject({ message: 'Forbidden', extensions: { code: 'FORBIDDEN' } });
    });

    test.each(blind)('finds nothing for %s', async (who) => {
      const { status, body } = await surfaces.rest(rest(at), people[who]);
      expect([status, body]).toEqual([404, { message: 'Not Found' }]);
      const { errors } = await surfaces.graphql(graphql(at), people[who]);
      expect(errors?.[0]).toMatchObject({ message: 'Not Found', extensions: { code: 'NOT_FOUND' } });
    });
  });

  test.each(editing)('muting a test, and the upload token, are open to %s', async (who) => {
    const person = people[who];
    const muted = await surfaces.read(['put', `${path}/tests/${at.test}/mute`], person);
    expect(muted.id).toBe(at.test);
    const enabled: GraphqlCall = [
      'mutation ($id: ID!) { suiteTestUpdate(input: { id: $id, state: ENABLED }) { clientMutationId } }',
      { id: at.test },
    ];
    await surfaces.select(enabled, person);
    expect((await surfaces.read(['get', `${path}?show_api_token=true`], person)).api_token).toBe(suite.token);
  });

  test('the upload token is not shown to a reader', async () => {
    expect((await surfaces.rest(['get', `${path}?show_api_token=true`], people['a reader'])).status).toBe(403);
  });

  test('maintainers share a suite that they may edit, and no other', async () => {
    const { db } = surfaces.world.services;
    const share = async (who: string) => {
      const person = people[who]!;
      const { teamId } = await db
        .selectFrom('team_members')
        .select('teamId')
        .where('userId', '=', person.id)
        .executeTakeFirstOrThrow();
      const call: RestCall = [
        'patch',
        `/organizations/acme/teams/${teamId}/suites/${at.suite}`,
        { access_level: ['read', 'edit'] },
      ];
      return (await surfaces.rest(call, person)).status;
    };
    expect([await share('a reader'), await share('a member of another team'), await share('an editor')]).toEqual([
      403, 404, 200,
    ]);
  });

  test('uploads need the token of the suite and no team', async () => {
    expect(await upload(surfaces, suite.authorization, 'another run', [result('b')])).toMatchObject({ queued: 1 });
  });

  test('without teams every member sees and edits it', async () => {
    const { db } = surfaces.world.services;
    await db.updateTable('organizations').set({ teamsEnabled: false }).where('id', '=', at.organization).execute();
    const person = people['a member without a team'];
    expect((await surfaces.rest(['get', path], person)).status).toBe(200);
    expect((await surfaces.rest(['patch', path, { emoji: ':eyes:' }], person)).status).toBe(200);
  });
});
