import { runUntilIdle } from '../../support/run-until-idle.js';
import { deleteJobLog } from '../../../src/operations/builds/logs/delete.js';
import { buildOf, ScriptedAgent } from '../../support/scripted-agent.js';
import { Listener, LiveServer, type Message } from './support.js';

const query =
  'subscription ($id: ID!, $after: String) { jobLog(id: $id, after: $after) { cursor offset content size finished } }';

describe('a subscription to a job log', () => {
  let live: LiveServer;
  let agent: ScriptedAgent;
  beforeAll(async () => {
    live = await LiveServer.open();
    agent = await ScriptedAgent.connected(live.app, live.world.agentToken);
  });
  afterAll(() => live.close());

  async function running(): Promise<string> {
    await buildOf(live.world, 'steps: [{ command: "true" }]');
    return agent.takeJob();
  }

  const text = (messages: Message[]) => messages.map(({ content }) => content).join('');

  test('a log subscription sends whole lines in order whatever the order of chunks, and ends with the job', async () => {
    const client = live.client();
    const job = await running();
    const listener = new Listener(client, query, { id: job });
    await agent.chunk(job, 1, 0, 'one\ntw').expect(201);
    await listener.until(() => text(listener.messages) === 'one\n');
    await agent.chunk(job, 3, 8, 'three\n').expect(201);
    await agent.chunk(job, 2, 6, 'o\n').expect(201);
    await listener.until(() => text(listener.messages) === 'one\ntwo\nthree\n');
    await agent.finish(job).expect(200);
    await agent.chunk(job, 4, 14, 'the é end').expect(201);
    await listener.until(() => listener.ended);
    expect(text(listener.messages)).toBe('one\ntwo\nthree\nthe é end');
    expect(listener.messages.at(-1)).toEqual({ cursor: '24', offset: 24, content: '', size: 24, finished: true });
    expect(listener.messages.filter(({ finished }) => finished)).toHaveLength(1);
    let at = 0;
    for (const { offset, cursor, content } of listener.messages) {
      expect(offset).toBe(at);
      at += Buffer.byteLength(content);
      expect(cursor).toBe(String(at));
    }
    await client.dispose();
  }, 15_000);

  test('a log subscription resumes after any cursor, before and after merging, in bounded batches', async () => {
    const client = live.client();
    const job = await running();
    const line = `${'€'.repeat(9_999)}\n`;
    const long = 'x€'.repeat(30_000);
    const whole = Buffer.from(`${line}${line}${long}\n${line}`);
    for (let at = 0, sequence = 0; at < whole.length; at += 60_000, sequence += 1)
      await agent.chunk(job, sequence, at, whole.subarray(at, at + 60_000)).expect(201);
    await agent.finish(job).expect(200);
    await runUntilIdle(live.world.services);
    const all = new Listener(client, query, { id: job });
    await all.until(() => all.ended);
    expect(text(all.messages)).toBe(whole.toString());
    expect(Math.max(...all.messages.map(({ content }) => Buffer.byteLength(content)))).toBeLessThanOrEqual(65_536);
    expect(all.messages.length).toBeGreaterThan(3);
    const middle = all.messages[1].cursor;
    const rest = new Listener(client, query, { id: job, after: middle });
    await rest.until(() => rest.ended);
    expect(rest.messages).toEqual(all.messages.slice(2));
    await client.dispose();
  }, 15_000);

  test('a log subscription ends or is refused for deleted logs, jobs without logs, hidden jobs and malformed cursors', async () => {
    const client = live.client();
    const job = await running();
    await agent.chunk(job, 1, 0, 'secret\n').expect(201);
    await agent.finish(job).expect(200);
    await live.world.perform(live.world.admin, deleteJobLog, { job: { id: job } });
    const deleted = new Listener(client, query, { id: job });
    await deleted.until(() => deleted.ended, 15_000);
    expect(deleted.messages.map(({ content, finished }) => [content, finished])).toEqual([['', true]]);
    const { build } = await buildOf(live.world, 'steps: [{ command: "true" }, { block: "ok?" }]');
    const waiting = await live.world.services.db
      .selectFrom('jobs')
      .select('id')
      .where('buildId', '=', build.id)
      .where('type', '=', 'block')
      .executeTakeFirstOrThrow();
    const stranger = live.client(live.world.outsider);
    const scopeless = live.client(
      await live.world.personWithToken(live.world.admin.id, live.world.admin.email, { scopes: ['read_builds'] }),
    );
    const refusals = [
      new Listener(client, query, { id: waiting.id }),
      new Listener(stranger, query, { id: job }),
      new Listener(scopeless, query, { id: job }),
      new Listener(client, query, { id: job, after: 'x' }),
    ];
    await Promise.all(refusals.map((listener) => listener.until(() => listener.ended)));
    expect(refusals.map(({ errors }) => errors[0].extensions.code)).toEqual([
      'NOT_FOUND',
      'NOT_FOUND',
      'FORBIDDEN',
      'BAD_USER_INPUT',
    ]);
    for (const each of [client, stranger, scopeless]) await each.dispose();
  }, 25_000);
});
