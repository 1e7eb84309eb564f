import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import express, { type Express } from 'express';
import type { KyselyPlugin } from 'kysely';
import type { Test } from 'supertest';
import type { Route } from '../../src/rest/route.js';
import { restSurface } from '../../src/rest/router.js';
import { checkDocumented, checkKept } from '../support/checked-request.js';
import { requestsTo } from '../support/requests.js';
import { type Person, World } from '../support/world.js';

/** A world with the REST surface in front of it, as the server mounts it. */
export class RestWorld {
  private counting = false;

  private constructor(
    readonly world: World,
    readonly app: Express,
    private readonly server: Server,
    /** A table of a test's own is in no document. */
    private readonly documented: boolean,
  ) {}

  static async create(
    options: Parameters<typeof World.create>[0] & { routes?: readonly Route[] } = {},
  ): Promise<RestWorld> {
    const world = await World.create(options);
    const app = express();
    // As `server/application.ts` does: tags are the surface's own.
    app.disable('etag').disable('x-powered-by');
    app.use('/v2', restSurface(world.services, options.routes).router);
    const server = createServer(app).listen(0);
    // On a busy machine more time passes between two requests than Node keeps a connection for.
    server.keepAliveTimeout = 60_000;
    await once(server, 'listening');
    return new RestWorld(world, app, server, options.routes === undefined);
  }

  close(): Promise<void> {
    this.server.close();
    return this.world.close();
  }

  /**
   * A request as the administrator, or as somebody else; the path begins below `/v2`. Its reply must be as openapi.json
   * says.
   */
  request(
    method: 'get' | 'post' | 'put' | 'patch' | 'delete' | 'head' | 'options',
    path: string,
    person: Person | null = this.world.admin,
  ): Test {
    const request = requestsTo(this.server)[method](`/v2${path}`);
    if (this.documented) checkDocumented(request);
    if (this.documented && !this.counting) checkKept(request, this.world.services, this.server);
    return person ? request.set('Authorization', person.authorization) : request;
  }

  get(path: string, person?: Person | null): Test {
    return this.request('get', path, person);
  }

  post(path: string, body: object | string = {}, person?: Person): Test {
    return this.request('post', path, person).type('json').send(body);
  }

  put(path: string, person?: Person): Test {
    return this.request('put', path, person);
  }

  /** Statements that a piece of work sends to the database. */
  async statements(work: () => Promise<unknown>): Promise<number> {
    const { services } = this.world;
    const real = services.db;
    let count = 0;
    const counter: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      // Statements that were compiled before come through here only.
      transformResult: async ({ result }) => {
        count += 1;
        return result;
      },
    };
    services.db = real.withPlugin(counter);
    this.counting = true;
    try {
      await work();
    } finally {
      this.counting = false;
      services.db = real;
    }
    return count;
  }
}

/** YAML with one step of every kind. */
export const everyKind = `
env:
  TIER: one
steps:
  - label: ":hammer: build"
    key: build
    command: make
    artifact_paths: "dist/*"
    env: { A: "1" }
  - wait
  - block: "Release?"
    key: gate
  - trigger: downstream
    label: deploy
`;
