import { gzipSync } from 'node:zlib';
import type { RequestListener } from 'node:http';
import express, { type Express } from 'express';
import type { Response, Test } from 'supertest';
import { agentRouter } from '../../src/agent-api/router.js';
import { streamPingsPath, streamPingsRouter } from '../../src/agent-api/streamed-pings.js';
import { AgentDispatch } from '../../src/dispatch/agent-dispatch.js';
import type { BuildRow, JobRow } from '../../src/entities/database.js';
import { createBuild } from '../../src/operations/builds/create.js';
import { requestsTo } from './requests.js';
import type { World } from './world.js';

/** The agent API as the server mounts it. */
export function agentApp(world: World): Express {
  const app = express();
  app.disable('x-powered-by');
  app.use(streamPingsPath, streamPingsRouter(world.services, dispatchOf(world)));
  app.use('/v3', agentRouter(world.services, dispatchOf(world)));
  return app;
}

/** The agents that wait in the process that a world stands for. */
export function dispatchOf({ services }: World): AgentDispatch {
  if (!(services.dispatch instanceof AgentDispatch)) services.dispatch = new AgentDispatch(services);
  return services.dispatch as AgentDispatch;
}

type Json = Record<string, unknown>;

/** An agent that makes exactly the calls that a test makes through it, over HTTP. */
export class ScriptedAgent {
  id = '';
  session = '';
  /** The token of the job it took last. */
  jobToken = '';

  constructor(
    private readonly app: RequestListener,
    private readonly registrationToken: string,
    readonly userAgent = 'buildkite-agent/3.137.0.x (linux; amd64)',
  ) {}

  /** Registered and connected. */
  static async connected(app: RequestListener, token: string, fields: Json = {}): Promise<ScriptedAgent> {
    const agent = new ScriptedAgent(app, token);
    await agent.register(fields);
    await agent.call('post', '/connect').expect(200);
    return agent;
  }

  async register(fields: Json = {}): Promise<Response> {
    const response = await requestsTo(this.app)
      .post('/v3/register')
      .set({ Authorization: `Token ${this.registrationToken}`, 'User-Agent': this.userAgent })
      .send({
        name: 'agent-%n',
        hostname: 'box',
        os: 'Debian\n12',
        arch: 'amd64',
        version: '3.137.0',
        build: 'x',
        meta_data: ['queue=default'],
        pid: 7,
        features: [],
        ...fields,
      });
    this.id = response.body.id;
    this.session = response.body.access_token;
    return response;
  }

  /** One call with the session token, or another. */
  call(method: 'get' | 'post' | 'put' | 'delete', path: string, token = this.session): Test {
    return requestsTo(this.app)
      [method](`/v3${path}`)
      .set({ Authorization: `Token ${token}`, 'User-Agent': this.userAgent });
  }

  async ping(): Promise<Json & { job?: { id: string; state: string }; action?: string }> {
    return (await this.call('get', '/ping').expect(200)).body;
  }

  async accept(job: string): Promise<Response> {
    const response = await this.call('put', `/jobs/${job}/accept`);
    if (response.status === 200) this.jobToken = response.body.token;
    return response;
  }

  start(job: string): Test {
    return this.call('put', `/jobs/${job}/start`, this.jobToken).send({ started_at: '2026-01-02T03:04:05.123456789Z' });
  }

  finish(job: string, result: Json = {}): Test {
    return this.call('put', `/jobs/${job}/finish`, this.jobToken).send({
      exit_status: '0',
      finished_at: '2026-01-02T03:04:06Z',
      chunks_failed_count: 0,
      ...result,
    });
  }

  state(job: string): Test {
    return this.call('get', `/jobs/${job}`, this.jobToken);
  }

  chunk(job: string, sequence: number, offset: number, bytes: string | Buffer, token = this.jobToken): Test {
    const raw = Buffer.from(bytes);
    return this.call('post', `/jobs/${job}/chunks?sequence=${sequence}&offset=${offset}&size=${raw.length}`, token)
      .set({ 'Content-Type': 'text/plain', 'Content-Encoding': 'gzip' })
      .serialize((body) => body as unknown as string)
      .send(gzipSync(raw));
  }

  /** Pings, accepts and starts; fails unless a job is offered. */
  async takeJob(): Promise<string> {
    const { job } = await this.ping();
    if (!job) throw new Error('no job was offered');
    const accepted = await this.accept(job.id);
    if (accepted.status !== 200) throw new Error(`accept answered ${accepted.status}`);
    await this.start(job.id).expect(200);
    return job.id;
  }
}

/** A build of a pipeline with these steps, made as a user makes one; with its command jobs in order. */
export async function buildOf(
  world: World,
  steps: string,
  fields: Json = {},
): Promise<{ build: BuildRow; jobs: JobRow[]; first: JobRow }> {
  const pipeline = await world.pipeline(steps);
  const { build } = await world.perform(world.admin, createBuild, {
    pipeline: { id: pipeline.id },
    commit: 'HEAD',
    branch: 'main',
    message: 'Go',
    ...fields,
  });
  const jobs = await world.services.db
    .selectFrom('jobs')
    .selectAll()
    .where('buildId', '=', build.id)
    .where('type', '=', 'command')
    .orderBy('position')
    .orderBy('id')
    .execute();
  const [first] = jobs;
  if (!first) throw new Error('the pipeline has no command');
  return { build, jobs, first };
}

export const jobNow = (world: World, id: string): Promise<JobRow> =>
  world.services.db.selectFrom('jobs').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
export const buildNow = (world: World, id: string): Promise<BuildRow> =>
  world.services.db.selectFrom('builds').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
