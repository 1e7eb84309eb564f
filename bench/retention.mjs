// npm run -s bench:retention [-- --scale N] [--data DIR | --postgres URL] [--minutes N]: a pass of retention over 100,000 builds
// with logs on PostgreSQL while agents work: latencies of dispatch before and during, sizes before and after, with a `kill -9` in
// the middle. `--scale 10` is a million builds. `--postgres` uses a server that runs already and makes its databases there;
// `--minutes` ends the pass where it is by then, and what it had deleted is said.
import { execFile } from 'node:child_process';
import { mkdir, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { connectAgent } from './harness/agents.mjs';
import { callOk, percentile } from './harness/load.mjs';
import { stepsOf } from './harness/organization.mjs';
import { dataDirectory, startPostgres, usePostgres } from './harness/postgres.mjs';
import { cpuOf } from './harness/processes.mjs';
import { startProduct } from './harness/product.mjs';
import { openSeeds, storedLog } from './harness/seeds.mjs';

const run = promisify(execFile);
const loops = 8;
/** Each agent begins a build so often, so that the machine is not full already. */
const everyMs = 250;
const aloneMs = 45_000;
const { values } = parseArgs({
  options: {
    scale: { type: 'string', default: '1' },
    data: { type: 'string', default: dataDirectory },
    postgres: { type: 'string' },
    minutes: { type: 'string', default: 'Infinity' },
  },
});
const scale = Number(values.scale);
/** Counting a million builds takes longer than half a second should be busy with. */
const lookEveryMs = Math.max(500, 500 * scale);
/** Files that are written at once. */
const filesAtOnce = 64;
const program = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const passIsDue = `update retention_passes set started_at = null where name = 'retention'`;
const app = '/v2/organizations/bench/pipelines/app';

/** Agents that begin builds and run them, whatever server there is; latencies go where `phase` says. */
class Load {
  phase = null;
  failed = 0;
  ended = false;

  constructor(server) {
    this.server = server;
    this.running = Array.from({ length: loops }, (_, index) => this.#loop(index));
  }

  async #loop(index) {
    let agent = null;
    for (let round = 0; !this.ended; round += 1) {
      const { url } = this.server();
      const begin = performance.now();
      try {
        agent ??= await connectAgent(url, `live-${index}-${round}`);
        const posted = performance.now();
        await callOk(`${url}${app}/builds`, {
          method: 'POST',
          body: { commit: 'HEAD', branch: 'live', message: 'Live' },
        });
        const created = performance.now();
        const job = await agent.takeJob();
        const taken = performance.now();
        await job.start();
        await job.finish();
        this.phase?.push({ create: created - posted, dispatch: taken - created });
      } catch {
        // The server was killed: the agent connects again.
        agent = null;
        this.failed += 1;
      }
      await sleep(Math.max(0, everyMs - (performance.now() - begin)));
    }
  }

  async during(work) {
    const latencies = [];
    this.phase = latencies;
    const result = await work();
    this.phase = null;
    return { latencies, result };
  }

  async end() {
    this.ended = true;
    await Promise.all(this.running);
  }
}

const figures = (latencies) => ({
  builds: latencies.length,
  ...Object.fromEntries(
    ['create', 'dispatch'].map((name) => {
      const times = latencies.map((each) => each[name]);
      const ms = (share) => Math.round(percentile(times, share) * 10) / 10;
      return [name, { p50: ms(0.5), p99: ms(0.99), max: ms(1) }];
    }),
  ),
});

/** What files and folders take on disk, with the rest of their last blocks. Millions of them take minutes to look at. */
const bytesOnDisk = async (path) =>
  scale > 1 ? null : Number((await run('du', ['-s', '--block-size=1', path])).stdout.split('\t', 1)[0]);

/** What is used of the whole disk, by whomever. */
async function bytesUsed(path) {
  const { blocks, bfree, bsize } = await statfs(path);
  return (blocks - bfree) * bsize;
}

async function sizes({ pool, directory }) {
  const tables = ['builds', 'jobs', 'steps', 'events', 'log_chunks', 'log_usage'];
  const { rows } = await pool.query(
    `select t as table, pg_total_relation_size(t::regclass)::float8 as bytes, pg_relation_size(t::regclass)::float8 as heap from unnest($1::text[]) t`,
    [tables],
  );
  const { rows: counts } = await pool.query(
    `select (select count(*)::int from builds) as builds, (select count(*)::int from jobs) as jobs, (select count(*)::int from log_chunks) as chunks,
      pg_database_size(current_database())::float8 as database`,
  );
  return {
    ...counts[0],
    objects_bytes: await bytesOnDisk(join(directory, 'objects')),
    disk_used_bytes: await bytesUsed(directory),
    tables: Object.fromEntries(rows.map(({ table, bytes }) => [table, Math.round(bytes / 1e6)])),
  };
}

async function planOf({ url, directory }) {
  const { PATH, HOME } = process.env;
  const { stdout } = await run(process.execPath, [program, 'retention', 'plan', '--json'], {
    env: { PATH, HOME, DATABASE_URL: url, DATA_DIR: directory, SECRET_KEY: 'a secret key of the benches, long enough' },
  });
  return JSON.parse(stdout).would_delete;
}

async function storeLogs({ pool, directory }) {
  const { rows } = await pool.query('select stored_key from log_chunks');
  const keys = rows.values();
  const writeNext = async () => {
    for (const { stored_key: key } of keys) {
      const file = join(directory, 'objects', key);
      await mkdir(join(file, '..'), { recursive: true });
      await writeFile(file, storedLog);
    }
  };
  await Promise.all(Array.from({ length: filesAtOnce }, writeNext));
}

const print = (name, what) => console.log(JSON.stringify({ [name]: what }));

const setRetention = (server, retention) =>
  callOk(`${server.url}/v2/organizations/bench/pipeline-settings`, { method: 'PATCH', body: { retention } });

async function measure(database) {
  await storeLogs(database);
  let server = await startProduct(database);
  await callOk(`${server.url}${app}`, { method: 'PATCH', body: { configuration: stepsOf(1) } });
  const load = new Load(() => server);
  await sleep(5_000);
  const before = await load.during(() => sleep(aloneMs));
  print('before', figures(before.latencies));
  print('sizes_before', await sizes(database));

  await setRetention(server, { builds: { days: 30 } });
  const plan = await planOf(database);
  print('plan', plan);
  const { pool } = database;
  const left = async () =>
    (await pool.query(`select count(*)::int as count from builds where branch <> 'live'`)).rows[0].count;
  const all = await left();
  const planned = plan.find(({ kind }) => kind === 'builds').items;
  const endsAt = performance.now() + Number(values.minutes) * 60_000;
  /** Waits until this share of the planned builds is gone, or `untilMs` has come; gives the number that is gone. */
  const until = async (share, untilMs) => {
    for (;;) {
      const gone = all - (await left());
      if (gone >= planned * share || performance.now() >= untilMs) return gone;
      await sleep(lookEveryMs);
    }
  };
  // The pass that is due is the next hour's.
  await pool.query(passIsDue);
  const cpu = cpuOf(server.pid);
  const first = await load.during(async () => {
    while ((await left()) === all) await sleep(lookEveryMs / 2);
    const begin = performance.now();
    const gone = await until(0.5, begin + (endsAt - begin) / 2);
    return { gone, seconds: Math.round((performance.now() - begin) / 1000) };
  });
  print('during_first_half', {
    ...figures(first.latencies),
    ...first.result,
    server_cpu_ms: cpuOf(server.pid) - cpu,
  });
  server.child.kill('SIGKILL');
  await sleep(500);
  print(
    'left_by_the_killed_process',
    (await pool.query('select count(*)::int as builds from retention_leftovers')).rows[0],
  );
  const failed = load.failed;
  server = await startProduct(database);
  const second = await load.during(async () => {
    const begin = performance.now();
    const gone = await until(1, endsAt);
    return { gone, seconds: Math.round((performance.now() - begin) / 1000) };
  });
  print('during_second_half', {
    ...figures(second.latencies),
    ...second.result,
    calls_failed_by_the_kill: load.failed - failed,
  });
  if (second.result.gone < planned) await setRetention(server, {});
  // What the killed process left goes with the next pass.
  while ((await pool.query(`select progress from retention_passes where name = 'retention'`)).rows[0].progress !== null)
    await sleep(500);
  await pool.query(passIsDue);
  while ((await pool.query('select count(*)::int as count from retention_leftovers')).rows[0].count > 0)
    await sleep(500);
  // Once more without a pass, since a shared machine does not stay the same.
  const after = await load.during(() => sleep(aloneMs));
  print('after', figures(after.latencies));
  print('failed_calls', load.failed);
  await load.end();
  print('kept', { builds: await left(), expected: all - planned, ended: second.result.gone >= planned });
  await pool.query('vacuum analyze');
  print('sizes_after', await sizes(database));
  await server.stop();
  await pool.query('vacuum full');
  print('sizes_after_vacuum_full', await sizes(database));
}

const postgres = values.postgres ? await usePostgres(values.postgres) : await startPostgres(values.data);
try {
  const seeds = openSeeds({ postgres, directory: values.data, scale, keeps: !values.postgres });
  await seeds.copied('history', measure);
} finally {
  await postgres.stop();
}
