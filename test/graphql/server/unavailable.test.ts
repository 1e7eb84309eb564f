import express from 'express';
import type { KyselyPlugin } from 'kysely';
import request from 'supertest';
import { DatabaseUnavailableError } from '../../../src/database/faults.js';
import { graphqlRouter } from '../../../src/graphql/server/router.js';
import { World } from '../../support/world.js';

describe('POST /graphql while the database is unavailable', () => {
  let world: World;
  let app: express.Express;
  let stop: () => Promise<void>;
  /** Statements that still get through. */
  let left = Infinity;
  beforeAll(async () => {
    world = await World.create();
    const failing: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      // Statements that were compiled before come through here only.
      async transformResult({ result }) {
        left -= 1;
        if (left < 0) throw new DatabaseUnavailableError('lost', new Error('Connection terminated unexpectedly'));
        return result;
      },
    };
    const surface = await graphqlRouter({ ...world.services, db: world.services.db.withPlugin(failing) });
    stop = surface.stop;
    app = express().use('/graphql', surface.router);
  });
  afterAll(async () => {
    await stop();
    await world.close();
  });

  const ask = async (query: string, statements: number) => {
    left = statements;
    return request(app).post('/graphql').set('Authorization', world.admin.authorization).send({ query });
  };

  test('an operation whose fields all failed is answered 503 with Retry-After and an error code', async () => {
    const reply = await ask('{ organization(slug: "acme") { name } }', 1);
    expect([reply.status, reply.headers['retry-after']]).toEqual([503, '1']);
    expect(reply.body).toMatchObject({
      data: { organization: null },
      errors: [{ path: ['organization'], extensions: { code: 'UNAVAILABLE', retryAfter: 1 } }],
    });
    expect(JSON.stringify(reply.body)).not.toContain('terminated');
  });

  test('completed fields are answered with 200, and the failed ones carry the error code', async () => {
    const whole = await ask('{ graphqlIsUp: __typename organization(slug: "acme") { name } }', 1);
    expect([whole.status, whole.body.data, whole.body.errors[0].extensions.code]).toEqual([
      200,
      { graphqlIsUp: 'Query', organization: null },
      'UNAVAILABLE',
    ]);
  });

  test('a caller who cannot be looked up is answered 503, not 401', async () => {
    const reply = await ask('{ viewer { id } }', 0);
    expect([reply.status, reply.headers['retry-after'], reply.body.errors[0].extensions.code]).toEqual([
      503,
      '1',
      'UNAVAILABLE',
    ]);
  });
});
