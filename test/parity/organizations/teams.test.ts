import { BothSurfaces, type Data } from '../../support/both-surfaces.js';
import type { Person } from '../../support/world.js';
import { ending, members, type Step, writesInOrder, teams, things } from './team-writes.js';

const tables = [
  'organizations',
  'teams',
  'team_members',
  'team_pipelines',
  'team_suites',
  'pipeline_templates',
  'organization_members',
  'events',
  'audit_events',
  'outbox_messages',
  'idempotency_keys',
];

let told: [BothSurfaces, BothSurfaces];
/** A member who manages no team and whose token has every scope; the second token has no write scopes. */
const people: { looker: Person; reader: Person }[] = [];
beforeAll(async () => {
  told = [await BothSurfaces.open({ plan: 'enterprise' }), await BothSurfaces.open({ plan: 'enterprise' })];
  for (const { world } of told) {
    const organizationId = world.organization.id;
    people.push({
      looker: await world.person({ organizationId }),
      reader: await world.personWithToken(world.admin.id, world.admin.email, {
        scopes: ['read_teams', 'read_organizations', 'read_pipeline_templates', 'read_pipelines', 'read_suites'],
      }),
    });
    await world.pipeline('steps: []', { slug: 'app', visibility: 'public' });
    await world.insert('suites', {
      organizationId,
      slug: 'unit',
      name: 'Unit',
      defaultBranch: 'main',
      tokenHash: 'hash',
    });
  }
});
afterAll(() => Promise.all(told.map((surfaces) => surfaces.close())));

/** Checks that both surfaces of one world refuse alike and change nothing; returns the refusal. */
async function refused(
  { rest, graphql }: Step,
  person: Person,
): Promise<[status: number, code: string, message: string]> {
  const [surfaces] = told;
  const at = await things(surfaces);
  const before = await surfaces.digests(tables);
  const atRest = await surfaces.rest(rest(at), person);
  const { errors } = await surfaces.graphql(graphql(at), person);
  expect(errors?.[0]?.message).toBe(atRest.body.message);
  expect(await surfaces.digests(tables)).toEqual(before);
  return [atRest.status, errors?.[0]?.extensions.code, atRest.body.message];
}

/** Carries out a step in both worlds, through REST in one and GraphQL in the other. */
async function tell({ operation, rest, graphql }: Step): Promise<void> {
  const [one, other] = told;
  for (const { world } of told) world.clock.advance(1);
  const earlier = await one.rows(tables);
  await one.read(rest(await things(one)));
  await other.select(graphql(await things(other)));
  const rows = await one.rows(tables);
  expect(await other.rows(tables)).toEqual(rows);
  const more = (table: string) => (rows[table]?.length ?? 0) - (earlier[table]?.length ?? 0);
  // Enabling teams makes the first of them.
  expect([more('audit_events'), more('events')]).toEqual([1, operation === 'team.enable' ? 2 : 1]);
}

const lookers = () => people[0] as { looker: Person; reader: Person };
const checked = (step: Step) => {
  test('a team operation is refused to strangers, to tokens without its scope and to readers', async () => {
    expect(await refused(step, told[0].world.outsider)).toEqual([404, 'NOT_FOUND', 'Not Found']);
    expect(await refused(step, lookers().reader)).toEqual([
      403,
      'FORBIDDEN',
      expect.stringMatching(/^Your access token doesn't have the write_\w+ scope$/),
    ]);
    // A suite that none of the caller's teams has is hidden, and so is its link.
    const hidden = ['team-suite.update', 'team-suite.delete'].includes(step.operation);
    expect(await refused(step, lookers().looker)).toEqual(
      hidden ? [404, 'NOT_FOUND', 'Not Found'] : [403, 'FORBIDDEN', 'Forbidden'],
    );
  });
  test('both surfaces leave the same rows, events and audit of team writes', () => tell(step));
};

describe.each(writesInOrder)('the write $operation', checked);

describe('teams and templates after these writes', () => {
  const surfaces = () => told[0];

  test('both surfaces list teams and suites in the same order, and a suite counts its teams', async () => {
    const at = await things(surfaces());
    const found = await surfaces().select([
      '{ organization(slug: "acme") { teams(first: 10) { edges { node { uuid } } } members(first: 10) { edges { node { user { uuid } } } } } team(slug: "acme/the-core") { suites(first: 5) { nodes { suite { teams(first: 5) { count } } } } } }',
    ]);
    expect(found.organization.teams.edges.map(({ node }: Data) => node.uuid)).toEqual(
      (await surfaces().read(['get', teams])).map((each: Data) => each.id),
    );
    expect(found.organization.members.edges.map(({ node }: Data) => node.user.uuid)).toEqual(
      (await surfaces().read(['get', members])).map((each: Data) => each.id),
    );
    expect([at.team !== '', found.team.suites.nodes]).toEqual([true, [{ suite: { teams: { count: 1 } } }]]);
  });

  test('every kind of team resource is found by its node id and is null to strangers', async () => {
    const at = await things(surfaces());
    const kinds: [string, string][] = [
      ['PipelineTemplate', at.template],
      ['Team', at.team],
      ['TeamMember', at.teamMember],
      ['TeamPipeline', at.teamPipeline],
      ['TeamSuite', at.teamSuite],
    ];
    for (const [kind, id] of kinds) {
      const { node } = await surfaces().select([
        'query ($id: ID!) { node(id: $id) { __typename id } }',
        { id: Buffer.from(`${kind}---${id}`).toString('base64') },
      ]);
      expect(node).toEqual({ __typename: kind, id: Buffer.from(`${kind}---${id}`).toString('base64') });
      const hidden = await surfaces().select(
        ['query ($id: ID!) { node(id: $id) { id } }', { id: Buffer.from(`${kind}---${id}`).toString('base64') }],
        surfaces().world.outsider,
      );
      expect(hidden.node).toBeNull();
    }
  });
});

describe('writes to teams with invalid input', () => {
  const step = (operation: string): Step =>
    [...writesInOrder, ...ending].find((each) => each.operation === operation) as Step;
  const inputs: [string, string, object, object, string[]][] = [
    ['team.create', 'a blank name', { name: ' ' }, { name: ' ' }, ["name can't be blank"]],
    ['team.create', 'a taken name', { name: 'the core' }, { name: 'the core' }, ['name has already been taken']],
    [
      'team-member.create',
      'an unknown user',
      { user_id: 'x' },
      { userID: 'x' },
      ['userID is not a member of the organization'],
    ],
    ['team-member.create', 'a present member', {}, {}, ['userID has already been added to the team']],
    [
      'team-pipeline.create',
      'an unknown pipeline',
      { pipeline_id: 'x' },
      { pipelineID: 'x' },
      ['pipelineID does not exist'],
    ],
    ['team-suite.create', 'an unknown suite', { suite_id: 'x' }, { suiteID: 'x' }, ['suiteID does not exist']],
    [
      'pipeline-template.create',
      'no steps',
      { configuration: 'steps: 1' },
      { configuration: 'steps: 1' },
      [expect.stringMatching(/^configuration steps: /) as unknown as string],
    ],
    [
      'pipeline-template.update',
      'blank YAML',
      { configuration: '' },
      { configuration: '' },
      ["configuration can't be blank"],
    ],
  ];
  test.each(inputs)(
    'both surfaces refuse %s with invalid input alike: %s',
    async (operation, _what, rest, graphql, reasons) => {
      const [surfaces] = told;
      const at = await things(surfaces);
      const before = await surfaces.digests(tables);
      const [method, path, body] = step(operation).rest(at);
      const reply = await surfaces.rest([method, path, { ...body, ...rest }]);
      expect([reply.status, reply.body.message]).toEqual([422, expect.stringMatching(/^Validation failed: [A-Z]/)]);
      const [document, variables] = step(operation).graphql(at);
      const { errors } = await surfaces.graphql([document, { input: { ...(variables as Data).input, ...graphql } }]);
      expect(errors?.[0]?.extensions.code).toBe('BAD_USER_INPUT');
      expect(errors?.[0]?.extensions.fields.map(({ field, code }: Data) => `${field} ${code}`)).toEqual(reasons);
      // The same sentence, but for what the field is called.
      expect(reply.body.message.split(' ').at(-1)).toBe(errors?.[0]?.message.split(' ').at(-1));
      expect(await surfaces.digests(tables)).toEqual(before);
    },
  );
});

describe.each(ending)('the write $operation', checked);
