import { BothSurfaces } from '../../support/both-surfaces.js';

const configuration = 'steps:\n  - label: Print\n    command: "printf \\0"\n';
const place = 'steps[0].command';

describe('a definition with a null character', () => {
  let surfaces: BothSurfaces;
  beforeAll(async () => {
    surfaces = await BothSurfaces.open({ plan: 'enterprise' });
    await surfaces.world.pipeline('steps: [{ command: make }]', { slug: 'app' });
  });
  afterAll(() => surfaces.close());

  const refusal = expect.stringContaining(place);

  test.each<[string, 'post' | 'patch', string, object]>([
    ['a new pipeline', 'post', 'pipelines', { name: 'New', repository: 'https://git.example.com/a.git' }],
    ['a pipeline', 'patch', 'pipelines/app', {}],
    ['a new template', 'post', 'pipeline-templates', { name: 'New' }],
  ])('is refused on /v2 for %s', async (_story, method, path, more) => {
    const reply = await surfaces.rest([
      method,
      `/organizations/acme/${path}`,
      { ...more, ...(path === 'pipelines' ? { cluster_id: surfaces.world.clusterId } : {}), configuration },
    ]);
    expect([reply.status, reply.text]).toEqual([422, refusal]);
  });

  test('is refused by GraphQL, which also says so while it is typed', async () => {
    const { organization, clusterId } = surfaces.world;
    const created = await surfaces.graphql([
      `mutation ($input: PipelineCreateInput!) { pipelineCreate(input: $input) { pipeline { id } } }`,
      {
        input: {
          organizationId: Buffer.from(`Organization---${organization.id}`).toString('base64'),
          name: 'New',
          repository: { url: 'https://git.example.com/a.git' },
          clusterId,
          steps: { yaml: configuration },
        },
      },
    ]);
    expect(JSON.stringify(created.errors)).toContain(place);
    const { data } = await surfaces.graphql([
      `query ($yaml: String!) { organization(slug: "acme") { pipelineProblems(yaml: $yaml) { path message } } }`,
      { yaml: configuration },
    ]);
    expect(data.organization.pipelineProblems).toEqual([
      { path: place, message: expect.stringContaining('null characters') },
    ]);
  });
});
