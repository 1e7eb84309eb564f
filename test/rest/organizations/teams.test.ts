import type { Data } from '../../support/both-surfaces.js';
import type { Person } from '../../support/world.js';
import { expectShape } from '../reply-shape.js';
import { RestWorld } from '../rest-world.js';

const teams = '/organizations/acme/teams';

describe('teams', () => {
  let rest: RestWorld;
  let maintainer: Person;
  beforeAll(async () => {
    rest = await RestWorld.create({ teamsEnabled: true });
    maintainer = await rest.world.person({ organizationId: rest.world.organization.id });
  });
  afterAll(() => rest.close());

  let made = 0;
  const team = async (more: object = {}): Promise<Data> => {
    made += 1;
    const { status, body } = await rest.post(teams, { name: `Team ${made}`, ...more });
    if (status !== 201) throw new Error(JSON.stringify(body));
    return body;
  };
  const patch = (path: string, body: object, person?: Person) => rest.request('patch', path, person).send(body);
  const remove = (path: string, person?: Person) => rest.request('delete', path, person);
  const failed = (reason: string) => ({ message: `Validation failed: ${reason}` });
  const newSuite = () => {
    made += 1;
    return rest.world.insert('suites', {
      organizationId: rest.world.organization.id,
      slug: `suite-${made}`,
      name: `Suite ${made}`,
      defaultBranch: 'main',
      tokenHash: `hash ${made}`,
    });
  };
  const join = (teamId: string, person: Person, role: string) =>
    rest.post(`${teams}/${teamId}/members`, { user_id: person.id, role });

  describe('the teams of an organization', () => {
    test('a team is created, read, updated and deleted', async () => {
      const { status, body } = await rest.post(teams, { name: 'The Core', is_default_team: true });
      expect(status).toBe(201);
      expectShape('Team', body);
      expect(body).toMatchObject({
        graphql_id: Buffer.from(`Team---${body.id}`).toString('base64'),
        slug: 'the-core',
        description: null,
        privacy: 'visible',
        default: true,
        default_member_role: 'member',
        members_can_create_pipelines: true,
        members_can_create_suites: true,
        members_can_create_registries: true,
        members_can_destroy_registries: false,
        members_can_destroy_packages: false,
        created_by: { id: rest.world.admin.id },
      });
      expect((await rest.get(`${teams}/${body.id}`)).body).toEqual(body);
      const changes = {
        name: 'Renamed',
        description: 'about',
        privacy: 'secret',
        is_default_team: false,
        default_member_role: 'maintainer',
        members_can_create_pipelines: false,
        members_can_create_suites: false,
        members_can_create_registries: false,
        members_can_destroy_registries: true,
        members_can_destroy_packages: true,
      };
      const changed = await patch(`${teams}/${body.id}`, changes);
      const { is_default_team: isDefault, ...shown } = changes;
      expect([changed.status, changed.body]).toEqual([200, { ...body, ...shown, default: isDefault }]);
      expect((await patch(`${teams}/${body.id}`, { description: null, privacy: null })).body).toMatchObject({
        description: null,
        privacy: 'visible',
        slug: 'the-core',
        name: 'Renamed',
      });
      expect((await patch(`${teams}/${body.id}`, {})).status).toBe(200);
      const deleted = await remove(`${teams}/${body.id}`);
      expect([deleted.status, deleted.text]).toEqual([204, '']);
      expect([(await rest.get(`${teams}/${body.id}`)).status, (await remove(`${teams}/${body.id}`)).status]).toEqual([
        404, 404,
      ]);
    });

    test('the team list is paged and can be filtered by member', async () => {
      const { id } = await team();
      await team();
      await join(id, rest.world.member, 'member');
      const ids = async (query: string) => (await rest.get(`${teams}?${query}`)).body.map((each: Data) => each.id);
      expect(await ids(`user_id=${rest.world.member.id}`)).toEqual([id]);
      expect(await ids('per_page=100')).toContain(id);
      expect((await rest.get(`${teams}?per_page=1`)).headers['link']).toContain('rel="next"');
    });

    test.each<[string, object, string]>([
      ['no name', {}, 'Name is missing'],
      ['a blank name', { name: ' ' }, "Name can't be blank"],
      ['a name without a letter', { name: '🚀' }, 'Name has no character that a slug can be made of'],
      ['another privacy', { name: 'x', privacy: 'open' }, 'Privacy must be one of visible, secret'],
      [
        'another role',
        { name: 'x', default_member_role: 'owner' },
        'Default member role must be one of member, maintainer',
      ],
      ['a flag that is not a boolean', { name: 'x', is_default_team: 'no' }, 'Is default team must be true or false'],
    ])('creating a team with %s is refused', async (_what, given, reason) => {
      const reply = await rest.post(teams, given);
      expect([reply.status, reply.body]).toEqual([422, failed(reason)]);
    });

    test('a team whose slug is in use and one team too many are refused', async () => {
      await team({ name: 'Taken Name' });
      const taken = await rest.post(teams, { name: 'taken  name' });
      expect([taken.status, taken.body]).toEqual([422, failed('Name has already been taken')]);
      const { world } = rest;
      const organizationId = await world.insert('organizations', { slug: 'full', name: 'Full' });
      const owner = await world.person({ organizationId, role: 'admin' });
      const createdAt = world.clock.now();
      await world.services.db
        .insertInto('teams')
        .values(
          Array.from({ length: 250 }, (_, index) => ({
            id: world.system().newId(),
            organizationId,
            slug: `t${index}`,
            name: `T ${index}`,
            createdAt,
          })),
        )
        .execute();
      const full = await rest.post('/organizations/full/teams', { name: 'One more' }, owner);
      expect([full.status, full.body]).toEqual([422, failed('An organization has at most 250 teams')]);
    });

    test('only administrators create, update and delete teams, and secret teams are hidden', async () => {
      const visible = await team();
      const secret = await team({ privacy: 'secret' });
      await join(visible.id, maintainer, 'maintainer');
      for (const person of [rest.world.member, maintainer]) {
        for (const reply of [
          await rest.post(teams, { name: 'x' }, person),
          await patch(`${teams}/${visible.id}`, { name: 'x' }, person),
          await remove(`${teams}/${visible.id}`, person),
        ]) {
          expect([reply.status, reply.body]).toEqual([403, { message: 'Forbidden' }]);
        }
        for (const reply of [
          await rest.get(`${teams}/${secret.id}`, person),
          await patch(`${teams}/${secret.id}`, { name: 'x' }, person),
          await rest.get(`${teams}/${secret.id}/members`, person),
          await rest.get(`${teams}/${secret.id}/suites`, person),
        ]) {
          expect([reply.status, reply.body]).toEqual([404, { message: 'Not Found' }]);
        }
      }
    });

    test('deleting a team deletes its memberships and access', async () => {
      const { db } = rest.world.services;
      const { id } = await team();
      await join(id, rest.world.member, 'member');
      await rest.post(`${teams}/${id}/suite`, { suite_id: await newSuite(), access_level: ['read'] });
      const { id: pipelineId } = await rest.world.pipeline('steps: []');
      await rest.post(`${teams}/${id}/pipelines`, { pipeline_id: pipelineId, access_level: 'read_only' });
      await remove(`${teams}/${id}`);
      for (const table of ['team_members', 'team_pipelines', 'team_suites'] as const)
        expect(await db.selectFrom(table).select('id').where('teamId', '=', id).execute()).toEqual([]);
    });
  });

  describe('members of a team', () => {
    test('a team member is added, read, given a role and removed [api-v2:ldhdpk,bfjpgg,lpaemm,kkceli,immdmn,ajhjgb,hnbehk,mhhjcl,chemhk,aamljm,micajj,fknggh] [compat:16]', async () => {
      const { id } = await team();
      const { member } = rest.world;
      const created = await rest.post(`${teams}/${id}/members/`, { user_id: member.id, role: 'member' });
      expect(created.status).toBe(201);
      expectShape('TeamMember', created.body);
      expect(created.body).toEqual({
        user_id: member.id,
        user_name: expect.stringMatching(/^Person \d+$/),
        created_at: expect.stringMatching(/^2026-.*Z$/),
        role: 'member',
      });
      const one = `${teams}/${id}/members/${member.id}`;
      const read = await rest.get(one);
      expect([read.status, read.body]).toEqual([200, created.body]);
      const listed = await rest.get(`${teams}/${id}/members`);
      expect([listed.status, listed.body]).toEqual([200, [created.body]]);
      const changed = await patch(one, { role: 'maintainer' });
      expect([changed.status, changed.body]).toEqual([200, { ...created.body, role: 'maintainer' }]);
      const deleted = await remove(one);
      expect([deleted.status, deleted.text]).toEqual([204, '']);
      expect([
        (await rest.get(one)).status,
        (await patch(one, { role: 'member' })).status,
        (await remove(one)).status,
      ]).toEqual([404, 404, 404]);
    });

    test.each<[string, () => object, string]>([
      ['no user', () => ({ role: 'member' }), 'User id is missing'],
      ['no role', () => ({ user_id: rest.world.admin.id }), 'Role is missing'],
      [
        'another role',
        () => ({ user_id: rest.world.admin.id, role: 'owner' }),
        'Role must be one of member, maintainer',
      ],
      ['nobody', () => ({ user_id: 'x', role: 'member' }), 'User id is not a member of the organization'],
      [
        'somebody of another organization',
        () => ({ user_id: rest.world.outsider.id, role: 'member' }),
        'User id is not a member of the organization',
      ],
      [
        'a member already',
        () => ({ user_id: rest.world.member.id, role: 'maintainer' }),
        'User id has already been added to the team',
      ],
    ])('a team member with %s is refused with the reason [api-v2:aamljm,dokaej]', async (_what, given, reason) => {
      const { id } = await team();
      await join(id, rest.world.member, 'member');
      const reply = await rest.post(`${teams}/${id}/members`, given());
      expect([reply.status, reply.body]).toEqual([422, failed(reason)]);
      expect((await rest.get(`${teams}/${id}/members`)).body).toHaveLength(1);
    });

    test('the last maintainer cannot leave or be demoted while the team has other members [api-v2:micajj,fknggh,dokaej,icppca]', async () => {
      const { id } = await team();
      await join(id, maintainer, 'maintainer');
      await join(id, rest.world.member, 'member');
      const one = `${teams}/${id}/members/${maintainer.id}`;
      const reason = 'The last maintainer of a team stays as long as the team has other members';
      const demoted = await patch(one, { role: 'member' });
      expect([demoted.status, demoted.body]).toEqual([422, failed(reason)]);
      const removed = await remove(one);
      expect([removed.status, removed.body]).toEqual([422, { message: `${reason}.` }]);
      expect((await patch(one, { role: 'wrong' })).body).toEqual(failed('Role must be one of member, maintainer'));
      await patch(`${teams}/${id}/members/${rest.world.member.id}`, { role: 'maintainer' });
      expect((await remove(one)).status).toBe(204);
      expect((await remove(`${teams}/${id}/members/${rest.world.member.id}`)).status).toBe(204);
    });

    test('maintainers of a team manage its members, and other members do not', async () => {
      const { id } = await team();
      await join(id, maintainer, 'maintainer');
      const { member } = rest.world;
      const all = `${teams}/${id}/members`;
      const refused = [
        await rest.post(all, { user_id: member.id, role: 'maintainer' }, member),
        await patch(`${all}/${maintainer.id}`, { role: 'member' }, member),
        await remove(`${all}/${maintainer.id}`, member),
      ];
      for (const reply of refused) expect([reply.status, reply.body]).toEqual([403, { message: 'Forbidden' }]);
      expect((await rest.post(all, { user_id: member.id, role: 'member' }, maintainer)).status).toBe(201);
      expect((await patch(`${all}/${member.id}`, { role: 'maintainer' }, maintainer)).status).toBe(200);
      expect((await remove(`${all}/${member.id}`, maintainer)).status).toBe(204);
    });
  });

  describe('test suites of a team', () => {
    test("a team's access to a suite is granted, read, changed and removed [api-v2:ldhdpk,hhgncd,homdgg,cepkpp,kghllg,foaceg,fodfbh,piockc,cheidj,bkkdmh,ahacjo] [compat:18]", async () => {
      const { id } = await team();
      const suite = await newSuite();
      const created = await rest.post(`${teams}/${id}/suite/`, { suite_id: suite, access_level: ['edit', 'read'] });
      expect(created.status).toBe(201);
      expectShape('TeamSuite', created.body);
      expect(created.body).toEqual({
        suite_id: suite,
        suite_url: `http://slipway.test/v2/analytics/organizations/acme/suites/suite-${made}`,
        created_at: expect.stringMatching(/^2026-.*Z$/),
        access_level: ['read', 'edit'],
      });
      const one = `${teams}/${id}/suites/${suite}`;
      const read = await rest.get(one);
      expect([read.status, read.body]).toEqual([200, created.body]);
      const listed = await rest.get(`${teams}/${id}/suites`);
      expect([listed.status, listed.body]).toEqual([200, [created.body]]);
      const changed = await patch(one, { access_level: ['read'] });
      expect([changed.status, changed.body]).toEqual([200, { ...created.body, access_level: ['read'] }]);
      const deleted = await remove(`${one}/`);
      expect([deleted.status, deleted.text]).toEqual([204, '']);
      expect([
        (await rest.get(one)).status,
        (await patch(one, { access_level: ['read'] })).status,
        (await remove(one)).status,
      ]).toEqual([404, 404, 404]);
    });

    test.each(['suite', 'suite/', 'suites', 'suites/'])(
      'access to a suite is granted at the path %s [compat:5]',
      async (segment) => {
        const { id } = await team();
        const suite = await newSuite();
        const created = await rest.post(`${teams}/${id}/${segment}`, { suite_id: suite, access_level: ['read'] });
        expect(created.status).toBe(201);
        expect((await rest.get(`${teams}/${id}/${segment}`)).body).toEqual([created.body]);
        const one = `${teams}/${id}/${segment.replace('/', '')}/${suite}${segment.endsWith('/') ? '/' : ''}`;
        expect((await rest.get(one)).body).toEqual(created.body);
        expect((await patch(one, { access_level: ['edit'] })).body.access_level).toEqual(['edit']);
        expect((await remove(one)).status).toBe(204);
      },
    );

    test.each<[string, (suite: string) => object, string]>([
      ['no suite', () => ({ access_level: ['read'] }), 'Suite id is missing'],
      ['no access', (suite) => ({ suite_id: suite }), 'Access level is missing'],
      [
        'access that is not a list',
        (suite) => ({ suite_id: suite, access_level: 'read' }),
        'Access level must be a list of read and edit',
      ],
      [
        'an empty list',
        (suite) => ({ suite_id: suite, access_level: [] }),
        'Access level must hold read, edit or both',
      ],
      [
        'an unknown level',
        (suite) => ({ suite_id: suite, access_level: ['write'] }),
        'Access level.0 must be one of read, edit',
      ],
      [
        'too many levels',
        (suite) => ({ suite_id: suite, access_level: ['read', 'edit', 'read'] }),
        'Access level must hold read and edit at most once each',
      ],
      [
        'no suite of that id',
        () => ({ suite_id: rest.world.admin.id, access_level: ['read'] }),
        'Suite id does not exist',
      ],
    ])(
      'access to a suite with %s is refused with the reason [api-v2:foaceg,cheidj,bkkdmh,dokaej]',
      async (_what, given, reason) => {
        const { id } = await team();
        const suite = await newSuite();
        const reply = await rest.post(`${teams}/${id}/suite`, given(suite));
        expect([reply.status, reply.body]).toEqual([422, failed(reason)]);
        if (!reason.startsWith('Access')) return;
        await rest.post(`${teams}/${id}/suite`, { suite_id: suite, access_level: ['read'] });
        const patched = await patch(`${teams}/${id}/suites/${suite}`, given(suite));
        expect([patched.status, patched.body]).toEqual([422, failed(reason)]);
      },
    );

    test('access to a suite of another organization is refused, and so is granting it twice [api-v2:dokaej]', async () => {
      const { id } = await team();
      const suite = await newSuite();
      const give = { suite_id: suite, access_level: ['read'] };
      expect((await rest.post(`${teams}/${id}/suites`, give)).status).toBe(201);
      expect((await rest.post(`${teams}/${id}/suites`, give)).body).toEqual(
        failed('Suite id has already been added to the team'),
      );
      const { organizationId } = await rest.world.services.db
        .selectFrom('organization_members')
        .select('organizationId')
        .where('userId', '=', rest.world.outsider.id)
        .executeTakeFirstOrThrow();
      const foreign = await rest.world.insert('suites', {
        organizationId,
        slug: 'foreign',
        name: 'Foreign',
        defaultBranch: 'main',
        tokenHash: 'foreign',
      });
      expect((await rest.post(`${teams}/${id}/suites`, { ...give, suite_id: foreign })).body).toEqual(
        failed('Suite id does not exist'),
      );
    });

    test('maintainers who may edit a suite share it, but cannot remove it from its last team [api-v2:ahacjo,icppca]', async () => {
      const own = await team();
      const other = await team();
      for (const { id } of [own, other]) await join(id, maintainer, 'maintainer');
      const suite = await newSuite();
      const give = { suite_id: suite, access_level: ['read'] };
      expect((await rest.post(`${teams}/${other.id}/suites`, give, maintainer)).status).toBe(403);
      await rest.post(`${teams}/${own.id}/suites`, { suite_id: suite, access_level: ['read', 'edit'] });
      const last = await remove(`${teams}/${own.id}/suites/${suite}`, maintainer);
      expect([last.status, last.body]).toEqual([
        422,
        { message: 'No other team has access to the test suite: only an administrator can remove the last one.' },
      ]);
      expect((await rest.post(`${teams}/${other.id}/suites`, give, maintainer)).status).toBe(201);
      expect((await patch(`${teams}/${other.id}/suites/${suite}`, { access_level: ['edit'] }, maintainer)).status).toBe(
        200,
      );
      const refusals = async () => [
        (await rest.post(`${teams}/${own.id}/suites`, give, rest.world.member)).status,
        (await patch(`${teams}/${own.id}/suites/${suite}`, { access_level: ['read'] }, rest.world.member)).status,
        (await remove(`${teams}/${own.id}/suites/${suite}`, rest.world.member)).status,
      ];
      // The suite is hidden from a member without a team that has it.
      expect(await refusals()).toEqual([403, 404, 404]);
      await join(own.id, rest.world.member, 'member');
      expect(await refusals()).toEqual([403, 403, 403]);
      expect((await remove(`${teams}/${own.id}/suites/${suite}`, maintainer)).status).toBe(204);
      expect((await remove(`${teams}/${other.id}/suites/${suite}`)).status).toBe(204);
    });
  });

  describe('pipelines of a team', () => {
    test("a team's access to a pipeline is granted, read, changed and removed", async () => {
      const { id } = await team();
      const { id: pipelineId, slug } = await rest.world.pipeline('steps: []');
      const created = await rest.post(`${teams}/${id}/pipelines/`, {
        pipeline_id: pipelineId,
        access_level: 'build_and_read',
      });
      expect(created.status).toBe(201);
      expectShape('TeamPipeline', created.body);
      expect(created.body).toMatchObject({
        pipeline_id: pipelineId,
        pipeline_url: `http://slipway.test/v2/organizations/acme/pipelines/${slug}`,
        access_level: 'build_and_read',
      });
      const one = `${teams}/${id}/pipelines/${pipelineId}`;
      expect([(await rest.get(one)).body, (await rest.get(`${teams}/${id}/pipelines`)).body]).toEqual([
        created.body,
        [created.body],
      ]);
      expect((await patch(one, { access_level: 'read_only' })).body).toEqual({
        ...created.body,
        access_level: 'read_only',
      });
      expect((await remove(one)).status).toBe(204);
      expect([
        (await rest.get(one)).status,
        (await patch(one, { access_level: 'read_only' })).status,
        (await remove(one)).status,
      ]).toEqual([404, 404, 404]);
      expect((await rest.post(`${teams}/${id}/pipelines`, { pipeline_id: pipelineId })).body.access_level).toBe(
        'read_only',
      );
    });

    test.each<[string, object, string]>([
      ['no pipeline', { access_level: 'read_only' }, 'Pipeline id is missing'],
      ['an unknown pipeline id', { pipeline_id: 'x', access_level: 'read_only' }, 'Pipeline id does not exist'],
      [
        'another level',
        { pipeline_id: 'x', access_level: 'owner' },
        'Access level must be one of read_only, build_and_read, manage_build_and_read',
      ],
    ])('access to a pipeline with %s is refused with the reason', async (_what, given, reason) => {
      const { id } = await team();
      const reply = await rest.post(`${teams}/${id}/pipelines`, given);
      expect([reply.status, reply.body]).toEqual([422, failed(reason)]);
    });

    test('maintainers with full access share a pipeline, but cannot remove it from its last team', async () => {
      const [own, other] = [await team(), await team()];
      for (const { id } of [own, other]) await join(id, maintainer, 'maintainer');
      await join(own.id, rest.world.member, 'member');
      const { id: pipelineId } = await rest.world.pipeline('steps: []');
      const give = { pipeline_id: pipelineId, access_level: 'build_and_read' };
      expect((await rest.post(`${teams}/${other.id}/pipelines`, give, maintainer)).body).toEqual(
        failed('Pipeline id does not exist'),
      );
      await rest.post(`${teams}/${own.id}/pipelines`, give);
      expect((await rest.post(`${teams}/${own.id}/pipelines`, give)).body).toEqual(
        failed('Pipeline id has already been added to the team'),
      );
      expect((await rest.post(`${teams}/${other.id}/pipelines`, give, maintainer)).status).toBe(403);
      await patch(`${teams}/${own.id}/pipelines/${pipelineId}`, { access_level: 'manage_build_and_read' });
      const last = await remove(`${teams}/${own.id}/pipelines/${pipelineId}`, maintainer);
      expect([last.status, last.body]).toEqual([
        422,
        { message: 'No other team has access to the pipeline: only an administrator can remove the last one.' },
      ]);
      expect((await rest.post(`${teams}/${other.id}/pipelines`, give, maintainer)).status).toBe(201);
      for (const reply of [
        await patch(`${teams}/${own.id}/pipelines/${pipelineId}`, { access_level: 'read_only' }, rest.world.member),
        await remove(`${teams}/${own.id}/pipelines/${pipelineId}`, rest.world.member),
      ])
        expect(reply.status).toBe(403);
      expect((await remove(`${teams}/${own.id}/pipelines/${pipelineId}`, maintainer)).status).toBe(204);
    });
  });

  test('each team request needs its own scope and no other [api-v2:fodfbh,piockc,cheidj,bkkdmh,ahacjo,mhhjcl,chemhk,aamljm,micajj,fknggh,oefkna,iakmke]', async () => {
    const { admin, member } = rest.world;
    const reader = await rest.world.personWithToken(admin.id, admin.email, { scopes: ['read_teams'] });
    const writer = await rest.world.personWithToken(admin.id, admin.email, { scopes: ['write_teams'] });
    const { id } = await team();
    const suite = await newSuite();
    await join(id, member, 'member');
    await rest.post(`${teams}/${id}/suite`, { suite_id: suite, access_level: ['read'] });
    const statuses = async (person: Person) =>
      (
        await Promise.all([
          rest.get(`${teams}/${id}/suites`, person),
          rest.get(`${teams}/${id}/suites/${suite}`, person),
          rest.get(`${teams}/${id}/members`, person),
          rest.get(`${teams}/${id}/members/${member.id}`, person),
          patch(`${teams}/${id}/suites/${suite}`, { access_level: ['edit'] }, person),
          patch(`${teams}/${id}/members/${member.id}`, { role: 'maintainer' }, person),
        ])
      ).map(({ status }) => status);
    expect(await statuses(reader)).toEqual([200, 200, 200, 200, 403, 403]);
    expect(await statuses(writer)).toEqual([403, 403, 403, 403, 200, 200]);
    const more = [
      [
        `${teams}/${id}/suite`,
        { suite_id: await newSuite(), access_level: ['read'] },
        `${teams}/${id}/suites/${suite}`,
      ],
      [`${teams}/${id}/members`, { user_id: admin.id, role: 'maintainer' }, `${teams}/${id}/members/${member.id}`],
    ] as const;
    for (const [all, body, one] of more) {
      expect([(await rest.post(all, body, reader)).status, (await rest.post(all, body, writer)).status]).toEqual([
        403, 201,
      ]);
      expect([(await remove(one, reader)).status, (await remove(one, writer)).status]).toEqual([403, 204]);
    }
  });

  test.each(['members', 'suites', 'pipelines'])(
    'a page of %s of a team runs the same number of statements however long it is',
    async (kind) => {
      const { id } = await team();
      const { world } = rest;
      const organizationId = world.organization.id;
      for (let index = 0; index < 5; index += 1) {
        if (kind === 'members')
          await world.insert('team_members', {
            organizationId,
            teamId: id,
            userId: (await world.person({ organizationId })).id,
            role: 'member',
          });
        else if (kind === 'suites')
          await world.insert('team_suites', {
            organizationId,
            teamId: id,
            suiteId: await newSuite(),
            accessLevel: ['read'],
          });
        else
          await world.insert('team_pipelines', {
            organizationId,
            teamId: id,
            pipelineId: (await world.pipeline('steps: []')).id,
            accessLevel: 'read_only',
          });
      }
      const few = await rest.statements(() => rest.get(`${teams}/${id}/${kind}?per_page=2`));
      expect(await rest.statements(() => rest.get(`${teams}/${id}/${kind}?per_page=4`))).toBe(few);
    },
  );
});
