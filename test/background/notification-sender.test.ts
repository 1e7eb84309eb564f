import { newId } from '../../src/ids.js';
import { NotificationSender } from '../../src/background/integrations/notifications/deliver-notifications.js';
import { createBuild } from '../../src/operations/builds/create.js';
import { createNotificationService } from '../../src/operations/integrations/notification-services/create.js';
import type { OutboundRequest } from '../../src/services.js';
import { World } from '../support/world.js';

describe('the sender of notifications', () => {
  let world: World;
  beforeAll(async () => {
    world = await World.create();
    await world.pipeline('steps: [{ command: "true" }]', { slug: 'told' });
  });
  afterEach(async () => {
    await world.services.db.deleteFrom('notification_deliveries').execute();
    await world.services.db.deleteFrom('notification_services').execute();
  });
  afterAll(() => world.close());

  const service = async (url: string) =>
    (
      await world.perform(world.admin, createNotificationService, {
        organization: { slug: 'acme' },
        description: 'hook',
        settings: { url, events: ['build.scheduled'] },
      })
    ).service;
  const build = () =>
    world.perform(world.admin, createBuild, {
      pipeline: { organization: 'acme', slug: 'told' },
      commit: 'HEAD',
      branch: 'main',
    });

  /** Deliveries of one event to the service, each about a subject of its own. */
  async function queue(serviceId: string, count: number): Promise<void> {
    const { db } = world.services;
    const [like] = await db
      .selectFrom('notification_deliveries')
      .selectAll()
      .where('serviceId', '=', serviceId)
      .execute();
    const rows = Array.from({ length: count }, (_, n) => ({
      ...like!,
      id: newId(world.clock.now()),
      orderKey: `copy-${n}`,
      state: 'pending' as const,
    }));
    await db.insertInto('notification_deliveries').values(rows).execute();
  }

  test('a receiver that does not answer keeps no other from its notifications, and both end up recorded', async () => {
    const held: (() => void)[] = [];
    const told: string[] = [];
    const services = {
      ...world.services,
      outbound: {
        send: async ({ url }: OutboundRequest) => {
          if (url.includes('slow')) await new Promise<void>((resolve) => held.push(resolve));
          told.push(url);
          return { status: 200, body: '' };
        },
      },
    };
    const slow = await service('https://slow.example.com/');
    await queue(slow.id, 300);
    const sender = new NotificationSender(services);
    while (await sender.round());
    expect(held.length).toBeGreaterThan(0);
    expect(held.length).toBeLessThan(128);
    await service('https://quick.example.com/');
    const quick = sender.begin();
    expect(await quick).toBe(1);
    await vi.waitFor(() => expect(told).toEqual(['https://quick.example.com/']));
    let left = 301;
    while (left > 0) {
      for (const release of held.splice(0)) release();
      await sender.settle();
      left = Number(
        (
          await world.services.db
            .selectFrom('notification_deliveries')
            .select((eb) => eb.fn.countAll().as('count'))
            .where('state', '=', 'pending')
            .executeTakeFirstOrThrow()
        ).count,
      );
      await sender.round();
    }
    const rows = await world.services.db
      .selectFrom('notification_deliveries')
      .select(['state', 'attempts', 'responseStatus'])
      .execute();
    expect(rows).toHaveLength(302);
    expect(new Set(rows.map((row) => JSON.stringify(row)))).toEqual(
      new Set([JSON.stringify({ state: 'delivered', attempts: 1, responseStatus: 200 })]),
    );
  });

  test('a commit with notifications wakes their sender in this process, and one without does not', async () => {
    const wake = vi.fn<typeof world.services.wake>();
    const { wake: before } = world.services;
    world.services.wake = wake;
    try {
      await build();
      expect(wake).not.toHaveBeenCalledWith('notifications');
      await service('https://quick.example.com/');
      expect(wake.mock.calls.filter(([task]) => task === 'notifications')).toHaveLength(1);
      await build();
      expect(wake.mock.calls.filter(([task]) => task === 'notifications')).toHaveLength(2);
    } finally {
      world.services.wake = before;
    }
  });
});
