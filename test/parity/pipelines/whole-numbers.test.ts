import { largestInteger, smallestInteger } from '../../../src/domain/integer-column.js';
import { BothSurfaces } from '../../support/both-surfaces.js';
import { describeWithVectors, readVectors } from '../../support/vectors.js';

/** Every whole number that a pipeline definition has, `N` in its place, with its path in a refusal. */
const attributes: [definition: string, path: string][] = [
  ['steps: [{ command: a, priority: N }]', 'steps[0].priority'],
  ['priority: N\nsteps: [{ command: a }]', 'priority'],
  ['steps: [{ command: a, timeout_in_minutes: N }]', 'steps[0].timeout_in_minutes'],
  ['steps: [{ command: a, concurrency: N, concurrency_group: g }]', 'steps[0].concurrency'],
  ['steps: [{ command: a, parallelism: N }]', 'steps[0].parallelism'],
  ['steps: [{ trigger: a, parallelism: N }]', 'steps[0].parallelism'],
  ['steps: [{ command: a, retry: { automatic: { limit: N } } }]', 'steps[0].retry.automatic.limit'],
  ['steps: [{ command: a, retry: { automatic: { exit_status: N } } }]', 'steps[0].retry.automatic.exit_status'],
  ['steps: [{ command: a, soft_fail: [{ exit_status: N }] }]', 'steps[0].soft_fail'],
];

const edges = [smallestInteger - 1, smallestInteger, largestInteger, largestInteger + 1, Number.MAX_SAFE_INTEGER];

describe('a whole number of a pipeline definition', () => {
  let surfaces: BothSurfaces;
  let pipelines = 0;
  beforeAll(async () => {
    surfaces = await BothSurfaces.open();
  });
  afterAll(() => surfaces.close());

  const createPipeline = async (configuration: string) => {
    pipelines += 1;
    const reply = await surfaces.rest([
      'post',
      '/organizations/acme/pipelines',
      {
        name: `Numbers ${pipelines}`,
        repository: 'https://git.example.com/a.git',
        cluster_id: surfaces.world.clusterId,
        configuration,
      },
    ]);
    return { status: reply.status, text: reply.text, slug: `numbers-${pipelines}` };
  };
  const problemsOnGraphql = async (yaml: string): Promise<{ path: string }[]> => {
    const { data } = await surfaces.graphql([
      `query ($yaml: String!) { organization(slug: "acme") { pipelineProblems(yaml: $yaml) { path } } }`,
      { yaml },
    ]);
    return data.organization.pipelineProblems;
  };

  test.each(attributes)('is refused with its path, or stored and built: %s', async (definition, path) => {
    for (const number of edges) {
      const configuration = definition.replace('N', String(number));
      const { status, text, slug } = await createPipeline(configuration);
      const problems = await problemsOnGraphql(configuration);
      if (status === 422) {
        expect(text).toContain(path);
        expect(problems.map((problem) => problem.path)).toEqual([path]);
        continue;
      }
      expect([configuration, status, problems]).toEqual([configuration, 201, []]);
      const build = await surfaces.rest([
        'post',
        `/organizations/acme/pipelines/${slug}/builds`,
        { commit: 'HEAD', branch: 'main' },
      ]);
      expect([configuration, build.status]).toEqual([configuration, 201]);
    }
  });

  test('a variable that becomes such a number is refused when the build is created', async () => {
    const { slug } = await createPipeline('steps: [{ command: a, priority: $PRIORITY }]');
    const create = (priority: number) =>
      surfaces.rest([
        'post',
        `/organizations/acme/pipelines/${slug}/builds`,
        { commit: 'HEAD', branch: 'main', env: { PRIORITY: String(priority) } },
      ]);
    expect((await create(largestInteger)).status).toBe(201);
    const refused = await create(largestInteger + 1);
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('steps[0].priority')]);
  });

  test('a pipeline without a build number left says so, on both surfaces', async () => {
    const { slug } = await createPipeline('steps: [{ command: a }]');
    const { id } = await surfaces.world.services.db
      .updateTable('pipelines')
      .set({ nextBuildNumber: largestInteger })
      .where('slug', '=', slug)
      .returning('id')
      .executeTakeFirstOrThrow();
    const reply = await surfaces.rest([
      'post',
      `/organizations/acme/pipelines/${slug}/builds`,
      { commit: 'HEAD', branch: 'main' },
    ]);
    expect([reply.status, reply.body.message]).toEqual([422, 'The pipeline has no build number left']);
    const { errors } = await surfaces.graphql([
      'mutation ($id: ID!) { buildCreate(input: { pipelineID: $id, commit: "HEAD", branch: "main" }) { build { id } } }',
      { id: Buffer.from(`Pipeline---${id}`).toString('base64') },
    ]);
    expect(errors).toMatchObject([{ message: 'The pipeline has no build number left' }]);
  });
});

describeWithVectors('the public schema of pipeline files', () => {
  test('has no whole number that is not tried at its edge', () => {
    const names = new Set<string>();
    const visit = (node: unknown, name: string): void => {
      if (node === null || typeof node !== 'object') return;
      if ((node as { type?: unknown }).type === 'integer') names.add(name);
      for (const [key, inner] of Object.entries(node))
        visit(inner, /^(?:anyOf|oneOf|items|properties|\d+)$/.test(key) ? name : key);
    };
    visit(readVectors('pipelines/schema/schema.json'), '');
    // An element of a matrix becomes text.
    names.delete('matrixElement');
    const tried = attributes.map(([, path]) => path).join(' ');
    expect([...names].filter((name) => !tried.includes(name))).toEqual([]);
  });
});
