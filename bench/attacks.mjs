// npm run -s bench:attacks [-- NAME…] [-- --database embedded|postgres]: /healthz and the event loop of a server at rest and
// under each attack of bench/attacks/. An attack is { name, attack({ url, token, tally }, signal) }: it goes on until the
// signal is aborted and hands each reply's status to `tally`.
import { readdirSync } from 'node:fs';
import { setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { monitorArgument, startMeasuring } from './attacks/measure.mjs';
import { seedJobs } from './attacks/graphql-env.mjs';
import { call } from './harness/load.mjs';
import { apiToken, seedOrganization } from './harness/organization.mjs';
import { dataDirectory, startPostgres } from './harness/postgres.mjs';
import { residentMegabytes } from './harness/processes.mjs';
import { startProduct } from './harness/product.mjs';
import { openSeeds, withEmbedded } from './harness/seeds.mjs';

/** Milliseconds that a reply of /healthz may take, and that the event loop may be kept, under attack. */
const limits = { health: 250, loop: 100 };
const seconds = Number(process.env.ATTACK_SECONDS ?? 5);
const { values, positionals } = parseArgs({ allowPositionals: true, options: { database: { type: 'string' } } });
const databases = values.database ? [values.database] : ['embedded', 'postgres'];

const directory = new URL('./attacks/', import.meta.url);
const attacks = [];
for (const file of readdirSync(directory).sort()) {
  if (['measure.mjs', 'poller.mjs', 'server-monitor.mjs'].includes(file)) continue;
  attacks.push(...(await import(new URL(file, directory).href)).attacks);
}
const chosen = attacks.filter(
  ({ name }) => positionals.length === 0 || positionals.some((word) => name.includes(word)),
);

async function attackAll(database) {
  const server = await startProduct(database, {
    arguments: [monitorArgument],
    environment: { GRAPHQL_COST_LIMIT: '50000' },
  });
  const measuring = startMeasuring(server);
  let allHeld = true;
  const print = (name, measured, statuses) => {
    const { healthz, loop_longest_cpu_ms } = measured;
    const held = healthz.slowest_ms < limits.health && loop_longest_cpu_ms < limits.loop && healthz.not_200 === 0;
    allHeld &&= held;
    const rss_mb = Math.round(residentMegabytes(server.pid));
    console.log(JSON.stringify({ database: database.kind, attack: name, ...measured, rss_mb, statuses, held }));
  };
  try {
    // The processes that serve and measure keep their priority.
    setPriority(10);
    // A server at rest has built its GraphQL schema, which takes a second turn of its start.
    await call(`${server.url}/graphql`, { method: 'POST', body: { query: '{ viewer { id } }' } });
    await sleep(1000);
    print('none', await measuring.during(() => sleep(seconds * 1000)));
    for (const { name, attack } of chosen) {
      const statuses = {};
      const tally = (status) => (statuses[status] = (statuses[status] ?? 0) + 1);
      // The first time loads the code that the attack is aimed at.
      await attack({ url: server.url, token: apiToken, tally: () => undefined }, AbortSignal.timeout(1000));
      const measured = await measuring.during(() =>
        attack({ url: server.url, token: apiToken, tally }, AbortSignal.timeout(seconds * 1000)),
      );
      print(name, measured, statuses);
    }
  } finally {
    await measuring.stop();
    await server.stop();
  }
  return allHeld;
}

async function attackPostgres() {
  const postgres = await startPostgres(dataDirectory);
  try {
    return await openSeeds({ postgres, directory: dataDirectory, scale: 1 }).copied('empty', async (database) => {
      await seedJobs(database.pool);
      return attackAll(database);
    });
  } finally {
    await postgres.stop();
  }
}

const attackEmbedded = () =>
  withEmbedded(attackAll, async (pool) => {
    await seedOrganization(pool);
    await seedJobs(pool);
  });

let held = true;
for (const kind of databases) held = (kind === 'embedded' ? await attackEmbedded() : await attackPostgres()) && held;
if (!held) process.exitCode = 1;
