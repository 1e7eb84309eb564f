import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import express from 'express';
import { sql } from 'kysely';
import { entities } from '../../src/entities/registry.js';
import { badgeTokenColumns, webhookTokenColumns } from '../../src/resources/pipelines/url-token.js';
import { restSurface } from '../../src/rest/router.js';
import { populated } from '../parity/reads/populated-world.js';
import { BothSurfaces } from '../support/both-surfaces.js';
import { requestsTo } from '../support/requests.js';

/**
 * Replies that are put together of kept parts must be the replies that are made anew. Every column of every table whose
 * rows show in a kept part is changed here, in all rows, and every field of the reply must be seen to change.
 */
let surfaces: BothSurfaces;
let server: Server;

beforeAll(async () => {
  surfaces = await BothSurfaces.open({ plan: 'enterprise' });
  await populated(surfaces);
  const { db } = surfaces.world.services;
  const [one, other] = await db.selectFrom('builds').select('id').orderBy('id').execute();
  const triggers = await db.selectFrom('jobs').select('id').where('type', '=', 'trigger').orderBy('id').execute();
  // What else a build can show.
  await db.updateTable('builds').set({ rebuiltFromId: other!.id }).where('number', '=', 1).execute();
  await db.updateTable('builds').set({ triggeredFromJobId: triggers[0]!.id }).where('number', '=', 1).execute();
  await db.updateTable('jobs').set({ triggeredBuildId: one!.id }).where('type', '=', 'trigger').execute();
  await db.updateTable('jobs').set({ unblockedById: surfaces.world.member.id }).where('type', '=', 'block').execute();
  const app = express().disable('etag').use('/v2', restSurface(surfaces.world.services).router);
  server = createServer(app).listen(0);
  await once(server, 'listening');
}, 120_000);
afterAll(async () => {
  server.close();
  await surfaces.close();
});

async function read(path: string): Promise<string> {
  const reply = await requestsTo(server).get(`/v2${path}`).set('Authorization', surfaces.world.admin.authorization);
  expect([path, reply.status]).toEqual([path, 200]);
  return reply.text;
}

/** The reply as it is made without anything kept. */
async function readAnew(path: string): Promise<string> {
  const { services } = surfaces.world;
  const { fragmentCache } = services;
  services.fragmentCache = undefined;
  try {
    return await read(path);
  } finally {
    services.fragmentCache = fragmentCache;
  }
}

/** A build with everything in it; its path changes with the slugs. */
async function buildPath(): Promise<string> {
  const { db } = surfaces.world.services;
  const row = await db
    .selectFrom('builds as b')
    .innerJoin('pipelines as p', 'p.id', 'b.pipelineId')
    .innerJoin('organizations as o', 'o.id', 'b.organizationId')
    .select(['o.slug as organization', 'p.slug as pipeline', 'b.number'])
    .where('p.slug', 'like', 'app%')
    .orderBy('b.id')
    .executeTakeFirstOrThrow();
  return `/organizations/${row.organization}/pipelines/${row.pipeline}/builds/${row.number}?include_retried_jobs=true`;
}

/** Tables whose rows show in kept parts. */
const tables = [
  'builds',
  'jobs',
  'steps',
  'agents',
  'users',
  'pipelines',
  'organizations',
  'build_meta_data',
  'pipeline_templates',
];

/** Columns that say which row it is, or what belongs to it: other values make another object. */
const identity = new Set(['id', 'organization_id', 'pipeline_id', 'build_id', 'type', 'build_meta_data.key']);

/** Values of columns for which the form of their type will not do. */
const values: Record<string, string | string[]> = {
  'builds.number': 'number + 1000',
  'builds.state': [`'running'`, `'canceled'`],
  'builds.blocked_state': `'failed'`,
  'builds.creator_id': `(select max(id::text)::uuid from users)`,
  'builds.rebuilt_from_id': 'null',
  'builds.triggered_from_job_id': 'null',
  'jobs.state': [`'running'`, `'waiting'`, `'canceled'`],
  'jobs.step_id': `(select id from steps where key = 'build' limit 1)`,
  'jobs.agent_id': ['null', `(select min(id::text)::uuid from agents)`],
  'jobs.unblocked_by_id': 'null',
  'jobs.retried_by_id': ['null', `(select min(id::text)::uuid from users)`],
  'jobs.triggered_build_id': 'null',
  'steps.key': `key || 'x'`,
  'steps.group_id': 'null',
  'steps.definition': `definition || '{"signature":{"value":"changed"}}'`,
  'agents.agent_token_id': 'gen_random_uuid()',
  'agents.connection_state': `'lost'`,
  'organizations.allowed_api_ip_addresses': `'127.0.0.0/8 ::1/128'`,
  'organizations.plan': `'standard'`,
  'organizations.slug': `slug || 'x'`,
  'pipelines.configuration': `configuration || E'\\nenv: { CHANGED: "yes" }'`,
  'pipelines.visibility': `'public'`,
  'pipelines.created_by_id': `(select min(id::text)::uuid from users)`,
  'pipelines.pipeline_template_id': `(select min(id::text)::uuid from pipeline_templates)`,
};

/** Another value of a column, by its type in the database. */
const changed: Record<string, (column: string) => string> = {
  text: (column) => `coalesce(${column}, '') || 'x'`,
  integer: (column) => `coalesce(${column}, 0) + 1`,
  bigint: (column) => `coalesce(${column}, 0) + 1`,
  boolean: (column) => `not coalesce(${column}, false)`,
  uuid: (column) => `case when ${column} is null then gen_random_uuid() end`,
  jsonb: () => `'{"changed": "yes"}'`,
  ARRAY: (column) => `array_prepend('changed=yes', ${column})`,
  'timestamp with time zone': (column) => `coalesce(${column}, now()) + interval '1 hour'`,
};

/** Every value of a reply by its place; places of a list are written as `[]` with the type of what is there. */
function places(value: unknown, place = ''): [string, string, unknown][] {
  const walk = (inner: unknown, at: string, general: string): [string, string, unknown][] => {
    if (Array.isArray(inner))
      return inner.flatMap((each: unknown, index) => {
        const type = (each as { type?: string } | null)?.type ?? '';
        return walk(each, `${at}[${index}]`, `${general}[${type}]`);
      });
    if (typeof inner === 'object' && inner !== null)
      return Object.entries(inner).flatMap(([name, each]) => walk(each, `${at}.${name}`, `${general}.${name}`));
    return [[at, general, inner]];
  };
  return walk(value, place, place);
}

/** Fields that show the identity of a row, nothing that could change, or what the tests below change. */
const constant =
  /\.(?:id|graphql_id|type|unblockable|merge_queue)$|\.agent\.(?:creator|job)$|\[manual\]\.web_url$|^\.job_state_counts\.total$|badge_url$|webhook_url$|\.steps\[|\.settings\.|\.env\.|\.provider\.settings/;

test('after a change of any column of any row that shows, a reply of kept parts is the one made anew, and every field is seen to change', async () => {
  const { db, fragmentCache } = surfaces.world.services;
  const seen = new Set<string>();
  const wrong: string[] = [];
  const before = await read(await buildPath());
  const first = places(JSON.parse(before));
  for (const table of tables) {
    const { rows: columns } = await sql<{ name: string; type: string }>`
      select column_name as name, data_type as type from information_schema.columns where table_name = ${table} order by ordinal_position`.execute(
      db,
    );
    expect(columns.length).toBeGreaterThan(2);
    const key = table === 'build_meta_data' ? 't.build_id = s.build_id and t.key = s.key' : 't.id = s.id';
    await sql.raw(`create table saved_rows as select * from ${table}`).execute(db);
    for (const { name, type } of columns) {
      if (identity.has(name) || identity.has(`${table}.${name}`) || name.endsWith('_sealed')) continue;
      const value = values[`${table}.${name}`] ?? changed[type]?.(name);
      if (value === undefined) throw new Error(`no other value of ${table}.${name} (${type})`);
      for (const one of [value].flat()) {
        // In memory is the reply as it was after the change before this one.
        await sql.raw(`update ${table} set ${name} = ${one}`).execute(db);
        const path = await buildPath();
        const kept = await read(path);
        if (kept !== (await readAnew(path))) wrong.push(`${table}.${name}`);
        const now = new Map(places(JSON.parse(kept)).map(([at, , shown]) => [at, shown]));
        for (const [at, general, shown] of first) if (now.get(at) !== shown) seen.add(general);
      }
      await sql.raw(`update ${table} as t set ${name} = s.${name} from saved_rows as s where ${key}`).execute(db);
    }
    await sql.raw('drop table saved_rows').execute(db);
  }
  expect(wrong).toEqual([]);
  expect(await read(await buildPath())).toBe(before);
  const fields = new Set(first.map(([, general]) => general).filter((general) => !constant.test(general)));
  expect([...fields].filter((field) => !seen.has(field))).toEqual([]);
  const { counts } = fragmentCache!.use();
  for (const kind of ['build', 'jobs of a build', 'job states of a build', 'job', 'agent', 'pipeline'])
    expect([kind, (counts.get(kind)?.hits ?? 0) > 0, counts.get(kind)?.unkept]).toEqual([kind, true, 0]);
}, 300_000);

test('every table of the rows that the parts of a build were made of is among those whose columns are changed', async () => {
  const { fragmentCache } = surfaces.world.services;
  const kinds = new Set<string>();
  const keep = fragmentCache!.keep.bind(fragmentCache);
  fragmentCache!.clear();
  vi.spyOn(fragmentCache!, 'keep').mockImplementation((partKey, part, generation) => {
    for (const { kind } of part.sources) kinds.add(kind);
    keep(partKey, part, generation);
  });
  await read(await buildPath());
  vi.restoreAllMocks();
  const names = entities.map(({ meta }) => meta.tableName);
  const tableOf = (kind: string) => {
    const [, name = ''] = kind.split(' ');
    return (
      names.find((table) => table === name || table === `${name}s`) ??
      (name === 'latest' || name === 'all' ? 'jobs' : kind)
    );
  };
  expect([...kinds].map(tableOf).filter((table) => !tables.includes(table))).toEqual([]);
  expect(kinds.size).toBeGreaterThan(6);
});

test('new tokens of a pipeline show at once', async () => {
  const { services } = surfaces.world;
  await read(await buildPath());
  const pipeline = await services.db
    .selectFrom('pipelines')
    .select('id')
    .where('slug', '=', 'app')
    .executeTakeFirstOrThrow();
  const before = JSON.parse(await read(await buildPath())).pipeline;
  await services.db
    .updateTable('pipelines')
    .set({ ...webhookTokenColumns(services), ...badgeTokenColumns(services) })
    .where('id', '=', pipeline.id)
    .execute();
  const after = JSON.parse(await read(await buildPath())).pipeline;
  expect(after.badge_url).not.toBe(before.badge_url);
  expect(after.provider.webhook_url).not.toBe(before.provider.webhook_url);
});

test('rows that are added or deleted show at once: jobs, meta-data, unfinished builds', async () => {
  const { db } = surfaces.world.services;
  const path = await buildPath();
  const same = async () => {
    const kept = await read(path);
    expect(kept).toBe(await readAnew(path));
    return kept;
  };
  const start = await same();
  const job = await db
    .selectFrom('jobs')
    .selectAll()
    .where('type', '=', 'command')
    .orderBy('id')
    .executeTakeFirstOrThrow();
  const id = surfaces.world.system().newId();
  await db
    .insertInto('jobs')
    .values({ ...job, id, matrix: null, softFail: null, plugins: null })
    .execute();
  const more = await same();
  expect(JSON.parse(more).jobs.length).toBe(JSON.parse(start).jobs.length + 1);
  await db.deleteFrom('jobs').where('id', '=', id).execute();
  expect(await same()).toBe(start);
  await db.updateTable('builds').set({ state: 'running' }).where('state', '=', 'passed').execute();
  await same();
  await db.deleteFrom('build_meta_data').execute();
  expect(JSON.parse(await same()).meta_data).toEqual({});
});
