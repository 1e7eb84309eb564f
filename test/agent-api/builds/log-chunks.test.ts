import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { Express } from 'express';
import { runUntilIdle } from '../../support/run-until-idle.js';
import { readJobLog } from '../../../src/operations/builds/logs/read.js';
import { deleteJobLog } from '../../../src/operations/builds/logs/delete.js';
import { readLog } from '../../../src/storage/logs/read-log.js';
import { agentApp, buildOf, jobNow, ScriptedAgent } from '../../support/scripted-agent.js';
import { World } from '../../support/world.js';

describe('the log of a job', () => {
  let world: World;
  let app: Express;
  beforeAll(async () => {
    world = await World.create();
    app = agentApp(world);
  });
  afterAll(() => world.close());

  /** A job that runs, on an agent of its own. */
  async function running(): Promise<{ agent: ScriptedAgent; job: string }> {
    await buildOf(world, 'steps: [{ command: "true" }]');
    const agent = await ScriptedAgent.connected(app, world.agentToken);
    return { agent, job: await agent.takeJob() };
  }

  async function logOf(job: string): Promise<Buffer> {
    const { store, view } = await world.perform(world.admin, readJobLog, { job: { id: job } });
    const parts: Uint8Array[] = [];
    for await (const part of readLog(store, view)) parts.push(part);
    return Buffer.concat(parts);
  }

  test('log bytes are stored unchanged and in order when chunks arrive out of order, twice, or after the job ended (T14)', async () => {
    const { agent, job } = await running();
    const whole = Buffer.concat([Buffer.from('é\u001b[31m€'), randomBytes(3000), Buffer.from([0xff, 0x00, 0xc3])]);
    const pieces: [sequence: number, offset: number, bytes: Buffer][] = [];
    for (let at = 0; at < whole.length; at += 500) pieces.push([pieces.length + 1, at, whole.subarray(at, at + 500)]);
    await Promise.all(
      [...pieces.slice(0, -1)]
        .reverse()
        .map(([sequence, offset, bytes]) => agent.chunk(job, sequence, offset, bytes).expect(201)),
    );
    for (const [sequence, offset, bytes] of pieces.slice(0, 3))
      await agent.chunk(job, sequence, offset, bytes).expect(201);
    await agent.finish(job).expect(200);
    const [sequence, offset, bytes] = pieces.at(-1)!;
    await agent.chunk(job, sequence, offset, bytes).expect(201);
    expect(await logOf(job)).toEqual(whole);
    expect((await jobNow(world, job)).logSize).toBe(whole.length);
  });

  test('a gzipped chunk is stored as it came, in several members too, and nothing that comes behind the gzip', async () => {
    const { agent, job } = await running();
    const bodies = [
      Buffer.concat([gzipSync('one '), gzipSync('two ')]),
      Buffer.concat([gzipSync('three '), Buffer.alloc(9)]),
      gzipSync('four'),
    ];
    let [sequence, offset] = [0, 0];
    for (const [index, size] of [8, 6, 4].entries()) {
      await agent
        .call('post', `/jobs/${job}/chunks?sequence=${(sequence += 1)}&offset=${offset}&size=${size}`, agent.jobToken)
        .set({ 'Content-Type': 'text/plain', 'Content-Encoding': 'gzip' })
        .serialize((bytes) => bytes as never)
        .send(bodies[index])
        .expect(201);
      offset += size;
    }
    expect((await logOf(job)).toString()).toBe('one two three four');
    const rows = await world.services.db
      .selectFrom('log_chunks')
      .select('storedSize')
      .where('jobId', '=', job)
      .orderBy('sequence')
      .execute();
    expect(rows.map((row) => row.storedSize)).toEqual([bodies[0]!.length, expect.any(Number), bodies[2]!.length]);
    expect(rows[1]!.storedSize).toBeLessThan(bodies[1]!.length);
    await agent.finish(job).expect(200);
    await runUntilIdle(world.services);
    expect((await logOf(job)).toString()).toBe('one two three four');
  });

  test('compaction after the job ended keeps the log the same, and a chunk repeated afterwards is not stored again', async () => {
    const { agent, job } = await running();
    for (let index = 0; index < 5; index += 1) await agent.chunk(job, index, index * 6, `line ${index}`).expect(201);
    await agent.finish(job).expect(200);
    const before = await logOf(job);
    await runUntilIdle(world.services);
    const rows = await world.services.db.selectFrom('log_chunks').select('sequence').where('jobId', '=', job).execute();
    expect(rows).toEqual([{ sequence: -1 }]);
    expect((await jobNow(world, job)).logCompactedAt).toEqual(world.clock.now());
    await agent.chunk(job, 2, 12, 'line 2').expect(201);
    expect(await logOf(job)).toEqual(before);
    expect((await jobNow(world, job)).logSize).toBe(30);
  });

  test('chunks beyond 1 GiB, or sent after the log was deleted, are accepted and discarded', async () => {
    const { agent, job } = await running();
    await agent.chunk(job, 1, 1024 ** 3, 'beyond').expect(201);
    await agent.chunk(job, 2, 0, 'hello').expect(201);
    await agent.finish(job).expect(200);
    await world.perform(world.admin, deleteJobLog, { job: { id: job } });
    await agent.chunk(job, 3, 5, ' world').expect(201);
    expect((await logOf(job)).toString()).toBe('');
  });

  test.each([
    ['a size other than that of its bytes', 'sequence=1&offset=0&size=4', gzipSync('hello'), 422],
    ['no sequence', 'offset=0&size=5', gzipSync('hello'), 422],
    ['a negative offset', 'sequence=1&offset=-1&size=5', gzipSync('hello'), 422],
    ['a sequence beyond all numbers', 'sequence=2147483647&offset=0&size=5', gzipSync('hello'), 422],
    ['more than a chunk may hold', 'sequence=1&offset=0&size=102401', gzipSync(Buffer.alloc(102_401)), 422],
    [
      'a small body that is large when decompressed',
      'sequence=1&offset=0&size=50000000',
      gzipSync(Buffer.alloc(50_000_000)),
      413,
    ],
    ['bytes that are no gzip', 'sequence=1&offset=0&size=5', Buffer.from('hello'), 400],
  ])('a log chunk with %s is refused', async (_what, query, body, status) => {
    const { agent, job } = await running();
    const response = await agent
      .call('post', `/jobs/${job}/chunks?${query}`, agent.jobToken)
      .set({ 'Content-Type': 'text/plain', 'Content-Encoding': 'gzip' })
      .serialize((bytes) => bytes as never)
      .send(body);
    expect([response.status, typeof response.body.message]).toEqual([status, 'string']);
    expect((await logOf(job)).length).toBe(0);
    await agent.finish(job);
  });

  test('log chunks are refused before the job has started and from other agents', async () => {
    await buildOf(world, 'steps: [{ command: "true" }]');
    const [agent, stranger] = [
      await ScriptedAgent.connected(app, world.agentToken),
      await ScriptedAgent.connected(app, world.agentToken),
    ];
    const { job } = await agent.ping();
    await agent.accept(job!.id);
    await agent.chunk(job!.id, 1, 0, 'early').expect(422);
    await agent.start(job!.id).expect(200);
    await stranger.chunk(job!.id, 1, 0, 'theirs', stranger.session).expect(422);
    expect((await logOf(job!.id)).length).toBe(0);
    await agent.finish(job!.id);
  });

  test('header times sent by old agents are merged with those found in the log', async () => {
    const { agent, job } = await running();
    await agent.chunk(job, 1, 0, '--- one\n--- two\n').expect(201);
    await agent
      .call('post', `/jobs/${job}/header_times`, agent.jobToken)
      .send({ header_times: { 0: '2026-01-02T03:04:05.000000001Z' } })
      .expect(200);
    await agent
      .call('post', `/jobs/${job}/header_times`, agent.jobToken)
      .send({ header_times: { 1: '2026-01-02T03:04:06Z', x: 'y' } })
      .expect(200);
    const { headerTimes } = await world.perform(world.admin, readJobLog, { job: { id: job } });
    expect(await headerTimes()).toEqual([1767323045000000001n, 1767323046000000000n]);
    await agent.finish(job);
  });
});
