import { BothSurfaces, type Data } from '../../support/both-surfaces.js';

let surfaces: BothSurfaces;
const settings = '/organizations/acme/pipeline-settings';
const path = `${settings}/public-pipelines`;
const refusal = 'cannot be public: the organization does not allow public pipelines';
const pipeline = (name: string, visibility: string) => ({
  name,
  repository: 'https://github.com/acme/app',
  configuration: 'steps: []',
  visibility,
});
beforeAll(async () => {
  surfaces = await BothSurfaces.open();
});
afterAll(() => surfaces.close());

const create = (name: string, visibility: string) =>
  surfaces.rest(['post', '/organizations/acme/pipelines', pipeline(name, visibility)]);
const update = (slug: string, changes: object) =>
  surfaces.rest(['patch', `/organizations/acme/pipelines/${slug}`, changes]);
const standing = async () => (await surfaces.read(['get', settings])).public_pipeline_creation;

describe('public pipelines of an organization', () => {
  test('are allowed until an administrator forbids them, on both surfaces and for everybody', async () => {
    expect(await standing()).toEqual({ enabled: true, enabled_at: null, enabled_by: null });
    expect((await create('Early', 'public')).status).toBe(201);
    expect((await create('Late', 'private')).status).toBe(201);
    const forbidden = await surfaces.read(['delete', path]);
    expect(forbidden).toEqual(await surfaces.read(['get', settings]));
    expect(forbidden.public_pipeline_creation).toEqual({ enabled: false, enabled_at: null, enabled_by: null });

    for (const reply of [await create('Another', 'public'), await update('late', { visibility: 'public' })])
      expect([reply.status, reply.body.errors]).toEqual([422, [{ field: 'visibility', code: refusal }]]);
    const { errors } = await surfaces.graphql([
      'mutation ($input: PipelineUpdateInput!) { pipelineUpdate(input: $input) { pipeline { visibility } } }',
      { input: { id: (await surfaces.read(['get', '/organizations/acme/pipelines/late'])).id, visibility: 'PUBLIC' } },
    ]);
    expect(errors?.map(({ extensions }: Data) => extensions.fields)).toEqual([
      [{ field: 'visibility', code: refusal }],
    ]);
  });

  test('stay public where they are, until somebody makes them private', async () => {
    const changed = await update('early', { visibility: 'public', description: 'still here' });
    expect([changed.status, changed.body.visibility]).toEqual([200, 'public']);
    expect((await surfaces.rest(['get', '/organizations/acme/pipelines/early'], surfaces.world.outsider)).status).toBe(
      200,
    );
    expect((await update('early', { visibility: 'private' })).status).toBe(200);
    expect((await update('early', { visibility: 'public' })).status).toBe(422);
    expect((await create('Secret', 'private')).status).toBe(201);
  });

  test('are allowed again by an administrator, who is named until they are forbidden', async () => {
    const { admin } = surfaces.world;
    const { public_pipeline_creation: allowed } = await surfaces.read(['put', path]);
    const { name } = await surfaces.read(['get', '/user']);
    expect(allowed).toEqual({ enabled: true, enabled_at: expect.any(String), enabled_by: { id: admin.id, name } });
    surfaces.world.clock.advance(1);
    expect((await surfaces.read(['put', path])).public_pipeline_creation).toEqual(allowed);
    expect((await update('late', { visibility: 'public' })).body.visibility).toBe('public');
  });

  test('are for administrators to decide about', async () => {
    for (const method of ['put', 'delete'] as const)
      expect((await surfaces.rest([method, path], surfaces.world.member)).status).toBe(403);
    expect((await standing()).enabled).toBe(true);
  });
});
