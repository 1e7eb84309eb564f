import { sql } from 'kysely';
import { startBackground } from '../../src/background/background.js';
import { Outbox } from '../../src/background/outbox/outbox.js';
import { DatabaseUnavailableError } from '../../src/database/faults.js';
import { forgetIdempotencyKeys } from '../../src/background/retention/forget-idempotency-keys.js';
import {
  revisitConcurrencyGroups,
  revisitStuckBuilds,
  revisitTriggers,
} from '../../src/background/builds/revisit-stuck-builds.js';
import { buildNow, buildOf, jobNow } from '../support/scripted-agent.js';
import { JobRunner } from '../support/job-runner.js';
import { World } from '../support/world.js';
import { runUntilIdle } from '../support/run-until-idle.js';

const until = async (condition: () => Promise<boolean>) => {
  for (let left = 400; left > 0; left -= 1) {
    if (await condition()) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error('it never happened');
};

describe('the outbox', () => {
  let world: World;
  beforeAll(async () => {
    world = await World.create();
  });
  afterAll(() => world.close());

  const put = async (topic: string, payload: object) => {
    const id = world.system().newId();
    await world.services.db
      .insertInto('outbox_messages')
      .values({
        id,
        organizationId: world.organization.id,
        topic,
        payload: payload as Record<string, string>,
        availableAt: world.clock.now(),
        createdAt: world.clock.now(),
      })
      .execute();
    return id;
  };
  const messages = () => world.services.db.selectFrom('outbox_messages').selectAll().orderBy('id').execute();

  test('a trigger step starts its build, and finishes when that build does', async () => {
    const child = await world.pipeline('steps: [{ command: "true" }]');
    const pipeline = await world.pipeline(`steps: [{ trigger: ${child.slug} }, wait, { command: "after" }]`);
    const { createBuild } = await import('../../src/operations/builds/create.js');
    const { build } = await world.perform(world.admin, createBuild, {
      pipeline: { id: pipeline.id },
      commit: 'HEAD',
      branch: 'main',
    });
    await runUntilIdle(world.services);
    const made = await world.services.db
      .selectFrom('builds')
      .selectAll()
      .where('pipelineId', '=', child.id)
      .executeTakeFirstOrThrow();
    const runner = new JobRunner(world);
    expect(await runner.states(build.id)).toEqual(['running', 'waiting', 'waiting']);
    await runner.runAll(made.id);
    await runUntilIdle(world.services);
    expect(await runner.states(build.id)).toEqual(['finished', 'finished', 'scheduled']);
    expect(await messages()).toEqual([]);
  });

  test('a failing message is retried at growing intervals and finally set aside, without delaying other messages', async () => {
    const bad = await put('trigger.start', { jobId: 5 });
    const unknown = await put('no.such.topic', {});
    const good = await put('objects.delete', { prefixes: ['nothing/here/'] });
    await runUntilIdle(world.services);
    const left = await messages();
    expect(left.map((message) => [message.id, message.attempts])).toEqual([
      [bad, 1],
      [unknown, 1],
    ]);
    expect(left.map((message) => message.id)).not.toContain(good);
    expect(left[0]).toMatchObject({ lastError: expect.stringMatching(/jobId/), failedAt: null });
    let last = 0;
    for (let attempt = 2; attempt <= 12; attempt += 1) {
      world.clock.advance(2 * 3600);
      await runUntilIdle(world.services);
      const [first] = await messages();
      const wait = first!.availableAt.getTime() - world.clock.now().getTime();
      if (attempt < 6) expect(wait).toBeGreaterThan(last);
      last = wait;
    }
    expect((await messages()).every((message) => message.attempts === 12 && message.failedAt !== null)).toBe(true);
    world.clock.advance(86_400);
    expect(await new Outbox(world.services).round()).toBe(false);
    await world.services.db.deleteFrom('outbox_messages').execute();
  });

  test('a trigger step whose build the database keeps refusing fails with a reason, and holds up its build no longer', async () => {
    const child = await world.pipeline('steps: [{ command: "true" }]');
    const { build } = await buildOf(world, `steps: [{ trigger: ${child.slug} }, { command: "x" }]`);
    await sql`alter table builds add constraint poison check (pipeline_id <> ${sql.lit(child.id)})`.execute(
      world.services.db,
    );
    for (let attempt = 1; attempt <= 4; attempt += 1) {
      await runUntilIdle(world.services);
      world.clock.advance(600);
    }
    await sql`alter table builds drop constraint poison`.execute(world.services.db);
    expect(await messages()).toEqual([]);
    expect((await buildNow(world, build.id)).state).toBe('failing');
    const reasons = await world.services.db
      .selectFrom('events')
      .select('reason')
      .where('buildId', '=', build.id)
      .where('type', '=', 'job.fail')
      .execute();
    expect(JSON.stringify(reasons)).toContain('error of the server');
    expect(JSON.stringify(reasons)).not.toContain('poison');
  });

  test('a message whose lease has ended is dispatched by another process, and only by that one', async () => {
    const child = await world.pipeline('steps: [{ command: "true" }]');
    await buildOf(world, `steps: [{ trigger: ${child.slug} }, { command: "x" }]`);
    const built = () =>
      world.services.db.selectFrom('builds').select('id').where('pipelineId', '=', child.id).execute();
    const until = new Date(world.clock.now().getTime() + 60_000);
    await world.services.db.updateTable('outbox_messages').set({ availableAt: until }).execute();
    expect(await new Outbox(world.services).round()).toBe(false);
    world.clock.advance(61);
    await Promise.all([1, 2, 3].map(() => new Outbox(world.services).round()));
    expect(await built()).toHaveLength(1);
    expect(await messages()).toEqual([]);
  });

  test('a process that stops leaves the messages that it leased and did not begin to others at once', async () => {
    const ids = [await put('objects.delete', { prefixes: ['a/'] }), await put('trigger.start', { jobId: 'x' })];
    const stopped = new AbortController();
    stopped.abort();
    await new Outbox(world.services).round(stopped.signal);
    expect((await messages()).map(({ id, availableAt }) => [id, availableAt <= world.clock.now()])).toEqual(
      ids.map((id) => [id, true]),
    );
    await world.services.db.deleteFrom('outbox_messages').execute();
  });

  test('messages that wait for a database that is gone are due again with it', async () => {
    const id = await put('objects.delete', { prefixes: ['a/'] });
    const storage = Object.create(world.services.storage) as typeof world.services.storage;
    let broken = true;
    storage.deletePrefix = async () => {
      if (broken) throw new DatabaseUnavailableError('lost', new Error('gone'));
    };
    const outbox = new Outbox({ ...world.services, storage });
    await expect(outbox.round()).rejects.toThrow(DatabaseUnavailableError);
    expect(await messages()).toMatchObject([{ id, attempts: 0 }]);
    broken = false;
    expect(await outbox.round()).toBe(true);
    expect(await messages()).toEqual([]);
  });

  test('a running process dispatches messages by itself, immediately when woken, and stops on request', async () => {
    const background = startBackground(world.services, { scale: 1 });
    try {
      await put('objects.delete', { prefixes: ['nothing/here/'] });
      background.wake();
      await until(async () => (await messages()).length === 0);
    } finally {
      await background.stop();
    }
    const left = await put('objects.delete', { prefixes: ['nothing/here/'] });
    background.wake();
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect((await messages()).map((message) => message.id)).toEqual([left]);
    await runUntilIdle(world.services);
  });

  test('idempotency keys are deleted once they are old', async () => {
    const key = (name: string, hours: number) =>
      world.services.db
        .insertInto('idempotency_keys')
        .values({
          apiTokenId: world.admin.id,
          key: name,
          operation: 'x',
          fingerprint: 'f',
          createdAt: new Date(world.clock.now().getTime() - hours * 3_600_000),
        })
        .execute();
    await key('old', 25);
    await key('young', 23);
    expect(await forgetIdempotencyKeys(world.services)).toBe(1);
    expect(
      (await world.services.db.selectFrom('idempotency_keys').select('key').execute()).map((row) => row.key),
    ).toEqual(['young']);
  });

  test('builds, concurrency groups and trigger jobs that were blocked by a lost message continue', async () => {
    const { build, first } = await buildOf(world, 'steps: [{ command: "a" }, wait, { command: "b" }]');
    await world.services.db
      .updateTable('jobs')
      .set({ state: 'finished', passed: true, exitStatus: 0 })
      .where('id', '=', first.id)
      .execute();
    const grouped = 'steps: [{ command: "a", concurrency: 1, concurrency_group: g }]';
    const one = await buildOf(world, grouped);
    const child = await world.pipeline('steps: [{ command: "true" }]');
    await buildOf(world, `steps: [{ trigger: ${child.slug} }, { command: "x" }]`);
    await world.services.db.deleteFrom('outbox_messages').execute();
    world.clock.advance(120);
    expect(await revisitStuckBuilds(world.services, null)).toBeNull();
    expect(await new JobRunner(world).states(build.id)).toEqual(['finished', 'finished', 'scheduled']);
    await revisitConcurrencyGroups(world.services);
    expect((await jobNow(world, one.first.id)).state).toBe('scheduled');
    await revisitTriggers(world.services);
    const made = await world.services.db.selectFrom('builds').selectAll().where('pipelineId', '=', child.id).execute();
    expect(made).toHaveLength(1);
    const before = await buildNow(world, build.id);
    await revisitStuckBuilds(world.services, null);
    expect(await buildNow(world, build.id)).toEqual(before);
  });
});
