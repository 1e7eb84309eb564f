import express, { type Express } from 'express';
import { sql } from 'kysely';
import supertest from 'supertest';
import { graphqlRouter } from '../../src/graphql/router.js';
import { restRouter } from '../../src/rest/router.js';
import { uploadRouter } from '../../src/upload-api/router.js';
import { checkDocumented } from './checked-request.js';
import { type Person, World } from './world.js';

// What replies hold depends on what was asked; tests say what they expect of it.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Data = any;

export type RestCall = [method: 'get' | 'post' | 'put' | 'patch' | 'delete', path: string, body?: object];
export type GraphqlCall = [document: string, variables?: object];

/** One world with both surfaces in front of it, spoken to over HTTP. */
export class BothDoors {
  private constructor(
    readonly world: World,
    private readonly app: Express,
    private readonly stop: () => Promise<void>,
  ) {}

  static async open(options: Parameters<typeof World.create>[0] = {}): Promise<BothDoors> {
    const world = await World.create(options);
    const { router, stop } = await graphqlRouter(world.services);
    const app = express();
    app.use('/v2', restRouter(world.services));
    app.use('/graphql', router);
    app.use('/v1/uploads', uploadRouter(world.services));
    return new BothDoors(world, app, stop);
  }

  async close(): Promise<void> {
    await this.stop();
    await this.world.close();
  }

  async rest([method, path, body]: RestCall, person: Person = this.world.admin): Promise<{ status: number; body: Data; text: string }> {
    const request = checkDocumented(supertest(this.app)[method](`/v2${path}`)).set('Authorization', person.authorization);
    return body === undefined ? request : request.type('json').send(body);
  }

  async graphql([query, variables = {}]: GraphqlCall, person: Person = this.world.admin): Promise<{ data: Data; errors?: Data[] }> {
    const { body } = await supertest(this.app).post('/graphql').set('Authorization', person.authorization).send({ query, variables });
    return body as { data: Data; errors?: Data[] };
  }

  /** A request of a test collector, to be given its headers and body. */
  collector(authorization: string | null): supertest.Test {
    const request = supertest(this.app).post('/v1/uploads');
    return authorization === null ? request : request.set('Authorization', authorization);
  }

  /** The body of a reply that must be a success. */
  async read(call: RestCall, person?: Person): Promise<Data> {
    const { status, body } = await this.rest(call, person);
    if (status >= 300) throw new Error(`${call.join(' ')}: ${status} ${JSON.stringify(body)}`);
    return body;
  }

  /** The data of an answer that must hold no error. */
  async select(call: GraphqlCall, person?: Person): Promise<Data> {
    const { data, errors } = await this.graphql(call, person);
    if (errors) throw new Error(`${call[0]}: ${JSON.stringify(errors)}`);
    return data;
  }

  /** A digest of each of these tables as it is, every column: equal before and after, nothing was changed. */
  async digests(tables: readonly string[]): Promise<Record<string, string>> {
    const each = tables.map((table) => sql`select ${sql.lit(table)} as name, md5(string_agg(t::text, ',' order by t::text collate "C")) as digest from ${sql.table(table)} t`);
    const { rows } = await sql<{ name: string; digest: string }>`${sql.join(each, sql` union all `)}`.execute(this.world.services.db);
    return Object.fromEntries(rows.map(({ name, digest }) => [name, digest]));
  }

  /** Every row of these tables, as far as two worlds with the same story must agree: ids by their order, times by being there. */
  async rows(tables: readonly string[]): Promise<Record<string, Data[]>> {
    const labels = new Map<string, string>();
    const label = (id: string): string => labels.get(id) ?? (labels.set(id, `#${labels.size + 1}`), labels.get(id) ?? '');
    const dump: Record<string, Data[]> = {};
    for (const table of tables) {
      const { rows } = await sql<{ row: Data }>`select to_jsonb(t) as row from ${sql.table(table)} t`.execute(this.world.services.db);
      const ordered = rows.map(({ row }) => row).sort((a, b) => (String(a.id) < String(b.id) ? -1 : 1));
      dump[table] = ordered.map((row) => JSON.parse(JSON.stringify(row, (key, value) => (ofOneWorld.has(key) ? undefined : value)).replace(uuids, label).replace(times, 'time')));
    }
    return dump;
  }
}

const uuids = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const times = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:00)/g;

/** Secrets are made up, and a request's id is its own. */
const ofOneWorld: ReadonlySet<string> = new Set(['webhook_token', 'badge_token', 'token_hash', 'token_sealed', 'sealed_token', 'request_id', 'secret', 'token']);
