import { once } from 'node:events';
import { request as httpRequest, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { limits } from '../../src/domain/limits/limits.js';
import { Problem } from '../../src/domain/problem.js';
import { createBuild } from '../../src/operations/builds/create.js';
import { perform } from '../../src/core/operation.js';
import { manyJobs } from '../support/many-jobs.js';
import { StatementGauge } from '../support/statement-gauge.js';
import { RestWorld } from './rest-world.js';

describe('the cost and deadline of a REST request', () => {
  let rest: RestWorld;
  beforeAll(async () => {
    rest = await RestWorld.create();
    await manyJobs(rest.world, { pipelines: 3, builds: 40, jobs: 3 });
  });
  afterAll(() => rest.close());
  afterEach(() => {
    delete rest.world.services.limits.requestMilliseconds;
  });

  test.each([
    ['builds with their jobs', '/organizations/acme/builds?per_page=100', 25],
    ['pipelines', '/organizations/acme/pipelines?per_page=100', 25],
    ['jobs of a build', '/organizations/acme/pipelines/bulk-1/builds/1/jobs', 25],
  ])('a page of %s is read with few statements, few of them at a time', async (_what, path, most) => {
    const gauge = await StatementGauge.during(rest.world.services, () => rest.get(path).expect(200));
    expect(gauge.sent).toBeLessThan(most);
    expect(gauge.mostInFlight).toBeLessThanOrEqual(limits.requestStatementsAtOnce);
  });

  test('a REST request is answered 503 at its deadline and runs no more statements', async () => {
    rest.world.services.limits.requestMilliseconds = 150;
    await StatementGauge.during(rest.world.services, async (gauge) => {
      gauge.before = () => sleep(60);
      const reply = await rest.get('/organizations/acme/builds?per_page=100');
      expect([reply.status, reply.headers['retry-after'], reply.body.message]).toEqual([
        503,
        '5',
        expect.stringContaining('took too long'),
      ]);
      const atDeadline = gauge.sent;
      await sleep(200);
      expect(gauge.sent).toBe(atDeadline);
    });
  });

  test('a REST request runs no more statements once its client has left', async () => {
    const server = createServer(rest.app).listen(0, '127.0.0.1');
    try {
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      await StatementGauge.during(rest.world.services, async (gauge) => {
        const left = new Promise<void>((resolve) => {
          gauge.before = async (number) => {
            if (number === 3) {
              client.destroy();
              resolve();
            }
            await sleep(20);
          };
        });
        const client = httpRequest({
          port,
          host: '127.0.0.1',
          path: '/v2/organizations/acme/builds?per_page=100',
          headers: { authorization: rest.world.admin.authorization },
        });
        client.on('error', () => undefined);
        client.end();
        await left;
        await sleep(150);
        const afterwards = gauge.sent;
        expect(afterwards).toBeLessThan(3 + 2 * limits.requestStatementsAtOnce);
        await sleep(150);
        expect([gauge.sent, gauge.inFlight]).toEqual([afterwards, 0]);
      });
    } finally {
      server.close();
      server.closeAllConnections();
    }
  });

  test('a write does not begin after its deadline, and is completed once it has begun', async () => {
    const { world } = rest;
    const { id } = await world.pipeline('steps: [{ command: "true" }]', { slug: 'written', name: 'Written' });
    const control = new AbortController();
    const context = await world.as(world.admin, { signal: control.signal });
    const input = { pipeline: { id }, commit: 'HEAD', branch: 'main' };
    const begun = perform(createBuild, context, input);
    control.abort(new Problem('timed_out', 'too late'));
    await expect(begun).resolves.toMatchObject({ build: { number: 1 } });
    await expect(perform(createBuild, context, input)).rejects.toThrow('too late');
    expect((await rest.get('/organizations/acme/pipelines/written/builds')).body).toHaveLength(1);
  });
});
