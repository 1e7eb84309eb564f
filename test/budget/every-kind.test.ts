import { fillers } from './covered.js';
import { replayBuilds } from './fill/builds.js';
import type { Known } from './fill/filler.js';
import { graphqlReads, heavyReads, idOf, pageSizes } from './reads-of-graphql.js';
import { buildReads, restReads } from './reads-of-rest.js';
import { Sink } from './support/sink.js';
import { SlowReader } from './support/slow-reader.js';
import { atOnce, databases, rssLimitMb, Stage, turnLimitMs } from './support/stage.js';
import { noPostgres } from '../support/database.js';
import { describeUnless } from '../support/skips.js';

const callers = 4;
const slowReaders = 30;
/** What a value of a column that is listed as filled has at least. */
const largeBytes = 200;
const patienceMs = 240_000;

for (const database of databases) {
  const reason = database === 'postgres' ? noPostgres : null;
  describeUnless(reason, `a server with a heap of 512 MB on ${database} that is full of everything`, () => {
    let stage: Stage;
    let sink: Sink;
    const known: Known = {};
    beforeAll(async () => {
      sink = await Sink.open();
      stage = await Stage.open(database, { users: 200 });
      stage.notes['sink'] = sink.url;
    }, patienceMs);
    afterAll(async () => {
      await stage.close();
      await sink.close();
    });

    /** Prints the figures since the last call, and holds the server to its budget. */
    async function isWithinBudget(kind: string): Promise<void> {
      const { peak_rss_mb, loop_longest_cpu_ms, died, ...summary } = await stage.summary(kind);
      process.stdout.write(`${JSON.stringify({ ...summary, peak_rss_mb, loop_longest_cpu_ms, died })}\n`);
      const failures = stage.client.failures.splice(0);
      const refusals = stage.client.refusals.splice(0);
      stage.forget();
      const faults = { died, failures, refusals };
      expect(faults, JSON.stringify(faults)).toEqual({ died: null, failures: [], refusals: [] });
      expect(peak_rss_mb).toBeLessThan(rssLimitMb);
      expect(loop_longest_cpu_ms).toBeLessThan(turnLimitMs);
    }

    test.each(fillers.map((filler) => [filler.kind, filler] as const))(
      'takes %s to its limits and refuses more with a reason',
      async (kind, { fill }) => {
        await fill(stage, known);
        await isWithinBudget(`fill ${kind}`);
      },
      patienceMs,
    );

    test(
      'answers every read of /v2 to four callers at once',
      async () => {
        const addresses = [...restReads(known), ...buildReads(known)];
        const absent: string[] = [];
        await atOnce(callers, async (caller) => {
          for (const [index, address] of addresses.entries()) {
            // Each begins elsewhere, and all come to the largest ones together.
            const path = addresses[(index + caller * 5) % addresses.length] ?? address;
            const { status } = await stage.client.send('GET', path, { token: stage.token });
            if (![200, 302, 413, 422, 429].includes(status)) absent.push(`${status} ${path}`);
          }
        });
        stage.notes['reads'] = addresses.length;
        await isWithinBudget('reads of /v2');
        expect([...new Set(absent)]).toEqual([]);
      },
      patienceMs,
    );

    test(
      'answers every type and list of the schema to four callers at once',
      async () => {
        const empty: string[] = [];
        let next = 0;
        await atOnce(callers, async () => {
          while (next < graphqlReads.length) {
            const read = graphqlReads[next];
            next += 1;
            if (!read) return;
            for (const first of pageSizes) {
              const { status, text } = await stage.graphql(read.document(first), { id: idOf(known, read.name) });
              if (text.includes('COMPLEXITY_LIMIT_EXCEEDED')) continue;
              if (![200, 413, 422, 429].includes(status) || /"data":\{"node":null|GRAPHQL_VALIDATION_FAILED/.test(text))
                empty.push(`${read.subject}: ${status} ${text.slice(0, 200)}`);
              break;
            }
          }
        });
        stage.notes['reads'] = graphqlReads.length;
        await isWithinBudget('reads of GraphQL');
        expect(empty).toEqual([]);
      },
      patienceMs,
    );

    test(
      'answers operations that ask often for what is large, by four callers at once',
      async () => {
        for (const query of heavyReads(known)) {
          const replies = await atOnce(callers, () => stage.graphql(query));
          for (const { status } of replies) expect([200, 413, 422, 429]).toContain(status);
        }
        await isWithinBudget('operations about what is large');
      },
      patienceMs,
    );

    test(
      'gives replies of before to four callers with their idempotency keys',
      async () => {
        const statuses = await atOnce(callers, (caller) => replayBuilds(stage, caller));
        expect(statuses.flat().filter((status) => ![200, 201, 303, 409, 413, 422, 429].includes(status))).toEqual([]);
        await isWithinBudget('replays');
      },
      patienceMs,
    );

    test(
      'serves others while thirty readers take the largest reply a few bytes at a time',
      async () => {
        const readers: SlowReader[] = [];
        try {
          const path = '/v2/organizations/acme/pipelines?per_page=40';
          for (let index = 0; index < slowReaders; index += 1) readers.push(SlowReader.open(stage.client.url, path));
          for (let index = 0; index < 50; index += 1) {
            const { status } = await stage.rest('GET', '/organizations/acme/teams?per_page=100');
            expect(status).toBe(200);
          }
        } finally {
          for (const reader of readers) reader.close();
        }
        await isWithinBudget('slow readers');
      },
      patienceMs,
    );

    test(
      'has large values in every column that the fillers are to fill',
      async () => {
        const { largest, bytesByTable } = await stage.stored();
        process.stdout.write(`${JSON.stringify({ database, bytes_by_table: bytesByTable })}\n`);
        expect([...largest].filter(([, bytes]) => bytes < largeBytes)).toEqual([]);
      },
      patienceMs,
    );
  });
}
