import type { Express } from 'express';
import { sql } from 'kysely';
import { agentRoutes } from '../../../src/agent-api/routes.js';
import { pauseAgent } from '../../../src/operations/agents/pause.js';
import { resumeAgent } from '../../../src/operations/agents/resume.js';
import { agentApp, buildOf, jobNow, ScriptedAgent } from '../../support/scripted-agent.js';
import { World } from '../../support/world.js';

const uuid = '11111111-2222-4333-8444-555555555555';
const file = { path: 'a.txt', file_size: 1, sha1sum: '0'.repeat(40) };

/** A body that each call would succeed with while the job runs. */
const bodies: Record<string, object> = {
  '/pause': { note: 'x' },
  '/jobs/:job/oidc/tokens': { audience: 'x' },
  '/jobs/:job/promise_failure': { exit_status: 3 },
  '/jobs/:job/finish': { exit_status: '0' },
  '/steps/:step': { attribute: 'label', value: 'x' },
  '/jobs/:job/pipelines': { uuid, pipeline: { steps: [{ command: 'x' }] } },
  '/jobs/:job/annotations': { body: 'x' },
  '/jobs/:job/data/set': { key: 'k', value: 'x' },
  '/jobs/:job/data/set-batch': { items: [{ key: 'k', value: 'x' }] },
  '/jobs/:job': { timeout: '5' },
  '/jobs/:job/artifacts': { id: uuid, artifacts: [file] },
};
const reads = { key: 'k' };

/** Every call about a job, its build, its steps or its agent. */
const calls = agentRoutes.filter(
  ({ path, rate }) =>
    rate === null && (/:(job|build|step)\b/.test(path) || ['/stop', '/pause', '/resume'].includes(path)),
);
const nameOf = ({ method, path }: (typeof calls)[number]) => `${method} ${path}`;

/** Calls about the agent by its own session: they are the agent's, whatever job it has. */
const ofAgent = ['post /stop', 'post /pause', 'post /resume'];

/** What an agent may do with a job that it was offered. */
const whileOffered = ['put /jobs/:job/accept', 'get /jobs/:job', ...ofAgent];

/** What the token of a job may do after its end: reads of its build, and reports that are late or repeated. */
const afterTheEnd = [
  'get /jobs/:job',
  'post /jobs/:job/chunks',
  'post /jobs/:job/header_times',
  'put /jobs/:job/finish',
  'post /steps/:step/export',
  'get /jobs/:job/pipelines/:uuid',
  'post /jobs/:job/annotations',
  'delete /jobs/:job/annotations/:context',
  'post /jobs/:job/data/set',
  'post /jobs/:job/data/set-batch',
  'post /jobs/:job/data/get',
  'post /jobs/:job/data/exists',
  'post /jobs/:job/data/keys',
  'post /builds/:build/data/get',
  'post /builds/:build/data/exists',
  'post /builds/:build/data/keys',
  'post /jobs/:job/artifacts',
  'put /jobs/:job/artifacts',
  'get /builds/:build/artifacts/search',
];

describe('what a job may do', () => {
  let world: World;
  let app: Express;
  beforeAll(async () => {
    world = await World.create();
    app = agentApp(world);
  });
  afterAll(() => world.close());

  /** Sends a call about a job as if it ran; the status of the reply. */
  async function send(
    route: (typeof calls)[number],
    agent: ScriptedAgent,
    jobId: string,
    token: string,
  ): Promise<number> {
    const job = await jobNow(world, jobId);
    const path = route.path
      .replace(':job', job.id)
      .replace(':build', job.buildId)
      .replace(':step', job.stepId)
      .replace(':uuid', uuid)
      .replace(':context', 'default');
    if (route.body === 'bytes') return (await agent.chunk(job.id, 1, 0, 'late', token)).status;
    const query = route.path.endsWith('/search') ? '?query=*' : route.path.endsWith('/secrets') ? '?key=K' : '';
    const body = bodies[route.path] ?? (route.path.includes('/data/') ? reads : {});
    const artifacts = await world.services.db
      .selectFrom('artifacts')
      .select('id')
      .where('jobId', '=', job.id)
      .execute();
    const states = { artifacts: artifacts.map(({ id }) => ({ id, state: 'error' })) };
    const call = agent.call(route.method, path + query, token);
    return (
      await (route.method === 'get' ? call : call.send(nameOf(route) === 'put /jobs/:job/artifacts' ? states : body))
    ).status;
  }

  /**
   * Everything that a call could change, whichever table it is in: a digest of each. Signs of life of agents are stored
   * late.
   */
  async function everything(): Promise<Record<string, unknown>> {
    const tables = [
      'builds',
      'jobs',
      'steps',
      'build_meta_data',
      'annotations',
      'artifacts',
      'agents',
      'step_uploads',
      'events',
    ];
    const digests = tables.map(
      (table) =>
        sql`select ${sql.lit(table)} as name, md5(string_agg(row::text, ',' order by row::text)) as digest from (select to_jsonb(t) - array['heartbeat_at', 'heard_ms', 'pinged_at'] as row from ${sql.table(table)} t) x`,
    );
    const { rows } = await sql<{ name: string; digest: string }>`${sql.join(digests, sql` union all `)}`.execute(
      world.services.db,
    );
    return Object.fromEntries(rows.map(({ name, digest }) => [name, digest]));
  }

  /** A job that has run, with meta-data, an annotation, an artifact and an upload of its own, and has ended. */
  async function ended() {
    const { first } = await buildOf(world, 'steps: [{ command: "true" }, wait, { command: "true" }]');
    const agent = await ScriptedAgent.connected(app, world.agentToken);
    await agent.takeJob();
    const call = (path: string, body: object) =>
      agent
        .call('post', `/jobs/${first.id}/${path}`, agent.jobToken)
        .send(body)
        .expect((reply) => expect(reply.status).toBeLessThan(300));
    await call('data/set', { key: 'k', value: 'v' });
    await call('annotations', { body: 'here' });
    await call('artifacts', { id: uuid, artifacts: [file] });
    await call('pipelines', { uuid, pipeline: { steps: [{ command: 'late' }] } });
    await agent.finish(first.id).expect(200);
    return { agent, job: first.id };
  }

  test.each(
    calls.filter((route) => !whileOffered.includes(nameOf(route))).map((route) => [nameOf(route), route] as const),
  )('a job that is only offered is no reason for %s', async (_name, route) => {
    const { first } = await buildOf(world, 'steps: [{ command: "true" }]');
    const agent = await ScriptedAgent.connected(app, world.agentToken);
    const { job } = await agent.ping();
    expect([job?.id, (await jobNow(world, first.id)).state]).toEqual([first.id, 'assigned']);
    const before = await everything();
    const status = await send(route, agent, first.id, agent.session);
    // An agent that was started for the job acquires what it was offered.
    if (nameOf(route) === 'put /jobs/:job/acquire') return expect(status).toBe(200);
    expect([403, 404, 422]).toContain(status);
    expect(await everything()).toEqual(before);
    await agent.call('post', '/disconnect').expect(200);
    await world.services.db.updateTable('jobs').set({ state: 'canceled' }).where('id', '=', first.id).execute();
  });

  test.each(
    calls.filter((route) => afterTheEnd.includes(nameOf(route))).map((route) => [nameOf(route), route] as const),
  )('the token of a job that has ended is good for %s, for an hour', async (_name, route) => {
    const { agent, job } = await ended();
    expect(await send(route, agent, job, agent.jobToken)).toBeLessThan(300);
  });

  test.each(
    calls.filter((route) => !afterTheEnd.includes(nameOf(route))).map((route) => [nameOf(route), route] as const),
  )('the token of a job that has ended is not good for %s', async (_name, route) => {
    const { agent, job } = await ended();
    const before = await everything();
    const status = await send(route, agent, job, agent.jobToken);
    // An upload that is sent again has the outcome of the first.
    if (nameOf(route) === 'post /jobs/:job/pipelines') expect(status).toBe(200);
    else expect([403, 404, 422]).toContain(status);
    expect(await everything()).toEqual(before);
  });

  test('a job may cancel its build while it runs, and its token works no more an hour after its end', async () => {
    const { first } = await buildOf(world, 'steps: [{ command: "true" }]');
    const agent = await ScriptedAgent.connected(app, world.agentToken);
    await agent.takeJob();
    await agent.call('post', `/builds/${first.buildId}/cancel`, agent.jobToken).send({}).expect(200);
    await agent.finish(first.id).expect(200);
    await agent.call('post', `/jobs/${first.id}/data/exists`, agent.jobToken).send(reads).expect(200);
    world.clock.advance(3_601);
    await agent.call('post', `/jobs/${first.id}/data/exists`, agent.jobToken).send(reads).expect(401);
  });

  test('a paused agent acquires no job until it is resumed, and is told to ask again', async () => {
    const { first } = await buildOf(world, 'steps: [{ command: "true" }]');
    const agent = await ScriptedAgent.connected(app, world.agentToken, { ignore_in_dispatches: true });
    await world.perform(world.admin, pauseAgent, { agent: { organization: 'acme', id: agent.id } });
    const refused = await agent.call('put', `/jobs/${first.id}/acquire`);
    expect([refused.status, refused.body, Number(refused.headers['retry-after']) > 0]).toEqual([
      423,
      { message: 'The job cannot be acquired yet: the agent is paused' },
      true,
    ]);
    expect((await jobNow(world, first.id)).state).toBe('scheduled');
    await world.perform(world.admin, resumeAgent, { agent: { organization: 'acme', id: agent.id } });
    await agent.call('put', `/jobs/${first.id}/acquire`).expect(200);
  });
});
