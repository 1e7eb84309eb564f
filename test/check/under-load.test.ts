import { setTimeout as sleep } from 'node:timers/promises';
import { createAnnotation } from '../../src/operations/builds/annotations/create.js';
import { cancelBuild } from '../../src/operations/builds/cancel.js';
import { createBuild } from '../../src/operations/builds/create.js';
import { deletePipeline } from '../../src/operations/pipelines/delete.js';
import type { Finding } from '../../src/resources/installation/check/check.js';
import { runChecks } from '../../src/resources/installation/check/run-checks.js';
import { claimStorage } from '../../src/resources/installation/storage/claim-storage.js';
import { checkSecretKeys } from '../../src/resources/installation/secret-keys/check.js';
import { runUntilIdle } from '../support/run-until-idle.js';
import { agentApp, ScriptedAgent } from '../support/scripted-agent.js';
import { World } from '../support/world.js';

const steps = `steps:
  - { command: one, concurrency: 1, concurrency_group: line, retry: { automatic: [{ exit_status: 1, limit: 2 }] } }
  - { command: two }
  - wait
  - { trigger: downstream }
  - { command: three }`;

/** Builds that the load makes at least while it is checked. */
const buildsAtLeast = 6;

test('a check of a busy installation finds nothing, and repairs nothing: what changes meanwhile is no finding', async () => {
  const world = await World.create();
  const { services } = world;
  await checkSecretKeys(services);
  await claimStorage(services);
  await world.pipeline('steps: [{ command: "true" }]', { slug: 'downstream' });
  const pipeline = await world.pipeline(steps);
  const address = { pipeline: { id: pipeline.id }, commit: 'HEAD', branch: 'main' };
  const app = agentApp(world);
  let over = false;
  let builds = 0;

  const users = async () => {
    while (!over) {
      const { build } = await world.perform(world.admin, createBuild, address);
      builds += 1;
      await world.perform(world.admin, createAnnotation, { of: { build: { id: build.id } }, body: 'note' });
      if (builds % 4 === 0)
        await world.perform(world.admin, cancelBuild, { build: { id: build.id } }).catch(() => null);
      if (builds % 5 === 0) {
        const other = await world.pipeline('steps: [{ command: "true" }]');
        await world.perform(world.admin, createBuild, { ...address, pipeline: { id: other.id } });
        await world.perform(world.admin, deletePipeline, { pipeline: { id: other.id } });
      }
      await sleep(40);
    }
  };
  const agents = async () => {
    const agent = await ScriptedAgent.connected(app, world.agentToken);
    for (let jobs = 0; !over; jobs += 1) {
      const { job } = await agent.ping();
      if (!job) await sleep(10);
      else if ((await agent.accept(job.id)).status === 200) {
        await agent.start(job.id);
        await agent.chunk(job.id, 1, 0, `log of ${job.id}\n`);
        await agent.chunk(job.id, 2, job.id.length + 8, 'its end\n');
        await agent.finish(job.id, { exit_status: jobs % 3 === 0 ? '1' : '0' });
      }
    }
  };
  const background = async () => {
    while (!over) {
      await runUntilIdle(services);
      await sleep(10);
    }
  };

  const load = [users(), agents(), agents(), background()];
  const findings: Finding[] = [];
  let rounds = 0;
  for (; rounds < 2 || builds < buildsAtLeast; rounds += 1)
    for await (const finding of runChecks(services, { repairs: rounds % 2 === 1 })) findings.push(finding);
  over = true;
  await Promise.all(load);
  expect(findings).toEqual([]);
  await runUntilIdle(services);
  for await (const finding of runChecks(services, { repairs: false })) findings.push(finding);
  expect(findings).toEqual([]);
  await world.close();
}, 60_000);
