import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { type GraphQLSchema, isNonNullType } from 'graphql';
import pLimit from 'p-limit';
import { Pool } from 'undici';
import { type Scope, scopes } from '../../../src/domain/organizations/scopes.js';
import { graphqlRouter } from '../../../src/graphql/server/router.js';
import { buildSchema } from '../../../src/graphql/server/schema.js';
import { createMaintainer } from '../../../src/operations/agents/cluster-maintainers/create.js';
import { createSuite } from '../../../src/operations/suites/create.js';
import { restSurface } from '../../../src/rest/router.js';
import { routes } from '../../../src/rest/routes.js';
import type { Data } from '../../support/both-surfaces.js';
import { oneOfEverything, type PathValues } from '../../support/one-of-everything.js';
import { keepRows, type RestoredDatabase } from '../../support/restored-database.js';
import { type Person, World } from '../../support/world.js';
import { yaml } from '../writes/changes.js';
import { everyWrite, mutationsOnly, routesOnly } from '../writes/table.js';
import type { At, WriteOnBoth } from '../writes/write.js';

/**
 * Everybody sends every write over both surfaces, with tokens of one scope each. A write that is carried out is undone
 * before the next one, so that each finds the same world.
 */
const roles = [
  'administrator',
  'member',
  'maintainer',
  'editor',
  'reader',
  'without a team',
  'outsider',
  'revoked',
] as const;
type Role = (typeof roles)[number];

let world: World;
let server: Server;
let pool: Pool;
let stop: () => Promise<void>;
let kept: RestoredDatabase;
let schema: GraphQLSchema;
let paths: PathValues;
let at: At;
const tokens = new Map<string, string>();
const tokenOf = (role: Role, scope: Scope): string => tokens.get(`${role} ${scope}`) ?? 'none';

const key = ({ route }: WriteOnBoth) => route.replace('{block}', '{job}');
const scopeByRoute = new Map(routes.map(({ method, path, operation }) => [`${method} ${path}`, operation.scope]));

// Tens of thousands of refusals are made here, and nobody reads where.
const { stackTraceLimit } = Error;
beforeAll(async () => {
  Error.stackTraceLimit = 0;
  schema = await buildSchema();
  world = await World.create({ teamsEnabled: true, plan: 'enterprise' });
  paths = await oneOfEverything(world, yaml);
  await everyone();
  at = await things();
  const graphql = await graphqlRouter(world.services);
  stop = () => graphql.stop();
  const app = express().use('/v2', restSurface(world.services).router).use('/graphql', graphql.router);
  server = createServer(app).listen(0);
  await once(server, 'listening');
  pool = new Pool(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, { connections: 8 });
  kept = await keepRows(world.services);
}, 120_000);
afterAll(async () => {
  Error.stackTraceLimit = stackTraceLimit;
  await pool.close();
  server.close();
  await stop();
  await kept.remove();
  await world.close();
});

/** Gives the world its people, and each a token of every scope. */
async function everyone(): Promise<void> {
  const organizationId = world.organization.id;
  const here = paths('');
  const colleague = () => world.person({ organizationId });
  const inTeam = async (slug: string, accessLevel: 'manage_build_and_read' | 'read_only', suite: string[]) => {
    const person = await colleague();
    const teamId = await world.insert('teams', { organizationId, slug, name: slug });
    await world.insert('team_members', { organizationId, teamId, userId: person.id, role: 'member' });
    await world.insert('team_pipelines', { organizationId, teamId, pipelineId: here['pipeline'] ?? '', accessLevel });
    await world.insert('team_suites', {
      organizationId,
      teamId,
      suiteId: here['suite'] ?? '',
      accessLevel: suite as never,
    });
    return person;
  };
  const maintainer = await colleague();
  await world.insert('team_members', {
    organizationId,
    teamId: here['team'] ?? '',
    userId: maintainer.id,
    role: 'maintainer',
  });
  await world.perform(world.admin, createMaintainer, { cluster: { id: world.clusterId }, user: maintainer.id });
  const people: Record<Role, Person> = {
    administrator: world.admin,
    member: world.member,
    maintainer,
    editor: await inTeam('editors', 'manage_build_and_read', ['read', 'edit']),
    reader: await inTeam('readers', 'read_only', ['read']),
    'without a team': await colleague(),
    outsider: await world.person(),
    revoked: await world.personWithToken(world.admin.id, world.admin.email),
  };
  for (const role of roles)
    for (const scope of scopes)
      tokens.set(
        `${role} ${scope}`,
        (await world.personWithToken(people[role].id, people[role].email, { scopes: [scope] })).token,
      );
  const revoked = scopes.map((scope) => tokenOf('revoked', scope));
  const { db } = world.services;
  const { hashToken } = await import('../../../src/auth/secrets.js');
  await db
    .updateTable('api_tokens')
    .set({ revokedAt: world.clock.now() })
    .where('tokenHash', 'in', revoked.map(hashToken))
    .execute();
}

/** Ids beside those of the paths. */
async function things(): Promise<At> {
  const { db } = world.services;
  const here = paths('');
  const one = async (
    table: 'organization_members' | 'team_members' | 'team_pipelines' | 'team_suites',
    column: 'userId' | 'pipelineId' | 'suiteId',
    value: string | undefined,
  ) =>
    (
      await db
        .selectFrom(table as 'team_members')
        .select('id')
        .where(column as 'userId', '=', value ?? '')
        .where(
          table === 'organization_members' ? 'organizationId' : 'teamId',
          '=',
          (table === 'organization_members' ? world.organization.id : here['team']) as string,
        )
        .executeTakeFirstOrThrow()
    ).id;
  const block = await db
    .selectFrom('jobs')
    .select('id')
    .where('buildId', '=', here['build'] ?? '')
    .where('type', '=', 'block')
    .executeTakeFirstOrThrow();
  const organizationId = world.organization.id;
  const other = await db.selectFrom('pipelines').select('id').where('slug', '=', 'other').executeTakeFirstOrThrow();
  const otherSuite = await world.perform(world.admin, createSuite, {
    organization: { id: organizationId },
    name: 'Other',
    defaultBranch: 'main',
  });
  return {
    ...(here as At),
    acme: organizationId,
    block: block.id,
    colleague: (await world.person({ organizationId })).id,
    membership: await one('organization_members', 'userId', world.member.id),
    teamMember: await one('team_members', 'userId', world.member.id),
    teamPipeline: await one('team_pipelines', 'pipelineId', here['pipeline']),
    teamSuite: await one('team_suites', 'suiteId', here['suite']),
    otherPipeline: other.id,
    suiteId: here['suite'] ?? '',
    otherSuite: otherSuite.suite.id,
    notification: paths('/services/')['delivery'] ?? '',
    workflowEvent: paths('/workflows/')['event'] ?? '',
    workflowDelivery: paths('/workflows/')['delivery'] ?? '',
  };
}

/** An answer in the words of GraphQL. */
const refusalOf = (status: number, message: string, fields: boolean): string => {
  const code = fields
    ? 'BAD_USER_INPUT'
    : (({ 401: 'UNAUTHENTICATED', 403: 'FORBIDDEN', 404: 'NOT_FOUND' } as Record<number, string>)[status] ??
      'CONFLICT');
  return code === 'BAD_USER_INPUT' || code === 'UNAUTHENTICATED' ? code : `${code} ${message}`;
};

async function overRest(write: WriteOnBoth, token: string): Promise<string> {
  const [method = '', route = ''] = write.route.split(' ');
  const path = route.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = name === 'block' ? at['block'] : paths(route)[name];
    return encodeURIComponent(value ?? `no ${name}`);
  });
  const body = write.body?.(at);
  const reply = await pool.request({
    method: method.toUpperCase() as 'POST',
    path: `/v2${path}`,
    headers: { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) },
    body: body ? JSON.stringify(body) : null,
  });
  const text = await reply.body.text();
  if (reply.statusCode < 300) return 'allowed';
  const { message, errors } = JSON.parse(text) as Data;
  // Some operations answer a wrong field in one sentence, as documented, and others in a list.
  return refusalOf(
    reply.statusCode,
    message,
    Array.isArray(errors) || String(message).startsWith('Validation failed: '),
  );
}

const mutationOf = (name: string) => {
  const field = schema.getMutationType()?.getFields()[name];
  if (!field) throw new Error(`no mutation ${name}`);
  return field;
};

/**
 * Sends mutations in one document, which carries them out one after another; a reply names at most a hundred errors.
 */
async function overGraphql(writes: readonly WriteOnBoth[], token: string): Promise<string[]> {
  const declared = writes.map(({ mutation }, index) => `$i${index}: ${String(mutationOf(mutation).args[0]?.type)}`);
  const fields = writes.map(({ mutation }, index) => `m${index}: ${mutation}(input: $i${index}) { clientMutationId }`);
  const reply = await pool.request({
    method: 'POST',
    path: '/graphql',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      query: `mutation (${declared.join(', ')}) { ${fields.join(' ')} }`,
      variables: Object.fromEntries(writes.map(({ input }, index) => [`i${index}`, input(at)])),
    }),
  });
  const { errors = [], data } = (await reply.body.json()) as { errors?: Data[]; data?: Data };
  if (reply.statusCode === 401) return writes.map(() => 'UNAUTHENTICATED');
  const general = errors.find(({ path }) => path === undefined);
  if (general || data === undefined) throw new Error(`${writes[0]?.mutation}: ${JSON.stringify(errors)}`);
  return writes.map((_, index) => {
    const error = errors.find(({ path }) => path[0] === `m${index}`);
    if (!error) return 'allowed';
    const { code } = error.extensions;
    return code === 'BAD_USER_INPUT' || code === 'UNAUTHENTICATED' ? code : `${code} ${error.message}`;
  });
}

test('every write of both surfaces is in the table, or has a reason for being on one surface', () => {
  const written = routes.filter(({ method }) => method !== 'get').map(({ method, path }) => `${method} ${path}`);
  expect([...new Set([...everyWrite.map(key), ...Object.keys(routesOnly)])].sort()).toEqual(written.sort());
  const mutations = Object.keys(schema.getMutationType()?.getFields() ?? {});
  expect([...new Set([...everyWrite.map(({ mutation }) => mutation), ...Object.keys(mutationsOnly)])].sort()).toEqual(
    mutations.sort(),
  );
  expect(Object.keys(routesOnly).length + Object.keys(mutationsOnly).length).toBeLessThanOrEqual(12);
});

/** Comparisons of the answers, and the answers that were not refusals of a scope or of a token. */
const compared = { answers: 0, decided: 0, allowed: 0 };

/** Writes that this scope is for, and all others, which it is refused for. */
const isFor = (scope: Scope) => (write: WriteOnBoth) => scopeByRoute.get(key(write)) === scope;

/** One write after another, since one that is carried out is undone before the next. */
async function compareAllowed(role: Role, scope: Scope): Promise<string[]> {
  const differences: string[] = [];
  for (const write of everyWrite.filter(isFor(scope))) {
    const rest = await overRest(write, tokenOf(role, scope));
    if (rest === 'allowed') await kept.restore();
    // The scope of the other surface allows there what the scope of the operation does.
    for (const held of [scope, 'graphql'] as const) {
      const [graphql = ''] = await overGraphql([write], tokenOf(role, held));
      if (graphql === 'allowed') await kept.restore();
      compared.answers += 1;
      if (graphql !== rest)
        differences.push(`${write.route}, ${role} with ${scope}: ${rest}; ${write.mutation} with ${held}: ${graphql}`);
    }
    compared.decided += 1;
    if (rest === 'allowed') compared.allowed += 1;
  }
  return differences;
}

const atOnce = pLimit(4);
async function compareRefused(role: Role, scope: Scope): Promise<string[]> {
  const others = everyWrite.filter((write) => !isFor(scope)(write));
  const byRoute = new Map(others.map((write) => [`${write.route} ${JSON.stringify(write.body?.(at))}`, write]));
  const answers = new Map(
    await Promise.all(
      [...byRoute].map(([name, write]) =>
        atOnce(async () => [name, await overRest(write, tokenOf(role, scope))] as const),
      ),
    ),
  );
  // A payload that cannot be null would end the document with its refusal.
  const together = others.filter(({ mutation }) => !isNonNullType(mutationOf(mutation).type));
  const single = others.filter((write) => !together.includes(write));
  const graphql = new Map<WriteOnBoth, string>();
  const note = (writes: WriteOnBoth[], said: string[]) =>
    writes.forEach((each, index) => graphql.set(each, said[index] ?? ''));
  if (scope !== 'graphql') {
    for (let from = 0; from < together.length; from += 60) {
      const some = together.slice(from, from + 60);
      note(some, await overGraphql(some, tokenOf(role, scope)));
    }
    for (const write of single) note([write], await overGraphql([write], tokenOf(role, scope)));
  }
  return others.flatMap((write) => {
    const rest = answers.get(`${write.route} ${JSON.stringify(write.body?.(at))}`);
    // What this scope allows on its own surface is compared above.
    const other = scope === 'graphql' ? rest : graphql.get(write);
    const needed = scopeByRoute.get(key(write));
    const expected =
      role === 'revoked' ? 'UNAUTHENTICATED' : `FORBIDDEN Your access token doesn't have the ${needed} scope`;
    compared.answers += 1;
    if (rest === expected && other === expected) return [];
    return [`${write.route}, ${role} with ${scope}: ${rest}; ${write.mutation}: ${other}`];
  });
}

describe.each(roles)('the writes of %s', (role) => {
  test('are answered alike on both surfaces with the scope that each needs', async () => {
    const differences: string[] = [];
    for (const scope of scopes) differences.push(...(await compareAllowed(role, scope)));
    expect(differences).toEqual([]);
  }, 120_000);

  test('are refused alike on both surfaces with every other scope', async () => {
    const differences: string[] = [];
    for (const scope of scopes) differences.push(...(await compareRefused(role, scope)));
    expect(differences).toEqual([]);
  }, 120_000);
});

test('every role and scope was compared, and many writes were carried out', () => {
  const needed = everyWrite.length * roles.length;
  expect(compared.answers).toBe(needed * (scopes.length + 1));
  expect(compared.decided).toBe(needed);
  expect(compared.allowed).toBeGreaterThan(200);
});
