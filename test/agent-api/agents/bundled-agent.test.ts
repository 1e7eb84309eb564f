import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { startAgent } from '../../../src/agent/session/start-agent.js';
import { systemClock } from '../../../src/services/clock.js';
import { cancelBuild } from '../../../src/operations/builds/cancel.js';
import { logStore } from '../../../src/resources/builds/logs/log-store.js';
import { readLog } from '../../../src/storage/logs/read-log.js';
import { agentApp, buildNow, buildOf, jobNow } from '../../support/scripted-agent.js';
import { temporaryDirectory } from '../../support/database.js';
import { World } from '../../support/world.js';

describe('the bundled agent against the real router', () => {
  let world: World;
  let server: Server;
  const builds = temporaryDirectory();
  beforeAll(async () => {
    world = await World.create();
    Object.assign(world.services, { clock: systemClock });
    server = agentApp(world).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(async () => {
    server.closeAllConnections();
    server.close();
    await world.close();
    builds.remove();
  });

  const endpoint = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/v3`;
  const run = (options: object) =>
    startAgent({
      endpoint: endpoint(),
      token: world.agentToken,
      buildPath: builds.path,
      version: '1.2.3',
      ...options,
    });
  const logOf = async (jobId: string) => {
    const parts: Uint8Array[] = [];
    for await (const part of readLog(logStore(world.services, world.organization.id), { jobId, finished: true }))
      parts.push(part);
    return Buffer.concat(parts)
      .toString('utf8')
      .replace(/\x1b_bk;t=\d+\x07/g, '');
  };

  test('the bundled agent registers, runs a job, streams its log and finishes it', async () => {
    const { build, first } = await buildOf(world, 'steps: [{ command: "echo hello $GREETED" }]', {
      env: { GREETED: 'world', BUILDKITE_SKIP_CHECKOUT: 'true' },
    });
    await expect(run({ disconnectAfterJob: true })).resolves.toMatchObject({ code: 0 });
    expect(await jobNow(world, first.id)).toMatchObject({ state: 'finished', passed: true, exitStatus: 0, attempt: 1 });
    expect(await buildNow(world, build.id)).toMatchObject({ state: 'passed' });
    const log = await logOf(first.id);
    expect(log).toContain('hello world\n');
    expect((await jobNow(world, first.id)).logSize).toBeGreaterThan(log.length);
  }, 40_000);

  test('agents without a name have different ones, since the server numbers them', async () => {
    const names: string[] = [];
    const info = (fields: Record<string, unknown>): void =>
      void (fields['agent'] && names.push(String(fields['agent'])));
    const quiet = (): void => undefined;
    const log = { debug: quiet, info, warn: quiet, error: quiet };
    const stop = new AbortController();
    const options = { endpoint: endpoint(), token: world.agentToken, buildPath: builds.path, log };
    const agents = [startAgent(options, stop.signal), startAgent(options, stop.signal)];
    await vi.waitFor(() => expect(names).toHaveLength(2), { timeout: 20_000 });
    stop.abort();
    await Promise.all(agents);
    expect(names.sort()).toEqual([`${hostname()}-1`, `${hostname()}-2`]);
  }, 40_000);

  test('the bundled agent stops a job that is canceled, and the log says so', async () => {
    const { build, first } = await buildOf(world, 'steps: [{ command: "echo begun; sleep 60" }]', {
      env: { BUILDKITE_SKIP_CHECKOUT: 'true' },
    });
    const exit = run({ disconnectAfterJob: true });
    while ((await jobNow(world, first.id)).state !== 'running') await sleep(50);
    await world.perform(world.admin, cancelBuild, { build: { id: build.id } });
    await expect(exit).resolves.toMatchObject({ code: 0 });
    expect(await jobNow(world, first.id)).toMatchObject({
      state: 'canceled',
      exitStatus: -1,
      signal: 'SIGTERM',
      signalReason: 'cancel',
    });
    expect(await buildNow(world, build.id)).toMatchObject({ state: 'canceled' });
    const agent = await world.services.db
      .selectFrom('agents')
      .select(['connectionState', 'sessionTokenHash'])
      .orderBy('id', 'desc')
      .executeTakeFirst();
    expect(agent).toEqual({ connectionState: 'disconnected', sessionTokenHash: null });
  }, 40_000);
});
