import request from 'supertest';
import { sql } from 'kysely';
import { graphqlRouter, type GraphqlSurface } from '../../src/graphql/server/router.js';
import { restSurface } from '../../src/rest/router.js';
import { createApplication } from '../../src/server/application.js';
import { World } from '../support/world.js';

describe('a change while the disk of the database is full', () => {
  let world: World;
  let graphql: GraphqlSurface;
  let application: ReturnType<typeof createApplication>;
  beforeAll(async () => {
    world = await World.create();
    graphql = await graphqlRouter(world.services);
    application = createApplication(
      world.services,
      [
        { path: '/v2', ...restSurface(world.services) },
        { path: '/graphql', router: graphql.router },
      ],
      { metrics: false },
    );
    // The error is the one that a table gives that cannot grow.
    await sql`create function refuse_for_want_of_space() returns trigger language plpgsql as
      $$ begin raise exception 'could not extend file "base/5/16604": No space left on device' using errcode = '53100'; end $$`.execute(
      world.services.db,
    );
    await sql`create trigger full_disk before insert on pipelines execute function refuse_for_want_of_space()`.execute(
      world.services.db,
    );
  });
  afterAll(async () => {
    await sql`drop trigger full_disk on pipelines`.execute(world.services.db);
    await sql`drop function refuse_for_want_of_space()`.execute(world.services.db);
    await graphql.stop();
    await world.close();
  });

  const message = 'The disk of the database is full. Please try again once there is space.';
  const newPipeline = { name: 'Deploy', repository: 'https://git.example.com/deploy.git', configuration: 'steps: []' };

  test('REST answers a change with 503 and Retry-After, and reads as before', async () => {
    const reply = await request(application)
      .post('/v2/organizations/acme/pipelines')
      .set('Authorization', world.admin.authorization)
      .send({ ...newPipeline, cluster_id: world.clusterId });
    expect([reply.status, reply.headers['retry-after'], reply.body]).toEqual([503, '60', { message }]);
    const list = await request(application)
      .get('/v2/organizations/acme/pipelines')
      .set('Authorization', world.admin.authorization);
    expect([list.status, list.body]).toEqual([200, []]);
  });

  test('GraphQL answers a change with UNAVAILABLE and Retry-After', async () => {
    const reply = await request(application)
      .post('/graphql')
      .set('Authorization', world.admin.authorization)
      .send({
        query: `mutation ($input: PipelineCreateInput!) { pipelineCreate(input: $input) { pipeline { slug } } }`,
        variables: {
          input: {
            name: newPipeline.name,
            repository: { url: newPipeline.repository },
            steps: { yaml: newPipeline.configuration },
            organizationId: Buffer.from(`Organization---${world.organization.id}`).toString('base64'),
            clusterId: Buffer.from(`Cluster---${world.clusterId}`).toString('base64'),
          },
        },
      });
    expect([reply.status, reply.headers['retry-after'], reply.body.errors]).toEqual([
      503,
      '60',
      [expect.objectContaining({ message, extensions: expect.objectContaining({ code: 'UNAVAILABLE' }) })],
    ]);
  });
});
