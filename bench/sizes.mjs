// npm run -s bench:sizes [-- rates | waiting | bytes] [--seconds N] [--data DIR | --postgres URL]: what a machine carries, and what
// builds cost in bytes, for docs/operations.md. `taskset -c 0 npm run -s bench:sizes` says the same of one core: server, database and load inherit it.
import { randomBytes } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { connectAgents, lifecycle } from './harness/agents.mjs';
import { callOk, repeat } from './harness/load.mjs';
import { stepsOf } from './harness/organization.mjs';
import { dataDirectory, startPostgres, usePostgres } from './harness/postgres.mjs';
import { cpuOf, residentMegabytes } from './harness/processes.mjs';
import { startProduct } from './harness/product.mjs';
import { openSeeds } from './harness/seeds.mjs';
import { connectIdleAgents } from './paths/idle-agents.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: 'string', default: '20' },
    data: { type: 'string', default: dataDirectory },
    postgres: { type: 'string' },
  },
});
const ms = Number(values.seconds) * 1000;
const loops = 8;
const idleAgents = 500;
const app = '/v2/organizations/bench/pipelines/app';
const print = (name, facts) => console.log(JSON.stringify({ [name]: facts }));
const rounded = (number) => Math.round(number * 100) / 100;

const createBuild = (url) =>
  callOk(`${url}${app}/builds`, { method: 'POST', body: { commit: 'HEAD', branch: 'main', message: 'Size' } });
const setSteps = (url, jobs) => callOk(`${url}${app}`, { method: 'PATCH', body: { configuration: stepsOf(jobs) } });

/** CPU of server and database that `work` costs, beside how long it took. */
async function costOf({ pid }, work) {
  const before = { server: cpuOf(pid), database: postgres.cpuMs() };
  const result = await work();
  return { ...result, serverMs: cpuOf(pid) - before.server, databaseMs: postgres.cpuMs() - before.database };
}

const perUnit = ({ count, ms: elapsed, serverMs, databaseMs }) => ({
  a_second: rounded((count * 1000) / elapsed),
  server_cpu_ms: rounded(serverMs / count),
  database_cpu_ms: rounded(databaseMs / count),
});

/** How many builds of one job are created, run and finished, and how many pages are read. */
async function rates(database) {
  const server = await startProduct(database);
  try {
    await setSteps(server.url, 1);
    const agents = await connectAgents(server.url, loops);
    const build = async (loop) => {
      await createBuild(server.url);
      await lifecycle(agents[loop]);
    };
    await repeat(build, { ms: 3_000, loops });
    const builds = perUnit(await costOf(server, () => repeat(build, { ms, loops })));
    print('builds', { ...builds, an_hour: Math.round(builds.a_second * 3600) });
    const page = `${server.url}${app}/builds?per_page=30`;
    print('pages_of_30_builds', perUnit(await costOf(server, () => repeat(() => callOk(page), { ms, loops }))));
    // Each page is another, so that none is answered from memory.
    let number = 0;
    const other = () => callOk(`${page}&page=${1 + (number++ % 300)}&branch=main&v=${number}`);
    print('pages_not_in_memory', perUnit(await costOf(server, () => repeat(other, { ms, loops }))));
    print('server_after', { resident_mb: Math.round(residentMegabytes(server.pid)) });
  } finally {
    await server.stop();
  }
}

/** What agents cost that wait for work. */
async function waiting(database) {
  const server = await startProduct(database);
  const agents = await connectIdleAgents(server.url, { count: idleAgents, mode: 'stream' });
  try {
    await sleep(5_000);
    const { serverMs, databaseMs } = await costOf(server, () => sleep(ms));
    print('idle_agents', {
      agents: idleAgents,
      server_cores: rounded(serverMs / ms),
      database_cores: rounded(databaseMs / ms),
      resident_mb: Math.round(residentMegabytes(server.pid)),
    });
  } finally {
    await agents.stop();
    await server.stop();
  }
}

/** A log as tools write them: a third of each line is unlike any other. */
const logOf = (bytes) => {
  const lines = [];
  for (let length = 0; length < bytes; length += lines.at(-1).length)
    lines.push(
      `2026-11-26T10:00:00Z [info] compiled src/module-${lines.length}.ts ${randomBytes(12).toString('hex')}\n`,
    );
  return Buffer.from(lines.join('')).subarray(0, bytes);
};

async function runBuild(server, agents, { jobs, log }) {
  await createBuild(server.url);
  await Promise.all(
    agents.slice(0, jobs).map(async (agent) => {
      const job = await agent.takeJob();
      await job.start();
      const chunk = 100_000;
      for (let offset = 0, sequence = 1; offset < log.length; offset += chunk, sequence += 1) {
        const piece = log.subarray(offset, offset + chunk);
        await job.chunk(sequence, offset, piece.length, gzipSync(piece));
      }
      await job.finish();
    }),
  );
}

async function stored({ pool, directory }) {
  await pool.query('vacuum analyze');
  const { rows } = await pool.query(
    `select c.relname as name, c.reltuples::float8 as rows, pg_total_relation_size(c.oid)::float8 as bytes
    from pg_class c where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace`,
  );
  return { tables: new Map(rows.map((row) => [row.name, row])), objects: bytesOf(join(directory, 'objects')) };
}

function bytesOf(folder) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}

/** Bytes and rows that a build leaves, of the given number of jobs with a log each. */
async function bytes(database, { jobs, logBytes, builds }) {
  const server = await startProduct(database);
  const log = logOf(logBytes);
  try {
    await setSteps(server.url, jobs);
    const agents = await connectAgents(server.url, jobs);
    const some = async (count) => {
      for (let made = 0; made < count; made += 1) await runBuild(server, agents, { jobs, log });
    };
    // Pages are counted whole: the first builds fill those that are begun.
    await some(50);
    const before = await stored(database);
    await some(builds);
    const due = () => database.pool.query('select count(*)::int as count from outbox_messages where failed_at is null');
    while ((await due()).rows[0].count > 0) await sleep(500);
    const after = await stored(database);
    const grown = [...after.tables.values()]
      .map(({ name, rows, bytes: size }) => {
        const former = before.tables.get(name);
        return { name, rows: (rows - former.rows) / builds, bytes: (size - former.bytes) / builds };
      })
      .filter((table) => table.bytes > 1 || table.rows > 0.01);
    print('bytes_of_a_build', {
      jobs,
      log_bytes_of_a_job: logBytes,
      database: Math.round(grown.reduce((sum, table) => sum + table.bytes, 0)),
      rows: rounded(grown.reduce((sum, table) => sum + table.rows, 0)),
      objects: Math.round((after.objects - before.objects) / builds),
      tables: Object.fromEntries(grown.map((table) => [table.name, [rounded(table.rows), Math.round(table.bytes)]])),
    });
  } finally {
    await server.stop();
  }
}

const postgres = values.postgres ? await usePostgres(values.postgres) : await startPostgres(values.data);
try {
  print('machine', { cores: availableParallelism(), node: process.version, postgres: postgres.version });
  const seeds = openSeeds({ postgres, directory: values.data, scale: 1, keeps: !values.postgres });
  const includes = (part) => positionals.length === 0 || positionals.includes(part);
  if (includes('rates')) await seeds.copied('empty', rates);
  if (includes('waiting')) await seeds.copied('empty', waiting);
  const shapes = [
    { jobs: 1, logBytes: 1_000, builds: 400 },
    { jobs: 5, logBytes: 1_000, builds: 200 },
    { jobs: 1, logBytes: 1_000_000, builds: 100 },
  ];
  for (const shape of includes('bytes') ? shapes : [])
    await seeds.copied('empty', (database) => bytes(database, shape));
} finally {
  await postgres.stop();
}
