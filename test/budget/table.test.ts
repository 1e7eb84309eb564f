import { rowsOfCallersAtOnce } from './rows-of-callers-at-once.js';
import { rowsOfReaders } from './rows-of-readers.js';
import { rowsOfWriters } from './rows-of-writers.js';
import { databases, rssLimitMb, Stage, turnLimitMs } from './support/stage.js';
import { noPostgres } from '../support/database.js';
import { describeUnless } from '../support/skips.js';

/** Every one has ended a server with a heap of 512 MB, or kept it for seconds. */
const rows = [...rowsOfWriters, ...rowsOfCallersAtOnce, ...rowsOfReaders];

for (const database of databases) {
  const reason = database === 'postgres' ? noPostgres : null;
  describeUnless(reason, `a server with a heap of 512 MB on ${database}`, () => {
    test.each(rows.map((row) => [row.name, row] as const))(
      'survives: %s',
      async (name, { run }) => {
        const stage = await Stage.open(database);
        try {
          const problem = await run(stage).then(
            () => null,
            (error: Error) => error.message.slice(0, 500),
          );
          const summary = await stage.summary(name);
          process.stdout.write(`${JSON.stringify({ ...summary, problem })}\n`);
          const { failures, refusals } = stage.client;
          expect({ died: summary.died, problem, failures, refusals }).toEqual({
            died: null,
            problem: null,
            failures: [],
            refusals: [],
          });
          expect(summary.peak_rss_mb).toBeLessThan(rssLimitMb);
          expect(summary.loop_longest_cpu_ms).toBeLessThan(turnLimitMs);
        } finally {
          await stage.close();
        }
      },
      300_000,
    );
  });
}
