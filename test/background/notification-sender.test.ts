import { newId } from '../../src/database/ids.js';
import { NotificationSender } from '../../src/background/integrations/notifications/deliver-notifications.js';
import { createBuild } from '../../src/operations/builds/create.js';
import { createNotificationService } from '../../src/operations/integrations/notification-services/create.js';
import type { OutboundRequest } from '../../src/services/services.js';
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

  describe('with payloads of some size', () => {
    const MiB = 1024 * 1024;

    /** A notification of so many bytes with a delivery to each of some receivers, each about a subject of its own. */
    async function notify(bytes: number, receivers: number): Promise<string> {
      const { db } = world.services;
      const service = await db.selectFrom('notification_services').selectAll().executeTakeFirstOrThrow();
      const [id, now] = [newId(world.clock.now()), world.clock.now()];
      const payload = `{"event":"build.finished","text":"${'ä'.repeat((bytes - 36) / 2)}"}`;
      expect(Buffer.byteLength(payload)).toBe(bytes);
      const { organizationId } = service;
      await db
        .insertInto('notifications')
        .values({ id, organizationId, event: 'build.finished', payload, createdAt: now })
        .execute();
      const rows = Array.from({ length: receivers }, (_, n) => ({
        id: newId(now),
        organizationId,
        serviceId: service.id,
        notificationId: id,
        url: `http://receiver.example.com/${n}`,
        receiver: `${id}-${n}`,
        orderKey: 'build',
        sequence: 1,
        state: 'pending' as const,
        nextAttemptAt: now,
        createdAt: now,
      }));
      await db.insertInto('notification_deliveries').values(rows).execute();
      return id;
    }

    /** A sender whose receivers answer when they are told to, and the bodies they have so far. */
    function heldSender() {
      const bodies: (readonly Buffer[])[] = [];
      const held: (() => void)[] = [];
      const send = async ({ body }: OutboundRequest) => {
        if (typeof body !== 'object') throw new Error('the body came as a text');
        bodies.push(body);
        await new Promise<void>((resolve) => held.push(resolve));
        return { status: 200, body: '' };
      };
      const sender = new NotificationSender({ ...world.services, outbound: { send } });
      return { sender, bodies, answer: () => held.splice(0).forEach((release) => release()) };
    }
    const memoryOf = (bodies: readonly (readonly Buffer[])[]) => {
      const parts = new Set(bodies.flatMap((body) => body.map(({ buffer }) => buffer)));
      return [...parts].reduce((sum, { byteLength }) => sum + byteLength, 0);
    };

    beforeEach(async () => {
      await service('https://receiver.example.com/');
      // The one that says that the service was made.
      await world.services.db.deleteFrom('notification_deliveries').execute();
    });

    test('the deliveries of one notification share one copy of its payload, with the sender behind it', async () => {
      await notify(4 * MiB, 15);
      const { sender, bodies, answer } = heldSender();
      expect(await sender.begin()).toBe(15);
      await vi.waitFor(() => expect(bodies).toHaveLength(15));
      expect(memoryOf(bodies)).toBeLessThan(5 * MiB);
      const sent = JSON.parse(Buffer.concat(bodies[14]!).toString()) as { text: string; sender: { name: string } };
      expect(sent.text).toHaveLength((4 * MiB - 36) / 2);
      expect(sent.sender.name).toBe('Person 1');
      answer();
      await sender.settle();
    });

    test('payloads under way have a bound in bytes, and the others follow as they end', async () => {
      for (let count = 0; count < 10; count += 1) await notify(4 * MiB, 2);
      const { sender, bodies, answer } = heldSender();
      let begun = 0;
      const most: number[] = [];
      while (begun < 20) {
        const taken = await sender.begin();
        begun += taken;
        most.push(taken);
        expect(await sender.begin()).toBe(0);
        await vi.waitFor(() => expect(bodies).toHaveLength(begun));
        answer();
        await sender.settle();
      }
      // 16 MiB hold four payloads.
      expect(most).toEqual([8, 8, 4]);
    });

    test('a payload above the bound is sent, with nothing beside it but deliveries of the same notification', async () => {
      await notify(24 * MiB, 3);
      await notify(100, 1);
      const { sender, bodies, answer } = heldSender();
      expect(await sender.begin()).toBe(1);
      expect(await sender.begin()).toBe(2);
      await vi.waitFor(() => expect(bodies).toHaveLength(3));
      expect(memoryOf(bodies)).toBeLessThan(25 * MiB);
      expect(await sender.begin()).toBe(0);
      answer();
      await sender.settle();
      expect(await sender.begin()).toBe(1);
      await vi.waitFor(() => expect(bodies).toHaveLength(4));
      answer();
      await sender.settle();
    });
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
