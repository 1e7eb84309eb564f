import { encodeNodeId } from '../../../src/domain/node-id.js';
import { type Data, Door } from '../support.js';

describe('pipeline templates through GraphQL', () => {
  let door: Door;
  let template: Data;
  beforeAll(async () => {
    door = await Door.open({ plan: 'enterprise' });
    const input = {
      organizationId: encodeNodeId('Organization', door.world.organization.id),
      name: 'Go',
      configuration: 'steps:\n  - command: from the template\n',
      clientMutationId: 'x',
    };
    const { pipelineTemplateCreate } = await door.data(
      'mutation ($input: PipelineTemplateCreateInput!) { pipelineTemplateCreate(input: $input) { clientMutationId pipelineTemplate { id uuid name description configuration available } } }',
      { input },
    );
    expect(pipelineTemplateCreate).toMatchObject({
      clientMutationId: 'x',
      pipelineTemplate: { description: null, available: false },
    });
    template = pipelineTemplateCreate.pipelineTemplate;
  });
  afterAll(() => door.close());

  const createPipeline = (input: object) =>
    door.ask(
      'mutation ($input: PipelineCreateInput!) { pipelineCreate(input: $input) { pipelineTemplate { id } pipeline { id uuid slug steps { yaml } pipelineTemplate { id name } } } }',
      {
        input: {
          organizationId: door.world.organization.id,
          repository: { url: 'https://github.com/acme/app' },
          ...input,
        },
      },
    );
  const build = async (pipelineID: string) => {
    const { buildCreate } = await door.data(
      'mutation ($id: ID!) { buildCreate(input: { pipelineID: $id }) { build { jobs(first: 5) { edges { node { ... on JobTypeCommand { command } } } } } } }',
      { id: pipelineID },
    );
    return buildCreate.build.jobs.edges.map(({ node }: Data) => node.command);
  };

  test('a pipeline with a template and blank steps builds from the template [compat:11]', async () => {
    const { data } = await createPipeline({
      name: 'Blank',
      pipelineTemplateId: template.id,
      steps: { yaml: '' },
      clusterId: null,
      teams: null,
      clientMutationId: '',
      tags: [],
      defaultBranch: '',
    });
    expect(data.pipelineCreate).toMatchObject({
      pipelineTemplate: { id: template.id },
      pipeline: { pipelineTemplate: { id: template.id, name: 'Go' } },
    });
    const { pipeline } = data.pipelineCreate;
    expect(await build(pipeline.id)).toEqual(['from the template']);
    const update = (input: object) =>
      door.ask(
        'mutation ($input: PipelineUpdateInput!) { pipelineUpdate(input: $input) { pipeline { pipelineTemplate { id } steps { yaml } } } }',
        { input: { id: pipeline.id, ...input } },
      );
    expect(
      (await update({ steps: { yaml: '' }, pipelineTemplateId: template.uuid })).data.pipelineUpdate.pipeline
        .pipelineTemplate,
    ).toEqual({ id: template.id });
    const own = await update({ steps: { yaml: 'steps: [{ command: own }]' }, pipelineTemplateId: null });
    expect(own.data.pipelineUpdate.pipeline).toEqual({
      pipelineTemplate: null,
      steps: { yaml: 'steps: [{ command: own }]' },
    });
    expect(await build(pipeline.id)).toEqual(['own']);
    const neither = await createPipeline({ name: 'Neither', steps: { yaml: '' } });
    expect(neither.errors?.[0]?.extensions.code).toBe('BAD_USER_INPUT');
  });

  test('an unavailable template is hidden from everyone but administrators', async () => {
    const { data } = await createPipeline({ name: 'Shown', pipelineTemplateId: template.id });
    const query = `query ($id: ID!, $slug: ID!) { pipelineTemplate(uuid: $id) { name } node(id: $id) { id } pipeline(slug: $slug) { pipelineTemplate { name } } organization(slug: "acme") { pipelineTemplates { count } } }`;
    const seen = { id: template.id, slug: `acme/${data.pipelineCreate.pipeline.slug}` };
    expect(await door.data(query, seen, door.world.member)).toEqual({
      pipelineTemplate: null,
      node: null,
      pipeline: { pipelineTemplate: null },
      organization: { pipelineTemplates: { count: 0 } },
    });
    const update =
      'mutation ($input: PipelineTemplateUpdateInput!) { pipelineTemplateUpdate(input: $input) { pipelineTemplate { available } } }';
    await door.data(update, {
      input: { organizationId: door.world.organization.id, id: template.id, available: true },
    });
    expect(await door.data(query, seen, door.world.member)).toMatchObject({
      pipelineTemplate: { name: 'Go' },
      pipeline: { pipelineTemplate: { name: 'Go' } },
      organization: { pipelineTemplates: { count: 1 } },
    });
    const elsewhere = {
      input: { organizationId: encodeNodeId('Organization', door.world.member.id), id: template.id },
    };
    expect(
      (
        await door.ask(
          'mutation ($input: PipelineTemplateDeleteInput!) { pipelineTemplateDelete(input: $input) { deletedPipelineTemplateId } }',
          elsewhere,
        )
      ).errors?.[0]?.extensions.code,
    ).toBe('NOT_FOUND');
    const assigned = { input: { organizationId: door.world.organization.id, id: template.id } };
    expect(
      (
        await door.ask(
          'mutation ($input: PipelineTemplateDeleteInput!) { pipelineTemplateDelete(input: $input) { deletedPipelineTemplateId } }',
          assigned,
        )
      ).errors?.[0],
    ).toMatchObject({
      message: 'The pipeline template is assigned to a pipeline and cannot be deleted.',
      extensions: { code: 'CONFLICT' },
    });
  });
});

describe('teams through GraphQL', () => {
  let door: Door;
  let team: string;
  let hidden: string;
  beforeAll(async () => {
    door = await Door.open({ teamsEnabled: true });
    const { organization, member } = door.world;
    const organizationId = organization.id;
    team = await door.world.insert('teams', {
      organizationId,
      slug: 'core',
      name: 'Core',
      defaultMemberRole: 'maintainer',
    });
    hidden = await door.world.insert('teams', { organizationId, slug: 'hidden', name: 'Hidden', privacy: 'secret' });
    await door.world.insert('team_members', { organizationId, teamId: team, userId: member.id, role: 'member' });
    for (const [slug, teamId] of [
      ['mine', team],
      ['theirs', hidden],
    ] as const) {
      const pipeline = await door.world.pipeline('steps: []', { slug, name: slug });
      await door.world.insert('team_pipelines', {
        organizationId,
        teamId,
        pipelineId: pipeline.id,
        accessLevel: 'manage_build_and_read',
      });
    }
  });
  afterAll(() => door.close());

  const memberSlug = async () => {
    const { id } = await door.world.services.db
      .selectFrom('organization_members')
      .select('id')
      .where('userId', '=', door.world.member.id)
      .executeTakeFirstOrThrow();
    return `acme/${id}`;
  };

  test('a member of an organization shows its teams and pipelines', async () => {
    const query = `query ($slug: ID!) { organizationMember(slug: $slug) { teams(first: 5) { count edges { node { role team { slug } } } } pipelines(first: 5, order: NAME) { count edges { cursor node { pipeline { slug } } } nodes { pipeline { slug } } } } }`;
    const { organizationMember } = await door.data(query, { slug: await memberSlug() });
    expect(organizationMember.teams).toEqual({
      count: 1,
      edges: [{ node: { role: 'MEMBER', team: { slug: 'core' } } }],
    });
    expect(organizationMember.pipelines).toMatchObject({
      count: 1,
      edges: [{ node: { pipeline: { slug: 'mine' } } }],
      nodes: [{ pipeline: { slug: 'mine' } }],
    });
    const { id } = await door.world.services.db
      .selectFrom('organization_members')
      .select('id')
      .where('userId', '=', door.world.admin.id)
      .executeTakeFirstOrThrow();
    expect((await door.data(query, { slug: `acme/${id}` })).organizationMember.pipelines.count).toBe(2);
    expect((await door.data(query, { slug: `acme/${id}` }, door.world.member)).organizationMember.pipelines.count).toBe(
      1,
    );
  });

  test("a member added without a role gets the team's default role, and permissions describe each role", async () => {
    const person = await door.world.person({ organizationId: door.world.organization.id });
    const permissions =
      'query ($slug: ID!) { team(slug: $slug) { permissions { teamUpdate { allowed } teamMemberCreate { allowed } teamPipelineCreate { allowed } teamSuiteCreate { allowed } } pipelines(first: 1) { edges { node { permissions { teamPipelineUpdate { allowed } } } } } } }';
    const allowed = async () => {
      const { team: found } = await door.data(permissions, { slug: 'acme/core' }, person);
      return [
        ...Object.values(found.permissions as Record<string, { allowed: boolean }>).map((each) => each.allowed),
        found.pipelines.edges[0]?.node.permissions.teamPipelineUpdate.allowed,
      ];
    };
    expect(await allowed()).toEqual([false, false, false, false, undefined]);
    const { teamMemberCreate } = await door.data(
      'mutation ($input: TeamMemberCreateInput!) { teamMemberCreate(input: $input) { team { slug } teamMemberEdge { cursor node { id role permissions { teamMemberDelete { allowed } } } } } }',
      { input: { teamID: encodeNodeId('Team', team), userID: encodeNodeId('User', person.id), role: null } },
    );
    expect(teamMemberCreate).toMatchObject({
      team: { slug: 'core' },
      teamMemberEdge: { node: { role: 'MAINTAINER', permissions: { teamMemberDelete: { allowed: true } } } },
    });
    expect(await allowed()).toEqual([false, true, true, true, true]);
  });

  test('a maintainer removes the last access to a pipeline or a suite only with force', async () => {
    const maintainer = await door.world.person({ organizationId: door.world.organization.id });
    const organizationId = door.world.organization.id;
    await door.world.insert('team_members', {
      organizationId,
      teamId: team,
      userId: maintainer.id,
      role: 'maintainer',
    });
    const suiteId = await door.world.insert('suites', {
      organizationId,
      slug: 'unit',
      name: 'Unit',
      defaultBranch: 'main',
      tokenHash: 'hash',
    });
    const suite = await door.world.insert('team_suites', {
      organizationId,
      teamId: team,
      suiteId,
      accessLevel: ['read', 'edit'],
    });
    const pipeline = await door.world.pipeline('steps: []', { slug: 'last' });
    const access = await door.world.insert('team_pipelines', {
      organizationId,
      teamId: team,
      pipelineId: pipeline.id,
      accessLevel: 'manage_build_and_read',
    });
    for (const [kind, id] of [
      ['TeamSuite', suite],
      ['TeamPipeline', access],
    ] as const) {
      const field = `${kind[0]?.toLowerCase()}${kind.slice(1)}Delete`;
      const remove = (more: object) =>
        door.ask(
          `mutation ($input: ${kind}DeleteInput!) { ${field}(input: $input) { deleted${kind}ID team { slug } } }`,
          { input: { id: encodeNodeId(kind, id), ...more } },
          maintainer,
        );
      expect((await remove({})).errors?.[0]?.extensions.code).toBe('CONFLICT');
      expect((await remove({ force: true })).data[field]).toEqual({
        [`deleted${kind}ID`]: encodeNodeId(kind, id),
        team: { slug: 'core' },
      });
    }
  });

  test('a secret team is hidden from members of the organization outside the team', async () => {
    const slug = await memberSlug();
    await door.world.insert('team_members', {
      organizationId: door.world.organization.id,
      teamId: hidden,
      userId: door.world.admin.id,
      role: 'member',
    });
    const { organization } = await door.data(
      '{ organization(slug: "acme") { members(first: 5) { edges { node { user { uuid } teams(first: 5) { edges { node { team { slug } } } } } } } } }',
      {},
      door.world.member,
    );
    const all = organization.members.edges.flatMap(({ node }: Data) =>
      node.teams.edges.map((edge: Data) => edge.node.team.slug),
    );
    expect(all).not.toContain('hidden');
    expect(slug).toContain('acme/');
    const refused = await door.ask(
      'mutation ($id: ID!) { teamUpdate(input: { id: $id, name: "x", isDefaultTeam: false, defaultMemberRole: MEMBER }) { team { id } } }',
      { id: encodeNodeId('Team', hidden) },
      door.world.member,
    );
    expect(refused.errors?.[0]?.extensions.code).toBe('NOT_FOUND');
  });
});
