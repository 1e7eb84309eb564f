import { once } from 'node:events';
import { createServer, request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pLimit from 'p-limit';
import { limits } from '../../../src/domain/limits/limits.js';
import { largeJson } from '../../../src/graphql/limits/large-json.js';
import { DocumentTurns, HeavyTurns } from '../../../src/graphql/limits/turns.js';
import type { Data } from '../../support/both-surfaces.js';
import { manyJobs } from '../../support/many-jobs.js';
import { StatementGauge } from '../../support/statement-gauge.js';
import { Door } from '../support.js';

/** Selects these fields of every job, for as many jobs as one operation can afford with its points. */
const everyJob = (
  fields: string,
  builds = 10,
) => `{ organization(slug: "acme") { pipelines(first: 20) { edges { node { builds(first: ${builds}) { edges { node {
  jobs(first: 20) { edges { node { ... on JobTypeCommand { ${fields} } } } }
} } } } } } } }`;
const jobsOf = ({ organization }: Data): Data[] =>
  organization.pipelines.edges.flatMap((pipeline: Data) =>
    pipeline.node.builds.edges.flatMap((build: Data) => build.node.jobs.edges.map((job: Data) => job.node)),
  );

describe('a GraphQL operation about thousands of jobs', () => {
  let door: Door;
  let server: Server;
  beforeAll(async () => {
    door = await Door.open();
    await manyJobs(door.world, { pipelines: 20, builds: 10, jobs: 20 });
    server = createServer(door.app).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(async () => {
    server.close();
    server.closeAllConnections();
    await door.close();
  });
  afterEach(() => {
    delete door.world.services.limits.requestMilliseconds;
    delete door.world.services.limits.requestStatements;
  });

  test('an operation reads the environments of eight hundred jobs with few statements, few of them at a time', async () => {
    let jobs: Data[] = [];
    const gauge = await StatementGauge.during(
      door.world.services,
      async () => (jobs = jobsOf(await door.data(everyJob('env', 2)))),
    );
    expect(jobs).toHaveLength(800);
    expect(
      jobs.every(
        ({ env }) =>
          env.includes('CI=true') &&
          env.includes('BUILDKITE_ORGANIZATION_SLUG=acme') &&
          env.includes('BUILDKITE_PIPELINE_DEFAULT_BRANCH=main'),
      ),
    ).toBe(true);
    expect(gauge.sent).toBeLessThan(60);
    expect(gauge.mostInFlight).toBeLessThanOrEqual(limits.requestStatementsAtOnce);
  });

  test('an operation reads the sizes of four thousand logs with few statements', async () => {
    let jobs: Data[] = [];
    const gauge = await StatementGauge.during(
      door.world.services,
      async () => (jobs = jobsOf(await door.data(everyJob('log { size url }')))),
    );
    expect(jobs.map(({ log }) => log.size)).toEqual(Array.from({ length: 4_000 }, () => 25));
    expect(gauge.sent).toBeLessThan(60);
  });

  test('expensive fields raise both the requested and the actual complexity', async () => {
    const costs = async (fields: string, builds: number) => {
      const { body } = await door
        .post()
        .set('Buildkite-Include-Query-Stats', 'true')
        .send({ query: everyJob(fields, builds) });
      return body.stats as { requestedComplexity: number; actualComplexity: number };
    };
    const [plain, env] = [await costs('uuid', 2), await costs('env', 2)];
    expect(env.requestedComplexity - plain.requestedComplexity).toBe(50 * 800);
    expect(env.actualComplexity - plain.actualComplexity).toBe(50 * 800);
    const refused = await door.ask(everyJob('log { content headerTimes }'));
    expect(refused.errors?.[0]?.extensions.code).toBe('COMPLEXITY_LIMIT_EXCEEDED');
  });

  /** Fields with statements of their own for each parent. */
  const preview = `webhookPreview(provider: "github", event: "ping", payload: "{}") { __typename }`;
  const perParent = `{ organization(slug: "acme") { pipelines(first: 20) { edges { node { ${preview} } } } } }`;

  test('each field that needs its own statements costs points', async () => {
    const { body } = await door.post().set('Buildkite-Include-Query-Stats', 'true').send({ query: perParent });
    expect(body.stats).toEqual({ requestedComplexity: 3 + 20 * (1 + 1 + 10), actualComplexity: 3 + 20 * (1 + 1 + 10) });
  });

  test("an operation beyond a request's statement limit gets errors field by field and runs no more statements", async () => {
    door.world.services.limits.requestStatements = 15;
    let answer: Awaited<ReturnType<Door['ask']>> | undefined;
    const gauge = await StatementGauge.during(door.world.services, async () => (answer = await door.ask(perParent)));
    // One further statement looks up the caller.
    expect(gauge.sent).toBeLessThanOrEqual(15 + 1);
    expect(answer?.errors?.length).toBeGreaterThan(0);
    expect(new Set(answer?.errors?.map(({ message, extensions }) => `${extensions.code}: ${message}`))).toEqual(
      new Set([
        'PAYLOAD_TOO_LARGE: One request makes at most 15 reads of the database; ask for fewer objects at a time',
      ]),
    );
    expect(answer?.data.organization.pipelines.edges).toHaveLength(20);
  });

  test('an operation ends at its deadline with TIMEOUT at the missing fields and runs no more statements', async () => {
    door.world.services.limits.requestMilliseconds = 300;
    let answer: Awaited<ReturnType<Door['ask']>> | undefined;
    const gauge = await StatementGauge.during(door.world.services, async (measured) => {
      let late = 0;
      measured.before = () => sleep(100);
      answer = await door.ask(`{ viewer { id } ${perParent.slice(1)}`);
      late = measured.sent;
      await sleep(100);
      expect(measured.sent).toBe(late);
    });
    expect(gauge.sent).toBeLessThan(30 * limits.requestStatementsAtOnce);
    expect(answer?.data.viewer.id).toEqual(expect.any(String));
    expect(new Set(answer?.errors?.map(({ extensions }) => extensions.code))).toEqual(new Set(['TIMEOUT']));
    expect(answer?.errors?.length).toBeLessThanOrEqual(limits.graphqlErrors);
  });

  test('a reply with too many errors counts the rest in a last error', async () => {
    door.world.services.limits.requestStatements = 1;
    const names = Array.from({ length: 150 }, (_, index) => `n${index}: organization(slug: "acme") { id }`);
    const { errors } = await door.ask(`{ ${names.join(' ')} }`);
    expect(errors).toHaveLength(limits.graphqlErrors);
    expect(errors?.at(-1)?.message).toMatch(/^\d+ more fields failed$/);
  });

  test('an operation runs no more statements after its client has disconnected', async () => {
    const { port } = server.address() as AddressInfo;
    await StatementGauge.during(door.world.services, async (gauge) => {
      const left = new Promise<void>((resolve) => {
        gauge.before = async (count) => {
          if (count === 10) {
            client.destroy();
            resolve();
          }
          await sleep(5);
        };
      });
      const client = httpRequest({
        port,
        host: '127.0.0.1',
        path: '/graphql',
        method: 'POST',
        headers: { authorization: door.world.admin.authorization },
      });
      client.on('error', () => undefined);
      client.end(JSON.stringify({ query: perParent }));
      await left;
      await sleep(100);
      const atOnce = gauge.sent;
      expect(atOnce).toBeLessThan(10 + 4 * limits.requestStatementsAtOnce);
      await sleep(100);
      expect([gauge.sent, gauge.inFlight]).toEqual([atOnce, 0]);
    });
  });

  test('an operation waits while others of its user run, and is refused with 429 when too many wait', async () => {
    const burst = limits.graphqlDocumentsAtOnce + limits.graphqlDocumentsWaiting + 5;
    let letRead = () => {};
    const refusals = new Promise<void>((resolve) => (letRead = resolve));
    // Resolvers read nothing until the whole burst has come; authentication is not one of their reads.
    door.world.services.readTurns = pLimit(1);
    const held = door.world.services.readTurns(() => refusals);
    let refusedSoFar = 0;
    const replies = await Promise.all(
      Array.from({ length: burst }, async () => {
        const reply = await door.post().send({ query: '{ organization(slug: "acme") { name } }' });
        if (reply.status === 429) refusedSoFar += 1;
        if (refusedSoFar === 5) letRead();
        return reply;
      }),
    );
    await held;
    delete door.world.services.readTurns;
    const refused = replies.filter(({ status }) => status === 429);
    expect(refused.length).toBe(5);
    expect(
      refused.every(
        ({ headers, body }) => headers['retry-after'] === '1' && body.errors[0].extensions.code === 'RATE_LIMITED',
      ),
    ).toBe(true);
    expect(
      replies.filter(
        ({ status, body }) => status === 200 && body.data.organization.name === door.world.organization.name,
      ),
    ).toHaveLength(burst - 5);
  });

  test('operations of one user run a few at a time, beside those of other users', async () => {
    const turns = new DocumentTurns();
    const { signal } = new AbortController();
    const begun: string[] = [];
    let finish = () => {};
    const finished = new Promise<void>((resolve) => (finish = resolve));
    const documents = [...Array.from({ length: limits.graphqlDocumentsAtOnce + 2 }, () => 'a'), 'b'].map((user) =>
      turns.take(user, signal, async () => {
        begun.push(user);
        await finished;
      }),
    );
    await sleep(0);
    expect(begun.sort().join('')).toBe(`${'a'.repeat(limits.graphqlDocumentsAtOnce)}b`);
    finish();
    await Promise.all(documents);
    expect(begun).toHaveLength(limits.graphqlDocumentsAtOnce + 3);
  });

  test('one large operation per user and two in all run at a time, and those whose client disconnects are dropped', async () => {
    const turns = new HeavyTurns();
    const begun: string[] = [];
    const ends = new Map<string, () => void>();
    const begin = async (user: string, signal?: AbortSignal) => {
      const end = await turns.take(user[0] ?? '', signal);
      begun.push(user);
      ends.set(user, end);
    };
    const leaving = new AbortController();
    const [first, second, left, third, fourth] = [
      begin('a1'),
      begin('a2'),
      begin('a3', leaving.signal),
      begin('b1'),
      begin('c1'),
    ];
    await Promise.all([first, third]);
    await sleep(0);
    expect(begun).toEqual(['a1', 'b1']);
    leaving.abort(new Error('left'));
    await expect(left).rejects.toThrow('left');
    ends.get('a1')?.();
    await fourth;
    ends.get('c1')?.();
    ends.get('b1')?.();
    await second;
    expect(begun).toEqual(['a1', 'b1', 'c1', 'a2']);
  });

  test('a large reply is written in pieces, with the same text as JSON.stringify gives', async () => {
    const value = {
      data: { list: Array.from({ length: 3_000 }, (_, index) => ({ index, env: ['A="ü"', 'B=1'], none: null })) },
      absent: undefined,
      empty: { list: [], object: {} },
      nested: [[{ a: [[1]] }]],
    };
    expect(Buffer.concat(await largeJson(value)).toString()).toBe(JSON.stringify(value));
    expect(Buffer.concat(await largeJson(null)).toString()).toBe('null');
  });
});
