import { createBuild } from '../../../src/operations/builds/create.js';
import { cancelBuild } from '../../../src/operations/builds/cancel.js';
import { deletePipeline } from '../../../src/operations/pipelines/delete.js';
import { encodeNodeId } from '../../../src/domain/node-id.js';
import { buildOf, ScriptedAgent } from '../../support/scripted-agent.js';
import { SubscriptionContext } from '../../../src/graphql/subscriptions/subscription-context.js';
import { Listener, LiveServer } from './support.js';

const ofBuild =
  'subscription ($id: ID!, $after: String) { build(id: $id, after: $after) { cursor event { uuid type subject sequence toState actor { type } } build { number state } job { ... on JobTypeCommand { uuid state } } } }';

describe('a subscription', () => {
  let live: LiveServer;
  let agent: ScriptedAgent;
  beforeAll(async () => {
    live = await LiveServer.open();
    agent = await ScriptedAgent.connected(live.app, live.world.agentToken);
  });
  afterAll(() => live.close());

  /** Moves the clock of the process on, so that the last look at the rights of a subscription is an old one. */
  let ahead = 0;
  function lookAgain(): void {
    if (ahead === 0) {
      const now = performance.now.bind(performance);
      vi.spyOn(performance, 'now').mockImplementation(() => now() + ahead);
    }
    ahead += 1_100;
  }
  afterAll(() => vi.restoreAllMocks());

  const steps = 'steps: [{ command: "true" }]';
  const eventsOf = (buildId: string) =>
    live.world.services.db
      .selectFrom('events')
      .selectAll()
      .where('buildId', '=', buildId)
      .orderBy('sequence')
      .execute();

  async function runJob(): Promise<string> {
    const job = await agent.takeJob();
    await agent.finish(job).expect(200);
    return job;
  }

  test('a build subscription reports its start position, then every event in order and once', async () => {
    const client = live.client();
    const { build } = await buildOf(live.world, steps);
    const listener = new Listener(client, ofBuild, { id: encodeNodeId('Build', build.id) });
    await listener.begun();
    expect(listener.messages[0]).toEqual({
      cursor: expect.any(String),
      event: null,
      build: { number: 1, state: 'SCHEDULED' },
      job: null,
    });
    const before = (await eventsOf(build.id)).length;
    const job = await runJob();
    const expected = (await eventsOf(build.id)).map((event) => event.id);
    await listener.until(() => listener.types.includes('build.pass'));
    const told = listener.messages.slice(1);
    // Events from before the start may repeat after the first message, but events after it are never missing.
    expect(expected.slice(before)).toEqual(told.map(({ event }) => event.uuid).slice(-(expected.length - before)));
    expect(told.map(({ event }) => event.sequence)).toEqual(
      [...told.map(({ event }) => event.sequence)].sort((a, b) => a - b),
    );
    expect(told.at(-1).build).toEqual({ number: 1, state: 'PASSED' });
    expect(told.find(({ event }) => event.type === 'job.start').job).toEqual({ uuid: job, state: expect.any(String) });
    await client.dispose();
  });

  test('a subscription resumed from any of its cursors, on this server or another, misses and repeats no event', async () => {
    const other = await LiveServer.onto(live.world);
    const client = live.client();
    const { build } = await buildOf(live.world, steps);
    const listener = new Listener(client, ofBuild, { id: build.id });
    await listener.begun();
    await runJob();
    await listener.until(() => listener.types.includes('build.pass'));
    const all = listener.messages.map(({ event }) => event?.uuid);
    for (const [index, { cursor }] of listener.messages.entries()) {
      const again = (index % 2 === 0 ? other : live).client();
      const resumed = new Listener(again, ofBuild, { id: build.id, after: cursor });
      await resumed.until(() => resumed.messages.length >= all.length - index - 1);
      expect(resumed.messages.map(({ event }) => event.uuid)).toEqual(all.slice(index + 1));
      await again.dispose();
    }
    await client.dispose();
    await other.close();
  });

  test('events of transactions that commit out of order are all sent, in one order for every subscriber', async () => {
    const pipelines = await Promise.all([1, 2, 3, 4].map(() => live.world.pipeline(steps)));
    const clients = [live.client(), live.client()];
    const query =
      'subscription { pipelines(id: "acme") { cursor event { uuid type } pipeline { slug } build { number } } }';
    const listeners = clients.map((client) => new Listener(client, query));
    await Promise.all(listeners.map((listener) => listener.begun()));
    await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        live.world.perform(live.world.admin, createBuild, {
          pipeline: { id: pipelines[index % 4]!.id },
          commit: 'HEAD',
          branch: 'main',
        }),
      ),
    );
    await Promise.all(
      listeners.map((listener) =>
        listener.until(() => listener.types.filter((type) => type === 'build.create').length === 12),
      ),
    );
    const [first, second] = listeners.map(({ messages }) => messages.flatMap(({ event }) => event?.uuid ?? []));
    expect(new Set(first).size).toBe(first!.length);
    expect(second!.slice(0, first!.length)).toEqual(first!.slice(0, second!.length));
    for (const client of clients) await client.dispose();
  });

  test('followers of a build with the same rights share the work of a message, and those with others see their own', async () => {
    const { build } = await buildOf(live.world, steps);
    const { admin, member } = live.world;
    const query =
      'subscription ($id: ID!) { build(id: $id) { cursor event { type } build { pipeline { organization { permissions { organizationUpdate { allowed } } } } } } }';
    const people = [...Array.from({ length: 10 }, () => admin), member];
    const clients = people.map((person) => live.client(person));
    const followers = clients.map((client) => new Listener(client, query, { id: build.id }));
    await Promise.all(followers.map((follower) => follower.begun()));
    // Everything is read anew each time a document is executed.
    const executions = vi.spyOn(SubscriptionContext.prototype, 'refresh');
    await live.world.perform(admin, cancelBuild, { build: { id: build.id } });
    await Promise.all(followers.map((follower) => follower.until(() => follower.types.includes('build.stop'))));
    const events = followers[0]!.messages.length - 1;
    expect(executions).toHaveBeenCalled();
    // Once for each event and each of the two people, with room for a follower that comes late.
    expect(executions.mock.calls.length).toBeLessThan((events * people.length) / 2);
    executions.mockRestore();
    const allowed = (follower: Listener) =>
      new Set(
        follower.messages.map((message) => message.build.pipeline.organization.permissions.organizationUpdate.allowed),
      );
    expect(followers.slice(0, 10).map(allowed)).toEqual(Array.from({ length: 10 }, () => new Set([true])));
    expect(allowed(followers[10]!)).toEqual(new Set([false]));
    for (const client of clients) await client.dispose();
  });

  test('subscriptions to agents and to a job report the events of their resources', async () => {
    const client = live.client();
    const { first } = await buildOf(live.world, steps);
    const agents = new Listener(client, 'subscription { agents(id: "acme") { cursor event { type } agent { name } } }');
    const job = new Listener(
      client,
      'subscription ($id: ID!) { job(id: $id) { cursor event { type toState } job { ... on JobTypeCommand { state passed } } } }',
      { id: encodeNodeId('Job', first.id) },
    );
    const annotations = new Listener(
      client,
      'subscription ($id: ID!) { annotations(id: $id) { cursor event { type } build { number } } }',
      { id: first.buildId },
    );
    const pipeline = new Listener(
      client,
      'subscription ($id: ID!) { pipeline(id: $id) { cursor event { type } pipeline { uuid } build { state } } }',
      { id: first.pipelineId },
    );
    await Promise.all([agents, job, annotations, pipeline].map((listener) => listener.begun()));
    const added = await ScriptedAgent.connected(live.app, live.world.agentToken);
    await agents.until(() => agents.types.includes('agent.connect'));
    for (let taken = ''; taken !== first.id;) {
      taken = await added.takeJob();
      await added.finish(taken).expect(200);
    }
    await job.until(() => job.types.includes('job.pass'));
    await pipeline.until(() => pipeline.types.includes('build.pass'));
    expect(job.messages.at(-1).job).toEqual({ state: 'FINISHED', passed: true });
    expect(pipeline.messages[0].pipeline).toEqual({ uuid: first.pipelineId });
    expect(pipeline.types.every((type) => type.startsWith('build.'))).toBe(true);
    expect(annotations.messages).toHaveLength(1);
    await added.call('post', '/disconnect');
    await client.dispose();
  });

  test('a subscription to a hidden resource is refused like one to an absent resource', async () => {
    const { build } = await buildOf(live.world, steps);
    await runJob();
    const stranger = live.client(live.world.outsider);
    const hidden = new Listener(stranger, ofBuild, { id: build.id });
    const missing = new Listener(stranger, ofBuild, { id: '00000000-0000-7000-8000-000000000000' });
    await hidden.until(() => hidden.ended);
    await missing.until(() => missing.ended);
    expect([hidden.messages, hidden.errors]).toEqual([missing.messages, missing.errors]);
    expect(hidden.errors[0].extensions.code).toBe('NOT_FOUND');
    for (const query of [
      'subscription { pipelines(id: "acme") { cursor } }',
      'subscription { agents(id: "acme") { cursor } }',
    ]) {
      const listener = new Listener(stranger, query);
      await listener.until(() => listener.ended);
      expect(listener.errors.map(({ extensions }) => extensions.code)).toEqual(['NOT_FOUND']);
    }
    await stranger.dispose();
  });

  test('a subscription needs the scope that reading the resource needs', async () => {
    const person = await live.world.personWithToken(live.world.admin.id, live.world.admin.email, {
      scopes: ['read_organizations', 'read_pipelines', 'read_builds'],
    });
    const client = live.client(person);
    const listener = new Listener(client, 'subscription { agents(id: "acme") { cursor } }');
    await listener.until(() => listener.ended);
    expect(listener.errors[0].extensions).toEqual({ code: 'FORBIDDEN', scope: 'read_agents' });
    await client.dispose();
  });

  test('a subscription to an organization with teams shows only events of pipelines that the caller may see', async () => {
    const teams = await LiveServer.open({ teamsEnabled: true });
    const [seen, unseen] = [await teams.world.pipeline(steps), await teams.world.pipeline(steps)];
    const teamId = await teams.world.insert('teams', {
      organizationId: teams.world.organization.id,
      slug: 'one',
      name: 'One',
    });
    await teams.world.insert('team_members', {
      teamId,
      userId: teams.world.member.id,
      organizationId: teams.world.organization.id,
      role: 'member',
    });
    await teams.world.insert('team_pipelines', {
      teamId,
      pipelineId: seen.id,
      organizationId: teams.world.organization.id,
      accessLevel: 'read_only',
    });
    const client = teams.client(teams.world.member);
    const listener = new Listener(
      client,
      'subscription { pipelines(id: "acme") { cursor event { type } pipeline { slug } } }',
    );
    await listener.begun();
    for (const { id } of [unseen, seen, unseen, seen])
      await teams.world.perform(teams.world.admin, createBuild, { pipeline: { id }, commit: 'HEAD', branch: 'main' });
    await listener.until(() => listener.types.filter((type) => type === 'build.create').length === 2);
    expect(new Set(listener.messages.slice(1).map(({ pipeline }) => pipeline.slug))).toEqual(new Set([seen.slug]));
    await client.dispose();
    await teams.close();
  });

  test('a subscription ends with an error when its token is revoked', async () => {
    const person = await live.world.personWithToken(live.world.admin.id, live.world.admin.email);
    const client = live.client(person);
    const { build } = await buildOf(live.world, steps);
    const listener = new Listener(client, ofBuild, { id: build.id });
    await listener.begun();
    await live.world.services.db
      .updateTable('api_tokens')
      .set({ revokedAt: live.world.clock.now() })
      .where('description', '=', `token ${person.token.match(/\d+/)?.[0]}`)
      .execute();
    lookAgain();
    await live.world.perform(live.world.admin, cancelBuild, { build: { id: build.id } });
    await listener.until(() => listener.ended);
    expect(listener.errors.map(({ extensions }) => extensions.code)).toEqual(['UNAUTHENTICATED']);
    expect(listener.types).not.toContain('build.cancel');
    await client.dispose();
  });

  test('a subscription ends when its resource is deleted', async () => {
    const client = live.client();
    const pipeline = await live.world.pipeline(steps);
    const listener = new Listener(client, 'subscription ($id: ID!) { pipeline(id: $id) { cursor event { type } } }', {
      id: pipeline.id,
    });
    await listener.begun();
    lookAgain();
    await live.world.perform(live.world.admin, deletePipeline, { pipeline: { id: pipeline.id } });
    await listener.until(() => listener.ended);
    expect(listener.errors.map(({ extensions }) => extensions.code)).toEqual(['NOT_FOUND']);
    await client.dispose();
  });

  test.each([
    ['a text that is not a cursor', 'nonsense', 'BAD_USER_INPUT'],
    ['a cursor that was never issued', Buffer.from('event:999999999').toString('base64url'), 'BAD_USER_INPUT'],
  ])('a subscription does not start after %s', async (_what, after, code) => {
    const client = live.client();
    const { build } = await buildOf(live.world, steps);
    const listener = new Listener(client, ofBuild, { id: build.id, after });
    await listener.until(() => listener.ended);
    expect(listener.errors.map(({ extensions }) => extensions.code)).toEqual([code]);
    await client.dispose();
  });
});
