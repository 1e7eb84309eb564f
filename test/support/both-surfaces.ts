import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { sql } from 'kysely';
import type { Test } from 'supertest';
import { graphqlRouter } from '../../src/graphql/server/router.js';
import { restSurface } from '../../src/rest/router.js';
import { ownershipRouter, uploadRouter } from '../../src/test-uploads/router.js';
import { checkDocumented, checkKept } from './checked-request.js';
import { requestsTo } from './requests.js';
import { type Person, World } from './world.js';

// The type of a reply depends on the request; each test checks what it expects.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Data = any;

export type RestCall = [method: 'get' | 'post' | 'put' | 'patch' | 'delete', path: string, body?: object];
export type GraphqlCall = [document: string, variables?: object];

/** One world with REST and GraphQL in front of it, called over HTTP. */
export class BothSurfaces {
  private constructor(
    readonly world: World,
    private readonly server: Server,
    private readonly stop: () => Promise<void>,
  ) {}

  static async open(options: Parameters<typeof World.create>[0] = {}): Promise<BothSurfaces> {
    return BothSurfaces.of(await World.create(options));
  }

  /** The surfaces of a world that is there already. */
  static async of(world: World): Promise<BothSurfaces> {
    const { router, stop } = await graphqlRouter(world.services);
    const app = express();
    app.use('/v2', restSurface(world.services).router);
    app.use('/graphql', router);
    app.use('/v1/uploads', uploadRouter(world.services));
    app.use('/v1/test-ownerships', ownershipRouter(world.services));
    const server = createServer(app).listen(0);
    await once(server, 'listening');
    return new BothSurfaces(world, server, stop);
  }

  /** Where programs of others reach the surfaces. */
  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server.close();
    await this.stop();
    await this.world.close();
  }

  async rest(
    [method, path, body]: RestCall,
    person: Person = this.world.admin,
  ): Promise<{ status: number; body: Data; text: string }> {
    const sent = checkDocumented(requestsTo(this.server)[method](`/v2${path}`));
    const request = checkKept(sent, this.world.services, this.server).set('Authorization', person.authorization);
    return body === undefined ? request : request.type('json').send(body);
  }

  async graphql(
    [query, variables = {}]: GraphqlCall,
    person: Person = this.world.admin,
  ): Promise<{ data: Data; errors?: Data[] }> {
    const { body } = await requestsTo(this.server)
      .post('/graphql')
      .set('Authorization', person.authorization)
      .send({ query, variables });
    return body as { data: Data; errors?: Data[] };
  }

  /** A request of a test collector; the caller adds headers and body. */
  collector(authorization: string | null, path = '/v1/uploads'): Test {
    const request = requestsTo(this.server).post(path);
    return authorization === null ? request : request.set('Authorization', authorization);
  }

  /** The body of a reply; fails unless the status is a success. */
  async read(call: RestCall, person?: Person): Promise<Data> {
    const { status, body } = await this.rest(call, person);
    if (status >= 300) throw new Error(`${call.join(' ')}: ${status} ${JSON.stringify(body)}`);
    return body;
  }

  /** The data of a GraphQL reply; fails if it has errors. */
  async select(call: GraphqlCall, person?: Person): Promise<Data> {
    const { data, errors } = await this.graphql(call, person);
    if (errors) throw new Error(`${call[0]}: ${JSON.stringify(errors)}`);
    return data;
  }

  /** A digest of every column of each of these tables: equal digests before and after mean that nothing changed. */
  async digests(tables: readonly string[]): Promise<Record<string, string>> {
    const each = tables.map(
      (table) =>
        sql`select ${sql.lit(table)} as name, md5(string_agg(t::text, ',' order by t::text collate "C")) as digest from ${sql.table(table)} t`,
    );
    const { rows } = await sql<{ name: string; digest: string }>`${sql.join(each, sql` union all `)}`.execute(
      this.world.services.db,
    );
    return Object.fromEntries(rows.map(({ name, digest }) => [name, digest]));
  }

  /** Every row of these tables, comparable between worlds: ids are replaced by their order, times by their presence. */
  async rows(tables: readonly string[]): Promise<Record<string, Data[]>> {
    const labels = new Map<string, string>();
    const label = (id: string): string =>
      labels.get(id) ?? (labels.set(id, `#${labels.size + 1}`), labels.get(id) ?? '');
    const dump: Record<string, Data[]> = {};
    for (const table of tables) {
      const { rows } = await sql<{ row: Data }>`select to_jsonb(t) as row from ${sql.table(table)} t`.execute(
        this.world.services.db,
      );
      const ordered = rows.map(({ row }) => row).sort((a, b) => (String(a.id) < String(b.id) ? -1 : 1));
      dump[table] = ordered.map((row) =>
        JSON.parse(
          JSON.stringify(row, (key, value) => (ofOneWorld.has(key) ? undefined : value))
            .replace(uuids, label)
            .replace(times, 'time'),
        ),
      );
    }
    return dump;
  }
}

const uuids = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const times = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:00)/g;

/** Columns that differ between worlds: secrets are random, and each request has its own id. */
const ofOneWorld: ReadonlySet<string> = new Set([
  'webhook_token_hash',
  'webhook_token_sealed',
  'badge_token_hash',
  'badge_token_sealed',
  'token_hash',
  'token_sealed',
  'sealed_token',
  'request_id',
  'secret',
  'webhook_secret',
  'token',
]);
