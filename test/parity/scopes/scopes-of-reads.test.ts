import { type Scope, scopes } from '../../../src/domain/organizations/scopes.js';
import { routes } from '../../../src/rest/routes.js';
import { BothSurfaces, type Data } from '../../support/both-surfaces.js';
import type { PathValues } from '../../support/one-of-everything.js';
import type { Person } from '../../support/world.js';
import { populated } from '../reads/populated-world.js';
import { reads } from '../reads/table.js';

/** Every REST read and its GraphQL selection, sent by an administrator with tokens of one scope each. */
let surfaces: BothSurfaces;
let here: PathValues;
const holders = {} as Record<Scope, Person>;
beforeAll(async () => {
  surfaces = await BothSurfaces.open({ plan: 'enterprise' });
  here = await populated(surfaces);
  const { id, email } = surfaces.world.admin;
  for (const scope of scopes) holders[scope] = await surfaces.world.personWithToken(id, email, { scopes: [scope] });
}, 120_000);
afterAll(() => surfaces.close());

const rows = routes
  .filter(({ method, path }) => method === 'get' && path in reads)
  .map((route) => [`${route.operation.name} ${route.path}`, route] as const);
const fill = (path: string) => path.replace(/\{(\w+)\}/g, (_, name: string) => here(path)[name] ?? `no ${name}`);

/** Fields that a token of the read's scope reads on /v2 and not by GraphQL, and why. The list only gets shorter. */
const refusedFields: Readonly<Record<string, readonly string[]>> = {
  // Numbers on /v2. In the schema they are counts of lists, whose filters could count anything: they need the lists'
  // scope.
  'pipeline.get': ['scheduledBuilds', 'runningBuilds', 'scheduledJobs', 'runningJobs', 'waitingJobs'],
  'pipeline.list': ['scheduledBuilds', 'runningBuilds', 'scheduledJobs', 'runningJobs', 'waitingJobs'],
  // The schema asks the jobs of a build for their failures, and the list of jobs needs its own scope.
  'job-failure.list': ['build'],
};

const byId = (one: Data, other: Data) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1);

/** Scalars that data shows, but identifiers. */
function shown(value: Data, name = ''): string[] {
  if (value === null || ['id', 'uuid', 'slug', 'number', '__typename'].includes(name)) return [];
  if (Array.isArray(value)) return value.flatMap((each) => shown(each, name));
  if (typeof value === 'object') return Object.entries(value as object).flatMap(([key, each]) => shown(each, key));
  return [`${name}: ${String(value)}`];
}

test.each(rows)('a token of any single scope gets the same of %s on both surfaces', async (_name, route) => {
  const { path, operation } = route;
  const read = reads[path];
  if (!read) throw new Error(`no read of ${path}`);
  for (const scope of scopes) {
    const rest = await surfaces.rest(['get', `${fill(path)}${read.query ?? ''}`], holders[scope]);
    const { data, errors = [] } = await surfaces.graphql(read.graphql(here(path)), holders[scope]);
    const refusals = errors.map(({ extensions, path: at }) => `${at.at(-1)} ${extensions.code} ${extensions.scope}`);
    if (rest.status === 200) {
      const exceptions = refusedFields[operation.name] ?? [];
      const known = refusals.filter((refusal) => exceptions.some((field) => refusal.startsWith(`${field} FORBIDDEN`)));
      expect([scope, refusals.filter((refusal) => !known.includes(refusal))]).toEqual([scope, []]);
      if (known.length > 0) continue;
      const said = read.of ? read.of(rest) : route.reply.kind === 'cursor' ? rest.body.items : rest.body;
      const mapped = read.mapped(data, here(path));
      const order = (value: Data) => (read.anyOrder ? [...value].sort(byId) : value);
      expect([scope, order(said)]).toEqual([scope, order(mapped)]);
    } else {
      // A token of the scope `graphql` may read everything on the other surface.
      expect([scope, rest.status, rest.body.message]).toEqual([scope, 403, expect.stringMatching(/scope$/)]);
      if (scope === 'graphql') expect([scope, refusals]).toEqual([scope, []]);
      else {
        expect([scope, refusals.length > 0, shown(data)]).toEqual([scope, true, []]);
      }
    }
  }
});
