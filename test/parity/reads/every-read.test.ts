import { routes } from '../../../src/rest/routes.js';
import { BothSurfaces, type Data } from '../../support/both-surfaces.js';
import type { PathValues } from '../../support/one-of-everything.js';
import { populated } from './populated-world.js';
import { leftOut } from './read.js';
import { reads, restOnly } from './table.js';

const ownStory = 'the job and the build of this world need no such explanation; explanations.test.ts has those that do';

const ownExtract = 'no log of this world tells of an error; log-search.test.ts has jobs that failed alike';
const ownFailure = 'nothing of this world has passed before it failed; job-failures.test.ts has a step that did';

const ofProvider = 'no source provider answers here; statuses-of-connections.test.ts has one that does';

/** Fields that no world has a value for, and why. */
const neverThere: Readonly<Record<string, string>> = {
  'provider-connection.rate_limit': ofProvider,
  'provider-connection.service_account': ofProvider,
  'provider-connection.failing_since': ofProvider,
  'provider-connection.last_error': ofProvider,
  'provider-connection.last_error_at': ofProvider,
  'matche.cluster': ownExtract,
  'provider-connection.app_id': 'an App has a private key, which a world does without',
  'agent.creator': 'agents register with a token, so nobody is their creator',
  'agent.job': 'the agent of a job does not say its job again',
  'build.canceled_by': ownStory,
  'build.merge_queue': 'queues are told as pull requests, and no build is of one',
  'build.superseded_by': ownStory,
  'job.canceled_by': ownStory,
  'job.message': ownStory,
  'job.reason': ownStory,
  'job-failure.cluster': ownExtract,
  'job-failure.last_passed': ownFailure,
  'changed.agent': ownFailure,
  'changed.queue': ownFailure,
  'changed.step': ownFailure,
  'changed.duration': ownFailure,
  'suite.oidc_policy': 'uploads are authenticated by the token of the suite only',
};

let surfaces: BothSurfaces;
let here: PathValues;
beforeAll(async () => {
  surfaces = await BothSurfaces.open({ plan: 'enterprise' });
  here = await populated(surfaces);
  // Building the world takes longer than a test's time limit on a busy machine.
}, 120_000);
afterAll(() => surfaces.close());

const gets = routes.filter(({ method }) => method === 'get');
const fill = (path: string) => path.replace(/\{(\w+)\}/g, (_, name: string) => here(path)[name] ?? `no ${name}`);
const byId = (one: Data, other: Data) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1);
const sorted = (rows: Data) =>
  [...rows].sort((one: Data, other: Data) => byId(one.id ?? one.uuid ?? one, other.id ?? other.uuid ?? other));

test('every REST read has its GraphQL selection, or a listed reason for having none', () => {
  const paths = gets.map(({ path }) => path);
  expect(Object.keys(reads).filter((path) => !paths.includes(path))).toEqual([]);
  expect(paths.filter((path) => !(path in reads)).sort()).toEqual(Object.keys(restOnly).sort());
  // Signed addresses are counted once for each parent of an artifact.
  expect(Object.keys(restOnly).length).toBeLessThanOrEqual(13);
  expect(Object.keys(leftOut).length).toBeLessThanOrEqual(5);
});

/** For each field, by its name and its parent's, whether any reply had a value. */
const values = new Map<string, boolean>();
function note(value: Data, holder: string): void {
  if (Array.isArray(value)) value.forEach((each) => note(each, holder));
  else if (typeof value === 'object' && value !== null) {
    for (const [name, inner] of Object.entries(value)) {
      const key = `${holder}.${name}`;
      values.set(key, values.get(key) === true || inner !== null);
      note(inner, name.replace(/s$/, ''));
    }
  }
}

test.each(
  gets.filter(({ path }) => path in reads).map((route) => [`${route.operation.name} ${route.path}`, route] as const),
)('%s returns the same data on both surfaces', async (_name, { path, operation, reply: { kind } }) => {
  const read = reads[path];
  if (!read) throw new Error(`no read of ${path}`);
  const at = here(path);
  const reply = await surfaces.rest(['get', `${fill(path)}${read.query ?? ''}`]);
  expect([reply.status, reply.status >= 400 ? reply.text : '']).toEqual([200, '']);
  const said = read.of ? read.of(reply) : kind === 'cursor' ? reply.body.items : reply.body;
  const mapped = read.mapped(await surfaces.select(read.graphql(at)), at);
  const order = read.anyOrder ? sorted : (rows: Data) => rows;
  expect(order(said)).toEqual(order(mapped));
  if (['page', 'cursor', 'list'].includes(kind)) expect(said.length).toBeGreaterThan(1);
  note(said, operation.name.split('.')[0] ?? '');
});

test('every field of every reply has a value in some reply', () => {
  expect(
    [...values]
      .filter(([, had]) => !had)
      .map(([name]) => name)
      .sort(),
  ).toEqual(Object.keys(neverThere).sort());
});
