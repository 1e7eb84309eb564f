import type { Express } from 'express';
import request from 'supertest';
import { hashToken } from '../../../src/auth/secrets.js';
import { agentApp, buildOf, jobNow, ScriptedAgent } from '../../support/scripted-agent.js';
import { World } from '../../support/world.js';

const oneCommand = 'steps: [{ command: "true" }]';

describe('an agent and its session', () => {
  let world: World;
  let app: Express;
  beforeAll(async () => {
    world = await World.create();
    app = agentApp(world);
  });
  afterAll(() => world.close());

  const connected = (fields: object = {}) => ScriptedAgent.connected(app, world.agentToken, fields as never);
  const row = (agent: ScriptedAgent) =>
    world.services.db.selectFrom('agents').selectAll().where('id', '=', agent.id).executeTakeFirstOrThrow();
  const unused = () => new ScriptedAgent(app, world.agentToken);

  describe('POST /register', () => {
    test('registering is answered with a session and intervals that are integers of at least 1 (T4)', async () => {
      const agent = unused();
      const { status, body } = await agent.register({
        name: 'box-1',
        meta_data: ['queue=macos', 'os=mac', 'os=any'],
        priority: '-3',
      });
      expect(status).toBe(200);
      expect(body).toEqual({
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        name: 'box-1',
        access_token: expect.stringMatching(/^bkaa_[0-9a-f]{40,}$/),
        meta_data: ['queue=macos', 'os=mac', 'os=any'],
        ping_interval: expect.any(Number),
        job_status_interval: expect.any(Number),
        heartbeat_interval: expect.any(Number),
      });
      for (const name of ['ping_interval', 'job_status_interval', 'heartbeat_interval']) {
        expect(Number.isInteger(body[name]) && body[name] >= 1).toBe(true);
      }
      expect(await row(agent)).toMatchObject({
        connectionState: 'never_connected',
        clusterId: world.clusterId,
        clusterQueueId: world.queues.macos,
        priority: -3,
        hostname: 'box',
        os: 'Debian\n12',
        arch: 'amd64',
        version: '3.137.0',
        userAgent: 'buildkite-agent/3.137.0.x (linux; amd64)',
        ipAddress: expect.stringMatching(/127\.0\.0\.1|::1/),
        pid: '7',
        sessionTokenHash: hashToken(body.access_token),
      });
    });

    test('the reply to registering names no endpoint, so that agents keep the address they reached us by (T26)', async () => {
      expect((await unused().register()).body).not.toHaveProperty('endpoint');
    });

    test('an agent registered without tags joins the default queue and lists it among its tags', async () => {
      const agent = unused();
      expect((await agent.register({ meta_data: null })).body.meta_data).toEqual(['queue=default']);
      expect((await row(agent)).clusterQueueId).toBe(world.queues.default);
    });

    test("registering replaces %n in the agent's name by the lowest free number, also for simultaneous requests", async () => {
      const names = await Promise.all(
        [1, 2, 3].map(async () => (await unused().register({ name: 'ci-%hostname-%n', hostname: 'h1' })).body.name),
      );
      expect(names.sort()).toEqual(['ci-h1-1', 'ci-h1-2', 'ci-h1-3']);
    });

    test('the number of a lost agent is free an hour after its loss, since until then it may come back', async () => {
      const named = async () => {
        const agent = unused();
        return { agent, name: (await agent.register({ name: 'killed-%n' })).body.name as string };
      };
      const { agent, name } = await named();
      expect(name).toBe('killed-1');
      const lose = (lostAt: Date) =>
        world.services.db
          .updateTable('agents')
          .set({ connectionState: 'lost', lostAt })
          .where('id', '=', agent.id)
          .execute();
      const now = world.services.clock.now().getTime();
      await lose(new Date(now - 59 * 60_000));
      expect((await named()).name).toBe('killed-2');
      await lose(new Date(now - 61 * 60_000));
      expect((await named()).name).toBe('killed-1');
    });

    test.each([
      ['a queue that does not exist', { meta_data: ['queue=nowhere'] }, /The queue "nowhere" does not exist/],
      ['two queues', { meta_data: ['queue=default', 'queue=macos'] }, /one queue only/],
      ['a priority that is not an integer', { priority: 'high' }, /priority must be an integer/],
      ['a name that is too long', { name: 'x'.repeat(300) }, /name/],
    ])('registering is refused with 422 and a message for %s', async (_what, fields, message) => {
      const { status, body } = await unused().register(fields);
      expect(status).toBe(422);
      expect(body).toEqual({ message: expect.stringMatching(message) });
    });

    test.each([
      ['no token', undefined],
      ['another scheme', 'Bearer x'],
      ['an unknown token', 'Token bkct_unknown'],
    ])('registering is refused with 401 for %s', async (_what, authorization) => {
      const response = await request(app)
        .post('/v3/register')
        .set(authorization ? { Authorization: authorization } : {})
        .send({ name: 'x' });
      expect(response.status).toBe(401);
      expect(response.body).toEqual({ message: expect.any(String) });
    });

    test('registering is refused with a session token and from an address the token does not allow', async () => {
      const agent = await connected();
      await agent.call('post', '/register').send({ name: 'again' }).expect(403);
      await world.services.db
        .updateTable('agent_tokens')
        .set({ allowedIpAddresses: '10.0.0.0/8 2001:db8::/32' })
        .execute();
      expect((await unused().register()).status).toBe(403);
      await world.services.db
        .updateTable('agent_tokens')
        .set({ allowedIpAddresses: '10.0.0.0/8 127.0.0.1 ::1' })
        .execute();
      expect((await unused().register()).status).toBe(200);
      await world.services.db.updateTable('agent_tokens').set({ allowedIpAddresses: null }).execute();
    });
  });

  test('requests without body and content type are accepted, and every reply is a JSON object (T22)', async () => {
    const agent = unused();
    await agent.register();
    for (const [method, path] of [
      ['post', '/connect'],
      ['get', '/ping'],
      ['post', '/heartbeat'],
      ['post', '/pause'],
      ['post', '/resume'],
      ['post', '/stop'],
      ['post', '/disconnect'],
    ] as const) {
      const response = await agent.call(method, path);
      expect([path, response.status]).toEqual([path, 200]);
      expect(response.headers['content-type']).toMatch(/^application\/json/);
      expect(response.body).toEqual(expect.any(Object));
      expect(response.headers['x-request-id']).toEqual(expect.any(String));
      expect(response.headers).not.toHaveProperty('access-control-allow-origin');
    }
  });

  test('connecting twice leaves an agent connected, and disconnecting ends its session for good', async () => {
    const agent = await connected();
    await agent.call('post', '/connect').expect(200);
    expect(await row(agent)).toMatchObject({ connectionState: 'connected', connectedAt: world.clock.now() });
    await agent.call('post', '/disconnect').expect(200);
    expect(await row(agent)).toMatchObject({
      connectionState: 'disconnected',
      disconnectedAt: world.clock.now(),
      sessionTokenHash: null,
    });
    await agent.call('get', '/ping').expect(401, { message: 'The agent token is not valid' });
  });

  test('an idle ping is answered 200 with an object, never 204 or an empty body (T1)', async () => {
    const response = await (await connected()).call('get', '/ping');
    expect([response.status, response.text]).toEqual([200, '{}']);
  });

  test('every heartbeat is answered 200 with JSON (T3)', async () => {
    const agent = await connected();
    world.clock.advance(30);
    const { body } = await agent
      .call('post', '/heartbeat')
      .send({ sent_at: '2026-01-02T04:04:05.123456789+01:00' })
      .expect(200);
    expect(body).toEqual({
      sent_at: '2026-01-02T04:04:05.123456789+01:00',
      received_at: world.clock.now().toISOString(),
    });
    expect((await row(agent)).heartbeatAt).toEqual(world.clock.now());
    await agent.call('post', '/heartbeat').send({ sent_at: 12 }).expect(200);
  });

  test('a ping counts as a sign of life and reconnects a lost agent', async () => {
    const agent = await connected();
    await world.services.db.updateTable('agents').set({ connectionState: 'lost' }).where('id', '=', agent.id).execute();
    world.clock.advance(200);
    await agent.ping();
    expect(await row(agent)).toMatchObject({
      connectionState: 'connected',
      heartbeatAt: world.clock.now(),
      pingedAt: world.clock.now(),
    });
  });

  test('unknown paths are answered 404, bodies that are no JSON object 400 and too large ones 413, each with a message', async () => {
    const agent = await connected();
    await agent.call('get', '/nothing').expect(404, { message: 'Not Found' });
    await agent
      .call('post', '/heartbeat')
      .set('Content-Type', 'application/json')
      .send('{"sent')
      .expect(400, { message: 'The request body is not valid JSON' });
    await agent.call('post', '/heartbeat').set('Content-Type', 'application/json').send('[1]').expect(400);
    await agent
      .call('post', '/heartbeat')
      .set('Content-Type', 'application/json')
      .send(`{"a":"${'x'.repeat(9_000_000)}"}`)
      .expect(413);
  });

  test('a session is stored in the database, so another process answers the same agent (T24)', async () => {
    const agent = await connected();
    await request(agentApp(world)).get('/v3/ping').set('Authorization', `Token ${agent.session}`).expect(200, {});
  });

  describe('stopping, pausing and resuming an agent', () => {
    test('an agent asked to stop is told to disconnect at its next ping, and is stopped once it disconnects', async () => {
      const agent = await connected();
      await agent.call('post', '/stop').send({}).expect(200);
      expect(await agent.ping()).toMatchObject({ action: 'disconnect', message: expect.any(String) });
      await agent.call('post', '/connect').expect(200);
      expect(await agent.ping()).toMatchObject({ action: 'disconnect' });
      await agent.call('post', '/disconnect').expect(200);
      expect(await row(agent)).toMatchObject({ connectionState: 'stopped', stoppedAt: world.clock.now() });
    });

    test('a paused agent is told so at each ping and gets no job until it is resumed or its pause times out', async () => {
      const agent = await connected();
      await agent.call('post', '/pause').send({ note: 'for a look', timeout_in_minutes: 2 }).expect(200);
      await agent.call('post', '/pause').send({}).expect(422, { message: 'Agent is already paused' });
      const { first } = await buildOf(world, oneCommand);
      expect(await agent.ping()).toEqual({ action: 'pause', message: 'for a look' });
      world.clock.advance(121);
      expect(await agent.ping()).toEqual({ job: { id: first.id, state: 'assigned' } });
      await agent.call('post', '/resume').expect(422, { message: 'Agent is not paused' });
      await agent.call('post', '/disconnect').expect(200);
      await world.services.db.updateTable('jobs').set({ state: 'canceled' }).where('id', '=', first.id).execute();
    });

    test('an offered job returns to the queue when its agent is paused, stopped or leaves', async () => {
      const { first } = await buildOf(world, oneCommand);
      for (const path of ['/pause', '/stop', '/disconnect']) {
        const agent = await connected();
        expect(await agent.ping()).toMatchObject({ job: { id: first.id } });
        await agent.call('post', path).send({}).expect(200);
        expect(await jobNow(world, first.id)).toMatchObject({ state: 'scheduled', agentId: null });
      }
      expect((await jobNow(world, first.id)).attempt).toBe(3);
      await world.services.db.updateTable('jobs').set({ state: 'canceled' }).where('id', '=', first.id).execute();
    });

    test("requests from inside a job use the job token and affect the job's agent (T15)", async () => {
      const { first, build } = await buildOf(world, oneCommand);
      const agent = await connected();
      await agent.takeJob();
      await agent.call('post', '/pause', agent.jobToken).send({}).expect(200);
      expect((await row(agent)).pausedAt).not.toBeNull();
      await agent.call('post', '/resume', agent.jobToken).expect(200);
      await agent.call('post', '/stop', agent.jobToken).send({ force: true }).expect(200);
      expect((await row(agent)).connectionState).toBe('stopping');
      expect((await jobNow(world, first.id)).state).toBe('canceling');
      await agent.finish(first.id, { exit_status: '-1', signal: 'SIGTERM', signal_reason: 'cancel' }).expect(200);
      expect(build.id).toBe(first.buildId);
      await agent.call('get', '/ping', agent.jobToken).expect(403);
    });
  });
});
