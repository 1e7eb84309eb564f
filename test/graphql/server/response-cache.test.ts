import { compared } from '../../support/both-executors.js';
import { Door } from '../support.js';

/** The data of a query is kept whole, and given again after a statement that finds nothing changed. */
let door: Door;
beforeAll(async () => {
  door = await Door.open();
  await door.world.pipeline('steps: [{ command: make }]', { slug: 'app', name: 'App' });
});
afterAll(() => door.close());
beforeEach(() => door.world.services.fragmentCache!.clear());

const counts = () => ({ ...door.world.services.fragmentCache!.responses.counts });
const ask = (query: string, variables: object = {}) =>
  door.post().set('Buildkite-Include-Query-Stats', 'true').send({ query, variables });

const page = `query ($first: Int) { organization(slug: "acme") { name pipelines(first: $first) { count edges { node { name permissions { buildCreate { allowed } } } } } } }`;

test('a query that reads what it read before has the same data, and costs the same points', async () => {
  const before = counts();
  const planned = compared.planned;
  const replies = [];
  for (let time = 0; time < 4; time += 1)
    replies.push(await door.post().send({ query: page, variables: { first: 5 } }));
  expect(counts().hits - before.hits).toBe(2);
  // What was kept is compared with what is executed anew, as every query is.
  expect(compared.planned - planned).toBe(4);
  for (const reply of replies) {
    expect(reply.text).toBe(replies[0]!.text);
    for (const name of ['ratelimit-complexity-requested', 'ratelimit-complexity-actual', 'content-type'])
      expect([name, reply.headers[name]]).toEqual([name, replies[0]!.headers[name]]);
  }
  await door.world.services.db.updateTable('pipelines').set({ name: 'Other' }).execute();
  const { text } = await door.post().send({ query: page, variables: { first: 5 } });
  expect(text).toContain('Other');
});

test('other variables, and another caller, are another request', async () => {
  for (let time = 0; time < 3; time += 1) await door.post().send({ query: page, variables: { first: 5 } });
  const before = counts();
  const none = await door.post().send({ query: page, variables: { first: 0 } });
  expect(none.body.data.organization.pipelines.edges).toEqual([]);
  const hidden = await door.post(door.world.outsider).send({ query: page, variables: { first: 5 } });
  expect(hidden.body.data.organization).toBeNull();
  expect(counts().hits).toBe(before.hits);
});

test.each([
  ['the time', `{ organization(slug: "acme") { agents(first: 1, paused: true) { edges { node { name } } } } }`],
  ['errors', `{ organization(slug: "acme") { pipelines(first: 1, after: "nonsense") { count } } }`],
])('a reply with %s is made anew for every request', async (_what, query) => {
  const before = counts();
  for (let time = 0; time < 5; time += 1) expect((await ask(query)).status).toBe(200);
  expect([counts().kept - before.kept, counts().hits - before.hits]).toEqual([0, 0]);
});

test('a mutation that is sent again is carried out again', async () => {
  const { id } = await door.data('{ organization(slug: "acme") { id } }').then((data) => data.organization);
  const query = `mutation { pipelineCreate(input: { organizationId: "${id}", name: "Made", repository: { url: "git@example.com:a/b.git" }, steps: { yaml: "steps: []" } }) { pipeline { slug } } }`;
  const before = counts();
  for (let time = 0; time < 4; time += 1) await ask(query);
  expect(counts().kept).toBe(before.kept);
  const data = await door.data('{ organization(slug: "acme") { pipelines(first: 50, search: "Made") { count } } }');
  expect(data.organization.pipelines.count).toBeGreaterThan(0);
});
