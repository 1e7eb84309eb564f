import type { Express } from 'express';
import request from 'supertest';
import { expireOverdueJobs } from '../../../src/background/builds/expire-overdue-jobs.js';
import { pauseDispatch } from '../../../src/operations/agents/queues/pause-dispatch.js';
import { resumeDispatch } from '../../../src/operations/agents/queues/resume-dispatch.js';
import { cancelBuild } from '../../../src/operations/builds/cancel.js';
import { explainOneJob } from '../../../src/operations/builds/jobs/explain.js';
import { BothSurfaces } from '../../support/both-surfaces.js';
import { agentApp, buildNow, buildOf, jobNow, ScriptedAgent } from '../../support/scripted-agent.js';
import { describeOnPostgres } from '../../support/database.js';
import { World } from '../../support/world.js';

const unknown = '01a2032c-86c3-7761-9418-05417e12e972';

/** A program that starts agents for jobs, with the registration token of a cluster. */
class ScriptedStack {
  constructor(
    private readonly app: Express,
    private readonly token: string,
    readonly key: string,
  ) {}

  static async registered(app: Express, token: string, key: string, queue = '_default'): Promise<ScriptedStack> {
    const stack = new ScriptedStack(app, token, key);
    await stack.register({ queue_key: queue }).expect(201);
    return stack;
  }

  call(method: 'get' | 'post' | 'put', path: string): request.Test {
    return request(this.app)
      [method](`/v3/stacks${path}`)
      .set({ Authorization: `Token ${this.token}`, 'User-Agent': 'agent-stack-k8s/v0.30 stackspi/v1.0.0' });
  }

  register(fields: object = {}): request.Test {
    return this.call('post', '/register').send({
      key: this.key,
      type: 'kubernetes',
      queue_key: '_default',
      metadata: { region: 'moon' },
      ...fields,
    });
  }

  list(query = 'queue_key=default'): request.Test {
    return this.call('get', `/${this.key}/scheduled-jobs?${query}`);
  }

  async listed(query?: string): Promise<string[]> {
    const { body } = await this.list(query).expect(200);
    return body.jobs.map(({ id }: { id: string }) => id);
  }

  reserve(ids: string[], seconds?: number): request.Test {
    return this.call('put', `/${this.key}/scheduled-jobs/batch-reserve`).send({
      job_uuids: ids,
      ...(seconds === undefined ? {} : { reservation_expiry_seconds: seconds }),
    });
  }

  finish(id: string, fields: object): request.Test {
    return this.call('post', `/${this.key}/jobs/${id}/finish`).send(fields);
  }

  notify(...notifications: unknown[]): request.Test {
    return this.call('post', `/${this.key}/notifications`).send({ notifications });
  }
}

describe('stacks, the programs that start agents for jobs', () => {
  let surfaces: BothSurfaces;
  let world: World;
  let app: Express;
  let stack: ScriptedStack;
  beforeAll(async () => {
    surfaces = await BothSurfaces.open();
    world = surfaces.world;
    app = agentApp(world);
    stack = await ScriptedStack.registered(app, world.agentToken, 'k8s');
  });
  afterAll(() => surfaces.close());
  afterEach(async () => {
    await world.services.db
      .updateTable('jobs')
      .set({ state: 'canceled', deadlineAt: null })
      .where('type', '=', 'command')
      .where('state', '!=', 'finished')
      .execute();
  });

  const eventsOf = async (jobId: string) => {
    const { job } = await surfaces.select([
      `query ($uuid: ID!) { job(uuid: $uuid) { ... on JobTypeCommand { events(first: 50) { edges { node {
        type actor { type }
        ... on JobEventStackError { errorDetail }
        ... on JobEventStackFinished { detail }
        ... on JobEventStackNotification { message }
      } } } } } }`,
      { uuid: jobId },
    ]);
    return (job.events.edges as { node: { type: string; actor: { type: string } } }[]).map(
      ({ node: { actor, ...node } }) => ({ ...node, actor: actor.type }),
    );
  };

  const explanationOf = async (id: string) =>
    (await world.perform(world.admin, explainOneJob, { job: { id } })).explanation;

  test('a stack registers, again, and for another queue; it signs off and comes back', async () => {
    const fresh = new ScriptedStack(app, world.agentToken, 'moon-base_1');
    const { body } = await fresh.register().expect(201);
    expect(body).toEqual({
      id: expect.any(String),
      organization_uuid: world.organization.id,
      cluster_queue_key: 'default',
      key: 'moon-base_1',
      type: 'kubernetes',
      metadata: { region: 'moon' },
      last_connected_on: world.clock.now().toISOString(),
      state: 'connected',
    });
    const again = await fresh.register({ type: 'custom', queue_key: 'macos', metadata: {} }).expect(200);
    expect(again.body).toMatchObject({ id: body.id, type: 'custom', cluster_queue_key: 'macos', metadata: {} });
    for (const queue of ['__default__', '~', '-', 'default'])
      expect((await fresh.register({ queue_key: queue }).expect(200)).body.cluster_queue_key).toBe('default');
    const off = await fresh.call('post', '/moon-base_1/deregister').expect(204);
    expect(off.text).toBe('');
    await fresh.call('post', '/moon-base_1/deregister').expect(204);
    await fresh.list().expect(200);
    const row = await world.services.db
      .selectFrom('stacks')
      .selectAll()
      .where('key', '=', fresh.key)
      .executeTakeFirstOrThrow();
    expect(row).toMatchObject({ disconnectedAt: null, type: 'kubernetes' });
  });

  test.each([
    [422, { key: 'with space' }, 'key may have'],
    [422, { key: 'a.b' }, 'key may have'],
    [422, { key: 'k'.repeat(81) }, 'key'],
    [422, { type: 'fargate' }, 'type must be one of'],
    [422, { queue_key: undefined }, 'queue_key is missing'],
    [422, { metadata: { a: 1 } }, 'metadata.a must be text'],
    [422, { metadata: { a: 'x'.repeat(257) } }, 'metadata.a'],
    [422, { metadata: Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`k${i}`, ''])) }, 'metadata may have'],
    [404, { queue_key: 'nowhere' }, 'The queue "nowhere" does not exist'],
  ])('a registration is refused with %i for %o', async (status, fields, message) => {
    const { body } = await new ScriptedStack(app, world.agentToken, 'refused').register(fields).expect(status);
    expect(body.message).toContain(message);
  });

  test('only registration tokens name stacks, and only those of their cluster', async () => {
    const agent = await ScriptedAgent.connected(app, world.agentToken);
    const session = new ScriptedStack(app, agent.session, 'k8s');
    await session.list().expect(403);
    await session.register().expect(403);
    await new ScriptedStack(app, 'nonsense', 'k8s').list().expect(401);
    for (const key of ['nobody', 'a.b', 'a%2Fb'])
      expect((await stack.call('get', `/${key}/scheduled-jobs?queue_key=default`).expect(404)).body.message).toContain(
        'register it first',
      );
  });

  test('an organization has a bounded number of connected stacks, and remembers a bounded number of others', async () => {
    const { db } = world.services;
    const row = await db.selectFrom('stacks').selectAll().where('key', '=', 'k8s').executeTakeFirstOrThrow();
    const copies = (count: number, fields: object) =>
      Array.from({ length: count }, (_, at) => ({
        ...row,
        metadata: JSON.stringify(row.metadata) as never,
        id: `01a2032c-86c3-7761-9418-${String(at).padStart(12, '0')}`,
        key: `copy-${at}`,
        ...fields,
      }));
    await db
      .insertInto('stacks')
      .values(copies(260, { disconnectedAt: world.clock.now() }))
      .execute();
    const one = new ScriptedStack(app, world.agentToken, 'one-more');
    await one.register().expect(201);
    const left = await db.selectFrom('stacks').select('id').where('key', 'like', 'copy-%').execute();
    expect(left.length).toBe(250);
    await db.updateTable('stacks').set({ disconnectedAt: null }).where('key', 'like', 'copy-%').execute();
    const refused = await new ScriptedStack(app, world.agentToken, 'too-many').register().expect(403);
    expect(refused.body.message).toContain('connected stacks');
    // One that fell silent makes room.
    await db
      .updateTable('stacks')
      .set({ lastConnectedAt: new Date(world.clock.now().getTime() - 200_000) })
      .where('key', 'like', 'copy-%')
      .execute();
    await new ScriptedStack(app, world.agentToken, 'too-many').register().expect(201);
    await db.deleteFrom('stacks').where('key', '!=', 'k8s').execute();
  });

  test('scheduled jobs are listed in the order in which agents would get them, page by page', async () => {
    const { jobs, build } = await buildOf(
      world,
      'steps: [{ command: "a", key: "one", agents: { os: linux } }, { command: "b", priority: 5 }, { command: "c" }, { command: "d", priority: -1 }, { command: "e", agents: { queue: macos } }, wait, { command: "later" }]',
    );
    const [a, b, c, d] = jobs.map(({ id }) => id);
    expect(await stack.listed()).toEqual([b, a, c, d]);
    const first = await stack.list('queue_key=default&limit=1').expect(200);
    const pipeline = await world.services.db
      .selectFrom('pipelines')
      .select('slug')
      .where('id', '=', build.pipelineId)
      .executeTakeFirstOrThrow();
    expect(first.body).toEqual({
      jobs: [
        {
          id: b,
          priority: 5,
          agent_query_rules: [],
          scheduled_at: expect.stringMatching(/^2026-.*Z$/),
          pipeline: { slug: pipeline.slug, uuid: build.pipelineId },
          build: { number: build.number, branch: 'main', uuid: build.id },
          step: { key: null },
        },
      ],
      cluster_queue: { id: expect.any(String), paused: false, dispatch_paused: false },
      page_info: { has_next_page: true, end_cursor: expect.any(String) },
    });
    const next = await stack.list(`queue_key=_default&limit=2&after=${first.body.page_info.end_cursor}`).expect(200);
    expect(next.body.jobs).toMatchObject([{ id: a, agent_query_rules: ['os=linux'], step: { key: 'one' } }, { id: c }]);
    const last = await stack.list(`queue_key=default&limit=2&after=${next.body.page_info.end_cursor}`).expect(200);
    expect(last.body).toMatchObject({ jobs: [{ id: d, priority: -1 }], page_info: { has_next_page: false } });
    expect((await stack.list('queue_key=macos').expect(200)).body.jobs).toHaveLength(1);
    expect((await explanationOf(a!))?.reason).toBe('stack');
  });

  test.each([
    ['', 422, 'queue_key is missing'],
    ['queue_key=nowhere', 404, 'does not exist'],
    ['queue_key=default&limit=0', 422, 'limit must be a number from 1'],
    ['queue_key=default&limit=many', 422, 'limit must be a number from 1'],
    ['queue_key=default&after=tomorrow', 400, 'cursor'],
  ])('a list of scheduled jobs by %j is refused with %i', async (query, status, message) => {
    expect((await stack.list(query).expect(status)).body.message).toContain(message);
  });

  test('a reserved job is out of reach of agents and other stacks until an agent acquires it', async () => {
    const { first } = await buildOf(world, 'steps: [{ command: "make" }]');
    const other = await ScriptedStack.registered(app, world.agentToken, 'other');
    const { body } = await stack.reserve([first.id, unknown, 'nonsense']).expect(200);
    expect(body).toEqual({ reserved: [first.id], not_reserved: [unknown, 'nonsense'] });
    expect(await other.listed()).toEqual([]);
    expect((await other.reserve([first.id]).expect(200)).body).toEqual({ reserved: [], not_reserved: [first.id] });
    const bystander = await ScriptedAgent.connected(app, world.agentToken);
    expect((await bystander.ping()).job).toBeUndefined();
    await stack.notify({ job_uuid: first.id, detail: 'Pulling the image' }).expect(200);
    expect(await explanationOf(first.id)).toMatchObject({
      reason: 'stack_starting',
      message: 'A stack has reserved the job and starts an agent for it. It says: Pulling the image',
    });

    const runner = await ScriptedAgent.connected(app, world.agentToken, {
      ignore_in_dispatches: true,
      features: ['agent-core'],
    });
    const acquired = await runner.call('put', `/jobs/${first.id}/acquire`).expect(200);
    runner.jobToken = acquired.body.token;
    expect(acquired.body.env).toMatchObject({ BUILDKITE_COMMAND: 'make', BUILDKITE_AGENT_ID: runner.id });
    await bystander.call('put', `/jobs/${first.id}/acquire`).expect(422);
    await runner.start(first.id).expect(200);
    const states = await stack
      .call('post', '/k8s/jobs/get-states')
      .send({ job_uuids: [first.id, unknown, 'nonsense'] });
    expect(states.body).toEqual({ states: { [first.id]: 'running' } });
    await stack.finish(first.id, { detail: 'too late' }).expect(422);
    await runner.finish(first.id).expect(200);
    expect((await buildNow(world, first.buildId)).state).toBe('passed');
    expect((await eventsOf(first.id)).map(({ type, actor }) => `${type} ${actor}`)).toEqual([
      'SCHEDULED USER',
      'RESERVED STACK',
      'STACK_NOTIFICATION STACK',
      'ACCEPTED AGENT',
      'STARTED AGENT',
      'FINISHED AGENT',
    ]);
  });

  test('a reservation expires unless its stack extends it', async () => {
    const { first } = await buildOf(world, 'steps: [{ command: "make" }]');
    await stack.reserve([first.id], 60).expect(200);
    world.clock.advance(50);
    expect((await stack.reserve([first.id], 60).expect(200)).body.reserved).toEqual([first.id]);
    world.clock.advance(50);
    await expireOverdueJobs(world.services);
    expect((await jobNow(world, first.id)).state).toBe('reserved');
    world.clock.advance(11);
    await expireOverdueJobs(world.services);
    expect(await jobNow(world, first.id)).toMatchObject({ state: 'scheduled', stackId: null });
    expect(await stack.listed()).toEqual([first.id]);
    expect((await eventsOf(first.id)).map(({ type }) => type)).toEqual(['SCHEDULED', 'RESERVED', 'RESERVED_EXPIRED']);
    // Without a time, and with none, it lasts fifteen minutes.
    await stack.reserve([first.id], 0).expect(200);
    const { deadlineAt } = await jobNow(world, first.id);
    expect(deadlineAt!.getTime() - world.clock.now().getTime()).toBe(900_000);
    for (const seconds of [-1, 3601, 1.5]) await stack.reserve([first.id], seconds).expect(422);
    await stack.reserve(Array.from({ length: 1001 }, () => unknown)).expect(422);
    await stack.call('put', '/k8s/scheduled-jobs/batch-reserve').send({ job_uuids: 'all' }).expect(422);
    await stack.call('put', '/k8s/scheduled-jobs/batch-reserve').send({}).expect(422);
  });

  test('of a paused queue the jobs are listed with its pause, and none is reserved', async () => {
    const { first } = await buildOf(world, 'steps: [{ command: "make" }]');
    const queue = { queue: { id: world.queues.default } };
    await world.perform(world.admin, pauseDispatch, queue);
    const { body } = await stack.list().expect(200);
    expect(body).toMatchObject({ jobs: [{ id: first.id }], cluster_queue: { paused: true, dispatch_paused: true } });
    expect((await stack.reserve([first.id]).expect(200)).body.reserved).toEqual([]);
    await world.perform(world.admin, resumeDispatch, queue);
  });

  test('a canceled job is told by its state, and cannot be reserved, acquired or finished any more', async () => {
    const { first } = await buildOf(world, 'steps: [{ command: "make" }]');
    await stack.reserve([first.id]).expect(200);
    await world.perform(world.admin, cancelBuild, { build: { id: first.buildId } });
    const states = await stack.call('post', '/k8s/jobs/get-states').send({ job_uuids: [first.id] });
    expect(states.body.states).toEqual({ [first.id]: 'canceled' });
    expect((await stack.reserve([first.id]).expect(200)).body.not_reserved).toEqual([first.id]);
    await stack.finish(first.id, { detail: 'gone' }).expect(422);
    const agent = await ScriptedAgent.connected(app, world.agentToken);
    await agent.call('put', `/jobs/${first.id}/acquire`).expect(422);
  });

  test('a stack reads the environment and the command of a job', async () => {
    const { first } = await buildOf(world, 'steps: [{ command: "make", env: { COLOUR: red } }]');
    const { body } = await stack.call('get', `/k8s/jobs/${first.id}`).expect(200);
    expect(body).toMatchObject({
      id: first.id,
      command: 'make',
      env: { COLOUR: 'red', BUILDKITE_JOB_ID: first.id, BUILDKITE_PULL_REQUEST: 'false' },
    });
    expect(Object.values(body.env).every((value) => typeof value === 'string')).toBe(true);
    for (const id of [unknown, 'nonsense', '%00']) await stack.call('get', `/k8s/jobs/${id}`).expect(404);
  });

  test('a stack that cannot run a job fails it with its words, and retry rules may name the reason', async () => {
    const { first } = await buildOf(
      world,
      'steps: [{ command: "make", retry: { automatic: [{ signal_reason: stack_error, limit: 1 }] } }]',
    );
    await stack.reserve([first.id]).expect(200);
    const other = await ScriptedStack.registered(app, world.agentToken, 'another');
    await other.finish(first.id, { detail: 'not mine' }).expect(422);
    await stack.finish(first.id, {}).expect(422);
    await stack.finish(first.id, { detail: 'x'.repeat(4097) }).expect(422);
    await stack.finish(first.id, { detail: 'x', exit_status: '1' }).expect(422);
    // Left out, the exit status is that of a job that did not run.
    await stack.finish(first.id, { detail: 'The image cannot be pulled' }).expect(200);
    expect(await jobNow(world, first.id)).toMatchObject({
      state: 'finished',
      passed: false,
      exitStatus: -1,
      signalReason: 'stack_error',
      retried: true,
    });
    expect((await eventsOf(first.id)).at(-2)).toEqual({
      type: 'STACK_ERRORED',
      actor: 'STACK',
      errorDetail: 'The image cannot be pulled',
    });
    expect(await explanationOf(first.id)).toMatchObject({
      reason: 'stack_error',
      message: 'Its stack could not run it: The image cannot be pulled',
    });
    await stack.finish(first.id, { detail: 'twice' }).expect(422);
    const [again] = await stack.listed();
    await stack.finish(again!, { exit_status: 0, detail: 'Done without an agent' }).expect(200);
    expect(await jobNow(world, again!)).toMatchObject({ state: 'finished', passed: true, exitStatus: 0 });
    expect((await eventsOf(again!)).at(-1)).toMatchObject({
      type: 'STACK_FINISHED',
      detail: 'Done without an agent',
    });
    expect((await buildNow(world, first.buildId)).state).toBe('passed');
    await stack.finish(unknown, { detail: 'x' }).expect(404);
  });

  test('notifications that are wrong are refused by themselves, the others are stored', async () => {
    const { first } = await buildOf(world, 'steps: [{ command: "make" }]');
    const time = world.clock.now();
    const { body } = await stack
      .notify(
        { job_uuid: first.id, detail: 'Waiting for a node', timestamp: time.toISOString() },
        { job_uuid: unknown, detail: 'x' },
        { job_uuid: first.id },
        { job_uuid: first.id, detail: '' },
        { job_uuid: first.id, detail: 'x', timestamp: 'soon' },
        'nonsense',
        { job_uuid: first.id.toUpperCase(), detail: 'Pod is starting' },
      )
      .expect(200);
    expect(body).toEqual({
      errors: [
        { error: 'job not found', indexes: [1, 5] },
        { error: 'detail is required', indexes: [2, 3] },
        { error: 'timestamp is invalid', indexes: [4] },
      ],
    });
    const messages = async () => (await eventsOf(first.id)).filter(({ type }) => type === 'STACK_NOTIFICATION');
    expect(await messages()).toMatchObject([{ message: 'Waiting for a node' }, { message: 'Pod is starting' }]);
    const many = await stack.notify(...Array.from({ length: 100 }, () => ({ job_uuid: first.id, detail: 'x' })));
    expect(many.body.errors).toEqual([{ error: 'job stack notification count exceeded', indexes: [98, 99] }]);
    const none = await stack.notify(...Array.from({ length: 1001 }, () => ({ job_uuid: first.id, detail: 'x' })));
    expect(none.status).toBe(422);
    expect((await stack.notify().expect(200)).body).toEqual({ errors: [] });
  });
});

describeOnPostgres('stacks that want the same jobs at once', () => {
  let world: World;
  let app: Express;
  beforeAll(async () => {
    world = await World.create();
    app = agentApp(world);
  });
  afterAll(() => world.close());

  test('of two stacks and an agent that want ten jobs at once, each job has one taker', async () => {
    const stacks = await Promise.all(['a', 'b'].map((key) => ScriptedStack.registered(app, world.agentToken, key)));
    const agent = await ScriptedAgent.connected(app, world.agentToken);
    for (let round = 0; round < 8; round += 1) {
      const builds = await Promise.all(
        Array.from({ length: 5 }, () => buildOf(world, 'steps: [{ command: "x" }, { command: "y" }]')),
      );
      const ids = builds.flatMap(({ jobs }) => jobs.map(({ id }) => id));
      const [pinged, ...replies] = await Promise.all([
        agent.ping(),
        ...stacks.map((each, at) => each.reserve(at === 0 ? ids : ids.toReversed()).expect(200)),
      ]);
      const taken = [
        ...replies.flatMap(({ body }) => body.reserved as string[]),
        ...(pinged.job && ids.includes(pinged.job.id) ? [pinged.job.id] : []),
      ];
      expect(new Set(taken).size).toBe(taken.length);
      expect(taken.toSorted()).toEqual(ids.toSorted());
      for (const { build } of builds) await world.perform(world.admin, cancelBuild, { build: { id: build.id } });
    }
  }, 60_000);
});
