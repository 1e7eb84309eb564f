// npm run -s bench:insights [-- --builds N] [--data DIR | --postgres URL | --embedded]: insights of a year over 1,000,000 builds of
// ten pipelines, on PostgreSQL or the embedded database. Waits until the server has folded all of them into rollups, then reads the
// figures by each group for a year and for 30 days: times of the REST reply, and how far its figures are from those that one
// statement computes from the rows; then one that reads rows alone, of 49,000 builds, and the slowest of other requests meanwhile.
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { callOk, median } from './harness/load.mjs';
import { dataDirectory, startPostgres, usePostgres } from './harness/postgres.mjs';
import { startProduct } from './harness/product.mjs';
import { openSeeds, seedYear, withEmbedded } from './harness/seeds.mjs';

const { values } = parseArgs({
  options: {
    builds: { type: 'string', default: '1000000' },
    data: { type: 'string', default: dataDirectory },
    postgres: { type: 'string' },
    embedded: { type: 'boolean', default: false },
  },
});
const scale = Number(values.builds) / 1_000_000;
const rounds = 7;
const dayMs = 86_400_000;
/** Time between two looks at an embedded database, which only one process has open. */
const lookMs = 60_000;
const print = (name, what) => console.log(JSON.stringify({ [name]: what }));

/** Keys of groups, with builds as `b`, jobs as `j` and steps as `s`. */
const keys = {
  pipeline: 'p.slug',
  branch: 'b.branch',
  queue: 'q.key',
  step: `p.slug || '/' || s.label`,
  day: `to_char(date_bin('1 day', b.created_at, timestamptz 'epoch') at time zone 'UTC', 'YYYY-MM-DD')`,
};
const percentiles = (column) => `percentile_cont(array[0.5, 0.9, 0.95]) within group (order by ${column})`;
const seconds = (from, to) => `extract(epoch from ${to} - ${from})::float8`;

/** The same figures from the rows. */
async function exact(query, { by, from, to }) {
  const ofJobs = by === 'queue' || by === 'step';
  const inTime = `b.created_at >= $1 and b.created_at < $2 and b.finished_at is not null`;
  const { rows } = await query(
    `select ${keys[by]} as key, count(distinct b.id)::int as builds, sum(${seconds('j.started_at', 'j.finished_at')}) as agent_seconds,
      count(distinct b.id) filter (where ${ofJobs ? `j.state = 'finished' and not j.passed` : `b.state = 'failed'`})::int as failed,
      ${percentiles(ofJobs ? seconds('j.started_at', 'j.finished_at') : seconds('b.started_at', 'b.finished_at'))} as durations,
      ${percentiles(seconds('j.runnable_at', 'j.assigned_at'))} as waits,
      sum(${seconds('j.started_at', 'j.finished_at')} * q.price_per_agent_hour / 3600) as cost
    from builds b join jobs j on j.build_id = b.id join pipelines p on p.id = b.pipeline_id join steps s on s.id = j.step_id
      join cluster_queues q on q.id = j.cluster_queue_id
    where ${inTime} group by 1`,
    [from, to],
  );
  return new Map(rows.map((row) => [row.key, row]));
}

/** Largest distance of percentiles, as a part of those of the rows, and the number of rows whose other figures differ. */
function compared(rows, byKey) {
  let error = 0;
  let wrong = 0;
  let others = 0;
  for (const row of rows) {
    const of = byKey.get(row.key);
    if (!of) {
      others += row.builds;
      continue;
    }
    const isAsMuch = Math.abs(row.agent_seconds - of.agent_seconds) <= 1 && Math.abs(row.cost - of.cost) < 0.01;
    if (row.builds !== of.builds || row.failed !== of.failed || !isAsMuch) wrong += 1;
    for (const [name, values] of [
      ['duration', of.durations],
      ['wait', of.waits],
    ])
      [50, 90, 95].forEach((share, index) => {
        const was = values[index];
        if (was > 0) error = Math.max(error, Math.abs(row[`${name}_p${share}`] - was) / was);
      });
  }
  return { rows: rows.length, largest_error: Number(error.toFixed(4)), wrong_figures: wrong, builds_of_others: others };
}

/** What is asked, with the answer of the rows. */
async function questionsOf(query) {
  await query('update cluster_queues set price_per_agent_hour = 0.35', []);
  const { rows: counts } = await query(
    'select count(*)::int as builds, min(created_at) as first, max(created_at) as last from builds',
    [],
  );
  print('database', counts[0]);
  const to = new Date();
  const questions = [];
  for (const days of [365, 30])
    for (const by of Object.keys(keys)) {
      const question = { days, by, from: new Date(to.getTime() - days * dayMs), to };
      questions.push({ ...question, answer: await exact(query, question) });
    }
  return questions;
}

async function isFolded(query) {
  const { rows } = await query('select ended_at from insight_folds', []);
  return rows.length > 0 && rows[0].ended_at !== null;
}

async function printSizes(query) {
  const { rows } = await query(
    `select span, count(*)::int as rows, (sum(pg_column_size(r.*)) / 1e6)::int as mb from insight_rollups r group by 1 order by 1`,
    [],
  );
  print('rollups', rows);
}

/** Starts a server that has folded all builds. */
async function startFolded(database) {
  let server = await startProduct(database);
  const begin = performance.now();
  if (database.pool) while (!(await isFolded(database.query))) await sleep(2_000);
  else
    for (let isDone = false; !isDone; server = await startProduct(database)) {
      await sleep(lookMs);
      await server.stop();
      isDone = await isFolded(database.query);
    }
  print('folded', { seconds: Math.round((performance.now() - begin) / 1000) });
  return server;
}

async function measure(database, questions) {
  const server = await startFolded(database);
  for (const { days, by, from, to, answer } of questions) {
    const address = `${server.url}/v2/organizations/bench/insights?by=${by}&from=${from.toISOString()}&to=${to.toISOString()}`;
    const times = [];
    let rows;
    for (let round = 0; round < rounds; round += 1) {
      const start = performance.now();
      rows = await callOk(address);
      times.push(performance.now() - start);
    }
    print(`${days} days by ${by}`, {
      ms: Math.round(median(times)),
      slowest_ms: Math.round(Math.max(...times)),
      ...compared(rows, answer),
    });
  }
  await measureRows(server);
  await server.stop();
  await printSizes(database.query);
}

/** What no rollup has, of nearly as many builds as one request reads; the server answers other requests meanwhile. */
async function measureRows(server) {
  const to = new Date();
  const everyMs = (366 * dayMs) / (1_000_000 * scale);
  const from = new Date(Math.max(to.getTime() - 49_000 * everyMs, to.getTime() - 365 * dayMs));
  const query = `by=branch&queue=default&from=${from.toISOString()}&to=${to.toISOString()}`;
  const times = [];
  const waits = [];
  let builds = 0;
  for (let round = 0; round < rounds; round += 1) {
    const start = performance.now();
    let isRead = false;
    const read = callOk(`${server.url}/v2/organizations/bench/insights?${query}`).finally(() => (isRead = true));
    while (!isRead) {
      const asked = performance.now();
      await callOk(`${server.url}/v2/organizations/bench`);
      waits.push(performance.now() - asked);
    }
    builds = (await read).reduce((sum, row) => sum + row.builds, 0);
    times.push(performance.now() - start);
  }
  print('rows of one queue by branch', {
    builds,
    ms: Math.round(median(times)),
    slowest_ms: Math.round(Math.max(...times)),
    other_requests_slowest_ms: Math.round(Math.max(...waits)),
  });
}

async function measurePostgres() {
  const postgres = values.postgres ? await usePostgres(values.postgres) : await startPostgres(values.data);
  try {
    const seeds = openSeeds({ postgres, directory: values.data, scale, keeps: !values.postgres });
    await seeds.copied('year', async (database) => {
      const query = (text, parameters) => database.pool.query(text, parameters);
      await measure({ ...database, query }, await questionsOf(query));
    });
  } finally {
    await postgres.stop();
  }
}

/** An embedded database that no server has open at the moment. */
async function embeddedQuery(directory, text, parameters) {
  const { PGlite } = await import('@electric-sql/pglite');
  const pglite = await PGlite.create({ dataDir: join(directory, 'database') });
  try {
    return await pglite.query(text, parameters);
  } finally {
    await pglite.close();
  }
}

async function measureEmbedded() {
  let questions;
  await withEmbedded(
    (database) => {
      const query = (text, parameters) => embeddedQuery(database.directory, text, parameters);
      return measure({ ...database, query }, questions);
    },
    async (pool) => {
      console.error('Filling an embedded database …');
      await seedYear(pool, 1_000_000 * scale);
      await pool.query('vacuum analyze');
      questions = await questionsOf((text, parameters) => pool.query(text, parameters));
    },
  );
}

await (values.embedded ? measureEmbedded() : measurePostgres());
