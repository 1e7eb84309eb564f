import { createHash, randomUUID } from 'node:crypto';
import express, { type Express } from 'express';
import type { Test } from 'supertest';
import { agentRouter } from '../../src/agent-api/router.js';
import type { ArtifactRow, BuildRow } from '../../src/entities/database.js';
import { filesRouter } from '../../src/artifact-transfer/router.js';
import { restSurface } from '../../src/rest/router.js';
import { requestsTo } from './requests.js';
import { buildOf, ScriptedAgent } from './scripted-agent.js';
import { type Person, World } from './world.js';

const hash = (algorithm: 'sha1' | 'sha256', bytes: string | Buffer) =>
  createHash(algorithm).update(bytes).digest('hex');

/** A file as agents announce it. */
export function announced(path: string, bytes: string | Buffer, more: object = {}) {
  return {
    path,
    absolute_path: `/work/${path}`,
    glob_path: '**/*',
    file_size: Buffer.byteLength(bytes),
    sha1sum: hash('sha1', bytes),
    sha256sum: hash('sha256', bytes),
    content_type: 'text/plain',
    id: '',
    job_id: '',
    created_at: '0001-01-01T00:00:00Z',
    ...more,
  };
}

export interface Holder {
  agent: ScriptedAgent;
  job: string;
  build: BuildRow;
  slug: string;
}

/** A world with everything in front of it that artifacts pass through. */
export class ArtifactWorld {
  private constructor(
    readonly world: World,
    readonly app: Express,
  ) {}

  static async create(): Promise<ArtifactWorld> {
    const world = await World.create();
    const app = express();
    app.use('/v2', restSurface(world.services).router);
    app.use('/v3', agentRouter(world.services));
    app.use('/files', filesRouter(world.services));
    return new ArtifactWorld(world, app);
  }

  close(): Promise<void> {
    return this.world.close();
  }

  rest(method: 'get' | 'put' | 'delete' | 'head', path: string, person: Person = this.world.admin): Test {
    return requestsTo(this.app)[method](`/v2${path}`).set('Authorization', person.authorization);
  }

  /** A request of an address that was handed out: it leads to this host. */
  follow(method: 'get' | 'put' | 'post' | 'head', url: string): Test {
    const { pathname, search, origin } = new URL(url);
    if (origin !== this.world.services.baseUrl) throw new Error(`${url} is not on this host`);
    return requestsTo(this.app)[method](pathname + search);
  }

  /** A job that an agent runs. */
  async holding(steps = 'steps: [{ command: make, key: make, label: Make }]'): Promise<Holder> {
    const { build } = await buildOf(this.world, steps);
    const agent = await ScriptedAgent.connected(this.app, this.world.agentToken);
    const job = await agent.takeJob();
    const { slug } = await this.world.services.db
      .selectFrom('pipelines')
      .select('slug')
      .where('id', '=', build.pipelineId)
      .executeTakeFirstOrThrow();
    return { agent, job, build, slug };
  }

  register({ agent, job }: Holder, artifacts: object[], more: object = {}): Test {
    return agent
      .call('post', `/jobs/${job}/artifacts`, agent.jobToken)
      .send({ id: randomUUID(), artifacts, upload_destination: '', ...more });
  }

  states({ agent, job }: Holder, artifacts: object[]): Test {
    return agent.call('put', `/jobs/${job}/artifacts`, agent.jobToken).send({ artifacts });
  }

  /** Sends a file as agents of all versions do: the fields, then the file, without a credential. */
  sendForm(
    instructions: {
      action: { url: string; path: string; method: string; file_input: string };
      data: Record<string, string>;
    },
    path: string,
    bytes: string | Buffer,
  ): Test {
    const { action, data } = instructions;
    const form = this.follow('post', new URL(action.path, action.url).href);
    for (const [name, value] of Object.entries(data)) form.field(name, value.replaceAll('${artifact:path}', path));
    return form.attach(action.file_input, Buffer.from(bytes), {
      filename: path,
      contentType: 'application/octet-stream',
    });
  }

  /** Files of a job that are there as a whole; their ids, in order. */
  async upload(holder: Holder, files: Record<string, string>, more: object = {}): Promise<string[]> {
    const { body } = await this.register(
      holder,
      Object.entries(files).map(([path, bytes]) => announced(path, bytes, more)),
    ).expect(201);
    for (const [path, bytes] of Object.entries(files))
      await this.sendForm(body.upload_instructions, path, bytes).expect(204);
    await this.states(
      holder,
      body.artifact_ids.map((id: string) => ({ id, state: 'finished' })),
    ).expect(200);
    return body.artifact_ids;
  }

  row(id: string): Promise<ArtifactRow> {
    return this.world.services.db.selectFrom('artifacts').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  }

  /** Keys of everything stored for artifacts. */
  async stored(): Promise<string[]> {
    const keys: string[] = [];
    for await (const { key } of this.world.services.storage.list('')) if (key.includes('/artifacts/')) keys.push(key);
    return keys;
  }
}
