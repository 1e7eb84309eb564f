import { createHmac } from 'node:crypto';
import { createBuild } from '../../../../src/operations/builds/create.js';
import { listNotificationDeliveries } from '../../../../src/operations/integrations/notification-deliveries/list.js';
import { redeliverNotification } from '../../../../src/operations/integrations/notification-deliveries/redeliver.js';
import { createNotificationService } from '../../../../src/operations/integrations/notification-services/create.js';
import { NotificationSender } from '../../../../src/background/integrations/notifications/deliver-notifications.js';
import type { PipelineRow } from '../../../../src/entities/database.js';
import { forgetNotifications } from '../../../../src/background/retention/forget-notifications.js';
import { JobRunner } from '../../../support/job-runner.js';
import { Receiver } from '../../../support/receiver.js';
import { World } from '../../../support/world.js';

const hours = (count: number) => count * 3600;

describe('deliveries to outgoing webhooks', () => {
  let world: World;
  let receiver: Receiver;
  let runner: JobRunner;
  let pipeline: PipelineRow;
  beforeAll(async () => {
    world = await World.create();
    runner = new JobRunner(world);
    pipeline = await world.pipeline('steps: [{ command: "true" }]', { slug: 'told' });
  });
  beforeEach(async () => {
    receiver = await Receiver.open();
  });
  afterEach(async () => {
    await receiver.close();
    await world.services.db.deleteFrom('notification_deliveries').execute();
    await world.services.db.deleteFrom('notification_services').execute();
  });
  afterAll(() => world.close());

  const service = async (fields: object = {}, settings: object = {}) =>
    (
      await world.perform(world.admin, createNotificationService, {
        organization: { slug: 'acme' },
        description: 'hook',
        settings: { url: receiver.url, ...settings },
        ...fields,
      })
    ).service;
  const build = async (slug = 'told', fields: object = {}) =>
    (
      await world.perform(world.admin, createBuild, {
        pipeline: { organization: 'acme', slug },
        commit: 'HEAD',
        branch: 'main',
        ...fields,
      })
    ).build;
  /** Sends the due deliveries and waits for them; true if there were any. */
  const deliverNotifications = async () => {
    const sender = new NotificationSender(world.services);
    const begun = await sender.begin();
    await sender.settle();
    return begun > 0;
  };
  const deliverAll = async () => {
    for (let left = 200; left > 0; left -= 1) if (!(await deliverNotifications())) return;
    throw new Error('deliveries never come to rest');
  };
  const runOne = async (slug = 'told', status = 0) => {
    const made = await build(slug);
    await runner.runAll(made.id, () => status);
    return made;
  };
  const events = () => receiver.received.map(({ body }) => body.event);

  test('the events of a build and its job are delivered in order, each with the state at its time', async () => {
    await service();
    await deliverAll();
    const made = await runOne();
    await deliverAll();
    expect(events()).toEqual([
      'ping',
      'job.scheduled',
      'build.scheduled',
      'job.started',
      'build.running',
      'job.finished',
      'build.finished',
    ]);
    const of = (event: string) => receiver.received.find(({ body }) => body.event === event)?.body;
    expect(of('build.scheduled').build).toMatchObject({
      id: made.id,
      state: 'scheduled',
      number: made.number,
      finished_at: null,
    });
    expect(of('build.running').build.state).toBe('running');
    expect(of('build.finished').build.state).toBe('passed');
    expect(of('build.finished').build).not.toHaveProperty('jobs');
    expect(of('job.started')).toMatchObject({
      job: { state: 'running', type: 'script' },
      pipeline: { slug: 'told', provider: { webhook_url: '' } },
      sender: { id: world.admin.id },
    });
    expect(of('job.finished').job).toMatchObject({ state: 'passed', exit_status: 0 });
  });

  test('a delivery has either a token in a header or a signature over time and body, never both', async () => {
    await service({}, { token: 'a-secret', events: ['build.scheduled'] });
    await service({}, { token: 'a-secret', token_mode: 'signature', events: ['build.scheduled'] });
    await deliverAll();
    const [plain, signed] = receiver.received.toSorted(
      (a, b) => Number('x-buildkite-signature' in a.headers) - Number('x-buildkite-signature' in b.headers),
    );
    expect(plain?.headers).toMatchObject({
      'x-buildkite-event': 'ping',
      'x-buildkite-token': 'a-secret',
      'content-type': 'application/json',
    });
    expect(plain?.headers).not.toHaveProperty('x-buildkite-signature');
    const [, timestamp, signature] =
      /^timestamp=(\d+),signature=([0-9a-f]{64})$/.exec(String(signed?.headers['x-buildkite-signature'])) ?? [];
    expect(createHmac('sha256', 'a-secret').update(`${timestamp}.${signed?.raw}`).digest('hex')).toBe(signature);
    expect(signed?.headers).not.toHaveProperty('x-buildkite-token');
    const stored = await world.services.db.selectFrom('notification_services').select('sealedToken').execute();
    for (const { sealedToken } of stored) expect(sealedToken).not.toContain('a-secret');
  });

  test("after a day's outage a receiver gets every event, in order within each build", async () => {
    await service({}, { events: ['build.scheduled', 'build.running', 'build.finished'] });
    receiver.answer = () => 503;
    const builds: { id: string }[] = [];
    for (let hour = 0; hour < 24; hour += 1) {
      if (hour % 6 === 0) builds.push(await runOne());
      await deliverAll();
      world.clock.advance(hours(1));
    }
    expect(receiver.received.length).toBeLessThan(24 * 10);
    receiver.received.length = 0;
    receiver.answer = () => 200;
    world.clock.advance(hours(1.3));
    await deliverAll();
    for (const { id } of builds) {
      expect(
        receiver.received.filter(({ body }) => body.build?.id === id).map(({ body }) => [body.event, body.build.state]),
      ).toEqual([
        ['build.scheduled', 'scheduled'],
        ['build.running', 'running'],
        ['build.finished', 'passed'],
      ]);
    }
    expect(receiver.received).toHaveLength(1 + builds.length * 3);
  });

  test('an event does not wait for other builds, but waits for earlier events of its own build', async () => {
    await service({}, { events: ['build.scheduled', 'build.finished'] });
    await deliverAll();
    const [first, second] = [await runOne(), await runOne()];
    receiver.received.length = 0;
    receiver.answer = ({ body }) => (body.build.id === first.id ? 500 : 200);
    await deliverNotifications();
    await deliverNotifications();
    world.clock.advance(15);
    await deliverNotifications();
    const told = (id: string) =>
      receiver.received.filter(({ body }) => body.build.id === id).map(({ body }) => body.event);
    expect(told(second.id)).toEqual(['build.scheduled', 'build.finished']);
    expect(new Set(told(first.id))).toEqual(new Set(['build.scheduled']));
  });

  test('an event fails after three days and the next one is sent, and a failed one can be redelivered', async () => {
    const { id } = await service({}, { events: ['build.scheduled'] });
    await deliverAll();
    receiver.answer = () => 500;
    await build();
    for (let day = 0; day < 4; day += 1) {
      await deliverAll();
      world.clock.advance(hours(24));
    }
    await deliverAll();
    const rows = (await world.perform(world.admin, listNotificationDeliveries, { service: { id } })).rows;
    const [given] = rows;
    expect(given).toMatchObject({ state: 'failed', responseStatus: 500 });
    receiver.answer = () => 204;
    receiver.received.length = 0;
    const { delivery } = await world.perform(world.admin, redeliverNotification, { service: { id }, id: given!.id });
    await deliverAll();
    expect(delivery).toMatchObject({ redeliveryOfId: given!.id, state: 'pending' });
    expect(events()).toEqual(['build.scheduled']);
  });

  test('an outgoing webhook receives only events of its branches, pipelines, clusters and teams', async () => {
    const other = await world.pipeline('steps: [{ command: "true" }]', { slug: 'other' });
    const teamId = await world.insert('teams', {
      organizationId: world.organization.id,
      slug: 'confined',
      name: 'Confined',
      privacy: 'visible',
    } as never);
    await world.insert('team_pipelines', {
      organizationId: world.organization.id,
      teamId,
      pipelineId: other.id,
      accessLevel: 'read_only',
    } as never);
    const events = { events: ['build.scheduled'] };
    const [branch, project, cluster, team] = [
      await service({ branchConfiguration: 'release/*' }, events),
      await service({ scope: 'some_projects', scopeUuids: [pipeline.id] }, events),
      await service({ scope: 'some_clusters', scopeUuids: [world.clusterId] }, events),
      await service({ scope: 'some_teams', scopeUuids: [teamId] }, events),
    ];
    await world.services.db.deleteFrom('notification_deliveries').execute();
    const toldOf = async (made: { id: string }) => {
      const rows = await world.services.db
        .selectFrom('notification_deliveries as d')
        .innerJoin('notifications as n', 'n.id', 'd.notificationId')
        .select('d.serviceId')
        .where('n.buildId', '=', made.id)
        .execute();
      return new Set(rows.map((row) => row.serviceId));
    };
    expect(await toldOf(await build())).toEqual(new Set([project.id, cluster.id]));
    expect(await toldOf(await build('other', { branch: 'release/1' }))).toEqual(
      new Set([branch.id, cluster.id, team.id]),
    );
  });

  test('an outgoing webhook receives only the outcomes that it asks for, and a fixed build is more than a passed one', async () => {
    const finished = { events: ['build.finished', 'build.running'] };
    const [everything, bad, fixed] = [
      await service({}, finished),
      await service({ buildStates: { build_failed: true } }, finished),
      await service({ buildStates: { build_fixed: true } }, finished),
    ];
    await world.services.db.deleteFrom('notification_deliveries').execute();
    await world.pipeline('steps: [{ command: "true" }]', { slug: 'outcomes' });
    const toldOf = async (status: number) => {
      const { id } = await runOne('outcomes', status);
      const rows = await world.services.db
        .selectFrom('notification_deliveries as d')
        .innerJoin('notifications as n', 'n.id', 'd.notificationId')
        .select('d.serviceId')
        .where('n.buildId', '=', id)
        .where('n.event', '=', 'build.finished')
        .execute();
      return new Set(rows.map((row) => row.serviceId));
    };
    expect(await toldOf(0)).toEqual(new Set([everything.id]));
    expect(await toldOf(1)).toEqual(new Set([everything.id, bad.id]));
    expect(await toldOf(0)).toEqual(new Set([everything.id, fixed.id]));
    const running = await world.services.db
      .selectFrom('notifications as n')
      .innerJoin('notification_deliveries as d', 'd.notificationId', 'n.id')
      .select('d.serviceId')
      .where('n.event', '=', 'build.running')
      .execute();
    expect(running).toHaveLength(9);
  });

  test('notify entries of a pipeline definition are sent when their condition holds', async () => {
    await world.pipeline(
      `steps: [{ command: "true" }]\nnotify:\n  - webhook: ${receiver.url}\n    if: build.branch == "main"\n  - email: dev@example.com\n`,
      { slug: 'asking' },
    );
    await runner.runAll((await build('asking')).id);
    await runner.runAll((await build('asking', { branch: 'feature' })).id);
    await deliverAll();
    expect(receiver.received.map(({ body }) => [body.event, body.build.branch])).toEqual([
      ['build.scheduled', 'main'],
      ['build.running', 'main'],
      ['build.finished', 'main'],
    ]);
  });

  test('ended deliveries and their events are deleted after a week, and pending ones are not', async () => {
    await service({}, { events: ['build.scheduled'] });
    await deliverAll();
    receiver.answer = () => 500;
    await build();
    await deliverAll();
    world.clock.advance(hours(24 * 8));
    while ((await forgetNotifications(world.services)) > 0);
    const states = (await world.services.db.selectFrom('notification_deliveries').select('state').execute()).map(
      (row) => row.state,
    );
    expect(states).toEqual(['pending']);
  });
});
