import { BothSurfaces } from '../../support/both-surfaces.js';

const refusal = 'has a name that no environment variable can have';
const forged = ['A\nB', 'A\rB', 'A\u2028B', 'A\0B', 'A B', 'A=B', '', 'A'.repeat(256)];
const valid = ['A', '_a1', 'spring.datasource.url', 'npm_config_@scope:registry', 'ProgramFiles(x86)', 'Ünicode'];

describe('the name of an environment variable', () => {
  let surfaces: BothSurfaces;
  let scheduleId: string;
  beforeAll(async () => {
    surfaces = await BothSurfaces.open();
    await surfaces.world.pipeline('steps: [{ command: make }]', { slug: 'app' });
    const { body } = await surfaces.rest([
      'post',
      '/organizations/acme/pipelines/app/schedules',
      { label: 'Nightly', cronline: '@daily', branch: 'main' },
    ]);
    scheduleId = body.id;
  });
  afterAll(() => surfaces.close());

  const pipelines = '/organizations/acme/pipelines';
  const newPipeline = (more: object) => ({
    name: `Names ${JSON.stringify(more).length} ${Math.random()}`,
    repository: 'https://git.example.com/a.git',
    cluster_id: surfaces.world.clusterId,
    ...more,
  });
  const writes: [string, (name: string) => Promise<{ status: number; text: string }>][] = [
    [
      'a new build',
      (name) =>
        surfaces.rest(['post', `${pipelines}/app/builds`, { commit: 'HEAD', branch: 'main', env: { [name]: 'x' } }]),
    ],
    [
      'a new pipeline of visual steps',
      (name) =>
        surfaces.rest([
          'post',
          pipelines,
          newPipeline({ env: { [name]: 'x' }, steps: [{ type: 'script', command: 'make' }] }),
        ]),
    ],
    [
      'the environment of a configuration',
      (name) =>
        surfaces.rest([
          'post',
          pipelines,
          newPipeline({ configuration: JSON.stringify({ env: { [name]: 'x' }, steps: ['wait'] }) }),
        ]),
    ],
    [
      'the environment of a step',
      (name) =>
        surfaces.rest([
          'post',
          pipelines,
          newPipeline({ configuration: JSON.stringify({ steps: [{ command: 'make', env: { [name]: 'x' } }] }) }),
        ]),
    ],
    [
      'the environment of a triggered build',
      (name) =>
        surfaces.rest([
          'post',
          pipelines,
          newPipeline({
            configuration: JSON.stringify({ steps: [{ trigger: 'app', build: { env: { [name]: 'x' } } }] }),
          }),
        ]),
    ],
    [
      'the variable of a secret',
      (name) =>
        surfaces.rest([
          'post',
          pipelines,
          newPipeline({ configuration: JSON.stringify({ steps: [{ command: 'make', secrets: { [name]: 'KEY' } }] }) }),
        ]),
    ],
    [
      'a schedule',
      (name) => surfaces.rest(['patch', `${pipelines}/app/schedules/${scheduleId}`, { env: { [name]: 'x' } }]),
    ],
  ];

  test.each(writes)('is refused where it would forge a variable or a line: %s', async (_story, write) => {
    for (const name of forged) {
      const { status, text } = await write(name);
      expect([name, status]).toEqual([name, 422]);
      if (name !== 'A\0B') expect(text).toMatch(/no environment variable can have|KEY=value|secret names/);
    }
  });

  test.each(writes)('may be one that no POSIX shell can set, because programs read it: %s', async (_story, write) => {
    for (const name of valid) expect([name, (await write(name)).status]).toEqual([name, expect.toBeOneOf([200, 201])]);
  });

  test('is refused by GraphQL alike', async () => {
    const { id } = await surfaces.world.services.db
      .selectFrom('pipelines')
      .select('id')
      .where('slug', '=', 'app')
      .executeTakeFirstOrThrow();
    const { errors } = await surfaces.graphql([
      `mutation ($id: ID!, $env: [String!]) {
        buildCreate(input: { pipelineID: $id, commit: "HEAD", branch: "main", env: $env }) { build { id } }
      }`,
      { id: Buffer.from(`Pipeline---${id}`).toString('base64'), env: ['A\nB=x'] },
    ]);
    expect(JSON.stringify(errors)).toContain(refusal);
  });

  test('that was stored before it was refused makes no line of its own in the environment of a job', async () => {
    const { body } = await surfaces.rest([
      'post',
      `${pipelines}/app/builds`,
      { commit: 'HEAD', branch: 'main', env: { KEPT: 'x' } },
    ]);
    await surfaces.world.services.db
      .updateTable('builds')
      .set({ env: { KEPT: 'x', 'A\nFORGED': 'y' } })
      .where('id', '=', body.id)
      .execute();
    const { text } = await surfaces.rest([
      'get',
      `${pipelines}/app/builds/${body.number}/jobs/${body.jobs[0].id}/env.txt`,
    ]);
    expect(text).toContain('KEPT=x');
    expect(text).not.toContain('FORGED');
  });
});
