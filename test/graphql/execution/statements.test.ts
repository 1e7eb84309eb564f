import { runUntilIdle } from '../../support/run-until-idle.js';
import { createBuild } from '../../../src/operations/builds/create.js';
import { createCluster } from '../../../src/operations/agents/clusters/create.js';
import type { Data } from '../../support/both-surfaces.js';
import { StatementGauge } from '../../support/statement-gauge.js';
import { Door } from '../support.js';

const query = `query ($size: Int!) {
  organization(slug: "acme") {
    pipelines(first: $size) { edges { node {
      slug
      builds(first: 20) { edges { node {
        number state createdBy { ... on User { name } }
        jobs(first: 20) { edges { node { ... on JobTypeCommand { uuid state label step { key } } } } }
      } } }
    } } }
  }
}`;

describe('a query for an organization with pipelines, builds and jobs', () => {
  let door: Door;
  beforeAll(async () => {
    door = await Door.open();
    for (let count = 0; count < 4; count += 1) {
      const { id } = await door.world.pipeline('steps: [{ command: "a" }, { command: "b" }, { command: "c" }]');
      for (let build = 0; build < count; build += 1)
        await door.world.perform(door.world.admin, createBuild, { pipeline: { id }, commit: 'HEAD', branch: 'main' });
    }
  });
  afterAll(() => door.close());

  /** How many statements reach the database while an operation is carried out. */
  async function statementsOf(asked: string, size: number, rows: (organization: Data) => number): Promise<number> {
    const { sent } = await StatementGauge.during(door.world.services, async () => {
      const { organization } = await door.data(asked, { size });
      expect(rows(organization)).toBe(Math.min(size, 4));
    });
    return sent;
  }

  test('a query for fifty pipelines runs the same few statements as for one', async () => {
    // With 50 pipelines, 20 builds and 20 jobs it costs less than the ceiling allows.
    Object.assign(door.world.services.limits, { graphqlCost: 0 });
    const pipelines = (organization: Data) => organization.pipelines.edges.length;
    const [some, all] = [await statementsOf(query, 2, pipelines), await statementsOf(query, 50, pipelines)];
    expect(all).toBe(some);
    expect(all).toBeGreaterThan(4);
    expect(all).toBeLessThan(16);
  });

  test('histories of many builds, and audit events with actors and subjects, also run few statements', async () => {
    const histories =
      'query ($size: Int!) { organization(slug: "acme") { builds(first: $size) { nodes { events(first: 3) { count nodes { type actor { node { ... on User { name } } } job { ... on JobTypeCommand { uuid } } } } } } } }';
    const builds = (organization: Data) => organization.builds.nodes.length;
    const [one, four] = [await statementsOf(histories, 2, builds), await statementsOf(histories, 4, builds)];
    expect(four).toBe(one);
    const { admin } = door.world;
    for (const name of ['a', 'b', 'c', 'd'])
      await door.world.perform(admin, createCluster, { organization: { slug: 'acme' }, name });
    const log =
      'query ($size: Int!) { organization(slug: "acme") { auditEvents(first: $size) { nodes { actor { name node { ... on User { email } } } subject { name node { ... on Cluster { uuid } } } } } } }';
    const events = (organization: Data) => organization.auditEvents.nodes.length;
    const [few, more] = [await statementsOf(log, 2, events), await statementsOf(log, 4, events)];
    expect(more).toBe(few);
  });

  test('explanations of the jobs of many builds run the same statements as those of one', async () => {
    const { world } = door;
    const { id } = await world.pipeline(`
steps:
  - { command: a, agents: { queue: macos }, key: a }
  - { command: b, concurrency: 1, concurrency_group: g }
  - wait
  - { command: c, depends_on: a }
`);
    for (let build = 0; build < 4; build += 1)
      await world.perform(world.admin, createBuild, { pipeline: { id }, commit: 'HEAD', branch: 'main' });
    await runUntilIdle(world.services);
    const explained =
      'query ($size: Int!) { organization(slug: "acme") { builds(first: $size) { nodes { explanation { reason } jobs(first: 10) { edges { node { ... on JobInterface { explanation { reason message jobs { ... on JobInterface { uuid } } } } } } } } } } }';
    const builds = (organization: Data) => organization.builds.nodes.length;
    const [two, four] = [await statementsOf(explained, 2, builds), await statementsOf(explained, 4, builds)];
    // Of two builds the jobs that hold the group are loaded; of four they are there.
    expect(four).toBeLessThanOrEqual(two);
    expect(two).toBeLessThan(20);
  });
});
