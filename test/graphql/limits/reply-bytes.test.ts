import { limits } from '../../../src/domain/limits/limits.js';
import { ReplyTooLarge } from '../../../src/graphql/execution/reply-size.js';
import { largeJson } from '../../../src/graphql/limits/large-json.js';
import { manyJobs } from '../../support/many-jobs.js';
import { Door } from '../support.js';

const commandBytes = 10_000;
const mostBytes = 1_000_000;

const aliases = (count: number, field: string) =>
  Array.from({ length: count }, (_, index) => `${'a'.repeat(index % 3)}_${index}: ${field}`).join(' ');
/** Selects fields of the twenty jobs of a build, each with a command of `commandBytes`. */
const ofJobs = (fields: string) =>
  `organization(slug: "acme") { pipelines(first: 1) { edges { node { builds(first: 1) { edges { node {
    jobs(first: 20) { edges { node { ... on JobTypeCommand { ${fields} } } } } } } } } } } }`;
const tooLarge = {
  errors: [
    {
      message: `One reply holds at most ${mostBytes} bytes; ask for fewer objects at a time (\`first\`), or for fewer of their long fields`,
      extensions: { code: 'PAYLOAD_TOO_LARGE' },
    },
  ],
  data: null,
};

describe('the size of a GraphQL reply', () => {
  let door: Door;
  beforeAll(async () => {
    door = await Door.open();
    await manyJobs(door.world, { pipelines: 1, builds: 1, jobs: 20 });
    await door.world.services.db
      .updateTable('jobs')
      .set({ command: 'x'.repeat(commandBytes) })
      .execute();
    door.world.services.limits.replyBytes = mostBytes;
  });
  afterAll(() => door.close());

  const send = async (query: string) => {
    const { status, headers, body } = await door.post().send({ query });
    return { status, body, points: Number(headers['ratelimit-complexity-actual']) };
  };

  test.each([
    ['a query that a plan executes', `{ ${ofJobs(aliases(20, 'command'))} }`],
    ['a query that graphql-js executes', `{ ${ofJobs(`__proto__: uuid ${aliases(20, 'command')}`)} }`],
    ['a query whose texts are computed', `{ ${ofJobs(aliases(190, 'env'))} }`],
  ])(
    'one text in it twenty times by aliases counts twenty times: %s is refused with one error',
    async (_name, query) => {
      door.world.services.limits.graphqlCost = 0;
      const { status, body } = await send(query);
      expect({ status, ...body }).toEqual({ status: 200, ...tooLarge });
    },
  );

  test('keys count too, however short the values are', async () => {
    const long = Array.from({ length: 200 }, (_, index) => `k${index}${'k'.repeat(500)}: uuid`).join(' ');
    expect((await send(`{ ${ofJobs(long)} }`)).body).toEqual(tooLarge);
  });

  test('a reply within the bound is whole, and each 4 KiB of its texts cost a point where that is more than its objects do', async () => {
    const { body, points } = await send(`{ ${ofJobs('command')} }`);
    const jobs = body.data.organization.pipelines.edges[0].node.builds.edges[0].node.jobs.edges;
    expect(jobs.map(({ node }: { node: { command: string } }) => node.command.length)).toEqual(
      Array.from({ length: 20 }, () => commandBytes),
    );
    expect(points).toBe(Math.ceil((20 * commandBytes) / limits.graphqlPointCharacters));
    // Where it comes from memory it costs the same.
    for (let again = 0; again < 4; again += 1)
      expect(await send(`{ ${ofJobs('command')} }`)).toEqual({ status: 200, body, points });
  });

  test('a mutation says what it has changed, with errors at the fields that had no room in the reply', async () => {
    const { body } = await door.post().send({
      query: `mutation { clusterCreate(input: { organizationId: "${await organizationId()}", name: "Large" }) {
        cluster { name ${ofJobs(aliases(20, 'command')).replace('(slug: "acme")', '')} } } }`,
    });
    expect(new Set(body.errors.map(({ message }: { message: string }) => message))).toEqual(
      new Set([
        tooLarge.errors[0]?.message.replace(String(mostBytes), String(mostBytes / 2)),
        expect.stringMatching(/more fields failed$/),
      ]),
    );
    expect(body.data.clusterCreate.cluster.name).toBe('Large');
    expect(JSON.stringify(body).length).toBeLessThan(1.1 * mostBytes);
  });

  const organizationId = async () =>
    (await door.data('{ organization(slug: "acme") { id } }')).organization.id as string;

  test('a reply of many pieces arrives whole, compressed or not', async () => {
    const query = `{ ${ofJobs(aliases(4, 'command'))} }`;
    const plain = await door.post().set('Accept-Encoding', 'identity').send({ query });
    const packed = await door.post().set('Accept-Encoding', 'gzip').send({ query });
    expect(Number(plain.headers['content-length'])).toBeGreaterThan(4 * 20 * commandBytes);
    expect([packed.headers['content-encoding'], packed.body]).toEqual(['gzip', plain.body]);
  });
});

test('bytes are counted where a reply is written, because a character may take six of them', async () => {
  const value = { texts: Array.from({ length: 100 }, () => '\u0001'.repeat(1_000)) };
  expect(Buffer.concat(await largeJson(value, 700_000)).toString()).toBe(JSON.stringify(value));
  await expect(largeJson(value, 500_000)).rejects.toThrow(ReplyTooLarge);
});

test('a reply of long texts is written in many pieces, none of them much longer than the longest text', async () => {
  const value = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`text${index}`, 'x'.repeat(100_000)]));
  const pieces = await largeJson({ list: [value, value] });
  expect(Buffer.concat(pieces).toString()).toBe(JSON.stringify({ list: [value, value] }));
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(200_000);
});
