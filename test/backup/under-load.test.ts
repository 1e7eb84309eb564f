import { setTimeout as sleep } from 'node:timers/promises';
import { compactLog } from '../../src/storage/logs/compact-log.js';
import type { ObjectStorage } from '../../src/storage/storage.js';
import { createBuild } from '../../src/operations/builds/create.js';
import { readJobLog } from '../../src/operations/builds/logs/read.js';
import { logRef, logStore } from '../../src/resources/builds/logs/log-store.js';
import { logText } from '../../src/resources/builds/logs/log-text.js';
import { runChecks } from '../../src/resources/installation/check/run-checks.js';
import { checkSecretKeys } from '../../src/resources/installation/secret-keys/check.js';
import { readFacts } from '../simulation/checks/facts.js';
import { violations } from '../simulation/checks/invariants.js';
import { wrongCounts } from '../simulation/checks/wrong-counts.js';
import { agentApp, buildOf, ScriptedAgent } from '../support/scripted-agent.js';
import { World } from '../support/world.js';
import { Copies } from './copies.js';

describe('a backup while the installation works', () => {
  let world: World;
  let copies: Copies;
  beforeEach(async () => {
    copies = new Copies();
    world = await World.create();
    await checkSecretKeys(world.services);
  });
  afterEach(async () => {
    await copies.remove();
    await world.close();
  });

  /** A finished job with a log of some chunks; the text of its log. */
  async function finishedJob() {
    const { first } = await buildOf(world, 'steps: [{ command: "true" }]');
    const agent = await ScriptedAgent.connected(agentApp(world), world.agentToken);
    await agent.takeJob();
    let text = '';
    for (let sequence = 1; sequence <= 5; sequence += 1) {
      const chunk = `line ${sequence} of the log\n`.repeat(50 * sequence);
      await agent.chunk(first.id, sequence, text.length, chunk).expect(201);
      text += chunk;
    }
    await agent.finish(first.id).expect(200);
    return { job: first, text };
  }

  test('has the whole log of a job whose chunks were merged, and their objects deleted, between its rows and its bytes', async () => {
    const { job, text } = await finishedJob();
    const { storage } = world.services;
    const merged: number[] = [];
    // The first object that is looked for, when all rows have been read.
    const merging = Object.assign(Object.create(storage) as ObjectStorage, {
      stat: async (key: string) => {
        if (merged.push(1) === 1)
          expect(await compactLog(logStore({ ...world.services, storage }, job.organizationId), logRef(job))).toEqual({
            pieces: 1,
            chunksMerged: 5,
          });
        return storage.stat(key);
      },
    });
    const { services, database } = world;
    const backup = await copies.backUp({ database, services: { ...services, storage: merging } } as World, 'backup');
    expect(backup).toMatchObject({ count: 5, missing: 0, damaged: 0 });
    const copy = await copies.restore(world, 'backup');
    const there = world.over(copy.database, copy.storage);
    const log = await there.perform(world.admin, readJobLog, { job: { id: job.id } });
    expect(await logText(log)).toBe(text);
  });

  test('says which bytes were deleted between its rows and its bytes, and is restored without them', async () => {
    const { job } = await finishedJob();
    const { services, database } = world;
    const deleting = Object.assign(Object.create(services.storage) as ObjectStorage, {
      stat: async (key: string) => {
        await services.db.deleteFrom('log_chunks').where('jobId', '=', job.id).execute();
        await services.storage.delete(key);
        return null;
      },
    });
    const backup = await copies.backUp({ database, services: { ...services, storage: deleting } } as World, 'backup');
    expect(backup).toMatchObject({ count: 0, missing: 5 });
    expect(backup.examples[0]).toMatch(/^organizations\/.*\/log\/chunks\//);
    const copy = await copies.restore(world, 'backup');
    const log = await world.over(copy.database, copy.storage).perform(world.admin, readJobLog, { job: { id: job.id } });
    expect(await logText(log)).toContain('[part of this log is missing]');
  });

  test('is of one moment: restored, it keeps every promise that rows can show, and has an unbroken beginning of what was written', async () => {
    const pipeline = await world.pipeline('steps: [{ command: "true" }, wait, { command: "true" }]');
    const numbers: number[] = [];
    let over = false;
    const write = async () => {
      while (!over) {
        const { build } = await world.perform(world.admin, createBuild, {
          pipeline: { id: pipeline.id },
          commit: 'HEAD',
          branch: 'main',
        });
        numbers.push(build.number);
        await sleep(5);
      }
    };
    const app = agentApp(world);
    const work = async () => {
      const agent = await ScriptedAgent.connected(app, world.agentToken);
      while (!over) {
        const { job } = await agent.ping();
        if (!job) {
          await sleep(20);
          continue;
        }
        await agent.accept(job.id);
        await agent.start(job.id);
        await agent.chunk(job.id, 1, 0, `log of ${job.id}\n`);
        await agent.finish(job.id);
      }
    };
    const writers = [write(), work(), work()];
    while (numbers.length < 20) await sleep(10);
    const before = numbers.length;
    await copies.backUp(world, 'backup');
    const during = numbers.length;
    over = true;
    await Promise.all(writers);
    const { database, storage } = await copies.restore(world, 'backup');
    const builds = await database.db.selectFrom('builds').select('number').orderBy('number').execute();
    expect(builds.length).toBeGreaterThanOrEqual(before);
    expect(builds.length).toBeLessThanOrEqual(during + 1);
    expect(builds.map(({ number }) => number)).toEqual(builds.map((_, index) => index + 1));
    expect(violations(await readFacts(database.db, [pipeline.id]))).toEqual([]);
    expect(await wrongCounts(database.db)).toEqual([]);
    const chunks = await database.db.selectFrom('log_chunks').select('storedKey').execute();
    expect(chunks.length).toBeGreaterThan(0);
    const findings: string[] = [];
    const restored = { ...world.services, db: database.db, storage };
    for await (const { promise, subject, is } of runChecks(restored, { repairs: false }))
      findings.push(`${promise} ${subject}: is ${is}`);
    expect(findings).toEqual([]);
  });
});
