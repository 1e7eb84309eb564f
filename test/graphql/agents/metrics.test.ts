import { buildOf, agentApp, ScriptedAgent } from '../../support/scripted-agent.js';
import { Door } from '../support.js';

describe('metrics of queues and pipelines', () => {
  let door: Door;
  let agent: ScriptedAgent;
  let slug: string;

  beforeAll(async () => {
    door = await Door.open();
    const { world } = door;
    agent = await ScriptedAgent.connected(agentApp(world), world.agentToken);
    const steps = 'steps: [{ command: "first", key: "a" }, { command: "second" }, { command: "third" }]';
    const { build } = await buildOf(world, steps);
    world.clock.advance(10);
    const first = await agent.takeJob();
    world.clock.advance(60);
    await agent.finish(first).expect(200);
    const second = await agent.takeJob();
    world.clock.advance(10);
    await agent.finish(second, { exit_status: '1' }).expect(200);
    const third = await agent.takeJob();
    const pipeline = await world.services.db
      .selectFrom('pipelines')
      .select('slug')
      .where('id', '=', build.pipelineId)
      .executeTakeFirstOrThrow();
    slug = `acme/${pipeline.slug}`;
    expect(third).toEqual(expect.any(String));
  });
  afterAll(() => door.close());

  const queues = `organization(slug: "acme") { clusters(first: 5) { edges { node { queues(first: 5) { edges { node {
    key hostedAgents { instanceShape { name } }
    metrics { timestamp connectedAgentsCount runningJobsCount waitingJobsCount jobsPassedCount jobsFailedCount waitTimeSec { min max p50 p95 } } } } } } } } }`;

  test('a queue counts its agents and jobs, and tells how long jobs waited', async () => {
    const { organization } = await door.data(`{ ${queues} }`);
    const found = organization.clusters.edges[0].node.queues.edges.map(({ node }: { node: { key: string } }) => node);
    expect(found.find(({ key }: { key: string }) => key === 'default')).toEqual({
      key: 'default',
      hostedAgents: null,
      metrics: {
        timestamp: new Date(door.world.clock.now().getTime() - 15 * 60_000).toISOString(),
        connectedAgentsCount: 1,
        runningJobsCount: 1,
        waitingJobsCount: 0,
        jobsPassedCount: 1,
        jobsFailedCount: 1,
        waitTimeSec: { min: 10, max: 80, p50: 70, p95: 79 },
      },
    });
    expect(found.find(({ key }: { key: string }) => key === 'macos').metrics).toMatchObject({
      connectedAgentsCount: 0,
      jobsPassedCount: 0,
      waitTimeSec: { min: 0, max: 0, p50: 0, p95: 0 },
    });
  });

  test('a pipeline tells how fast, how reliable and how frequent the builds of its default branch were', async () => {
    const query =
      'query ($slug: ID!) { pipeline(slug: $slug) { metrics(first: 5) { count edges { node { id label value url } } } } }';
    const ask = async () => {
      const { pipeline } = await door.data(query, { slug });
      const rows = pipeline.metrics.edges.map(({ node }: { node: { label: string; value: string } }) => [
        node.label,
        node.value,
      ]);
      return Object.fromEntries(rows);
    };
    expect(await ask()).toEqual({ Speed: null, Reliability: null, 'Builds per week': '1' });
    const { pipeline } = await door.data(query, { slug });
    expect(pipeline.metrics.count).toBe(3);
    expect(new Set(pipeline.metrics.edges.map(({ node }: { node: { id: string } }) => node.id)).size).toBe(3);
    expect(pipeline.metrics.edges[0].node.url).toBe(`http://slipway.test/${slug}`);
  });

  test('a queue with hosted agents is refused with the reason', async () => {
    const { world } = door;
    const answer = await door.ask(
      'mutation ($input: ClusterQueueCreateInput!) { clusterQueueCreate(input: $input) { clusterQueue { id } } }',
      {
        input: {
          organizationId: world.organization.id,
          clusterId: world.clusterId,
          key: 'hosted',
          hostedAgents: { instanceShape: 'LINUX_AMD64_2X4' },
        },
      },
    );
    expect(answer.errors?.[0]?.message).toContain('agents run on machines of your own');
  });

  test('the events of a job have GraphQL IDs that lead back to them', async () => {
    const { organization } = await door.data(
      '{ organization(slug: "acme") { jobs(first: 1) { edges { node { ... on JobTypeCommand { events(first: 20) { edges { node { id uuid ... on JobEvent { id } } } } } } } } } }',
    );
    const [{ node: event }] = organization.jobs.edges[0].node.events.edges;
    const { node } = await door.data('query ($id: ID!) { node(id: $id) { id ... on JobEvent { uuid } } }', {
      id: event.id,
    });
    expect(node).toEqual({ id: event.id, uuid: event.uuid });
  });

  test('a member of a team leads to the membership in the organization, and suites are found by team', async () => {
    const { teamCreate } = await door.data(
      'mutation ($input: TeamCreateInput!) { teamCreate(input: $input) { teamEdge { node { id slug } } } }',
      {
        input: {
          organizationID: door.world.organization.id,
          name: 'Testers',
          privacy: 'VISIBLE',
          isDefaultTeam: false,
          defaultMemberRole: 'MEMBER',
        },
      },
    );
    const team = teamCreate.teamEdge.node;
    const { teamMemberCreate } = await door.data(
      'mutation ($input: TeamMemberCreateInput!) { teamMemberCreate(input: $input) { teamMemberEdge { node { organizationMember { role user { uuid } } } } } }',
      { input: { teamID: team.id, userID: door.world.admin.id } },
    );
    expect(teamMemberCreate.teamMemberEdge.node.organizationMember).toEqual({
      role: 'ADMIN',
      user: { uuid: door.world.admin.id },
    });
    const { suiteCreate } = await door.data(
      'mutation ($input: SuiteCreateInput!) { suiteCreate(input: $input) { suite { id } } }',
      { input: { organizationID: door.world.organization.id, name: 'Unit', defaultBranch: 'main' } },
    );
    const suiteId = suiteCreate.suite.id;
    const suites = async (selector: string) =>
      (
        await door.data(
          'query ($team: TeamSelector) { organization(slug: "acme") { suites(first: 5, team: $team) { count } } }',
          { team: selector },
        )
      ).organization.suites.count;
    expect([await suites(team.slug), await suites(`!${team.slug}`)]).toEqual([0, 1]);
    await door.data('mutation ($input: TeamSuiteCreateInput!) { teamSuiteCreate(input: $input) { suite { id } } }', {
      input: { suiteID: suiteId, teamID: team.id, accessLevel: 'READ_ONLY' },
    });
    expect([await suites(team.slug), await suites(`!${team.slug}`)]).toEqual([1, 0]);
  });
});
