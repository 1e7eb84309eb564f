import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { runUntilIdle } from '../../../support/run-until-idle.js';
import { sealToken } from '../../../../src/engine/notifications/connection-access.js';
import { reconcileBranches } from '../../../../src/background/integrations/reconcile-branches.js';
import { World } from '../../../support/world.js';

const sha = (digit: string) => digit.repeat(40);

describe('pushes whose webhook was never delivered', () => {
  let world: World;
  let server: Server;
  let heads: Record<string, string>;
  let down = false;
  beforeAll(async () => {
    world = await World.create();
    server = createServer((request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '', 'http://provider');
      if (down) return response.writeHead(503).end();
      response.setHeader('content-type', 'application/json');
      const commit = /\/commits\/(\w+)$/.exec(pathname)?.[1];
      if (commit)
        return response.end(
          JSON.stringify({
            sha: commit,
            commit: { message: `Message of ${commit[0]}`, author: { name: 'Ann', email: 'ann@example.com' } },
          }),
        );
      const page = Number(searchParams.get('page'));
      return response.end(
        JSON.stringify(
          Object.entries(heads)
            .slice((page - 1) * 100, page * 100)
            .map(([name, value]) => ({ name, commit: { sha: value } })),
        ),
      );
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { services, clock, organization } = world;
    await services.db
      .insertInto('provider_connections')
      .values({
        id: world.system().newId(),
        organizationId: organization.id,
        provider: 'github',
        host: 'github.com',
        apiUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
        token: sealToken(services, 'token'),
        createdAt: clock.now(),
        updatedAt: clock.now(),
      })
      .execute();
  });
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await world.close();
  });

  const look = async () => {
    world.clock.advance(301);
    await reconcileBranches(world.services);
    await runUntilIdle(world.services);
  };
  const builds = () =>
    world.services.db
      .selectFrom('builds')
      .select(['branch', 'commit', 'message', 'source'])
      .orderBy('number')
      .execute();
  const deliveries = () =>
    world.services.db
      .selectFrom('webhook_deliveries')
      .select(['deliveryId', 'outcome', 'reason'])
      .orderBy('id')
      .execute();

  test('a missed push is detected by its branch head and built once, by the same rules as a delivery', async () => {
    await world.pipeline('steps: [{ command: "true" }]', { slug: 'app', branchConfiguration: 'main feature' });
    heads = {
      main: sha('1'),
      ...Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`old-${index}`, sha('9')])),
    };
    await look();
    expect(await builds()).toEqual([]);
    heads = { ...heads, main: sha('2'), feature: sha('3'), other: sha('4') };
    await look();
    expect(await builds()).toEqual([]);
    await look();
    await look();
    expect(await builds()).toEqual([
      { branch: 'main', commit: sha('2'), message: 'Message of 2', source: 'webhook' },
      { branch: 'feature', commit: sha('3'), message: 'Message of 3', source: 'webhook' },
    ]);
    expect(await deliveries()).toEqual([
      { deliveryId: `reconciled:main:${sha('2')}`, outcome: 'build', reason: 'Build 1 was created' },
      { deliveryId: `reconciled:feature:${sha('3')}`, outcome: 'build', reason: 'Build 2 was created' },
      { deliveryId: `reconciled:other:${sha('4')}`, outcome: 'ignore', reason: expect.stringMatching(/branch/i) },
    ]);
  });

  test('a provider that is unavailable is asked again later, and no push is missed', async () => {
    down = true;
    heads = { ...heads, main: sha('5') };
    await look();
    expect(
      (await world.services.db.selectFrom('branch_checks').select('lastError').executeTakeFirstOrThrow()).lastError,
    ).toMatch(/could not be reached/);
    down = false;
    await look();
    await look();
    expect((await builds()).at(-1)).toMatchObject({ branch: 'main', commit: sha('5') });
    expect(
      (await world.services.db.selectFrom('branch_checks').select('lastError').executeTakeFirstOrThrow()).lastError,
    ).toBeNull();
  });
});
