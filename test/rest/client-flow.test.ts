import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { agentRouter } from '../../src/agent-api/router.js';
import { startAgent } from '../../src/agent/session/start-agent.js';
import { systemClock } from '../../src/services/clock.js';
import { temporaryDirectory } from '../support/database.js';
import { RestWorld } from './rest-world.js';

/** The flow of a client library's own live tests (rest-facts 9.1), with the bundled agent to run the job. */
describe('a client that builds a new pipeline', () => {
  let rest: RestWorld;
  let server: Server;
  const checkouts = temporaryDirectory();
  const pipelines = '/organizations/acme/pipelines';
  const script = {
    type: 'script',
    name: 'Test',
    command: 'echo from the job',
    artifact_paths: 'out/*',
    env: { BUILDKITE_SKIP_CHECKOUT: 'true' },
  };
  // Clients send keys that a block step does not have.
  const manual = { type: 'manual', label: 'Go on?', name: 'Block', command: 'none' };

  beforeAll(async () => {
    rest = await RestWorld.create();
    const { services, organization, clusterId } = rest.world;
    Object.assign(services, { clock: systemClock });
    await services.db
      .updateTable('organizations')
      .set({ defaultClusterId: clusterId })
      .where('id', '=', organization.id)
      .execute();
    rest.app.use('/v3', agentRouter(services));
    server = createServer(rest.app).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(async () => {
    server.closeAllConnections();
    server.close();
    await rest.close();
    checkouts.remove();
  });

  const runOneJob = () =>
    startAgent({
      endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v3`,
      token: rest.world.agentToken,
      buildPath: checkouts.path,
      version: '1.2.3',
      disconnectAfterJob: true,
    });

  /** Reads a build until it stands still, as clients do. */
  async function settled(path: string) {
    for (;;) {
      const { body } = await rest.get(path);
      if (['passed', 'failed', 'blocked', 'canceled'].includes(body.state)) return body;
      await sleep(50);
    }
  }

  test('a client creates a pipeline, builds it and unblocks it', async () => {
    expect([
      (await rest.get(`${pipelines}/flow`)).status,
      (await rest.request('delete', `${pipelines}/flow`)).status,
    ]).toEqual([404, 404]);

    const made = await rest.post(pipelines, {
      name: 'Flow',
      repository: 'git@example.com:acme/flow.git',
      steps: [script, manual],
    });
    expect([made.status, made.body.slug, made.body.cluster_id]).toEqual([201, 'flow', rest.world.clusterId]);
    const changed = await rest
      .request('patch', `${pipelines}/flow`)
      .send({ steps: [script, { type: 'waiter' }, script] });
    expect(changed.status).toBe(200);
    expect((await rest.get(`${pipelines}/flow`)).body.steps).toHaveLength(3);
    await rest.request('patch', `${pipelines}/flow`).send({ steps: [script, manual] });
    const builds = `${pipelines}/flow/builds`;
    expect((await rest.get(builds)).body).toEqual([]);

    const first = await rest.post(builds, { commit: 'HEAD', branch: 'main', message: 'Flow' });
    expect([first.status, first.body.number]).toEqual([201, 1]);
    expect((await rest.put(`${builds}/1/cancel`)).status).toBe(200);
    const rebuilt = await rest.put(`${builds}/1/rebuild`);
    expect([rebuilt.status, rebuilt.body.number, rebuilt.body.rebuilt_from.number]).toEqual([200, 2, 1]);

    const [, build] = await Promise.all([runOneJob(), settled(`${builds}/2`)]);
    expect(build).toMatchObject({ state: 'passed', blocked: true, blocked_state: 'passed' });
    expect(build.jobs).toMatchObject([
      {
        type: 'script',
        name: 'Test',
        state: 'passed',
        exit_status: 0,
        artifact_paths: 'out/*',
        agent: { user_agent: expect.any(String) },
      },
      { type: 'manual', state: 'blocked', unblockable: true },
    ]);

    const log = `${builds}/2/jobs/${build.jobs[0].id}/log`;
    expect((await rest.get(log)).body.content).toContain('from the job');
    expect((await rest.request('delete', log)).status).toBe(204);
    expect((await rest.get(log)).body).toMatchObject({ content: '', size: 0, header_times: [] });

    const unblocked = await rest.put(`${builds}/2/jobs/${build.jobs[1].id}/unblock`);
    expect([unblocked.status, unblocked.body.state]).toEqual([200, 'unblocked']);
    expect(await settled(`${builds}/2`)).toMatchObject({
      state: 'passed',
      blocked: false,
      finished_at: expect.any(String),
    });

    expect((await rest.request('delete', `${pipelines}/flow`)).status).toBe(204);
    expect([(await rest.get(`${pipelines}/flow`)).status, (await rest.get(`${builds}/2`)).status]).toEqual([404, 404]);
  }, 60_000);
});
