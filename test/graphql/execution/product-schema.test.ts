import fc from 'fast-check';
import { type GraphQLObjectType, parse, validate } from 'graphql';
import { buildSchema } from '../../../src/graphql/server/schema.js';
import { createBuild } from '../../../src/operations/builds/create.js';
import { compared } from '../../support/both-executors.js';
import { oneOfEverything } from '../../support/one-of-everything.js';
import { randomDocument } from '../../support/random-documents.js';
import { Door } from '../support.js';

const steps = `
steps:
  - { command: make, key: one, label: Make, priority: 3, concurrency: 1, concurrency_group: g }
  - { command: test, parallelism: 3, soft_fail: true }
  - { command: 'echo {{matrix}}', matrix: [a, b] }
  - wait
  - { block: Go, key: go }
  - { trigger: other, async: true }
`;

/** `world` compares both results of every query; a difference fails the request. */
let door: Door;
beforeAll(async () => {
  door = await Door.open({ plan: 'enterprise', teamsEnabled: true });
  const { world } = door;
  Object.assign(world.services.limits, { graphqlCost: 0 });
  await oneOfEverything(world, steps);
  const pipelines = await world.services.db.selectFrom('pipelines').select('id').execute();
  for (const { id } of pipelines)
    await world.perform(world.admin, createBuild, { pipeline: { id }, commit: 'HEAD', branch: 'main', message: 'Hi' });
}, 120_000);
afterAll(() => door.close());

const roots: Record<string, string> = {
  organization: '(slug: "acme")',
  pipeline: '(slug: "acme/app")',
  build: '(slug: "acme/app/1")',
};

test('documents of any look have the same results over the product, for an administrator, a member and a stranger', async () => {
  const schema = await buildSchema();
  const { admin, member, outsider } = door.world;
  const argumentsOf = (
    type: { name: string },
    { name, args }: { name: string; args: readonly { name: string; type: unknown }[] },
  ) => {
    if (type.name === 'Query' && roots[name]) return roots[name];
    if (args.some((each) => String(each.type).endsWith('!'))) return null;
    return args.some((each) => each.name === 'first') ? '(first: 3)' : '';
  };
  const before = compared.planned;
  await fc.assert(
    fc.asyncProperty(fc.gen(), fc.constantFrom(admin, admin, member, outsider), async (pick, person) => {
      const query = randomDocument(pick, { schema, depth: 4, width: 3, argumentsOf });
      if (query.length > 20_000 || validate(schema, parse(query)).length > 0) return;
      const reply = await door.post(person).send({ query, variables: { no: false } });
      expect([reply.status, reply.text.includes('INTERNAL_SERVER_ERROR') && query]).toEqual([200, false]);
    }),
    { numRuns: 60, endOnFailure: true },
  );
  // Documents are random: how many are carried out by the plan is too.
  expect(compared.planned - before).toBeGreaterThan(5);
}, 120_000);

test('lists of jobs change with every column that shows', async () => {
  const { world } = door;
  const { db } = world.services;
  const type = (await buildSchema()).getType('JobTypeCommand') as GraphQLObjectType;
  const fields = Object.values(type.getFields()).filter(({ name, args, type: of }) => {
    const leaf = /^\[?(String|ID|Int|Boolean|DateTime|JSON|JSInt|\w+States|\w+Types|\w+Reason)!?\]?!?$/.test(
      String(of),
    );
    return leaf && args.length === 0 && !['env', 'url'].includes(name);
  });
  const query = `{ pipeline(slug: "acme/app") { builds(first: 2) { edges { node { number jobs(first: 50) { count pageInfo { startCursor } edges { cursor node {
    __typename ... on JobTypeCommand { ${fields.map(({ name }) => name).join(' ')} } ... on JobTypeWait { label state } } } } } } } } }`;
  const ask = async (): Promise<string> => JSON.stringify(await door.data(query));
  const first = await ask();
  expect(await ask()).toBe(first);

  const job = await db
    .selectFrom('jobs')
    .selectAll()
    .where('type', '=', 'command')
    .orderBy('id')
    .executeTakeFirstOrThrow();
  const changes = [
    { label: 'Another' },
    { command: 'another' },
    { exitStatus: 7 },
    { state: 'finished', passed: true },
    { softFailed: true },
    { priority: 9 },
    { finishedAt: new Date('2026-01-02T03:04:05.678Z') },
    { retried: true, retryType: 'manual' },
    { agentQueryRules: ['queue=other'] },
    { matrix: JSON.stringify({ os: 'linux' }) as never },
    { signal: 'SIGTERM' },
  ];
  let last = first;
  for (const change of changes) {
    await db
      .updateTable('jobs')
      .set(change as object)
      .where('id', '=', job.id)
      .execute();
    // Both ways of execution are compared; here it must have changed at all.
    const text = await ask();
    expect([change, text === last && !('priority' in change)]).toEqual([change, false]);
    last = text;
  }
  await db.deleteFrom('jobs').where('id', '=', job.id).execute();
  expect(await ask()).not.toContain(job.id);

  // Rights are those of the caller: what is read for one is not shown to another.
  expect((await door.ask(query, {}, world.outsider)).data.pipeline).toBeNull();
  const reader = await world.personWithToken(world.admin.id, world.admin.email, { scopes: ['read_pipelines'] });
  const refused = await door.ask(query, {}, reader);
  expect(JSON.stringify(refused)).not.toContain('make');
});
