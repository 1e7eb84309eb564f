import { decodeNodeId, encodeNodeId, type NodeKind } from '../../../src/domain/node-id.js';
import type { BuildRow, PipelineRow } from '../../../src/entities/database.js';
import { createBuild } from '../../../src/operations/builds/create.js';
import { StatementGauge } from '../../support/statement-gauge.js';
import type { Person } from '../../support/world.js';
import { type Data, Door } from '../support.js';

const steps = 'steps: [{ command: "true", key: one }, { wait: ~ }, { block: Go }]';

describe('GraphQL queries', () => {
  let door: Door;
  let shown: PipelineRow;
  let secret: PipelineRow;
  let build: BuildRow;
  let teamId: string;
  let ids: Record<string, { kind: NodeKind; typename: string; uuid: string }>;

  beforeAll(async () => {
    door = await Door.open({ teamsEnabled: true });
    const { world } = door;
    shown = await world.pipeline(steps, { slug: 'shown', name: 'Shown' });
    secret = await world.pipeline(steps, { slug: 'secret', name: 'Secret' });
    teamId = await world.insert('teams', {
      organizationId: world.organization.id,
      slug: 'crew',
      name: 'Crew',
      membersCanCreateSuites: true,
    } as never);
    const memberId = await world.insert('team_members', {
      organizationId: world.organization.id,
      teamId,
      userId: world.member.id,
      role: 'member',
    });
    const accessId = await world.insert('team_pipelines', {
      organizationId: world.organization.id,
      teamId,
      pipelineId: shown.id,
      accessLevel: 'read_only',
    });
    ({ build } = await world.perform(world.admin, createBuild, {
      pipeline: { id: shown.id },
      commit: 'HEAD',
      branch: 'main',
    }));
    await world.perform(world.admin, createBuild, { pipeline: { id: secret.id }, commit: 'HEAD', branch: 'main' });
    const { db } = world.services;
    const jobs = await db.selectFrom('jobs').selectAll().where('buildId', '=', build.id).execute();
    const of = (type: string) => jobs.find((job) => job.type === type)?.id ?? '';
    const event = await db
      .selectFrom('events')
      .selectAll()
      .where('jobId', '=', of('command'))
      .executeTakeFirstOrThrow();
    const token = await db.selectFrom('agent_tokens').selectAll().executeTakeFirstOrThrow();
    const membership = await db
      .selectFrom('organization_members')
      .selectAll()
      .where('userId', '=', world.member.id)
      .executeTakeFirstOrThrow();
    const agentId = world.system().newId();
    await db
      .insertInto('agents')
      .values({
        id: agentId,
        organizationId: world.organization.id,
        clusterId: world.clusterId,
        clusterQueueId: world.queues.default,
        agentTokenId: token.id,
        name: 'bot-1',
        os: 'Linux',
        metaData: ['queue=default'],
        connectionState: 'connected',
        createdAt: world.clock.now(),
        heartbeatAt: world.clock.now(),
      } as never)
      .execute();
    const node = (kind: NodeKind, uuid: string, typename: string = kind) => ({ kind, typename, uuid });
    ids = {
      organization: node('Organization', world.organization.id),
      'organization member': node('OrganizationMember', membership.id),
      user: node('User', world.member.id),
      team: node('Team', teamId),
      'team member': node('TeamMember', memberId),
      'team pipeline': node('TeamPipeline', accessId),
      cluster: node('Cluster', world.clusterId),
      queue: node('ClusterQueue', world.queues.macos),
      'agent token': node('ClusterToken', token.id),
      agent: node('Agent', agentId),
      pipeline: node('Pipeline', shown.id),
      build: node('Build', build.id),
      command: node('Job', of('command'), 'JobTypeCommand'),
      wait: node('Job', of('wait'), 'JobTypeWait'),
      block: node('Job', of('block'), 'JobTypeBlock'),
      event: node('JobEvent', event.id, 'JobEventGeneric'),
    };
  });
  afterAll(() => door.close());

  const find = async (id: string, person: Person) =>
    (await door.data('query ($id: ID!) { node(id: $id) { __typename id } }', { id }, person)).node;

  test('node resolves every type for permitted callers and nothing for strangers', async () => {
    for (const [what, { kind, typename, uuid }] of Object.entries(ids)) {
      const id = encodeNodeId(kind, uuid);
      expect([what, await find(id, door.world.member)]).toEqual([
        what,
        { __typename: expect.stringMatching(`^${typename.replace('Generic', '')}`), id },
      ]);
      expect([what, await find(id, door.world.outsider)]).toEqual([what, null]);
    }
    expect(await find(encodeNodeId('Viewer', door.world.member.id), door.world.member)).toMatchObject({
      __typename: 'Viewer',
    });
  });

  test.each(['JobTypeCommand', 'JobTypeBlock', 'JobTypeWait', 'JobTypeTrigger', 'Job'])(
    'node finds a job by the node id kind %s',
    async (kind) => {
      expect(await find(btoa(`${kind}---${ids['command']?.uuid}`), door.world.member)).toEqual({
        __typename: 'JobTypeCommand',
        id: encodeNodeId('Job', ids['command']?.uuid ?? ''),
      });
    },
  );

  test.each([
    '',
    'x',
    'UGlwZWxpbmU=',
    btoa('Pipeline---nothing'),
    btoa('Shoe---00000000-0000-4000-8000-000000000000'),
    encodeNodeId('Rule', '00000000-0000-4000-8000-000000000000'),
  ])('node returns null for the id %j', async (id) => {
    expect(await find(id, door.world.admin)).toBeNull();
  });

  test('root fields accept slugs and UUIDs, and return null without an error for hidden and absent resources', async () => {
    const roots = `query ($org: ID!, $pipeline: ID!, $build: ID!, $buildUuid: ID!, $job: ID!, $agent: ID!, $member: ID!, $team: ID!) {
      organization(slug: $org) { slug } pipeline(slug: $pipeline) { slug } build(slug: $build) { number } byUuid: build(uuid: $buildUuid) { number }
      job(uuid: $job) { ... on JobTypeCommand { uuid } } agent(slug: $agent) { name operatingSystem { name } isRunningJob job { __typename } clusterQueue { key } } organizationMember(slug: $member) { role user { email } } team(slug: $team) { name members { count } pipelines { nodes { accessLevel pipeline { slug } } } } }`;
    const variables = {
      org: 'acme',
      pipeline: 'acme/shown',
      build: 'acme/shown/1',
      buildUuid: build.id,
      job: ids['command']?.uuid,
      agent: `acme/${ids['agent']?.uuid}`,
      member: `acme/${ids['organization member']?.uuid}`,
      team: 'acme/crew',
    };
    expect(await door.data(roots, variables, door.world.member)).toEqual({
      organization: { slug: 'acme' },
      pipeline: { slug: 'shown' },
      build: { number: 1 },
      byUuid: { number: 1 },
      job: { uuid: ids['command']?.uuid },
      agent: {
        name: 'bot-1',
        operatingSystem: { name: 'Linux' },
        isRunningJob: false,
        job: null,
        clusterQueue: { key: 'default' },
      },
      organizationMember: { role: 'MEMBER', user: { email: door.world.member.email } },
      team: {
        name: 'Crew',
        members: { count: 1 },
        pipelines: { nodes: [{ accessLevel: 'READ_ONLY', pipeline: { slug: 'shown' } }] },
      },
    });
    const nothing = {
      organization: null,
      pipeline: null,
      build: null,
      byUuid: null,
      job: null,
      agent: null,
      organizationMember: null,
      team: null,
    };
    expect(await door.data(roots, variables, door.world.outsider)).toEqual(nothing);
    const wrong = Object.fromEntries(Object.keys(variables).map((name) => [name, 'no/such/thing']));
    expect(await door.data(roots, wrong)).toEqual(nothing);
    expect(await door.data('{ pipeline { slug } organization { slug } build { number } }')).toEqual({
      pipeline: null,
      organization: null,
      build: null,
    });
  });

  test('a member sees what the teams of that member give access to, with the same levels in lists and single resources', async () => {
    const query =
      '{ organization(slug: "acme") { pipelines { count nodes { slug webhookURL permissions { buildCreate { allowed code } pipelineUpdate { allowed } } } } builds { count } jobs { count } } secret: pipeline(slug: "acme/secret") { id } }';
    expect(await door.data(query, {}, door.world.member)).toEqual({
      organization: {
        pipelines: {
          count: 1,
          nodes: [
            {
              slug: 'shown',
              webhookURL: null,
              permissions: {
                buildCreate: { allowed: false, code: 'not_permitted' },
                pipelineUpdate: { allowed: false },
              },
            },
          ],
        },
        builds: { count: 1 },
        jobs: { count: 3 },
      },
      secret: null,
    });
    const all = await door.data(query);
    expect([
      all.organization.pipelines.count,
      all.organization.builds.count,
      all.organization.jobs.count,
      all.secret === null,
    ]).toEqual([2, 2, 6, false]);
  });

  test('agents can be listed, paused, resumed and stopped', async () => {
    const id = encodeNodeId('Agent', ids['agent']?.uuid ?? '');
    const list = async (filter: string) =>
      (
        await door.data(
          `{ organization(slug: "acme") { agents(first: 5, ${filter}) { count nodes { id permissions { agentStop { allowed } } } } } }`,
          {},
          door.world.member,
        )
      ).organization.agents;
    expect(await list('search: "BOT"')).toEqual({
      count: 1,
      nodes: [{ id, permissions: { agentStop: { allowed: true } } }],
    });
    expect((await list('metaData: "queue=other"')).count).toBe(0);
    const pause =
      'mutation ($id: ID!) { agentPause(input: { id: $id, note: "update", timeoutInMinutes: 9 }) { agent { paused pausedNote pausedTimeoutInMinutes pausedBy { email } } } }';
    expect(await door.data(pause, { id }, door.world.member)).toEqual({
      agentPause: {
        agent: {
          paused: true,
          pausedNote: 'update',
          pausedTimeoutInMinutes: 9,
          pausedBy: { email: door.world.member.email },
        },
      },
    });
    expect((await list('paused: true')).count).toBe(1);
    expect(
      await door.data(
        'mutation ($id: ID!) { agentResume(input: { id: $id }) { agent { paused pausedTimeoutInMinutes } } }',
        { id },
      ),
    ).toEqual({ agentResume: { agent: { paused: false, pausedTimeoutInMinutes: 0 } } });
    expect((await door.refusal(pause, { id }, door.world.outsider)).code).toBe('NOT_FOUND');
    expect(
      await door.data(
        'mutation ($id: ID!) { agentStop(input: { id: $id, clientMutationId: "s" }) { clientMutationId agent { connectionState stoppedGracefullyBy { email } stopForcedAt } } }',
        { id },
      ),
    ).toEqual({
      agentStop: {
        clientMutationId: 's',
        agent: {
          connectionState: 'stopping',
          stoppedGracefullyBy: { email: door.world.admin.email },
          stopForcedAt: null,
        },
      },
    });
  });

  test('mutations distinguish hidden resources, forbidden ones and jobs of another type', async () => {
    const archive = 'mutation ($id: ID!) { pipelineArchive(input: { id: $id }) { pipeline { archived } } }';
    expect((await door.refusal(archive, { id: secret.id }, door.world.member)).code).toBe('NOT_FOUND');
    expect(await door.refusal(archive, { id: '00000000-0000-4000-8000-000000000000' }, door.world.member)).toEqual(
      await door.refusal(archive, { id: secret.id }, door.world.member),
    );
    expect((await door.refusal(archive, { id: shown.id }, door.world.member)).code).toBe('FORBIDDEN');
    expect(
      (
        await door.refusal(
          'mutation ($id: ID!) { buildCreate(input: { pipelineID: $id }) { build { id } } }',
          { id: shown.id },
          door.world.member,
        )
      ).code,
    ).toBe('FORBIDDEN');
    expect(
      (
        await door.refusal(
          'mutation ($id: ID!) { jobTypeCommandRetry(input: { id: $id }) { jobTypeCommand { id } } }',
          { id: ids['wait']?.uuid },
        )
      ).code,
    ).toBe('CONFLICT');
  });

  test('the scope graphql gives access to everything, and any other token to the fields of its scopes', async () => {
    const { world } = door;
    const query =
      '{ organization(slug: "acme") { name } pipeline(slug: "acme/shown") { slug builds { count } cluster { name } } viewer { user { email } } }';
    const whole = await world.personWithToken(world.admin.id, world.admin.email, { scopes: ['graphql'] });
    expect((await door.data(query, {}, whole)).pipeline).toMatchObject({ slug: 'shown', builds: { count: 1 } });
    const part = await world.personWithToken(world.admin.id, world.admin.email, { scopes: ['read_pipelines'] });
    const { data, errors } = await door.ask(query, {}, part);
    expect(data).toEqual({
      organization: null,
      pipeline: { slug: 'shown', builds: null, cluster: null },
      viewer: { user: null },
    });
    expect(
      errors
        ?.map((error) => [error.path?.join('.'), error.extensions.code, /(read_\w+) scope/.exec(error.message)?.[1]])
        .sort(),
    ).toEqual(
      [
        ['organization', 'FORBIDDEN', 'read_organizations'],
        ['pipeline.builds', 'FORBIDDEN', 'read_builds'],
        ['pipeline.cluster', 'FORBIDDEN', 'read_clusters'],
        ['viewer.user', 'FORBIDDEN', 'read_user'],
      ].filter(([path]) => path !== 'pipeline.cluster' || shown.clusterId !== null),
    );
  });

  test('a token for another organization sees nothing of this one', async () => {
    const { world } = door;
    const other = await world.services.db
      .selectFrom('organizations')
      .select('id')
      .where('slug', '=', 'other')
      .executeTakeFirstOrThrow();
    const elsewhere = await world.personWithToken(world.admin.id, world.admin.email, {
      tokenOrganizations: [other.id],
    });
    expect(
      await door.data(
        '{ organization(slug: "acme") { id } viewer { organizations { count } } pipeline(slug: "acme/shown") { id } }',
        {},
        elsewhere,
      ),
    ).toEqual({ organization: null, viewer: { organizations: { count: 0 } }, pipeline: null });
  });

  test('an organization shows its clusters, queues, tokens, members and teams', async () => {
    const { organization } = await door.data(
      `query ($id: ID!) { organization(slug: "acme") { agents { count } isTeamsEnabled permissions { pipelineCreate { allowed } teamCreate { allowed } }
        cluster(id: $id) { uuid } clusters(first: 10) { count edges { node { name defaultQueue { key } queues(first: 10, order: KEY) { nodes { key dispatchPaused hosted retryAgentAffinity cluster { name } } } agentTokens(first: 1) { nodes { description allowedIpAddresses cluster { name } } } } } }
        members(first: 10, role: [ADMIN]) { count nodes { role user { hasPassword bot } security { passwordProtected } } } teams(first: 10) { nodes { slug privacy permissions { teamUpdate { allowed } } } } } }`,
      { id: door.world.clusterId },
      door.world.member,
    );
    expect(organization).toEqual({
      agents: { count: 1 },
      isTeamsEnabled: true,
      permissions: { pipelineCreate: { allowed: true }, teamCreate: { allowed: false } },
      cluster: { uuid: door.world.clusterId },
      clusters: {
        count: 1,
        edges: [
          {
            node: {
              name: 'Default cluster',
              defaultQueue: { key: 'default' },
              queues: {
                nodes: [
                  {
                    key: 'default',
                    dispatchPaused: false,
                    hosted: false,
                    retryAgentAffinity: 'prefer-warmest',
                    cluster: { name: 'Default cluster' },
                  },
                  {
                    key: 'macos',
                    dispatchPaused: false,
                    hosted: false,
                    retryAgentAffinity: 'prefer-warmest',
                    cluster: { name: 'Default cluster' },
                  },
                ],
              },
              agentTokens: {
                nodes: [{ description: 'agents', allowedIpAddresses: null, cluster: { name: 'Default cluster' } }],
              },
            },
          },
        ],
      },
      members: {
        count: 1,
        nodes: [{ role: 'ADMIN', user: { hasPassword: false, bot: false }, security: { passwordProtected: false } }],
      },
      teams: { nodes: [{ slug: 'crew', privacy: 'VISIBLE', permissions: { teamUpdate: { allowed: false } } }] },
    });
  });
});

describe('paging through a connection', () => {
  let door: Door;
  let pipeline: PipelineRow;
  const make = async () => {
    door.world.clock.advance(1);
    return (
      await door.world.perform(door.world.admin, createBuild, {
        pipeline: { id: pipeline.id },
        commit: 'HEAD',
        branch: 'main',
      })
    ).build.number;
  };
  beforeAll(async () => {
    door = await Door.open();
    pipeline = await door.world.pipeline(steps, { slug: 'app', name: 'App' });
    for (let i = 0; i < 7; i += 1) await make();
  });
  afterAll(() => door.close());

  const page = async (given: object): Promise<{ numbers: number[]; pageInfo: Data; count: number; nodes: Data[] }> => {
    const { builds } = (
      await door.data(
        'query ($first: Int, $last: Int, $after: String, $before: String) { pipeline(slug: "acme/app") { builds(first: $first, last: $last, after: $after, before: $before) { count nodes { number } edges { cursor node { number } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } } }',
        given,
      )
    ).pipeline;
    expect([builds.edges[0]?.cursor ?? null, builds.edges.at(-1)?.cursor ?? null]).toEqual([
      builds.pageInfo.startCursor,
      builds.pageInfo.endCursor,
    ]);
    return { ...builds, numbers: builds.edges.map((edge: Data) => edge.node.number) };
  };

  test('paging in both directions while builds arrive misses none and repeats none', async () => {
    const one = await page({ first: 3 });
    expect([one.numbers, one.count, one.pageInfo.hasNextPage, one.pageInfo.hasPreviousPage, one.nodes.length]).toEqual([
      [7, 6, 5],
      7,
      true,
      false,
      3,
    ]);
    await make();
    const two = await page({ first: 3, after: one.pageInfo.endCursor });
    expect([two.numbers, two.count, two.pageInfo.hasPreviousPage]).toEqual([[4, 3, 2], 8, true]);
    const three = await page({ first: 3, after: two.pageInfo.endCursor });
    expect([three.numbers, three.pageInfo.hasNextPage]).toEqual([[1], false]);
    const back = await page({ last: 2, before: two.pageInfo.startCursor });
    expect([back.numbers, back.pageInfo.hasPreviousPage, back.pageInfo.hasNextPage]).toEqual([[6, 5], true, true]);
    const newer = await page({ last: 5, before: back.pageInfo.startCursor });
    expect([newer.numbers, newer.pageInfo.hasPreviousPage]).toEqual([[8, 7], false]);
    expect((await page({ last: 2 })).numbers).toEqual([2, 1]);
    expect((await page({ first: 0 })).numbers).toEqual([]);
    expect((await page({})).numbers).toHaveLength(8);
  });

  test.each([
    ['more than 500', { first: 501 }],
    ['a negative count', { last: -1 }],
    ['from both ends', { first: 1, last: 1 }],
    ['an invalid cursor', { first: 1, after: 'nowhere' }],
  ])('a connection refuses %s', async (_what, given) => {
    const query =
      'query ($first: Int, $last: Int, $after: String) { pipeline(slug: "acme/app") { builds(first: $first, last: $last, after: $after) { count } } }';
    expect((await door.refusal(query, given)).code).toBe('BAD_USER_INPUT');
  });

  test('jobs of an organization are filtered by a range of times at which they finished, or by a day', async () => {
    const { db } = door.world.services;
    const [one, two] = await db.selectFrom('jobs').select('id').where('type', '=', 'command').limit(2).execute();
    const finish = (id: string | undefined, time: string) =>
      db
        .updateTable('jobs')
        .set({ finishedAt: new Date(time) })
        .where('id', '=', id ?? '')
        .execute();
    await finish(one?.id, '2040-05-01T10:00:00Z');
    await finish(two?.id, '2040-05-01T18:00:00Z');
    const { organization } = await door.data(`{ organization(slug: "acme") {
      day: jobs(finishedAt: "2040-05-01T13:00:00Z") { count }
      morning: jobs(finishedAtFrom: "2040-05-01T10:00:00Z", finishedAtTo: "2040-05-01T18:00:00Z") { nodes { ... on JobTypeCommand { uuid } } }
      later: jobs(finishedAtFrom: "2040-05-01T10:00:01Z") { nodes { ... on JobTypeCommand { uuid } } } } }`);
    expect(organization).toEqual({
      day: { count: 2 },
      morning: { nodes: [{ uuid: one?.id }] },
      later: { nodes: [{ uuid: two?.id }] },
    });
  });

  test('connections accept a single value for a list filter, the branch %default, states and job filters', async () => {
    const { pipeline: found } = await door.data(`{ pipeline(slug: "acme/app") {
      scheduled: builds(state: SCHEDULED) { count } other: builds(branch: ["dev", "%default"], first: 1) { count nodes { branch } } none: builds(branch: "dev") { count } failed: builds(state: [FAILED, CREATING]) { count }
      late: builds(createdAtFrom: "2099-01-01") { count } mine: builds(creator: "${door.world.member.id}") { count }
      waits: jobs(type: WAIT) { count } never: jobs(state: PLATFORM_LIMITED) { count } keyed: jobs(step: { key: "one" }, order: RECENTLY_CREATED) { count } } }`);
    expect(found).toEqual({
      scheduled: { count: 8 },
      other: { count: 8, nodes: [{ branch: 'main' }] },
      none: { count: 0 },
      failed: { count: 0 },
      late: { count: 0 },
      mine: { count: 0 },
      waits: { count: 8 },
      never: { count: 0 },
      keyed: { count: 8 },
    });
  });
});

describe('the number of statements of a query', () => {
  test('a query for builds and jobs of pipelines runs the same number of statements however many there are', async () => {
    const door = await Door.open();
    const { world } = door;
    const counted = await Door.onto(
      Object.assign(Object.create(world), {
        services: {
          ...world.services,
          limits: { ...world.services.limits, graphqlCost: 0 },
        },
      }) as typeof world,
    );
    const query =
      '{ organization(slug: "acme") { pipelines(first: 50) { nodes { slug permissions { pipelineUpdate { allowed } } favorite builds(first: 20) { count nodes { number createdBy { ... on User { name } } organization { slug } jobs(first: 20) { count nodes { __typename ... on JobTypeCommand { state agent { name } step { key } build { url } } } } } } } } } }';
    const ask = async () => {
      let pipelines: Data[] = [];
      const { sent: statements } = await StatementGauge.during(counted.world.services, async () => {
        const reply = await counted.post().send({ query });
        expect([reply.status, reply.body.errors]).toEqual([200, undefined]);
        pipelines = reply.body.data.organization.pipelines.nodes;
      });
      return { statements, pipelines };
    };
    const grow = async (pipelines: number) => {
      for (let i = 0; i < pipelines; i += 1) {
        const pipeline = await world.pipeline(steps, {
          slug: `p-${world.system().newId()}`,
          name: world.system().newId(),
        });
        for (let j = 0; j < 2; j += 1)
          await world.perform(world.admin, createBuild, {
            pipeline: { id: pipeline.id },
            commit: 'HEAD',
            branch: 'main',
          });
      }
    };
    await grow(1);
    const few = await ask();
    await grow(6);
    const many = await ask();
    expect([
      few.pipelines.length,
      many.pipelines.length,
      many.pipelines[3].builds.nodes.length,
      many.pipelines[3].builds.nodes[0].jobs.count,
    ]).toEqual([1, 7, 2, 3]);
    expect(many.statements).toBe(few.statements);
    expect(many.statements).toBeLessThanOrEqual(18);
    await counted.stop();
    await door.close();
  });
});

test('node ids in REST replies resolve in GraphQL', () => {
  expect(decodeNodeId(encodeNodeId('JobEvent', '00000000-0000-4000-8000-000000000000'))?.kind).toBe('JobEvent');
});
