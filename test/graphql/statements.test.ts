import { createBuild } from '../../src/operations/builds/create.js';
import { Door } from './support.js';

const query = `query ($pipelines: Int!) {
  organization(slug: "acme") {
    pipelines(first: $pipelines) { edges { node {
      slug
      builds(first: 20) { edges { node {
        number state createdBy { ... on User { name } }
        jobs(first: 20) { edges { node { ... on JobTypeCommand { uuid state label step { key } } } } }
      } } }
    } } }
  }
}`;

describe('a query for organization, pipelines, builds and jobs', () => {
  let door: Door;
  beforeAll(async () => {
    door = await Door.open();
    for (let count = 0; count < 4; count += 1) {
      const { id } = await door.world.pipeline('steps: [{ command: "a" }, { command: "b" }, { command: "c" }]');
      for (let build = 0; build < count; build += 1) await door.world.perform(door.world.admin, createBuild, { pipeline: { id }, commit: 'HEAD', branch: 'main' });
    }
  });
  afterAll(() => door.close());

  /** How many statements reach the database while an operation is carried out. */
  async function statementsOf(pipelines: number): Promise<number> {
    let statements = 0;
    const { services } = door.world;
    const { db } = services;
    services.db = db.withPlugin({
      transformQuery: ({ node }) => {
        statements += 1;
        return node;
      },
      transformResult: async ({ result }) => result,
    });
    try {
      const { organization } = await door.data(query, { pipelines });
      expect(organization.pipelines.edges).toHaveLength(Math.min(pipelines, 4));
    } finally {
      services.db = db;
    }
    return statements;
  }

  test('runs the same few statements for one pipeline and for fifty', async () => {
    // With 50 pipelines, 20 builds and 20 jobs it costs less than the ceiling allows.
    Object.assign(door.world.services.limits, { graphqlCost: 0 });
    const [some, all] = [await statementsOf(2), await statementsOf(50)];
    expect(all).toBe(some);
    expect(all).toBeGreaterThan(4);
    expect(all).toBeLessThan(16);
  });
});
