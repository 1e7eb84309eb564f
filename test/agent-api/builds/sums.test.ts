import { randomUUID } from 'node:crypto';
import type { Express } from 'express';
import { sql } from 'kysely';
import { startTrigger } from '../../../src/engine/triggers/start-trigger-job.js';
import { asSystem } from '../../../src/core/system-transaction.js';
import { limits } from '../../../src/domain/limits/limits.js';
import { createAnnotation } from '../../../src/operations/builds/annotations/create.js';
import { createNotificationService } from '../../../src/operations/integrations/notification-services/create.js';
import { retryJob } from '../../../src/operations/builds/jobs/retry.js';
import { agentApp, buildOf, jobNow, ScriptedAgent } from '../../support/scripted-agent.js';
import { World } from '../../support/world.js';

const text = (bytes: number) => 'x'.repeat(bytes);

describe('sums of what one build holds', () => {
  let world: World;
  let app: Express;
  beforeAll(async () => {
    world = await World.create();
    app = agentApp(world);
  });
  afterAll(() => world.close());
  const db = () => world.services.db;

  async function running(steps = 'steps: [{ command: a }]') {
    await db()
      .updateTable('jobs')
      .set({ state: 'canceled', deadlineAt: null })
      .where('state', '!=', 'canceled')
      .execute();
    const { build } = await buildOf(world, steps);
    const agent = await ScriptedAgent.connected(app, world.agentToken);
    const job = await agent.takeJob();
    const post = (path: string, body: object) => agent.call('post', `/jobs/${job}/${path}`, agent.jobToken).send(body);
    const put = (path: string, body: object) => agent.call('put', `/jobs/${job}/${path}`, agent.jobToken).send(body);
    const upload = (pipeline: object) => post('pipelines', { uuid: randomUUID(), pipeline });
    return { agent, job, build, post, put, upload };
  }
  const count = async (table: 'jobs' | 'steps' | 'build_meta_data', build: string) =>
    (await db().selectFrom(table).select('buildId').where('buildId', '=', build).execute()).length;
  /** Meta-data as a release without a limit has stored it, made by the database. */
  const fill = (build: string, values: number, bytes: number) =>
    sql`insert into build_meta_data (build_id, key, organization_id, value)
      select ${build}, 'old-' || n, ${world.organization.id}, repeat('v', ${bytes}::int) from generate_series(1, ${values}::int) n`.execute(
      db(),
    );

  test.each<[string, object, string]>([
    [
      'a command of 250 kB in 500 jobs',
      { command: text(250_000), parallelism: 500 },
      'steps[0]: The texts of the jobs of a build together may have at most 16777216 bytes; these have 125001000 or more (this step alone has 125001000 in 500 jobs).',
    ],
    [
      'a command of 1 MB in 500 jobs',
      { command: text(1_000_000), parallelism: 500 },
      'steps[0].command: "command" has 1000000 bytes; it may have at most 262144.; steps[0]: The step has 2000603 bytes; it may have at most 1048576.',
    ],
    [
      'a label of 1 MB in 500 jobs',
      { command: 'a', label: text(1_000_000), parallelism: 500 },
      'steps[0].label: "label" has 1000000 characters; it may have at most 1000.; steps[0]: The step has 2000614 bytes; it may have at most 1048576.',
    ],
    ['a command of 7.5 MB', { command: text(7_500_000) }, 'The upload has 7500026 bytes; it may have at most 4194304.'],
  ])('an upload with %s is refused with path, size and limit, and stores nothing', async (_what, step, message) => {
    const { upload, build } = await running();
    const reply = await upload({ steps: [step] });
    expect([reply.status, reply.body.message]).toEqual([422, message]);
    expect([await count('jobs', build.id), await count('steps', build.id)]).toEqual([1, 1]);
  });

  test('several uploads are counted together, and a step that was replaced is not', async () => {
    const { upload, post, build } = await running();
    const step = { command: text(30_000), parallelism: 400 };
    await upload({ steps: [step] }).expect(200);
    const refused = await upload({ steps: [step] });
    expect([refused.status, refused.body.message]).toEqual([
      422,
      expect.stringMatching(
        /^The texts of the jobs of a build together may have at most 16777216 bytes; this one would have 240\d{5}\.$/,
      ),
    ]);
    expect(await count('jobs', build.id)).toBe(401);
    await post('pipelines', { uuid: randomUUID(), pipeline: { steps: [step] }, replace: true }).expect(200);
    expect(await count('jobs', build.id)).toBe(401);
  });

  test('notifications of several uploads are counted together', async () => {
    const { upload } = await running();
    const notify = (name: string) =>
      Array.from({ length: 90 }, (_none, index) => ({
        webhook: `https://example.com/${name}/${index}/${text(2_000)}`,
      }));
    await upload({ notify: notify('one'), steps: [] }).expect(200);
    const refused = await upload({ notify: notify('two'), steps: [] });
    expect([refused.status, refused.body.message]).toEqual([
      422,
      expect.stringMatching(
        /^"notify" of a build can have at most 262144 bytes; with this upload it would have 36\d{4}\.$/,
      ),
    ]);
  });

  test('a build that has no room for another copy of the texts of a job refuses its retry, and still ends', async () => {
    const { job, put, build } = await running('steps: [{ command: a, retry: { automatic: true } }]');
    await db()
      .updateTable('jobs')
      .set({ command: sql<string>`repeat('x', ${limits.jobTextBytes}::int)` })
      .where('id', '=', job)
      .execute();
    await put('finish', { exit_status: '1', finished_at: world.clock.now().toISOString() }).expect(200);
    expect(await jobNow(world, job)).toMatchObject({ state: 'finished', retried: false });
    const events = await db().selectFrom('events').select('reason').where('jobId', '=', job).execute();
    expect(events.map(({ reason }) => reason)).toContainEqual(
      expect.stringMatching(/^The texts of the jobs of a build together may have at most 16777216 bytes/),
    );
    await expect(world.perform(world.admin, retryJob, { job: { id: job } })).rejects.toMatchObject({
      code: 'wrong_state',
      message: expect.stringMatching(/may have at most 16777216 bytes; this one would have 335\d{5}\.$/),
    });
    expect(await count('jobs', build.id)).toBe(1);
  });

  test('meta-data of a build has a sum: a value above it is refused with key, size and limit', async () => {
    const { post, build } = await running();
    await fill(build.id, 167, 100_000);
    await post('data/set', { key: 'small', value: text(70_000) }).expect(200);
    const refused = await post('data/set', { key: 'more', value: text(100_000) });
    expect([refused.status, refused.body.message]).toEqual([
      422,
      expect.stringMatching(
        /^The meta-data of a build can have at most 16777216 bytes; with "more" it would have 168\d{5}$/,
      ),
    ]);
    const batch = await post('data/set-batch', { items: [{ key: 'more', value: text(100_000) }] });
    expect(batch.status).toBe(422);
    // A value that makes it smaller is always accepted.
    await post('data/set', { key: 'old-1', value: 'v' }).expect(200);
    await post('data/set', { key: 'more', value: text(90_000) }).expect(200);
  });

  test('meta-data of many writers at once stays within its sum', async () => {
    const { post, build } = await running();
    await fill(build.id, 160, 100_000);
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_none, index) => post('data/set', { key: `at-once-${index}`, value: text(100_000) })),
    );
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200, 422]));
    const { bytes } = await db()
      .selectFrom('build_meta_data')
      .select(sql<number>`sum(octet_length(key) + octet_length(value))::int`.as('bytes'))
      .where('buildId', '=', build.id)
      .executeTakeFirstOrThrow();
    expect(bytes).toBeLessThanOrEqual(limits.metaDataBytes);
    expect(bytes).toBeGreaterThan(limits.metaDataBytes - 110_000);
  });

  test('a job of a build with more meta-data than a payload can carry ends, and the payload says what it goes without', async () => {
    const { put, build, job } = await running();
    await world.perform(world.admin, createNotificationService, {
      organization: { slug: 'acme' },
      description: 'all',
      settings: { url: 'https://receiver.example.com/' },
    });
    // Fewer than the build may have.
    await fill(build.id, 100, 100_000);
    await put('finish', { exit_status: '0', finished_at: world.clock.now().toISOString() }).expect(200);
    expect(await jobNow(world, job)).toMatchObject({ state: 'finished' });
    const notifications = await db()
      .selectFrom('notifications')
      .select(['event', 'payload'])
      .where('buildId', '=', build.id)
      .execute();
    expect(notifications.map(({ event }) => event)).toContain('build.finished');
    for (const { payload } of notifications)
      expect(JSON.parse(payload)).toMatchObject({
        omitted: ['build.meta_data'],
        build: { id: build.id, meta_data: {} },
      });
  });

  test('annotations of a build have a sum', async () => {
    const { build } = await running();
    const of = { build: { id: build.id } };
    await world.perform(world.admin, createAnnotation, { of, context: 'last', body: 'small' });
    await sql`insert into annotations (id, organization_id, build_id, context, style, priority, body, created_at, updated_at)
      select gen_random_uuid(), ${world.organization.id}, ${build.id}, 'c' || n, 'info', 3, repeat('b', 1048576), now(), now() from generate_series(1, 15) n`.execute(
      db(),
    );
    await world.perform(world.admin, createAnnotation, { of, context: 'last', body: text(1_048_000) });
    await expect(
      world.perform(world.admin, createAnnotation, { of, context: 'another', body: text(2_000) }),
    ).rejects.toMatchObject({
      code: 'invalid',
      details: {
        fields: [
          { field: 'body', code: expect.stringMatching(/at most 16777216 bytes; with it they would have 1677\d{4}$/) },
        ],
      },
    });
    await world.perform(world.admin, createAnnotation, { of, context: 'c1', body: 'shorter' });
  });

  test('a trigger job whose build would be too large fails with the reason', async () => {
    const child = await world.pipeline(JSON.stringify({ steps: [{ command: text(100_000), parallelism: 500 }] }));
    const { build } = await buildOf(world, `steps: [{ command: a }, { trigger: ${child.slug} }]`);
    const job = await db()
      .selectFrom('jobs')
      .select('id')
      .where('buildId', '=', build.id)
      .where('type', '=', 'trigger')
      .executeTakeFirstOrThrow();
    await asSystem(world.services, 'test', (context) => startTrigger(context, job.id));
    expect(await jobNow(world, job.id)).toMatchObject({ state: 'finished', passed: false });
    const events = await db().selectFrom('events').select('reason').where('jobId', '=', job.id).execute();
    expect(events.map(({ reason }) => reason)).toContainEqual(
      expect.stringMatching(
        /^Validation Failed: steps\[0\] The texts of the jobs of a build together may have at most 16777216 bytes/,
      ),
    );
  });
});
