import { BothDoors, type Data } from '../../support/both-doors.js';

let doors: BothDoors;
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
  doors = await BothDoors.open();
});
afterAll(() => doors.close());

const create = (name: string, visibility: string) =>
  doors.rest(['post', '/organizations/acme/pipelines', pipeline(name, visibility)]);
const update = (slug: string, changes: object) =>
  doors.rest(['patch', `/organizations/acme/pipelines/${slug}`, changes]);
const standing = async () => (await doors.read(['get', settings])).public_pipeline_creation;

describe('public pipelines of an organization', () => {
  test('are allowed until an administrator forbids them, on both surfaces and for everybody', async () => {
    expect(await standing()).toEqual({ enabled: true, enabled_at: null, enabled_by: null });
    expect((await create('Early', 'public')).status).toBe(201);
    expect((await create('Late', 'private')).status).toBe(201);
    const forbidden = await doors.read(['delete', path]);
    expect(forbidden).toEqual(await doors.read(['get', settings]));
    expect(forbidden.public_pipeline_creation).toEqual({ enabled: false, enabled_at: null, enabled_by: null });

    for (const reply of [await create('Another', 'public'), await update('late', { visibility: 'public' })])
      expect([reply.status, reply.body.errors]).toEqual([422, [{ field: 'visibility', code: refusal }]]);
    const { errors } = await doors.graphql([
      'mutation ($input: PipelineUpdateInput!) { pipelineUpdate(input: $input) { pipeline { visibility } } }',
      { input: { id: (await doors.read(['get', '/organizations/acme/pipelines/late'])).id, visibility: 'PUBLIC' } },
    ]);
    expect(errors?.map(({ extensions }: Data) => extensions.fields)).toEqual([
      [{ field: 'visibility', code: refusal }],
    ]);
  });

  test('stay public where they are, until somebody makes them private', async () => {
    const changed = await update('early', { visibility: 'public', description: 'still here' });
    expect([changed.status, changed.body.visibility]).toEqual([200, 'public']);
    expect((await doors.rest(['get', '/organizations/acme/pipelines/early'], doors.world.outsider)).status).toBe(200);
    expect((await update('early', { visibility: 'private' })).status).toBe(200);
    expect((await update('early', { visibility: 'public' })).status).toBe(422);
    expect((await create('Secret', 'private')).status).toBe(201);
  });

  test('are allowed again by an administrator, who is named until they are forbidden', async () => {
    const { admin } = doors.world;
    const { public_pipeline_creation: allowed } = await doors.read(['put', path]);
    const { name } = await doors.read(['get', '/user']);
    expect(allowed).toEqual({ enabled: true, enabled_at: expect.any(String), enabled_by: { id: admin.id, name } });
    doors.world.clock.advance(1);
    expect((await doors.read(['put', path])).public_pipeline_creation).toEqual(allowed);
    expect((await update('late', { visibility: 'public' })).body.visibility).toBe('public');
  });

  test('are for administrators to decide about', async () => {
    for (const method of ['put', 'delete'] as const)
      expect((await doors.rest([method, path], doors.world.member)).status).toBe(403);
    expect((await standing()).enabled).toBe(true);
  });
});
