import { sql } from 'kysely';
import { NotificationSender } from '../../src/background/integrations/notifications/deliver-notifications.js';
import { Outbox } from '../../src/background/outbox/outbox.js';
import { countSetAside, listSetAside, releaseSetAside } from '../../src/background/work/set-aside.js';
import { currentClaims, WorkClaims } from '../../src/background/work/work-claims.js';
import { createBuild } from '../../src/operations/builds/create.js';
import { createNotificationService } from '../../src/operations/integrations/notification-services/create.js';
import { createSchedule } from '../../src/operations/pipelines/schedules/create.js';
import type { OutboundRequest } from '../../src/services/services.js';
import { World } from '../support/world.js';

/** Another process finds the claims of this one as it has left them, and too old for one that lives. */
async function died(world: World): Promise<void> {
  await sql`update work_claims set seen_at = seen_at - interval '1 minute'`.execute(world.services.db);
}

describe('claims on background work', () => {
  let world: World;
  beforeEach(async () => {
    world = await World.create();
  });
  afterEach(() => world.close());
  const claimsOf = async () => {
    const claims = new WorkClaims(world.services);
    await claims.renew();
    return claims;
  };
  /** Begins units of a task in a process that dies with them under way. */
  async function dieDuring(task: string, units: readonly string[]): Promise<string[][]> {
    const batches: string[][] = [];
    const claims = await claimsOf();
    await new Promise<void>((resolve, reject) => {
      claims
        .each(
          task,
          units,
          (unit) => unit,
          async (some) => {
            batches.push([...some]);
            resolve();
            await new Promise(() => undefined);
          },
        )
        .catch(reject);
    });
    await died(world);
    return batches;
  }
  /** Runs units of a task to their end, with what was taken together and what was refused. */
  async function runAll(task: string, units: readonly string[]) {
    const [taken, refused]: [string[][], string[]] = [[], []];
    const claims = await claimsOf();
    await claims.each(
      task,
      units,
      (unit) => unit,
      async (some) => void taken.push([...some]),
      async (unit) => void refused.push(unit),
    );
    return { taken, refused };
  }

  test('a unit during which two processes died is set aside, and is begun again once it is released', async () => {
    expect(await dieDuring('sweep', ['culprit'])).toEqual([['culprit']]);
    expect(await dieDuring('sweep', ['culprit'])).toEqual([['culprit']]);
    expect(await runAll('sweep', ['culprit'])).toEqual({ taken: [], refused: ['culprit'] });
    expect(await countSetAside(world.services)).toEqual(new Map([['sweep', 1]]));
    const [unit] = await listSetAside(world.services);
    expect(await releaseSetAside(world.services, unit!.id)).toMatchObject([{ task: 'sweep', unit: 'culprit' }]);
    expect(await runAll('sweep', ['culprit'])).toEqual({ taken: [['culprit']], refused: [] });
    expect(await countSetAside(world.services)).toEqual(new Map());
  });

  test('after a death each of what was under way is taken alone, and only the one that ends the process again is set aside', async () => {
    const units = Array.from({ length: 50 }, (_, n) => `unit ${n}`);
    expect(await dieDuring('sweep', units)).toEqual([units]);
    const { taken, refused } = await runAll('sweep', units.slice(0, 30));
    expect([taken.every((some) => some.length === 1), taken.length, refused]).toEqual([true, 30, []]);
    // The first of the others ends the process before any of the rest is begun.
    expect(await dieDuring('sweep', units.slice(30))).toEqual([['unit 30']]);
    expect(await runAll('sweep', units)).toMatchObject({ refused: ['unit 30'] });
    expect((await listSetAside(world.services)).map(({ unit }) => unit)).toEqual(['unit 30']);
    // All others have ended, and are taken together as ever.
    const again = await runAll('sweep', units);
    expect(again.taken.map((some) => some.length)).toEqual([49]);
  });

  test('nothing else runs beside a suspect, whichever task it belongs to', async () => {
    await dieDuring('sweep', ['suspect']);
    const claims = await claimsOf();
    const running: string[] = [];
    const atOnce: string[][] = [];
    const work = async ([name]: readonly string[]) => {
      running.push(name!);
      atOnce.push([...running]);
      await new Promise((resolve) => setTimeout(resolve, 20));
      running.splice(running.indexOf(name!), 1);
    };
    await Promise.all([
      claims.each('pauses', ['before'], (unit) => unit, work),
      claims.each('sweep', ['suspect'], (unit) => unit, work),
      claims.each('deadlines', ['after'], (unit) => unit, work),
    ]);
    expect(atOnce.filter((names) => names.includes('suspect'))).toEqual([['suspect']]);
    expect(new Set(atOnce.flat())).toEqual(new Set(['before', 'suspect', 'after']));
  });

  test('an attempt that fails is an end: it counts as no death', async () => {
    for (let attempt = 0; attempt < 5; attempt += 1) {
      const claims = await claimsOf();
      const failing = claims.each(
        'sweep',
        ['unit'],
        (unit) => unit,
        () => Promise.reject(new Error('no')),
      );
      await expect(failing).rejects.toThrow('no');
      await died(world);
    }
    expect(await runAll('sweep', ['unit'])).toEqual({ taken: [['unit']], refused: [] });
  });

  test('a process that stops leaves no claims, and what it had begun is no suspect', async () => {
    for (let stop = 0; stop < 3; stop += 1) {
      const claims = await claimsOf();
      await new Promise<void>((resolve) => {
        void claims.each(
          'sweep',
          ['slow'],
          (unit) => unit,
          async () => {
            resolve();
            await new Promise(() => undefined);
          },
        );
      });
      await claims.close();
    }
    expect(await runAll('sweep', ['slow'])).toEqual({ taken: [['slow']], refused: [] });
  });

  test('work that is called outside of a background task is under no claim', () => {
    expect(currentClaims()).toBeNull();
  });

  const never = () => new Promise<never>(() => undefined);
  /** Two processes that die while `begin` has work under way, and then one that lives. */
  async function dieTwice(begin: (claims: WorkClaims) => Promise<unknown>): Promise<WorkClaims> {
    for (let death = 0; death < 2; death += 1) {
      await begin(await claimsOf());
      await died(world);
    }
    return claimsOf();
  }
  const put = async (topic: string, payload: Record<string, string | string[]>) => {
    const { now, newId } = { now: world.clock.now(), newId: world.system().newId() };
    const organizationId = world.organization.id;
    await world.services.db
      .insertInto('outbox_messages')
      .values({ id: newId, organizationId, topic, payload, availableAt: now, createdAt: now })
      .execute();
    return newId;
  };
  const message = (id: string) =>
    world.services.db.selectFrom('outbox_messages').selectAll().where('id', '=', id).executeTakeFirst();

  test('an outbox message that ends the process twice is set aside with its reason, and is due again once it is released', async () => {
    const id = await put('objects.delete', { prefixes: ['logs/of/nobody/'] });
    const claims = await dieTwice(async (ofDying) => {
      const begun = new Promise<void>((resolve) => {
        const deletePrefix = () => {
          resolve();
          return never();
        };
        const storage = Object.assign(Object.create(world.services.storage) as object, { deletePrefix });
        void new Outbox({ ...world.services, storage } as unknown as typeof world.services, ofDying).round();
      });
      await begun;
    });
    expect(await new Outbox(world.services, claims).round()).toBe(false);
    expect(await message(id)).toMatchObject({ lastError: expect.stringContaining('set aside') as string });
    expect(await listSetAside(world.services)).toMatchObject([{ task: 'outbox', unit: id }]);
    await releaseSetAside(world.services, null);
    expect(await new Outbox(world.services, claims).round()).toBe(true);
    expect(await message(id)).toBeUndefined();
    expect(await listSetAside(world.services)).toEqual([]);
  });

  test('a notification delivery that ends the process twice fails with the reason, and the others of its batch are delivered', async () => {
    const { db } = world.services;
    const make = (name: string) =>
      world.perform(world.admin, createNotificationService, {
        organization: { slug: 'acme' },
        description: name,
        settings: { url: `https://${name}.example.com/`, events: ['build.scheduled'] },
      });
    for (const name of ['one', 'culprit', 'two']) await make(name);
    const sender = (claims: WorkClaims, culprit: () => Promise<{ status: number; body: string }>) => {
      const send = async ({ url }: OutboundRequest) =>
        url.includes('culprit') ? culprit() : { status: 200, body: '' };
      return new NotificationSender({ ...world.services, outbound: { send } }, claims);
    };
    const claims = await dieTwice(async (ofDying) => {
      await new Promise<void>((resolve) => {
        let isDead = false;
        const dying = sender(ofDying, () => {
          isDead = true;
          resolve();
          return never();
        });
        void (async () => {
          while ((await dying.begin()) > 0 && !isDead);
        })();
      });
    });
    const living = sender(claims, async () => ({ status: 200, body: '' }));
    while ((await living.begin()) > 0) await living.settle();
    const rows = await db
      .selectFrom('notification_deliveries')
      .select(['url', 'state', 'lastError'])
      .orderBy('url')
      .execute();
    expect(rows).toEqual([
      {
        url: 'https://culprit.example.com/',
        state: 'failed',
        lastError: expect.stringContaining('set aside') as string,
      },
      { url: 'https://one.example.com/', state: 'delivered', lastError: null },
      { url: 'https://two.example.com/', state: 'delivered', lastError: null },
    ]);
    await releaseSetAside(world.services, null);
    await living.begin();
    await living.settle();
    expect(await db.selectFrom('notification_deliveries').select('state').distinct().execute()).toEqual([
      { state: 'delivered' },
    ]);
  });

  test('the owners of a trigger job, a schedule and an inbound delivery read that it was set aside', async () => {
    const { db } = world.services;
    const child = await world.pipeline('steps: [{ command: "true" }]');
    const pipeline = await world.pipeline(`steps: [{ trigger: ${child.slug} }]`);
    const { build } = await world.perform(world.admin, createBuild, {
      pipeline: { id: pipeline.id },
      commit: 'HEAD',
      branch: 'main',
    });
    const trigger = await db
      .selectFrom('outbox_messages')
      .select('id')
      .where('topic', '=', 'trigger.start')
      .executeTakeFirstOrThrow();
    const { pipelineSchedule } = await world.perform(world.admin, createSchedule, {
      pipeline: { id: pipeline.id },
      cronline: '*/10 * * * *',
    });
    const [deliveryId, createdAt] = [world.system().newId(), world.clock.now()];
    await db
      .insertInto('webhook_deliveries')
      .values({
        id: deliveryId,
        organizationId: world.organization.id,
        pipelineId: pipeline.id,
        sender: 'github',
        event: 'push',
        deliveryId: 'd',
        headers: [],
        payload: {},
        createdAt,
      })
      .execute();
    const units = [
      ['outbox', trigger.id],
      ['schedules', pipelineSchedule.id as string],
      ['webhook-processing', deliveryId],
    ];
    for (const [task, unit] of units)
      await db
        .insertInto('work_suspects')
        .values({ id: world.system().newId(), task: task!, unit: unit!, processIds: ['a', 'b'], createdAt: new Date() })
        .execute();
    await claimsOf();
    const job = await db
      .selectFrom('jobs')
      .select(['state', 'passed'])
      .where('buildId', '=', build.id)
      .where('type', '=', 'trigger')
      .executeTakeFirstOrThrow();
    expect(job).toEqual({ state: 'finished', passed: false });
    const schedule = () =>
      db.selectFrom('pipeline_schedules').select(['enabled', 'failedMessage']).executeTakeFirstOrThrow();
    const delivery = () => db.selectFrom('webhook_deliveries').select(['outcome', 'reason']).executeTakeFirstOrThrow();
    const said = expect.stringContaining('set aside') as string;
    expect(await schedule()).toEqual({ enabled: false, failedMessage: said });
    expect(await delivery()).toEqual({ outcome: 'failed', reason: said });
    expect(await releaseSetAside(world.services, null)).toHaveLength(3);
    expect(await schedule()).toEqual({ enabled: true, failedMessage: null });
    expect(await delivery()).toEqual({ outcome: null, reason: null });
    expect(
      await db.selectFrom('outbox_messages').select('topic').where('topic', '=', 'webhook.process').execute(),
    ).toHaveLength(1);
  });
});
