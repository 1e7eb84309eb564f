import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import express from 'express';
import { authenticateUser } from '../../../src/auth/authenticate.js';
import type { UserActor } from '../../../src/auth/actor.js';
import { Context } from '../../../src/request/context.js';
import { Problem } from '../../../src/domain/problem.js';
import { type Surface, type Scope, scopes } from '../../../src/domain/organizations/scopes.js';
import type { Json } from '../../../src/domain/pipelines/steps/step.js';
import { type AnyOperation, perform } from '../../../src/core/operation.js';
import { exampleOf } from '../../../src/rest/openapi/examples.js';
import { bodySchema } from '../../../src/rest/openapi/request-body.js';
import { RestRequest } from '../../../src/rest/requests/request.js';
import type { Route } from '../../../src/rest/route.js';
import { restSurface } from '../../../src/rest/router.js';
import { routes } from '../../../src/rest/routes.js';
import { BothSurfaces, type Data, type GraphqlCall } from '../../support/both-surfaces.js';
import { neededBodies, oneOfEverything, type PathValues } from '../../support/one-of-everything.js';
import { requestsTo } from '../../support/requests.js';
import type { Person } from '../../support/world.js';
import { things, type Things, writes, yaml } from '../writes/changes.js';

type Who = 'administrator' | 'member' | 'outsider' | 'other organization';
type Outcome = 'allowed' | 'scope_missing' | 'forbidden' | 'not_found' | 'invalid';
const everybody: Who[] = ['administrator', 'member', 'outsider', 'other organization'];

/**
 * Operations on a team that name a resource to share: they check in `run`, after finding the resource, whether the
 * caller manages the team (test/operations/organizations). All others check it in their permit.
 */
const sharing: readonly string[] = ['team-pipeline.create', 'team-suite.create'];
const needsTeamManager = ({ name, permit }: AnyOperation, path: string): boolean =>
  permit !== null && path.includes('/teams/{team}/') && !sharing.includes(name);

/** The team of the member may only see the suite; what a workflow sent names receivers, whom only editors see. */
const needsSuiteEditor = ({ name, scope }: AnyOperation, path: string): boolean =>
  (scope === 'write_suites' || scope === 'write_test_plan' || name === 'test-workflow-delivery.list') &&
  path.startsWith('/analytics/') &&
  path.includes('/suites/{suite}');

const beyondMembers: ReadonlySet<AnyOperation['access']> = new Set(['manage', 'maintain', 'admin']);

/**
 * The expected outcome. The member is in a team that may build the pipeline and see the suite, and manages no team;
 * resources outside any organization belong to the caller.
 */
function expected(operation: AnyOperation, path: string, who: Who, held: Scope, door: Surface): Outcome {
  const { scope, access } = operation;
  if (scope !== null && held !== scope && !(door === 'graphql' && held === 'graphql')) return 'scope_missing';
  // The person is the world's member, whom strangers do not meet.
  if (path === '/users/{user}') return who === 'other organization' || who === 'outsider' ? 'not_found' : 'allowed';
  if (!path.includes('/organizations/{org}')) return 'allowed';
  if (who === 'outsider' || who === 'other organization') return 'not_found';
  const beyond = beyondMembers.has(access) || needsTeamManager(operation, path) || needsSuiteEditor(operation, path);
  return who === 'member' && beyond ? 'forbidden' : 'allowed';
}

/** The same operation without its effect: it parses, finds and authorizes, and then returns. */
const harmless = (operation: AnyOperation): AnyOperation => ({
  ...operation,
  kind: 'query',
  audited: false,
  run: async () => ({ allowed: true }),
});
const harmlessRoutes: Route[] = routes.map((route) => ({
  ...route,
  operation: harmless(route.operation),
  reply: { kind: 'empty' },
}));

let surfaces: BothSurfaces;
/** Of the routes without an effect. It listens: for an application alone supertest would do so with each request. */
let server: Server;
const people = {} as Record<Who, Person>;
const actors = {} as Record<Who, UserActor>;
let params: PathValues;
let at: Things;

// Tens of thousands of refusals are made here, and nobody reads where.
const { stackTraceLimit } = Error;
beforeAll(async () => {
  Error.stackTraceLimit = 0;
  surfaces = await BothSurfaces.open({ teamsEnabled: true, plan: 'enterprise' });
  const { world } = surfaces;
  params = await oneOfEverything(world, yaml);
  await world.services.db
    .insertInto('pipeline_webhooks')
    .columns(['pipelineId', 'organizationId', 'externalId', 'repository', 'createdAt', 'updatedAt'])
    .expression((eb) =>
      eb
        .selectFrom('pipelines')
        .select([
          'id',
          'organizationId',
          eb.val('1').as('externalId'),
          eb.val('acme/app').as('repository'),
          'createdAt',
          'updatedAt',
        ]),
    )
    .execute();
  at = await things(surfaces);
  Object.assign(people, {
    administrator: world.admin,
    member: world.member,
    outsider: await world.person(),
    'other organization': world.outsider,
  });
  for (const who of everybody)
    actors[who] = await authenticateUser(
      { db: world.services.db, now: world.clock.now(), ipAddress: null },
      people[who].authorization,
    );
  server = createServer(express().use('/v2', restSurface(world.services, harmlessRoutes).router)).listen(0);
  await once(server, 'listening');
});
afterAll(async () => {
  Error.stackTraceLimit = stackTraceLimit;
  server.close();
  await surfaces.close();
});

const bodyOf = (route: Route) =>
  route.takesBody
    ? ({
        ...(exampleOf({ ...bodySchema(route), properties: requiredOf(route) }) as object),
        ...neededBodies[route.operation.name],
      } as Record<string, Json>)
    : {};
function requiredOf(route: Route): Record<string, Json> {
  const { properties = {}, required = [] } = bodySchema(route) as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.fromEntries(Object.entries(properties).filter(([name]) => required.includes(name)));
}

async function outcomeOf(work: () => Promise<unknown>): Promise<Outcome> {
  try {
    await work();
    return 'allowed';
  } catch (error) {
    if (error instanceof Problem) return error.code as Outcome;
    throw error;
  }
}

const rows: [string, Route][] = routes.map((route) => [`${route.method.toUpperCase()} ${route.path}`, route]);

test('every path parameter has a resource in the scenario', () => {
  const names = new Set(routes.flatMap(({ path }) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)));
  expect([...names].filter((name) => !(name in params('')))).toEqual([]);
});

describe('the outcome of every operation for each kind of caller and each single scope', () => {
  test.each(rows)('%s has the expected outcome for every caller and scope on both surfaces', async (_name, route) => {
    const { services } = surfaces.world;
    const operation = harmless(route.operation);
    const input = route.input(new RestRequest(params(route.path), {}, bodyOf(route)));
    const wrong: string[] = [];
    for (const who of everybody) {
      for (const scope of scopes) {
        for (const door of ['rest', 'graphql'] as const) {
          const context = new Context(services, {
            actor: { ...actors[who], scopes: new Set([scope]) },
            surface: door,
            requestId: 'matrix',
          });
          const outcome = await outcomeOf(() => perform(operation, context, input));
          const wanted = expected(route.operation, route.path, who, scope, door);
          if (outcome !== wanted) wrong.push(`${who} with ${scope} through ${door}: ${outcome} instead of ${wanted}`);
        }
      }
    }
    expect(wrong).toEqual([]);
  });
});

/** A token of a person with one scope. */
const tokens = new Map<string, Person>();
async function withScope(who: Who, scope: Scope): Promise<Person> {
  const key = `${who} ${scope}`;
  const known =
    tokens.get(key) ?? (await surfaces.world.personWithToken(people[who].id, people[who].email, { scopes: [scope] }));
  tokens.set(key, known);
  return known;
}

const overHttp: Who[] = ['administrator', 'member', 'outsider'];
const another = (scope: Scope | null): Scope => (scope === 'read_audit_events' ? 'read_user' : 'read_audit_events');

function ofStatus(status: number, message: string): Outcome {
  const of403: Outcome = /scope$/.test(message) ? 'scope_missing' : 'forbidden';
  return (
    ({ 204: 'allowed', 403: of403, 404: 'not_found', 422: 'invalid' } as Record<number, Outcome>)[status] ??
    (String(status) as Outcome)
  );
}

describe('the outcome of every route over HTTP', () => {
  test.each(rows)('%s answers over HTTP with the status of its outcome', async (_name, route) => {
    const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(params(route.path)[name] ?? ''),
    );
    const ask = async (person: Person): Promise<Outcome> => {
      const { status, body } = await requestsTo(server)
        [route.method](`/v2${path}`)
        .set('Authorization', person.authorization)
        .send(route.method === 'get' ? undefined : bodyOf(route));
      return ofStatus(status, String(body?.message));
    };
    const { scope } = route.operation;
    // What every caller may do is tried above; here, that the surface tells who calls, and with which status it
    // refuses.
    for (const who of overHttp) {
      const held = scope ?? another(scope);
      expect([who, await ask(await withScope(who, held))]).toEqual([
        who,
        expected(route.operation, route.path, who, held, 'rest'),
      ]);
    }
    // The scope of the other surface gives no access here.
    if (scope !== null) expect(await ask(await withScope('administrator', 'graphql'))).toBe('scope_missing');
    expect((await requestsTo(server)[route.method](`/v2${path}`)).status).toBe(
      route.operation.access === 'anyone' ? 204 : 401,
    );
  });
});

/** GraphQL fields that do exactly what one route does. */
const reads: Record<string, (things: Things) => GraphqlCall> = {
  'organization.get': () => ['{ it: organization(slug: "acme") { slug } }'],
  'pipeline.get': () => ['{ it: pipeline(slug: "acme/app") { slug } }'],
  'build.get': ({ build }) => [`{ it: build(uuid: "${build.id}") { number } }`],
  'job.get': ({ jobs }) => [
    `{ it: job(uuid: "${jobs.find((job) => job.type === 'command').id}") { ... on JobTypeCommand { uuid } } }`,
  ],
};

/** The outcome of a GraphQL reply; a refusal because of the resource's state counts as allowed. */
function ofAnswer({ data, errors }: { data: Data; errors?: Data[] }, write: boolean): Outcome {
  const [error] = errors ?? [];
  if (!error) return write || data.it !== null ? 'allowed' : 'not_found';
  if (error.extensions.code === 'FORBIDDEN') return /scope$/.test(error.message) ? 'scope_missing' : 'forbidden';
  return error.extensions.code === 'NOT_FOUND' ? 'not_found' : 'allowed';
}

/** The input that a write needs to get as far as looking up its subject. */
function needed(name: string, title: string): object | undefined {
  if (name === 'pipeline.create')
    return { name: title, repository: { url: 'https://github.com/acme/new' }, steps: { yaml } };
  return name === 'provider-connection.create'
    ? { provider: 'github_enterprise', apiUrl: 'http://127.0.0.1:9', token: 'x' }
    : undefined;
}

describe('GraphQL fields equivalent to a route', () => {
  const mapped = Object.keys({ ...reads, ...writes });
  test.each(mapped)('the field for %s has the same outcome as its route over HTTP', async (name) => {
    const route = routes.find(
      ({ operation, path }) => operation.name === name && path.startsWith('/organizations/{org}'),
    );
    if (!route) throw new Error(`no route of ${name} below an organization`);
    const write = writes[name];
    for (const who of everybody) {
      for (const scope of [route.operation.scope as Scope, 'graphql', another(route.operation.scope)] as const) {
        const call = write ? write.graphql(at, needed(name, `By ${who} with ${scope}`)) : reads[name]?.(at);
        if (!call) throw new Error(`no field for ${name}`);
        const wanted = expected(route.operation, route.path, who, scope, 'graphql');
        // A permitted caller would delete the resource that the other callers need.
        if (/[.]delete/.test(name) && wanted === 'allowed') continue;
        const answer = ofAnswer(await surfaces.graphql(call, await withScope(who, scope)), write !== undefined);
        expect([who, scope, answer]).toEqual([who, scope, wanted]);
      }
    }
  });

  test('a deleting field answers as its route does for permitted callers', async () => {
    const { body } = await surfaces.rest([
      'post',
      '/organizations/acme/pipelines',
      { name: 'Short', repository: 'https://github.com/acme/short', configuration: yaml },
    ]);
    const call = writes['pipeline.delete']?.graphql({ ...at, pipeline: body }) as GraphqlCall;
    expect(ofAnswer(await surfaces.graphql(call, await withScope('administrator', 'write_pipelines')), true)).toBe(
      'allowed',
    );
  });
});
