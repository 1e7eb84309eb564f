// npm run -s bench:insights [-- --builds N] [--data DIR | --postgres URL]: insights of a year over 1,000,000 builds of ten pipelines on
// PostgreSQL. Waits until the server has folded all of them into rollups, then reads the figures by each group for a year and for 30
// days: times of the REST reply, and how far its figures are from those that one statement computes from the rows.
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { callOk, median } from './harness/load.mjs';
import { dataDirectory, startPostgres, usePostgres } from './harness/postgres.mjs';
import { startProduct } from './harness/product.mjs';
import { openSeeds } from './harness/seeds.mjs';

const { values } = parseArgs({
  options: {
    builds: { type: 'string', default: '1000000' },
    data: { type: 'string', default: dataDirectory },
    postgres: { type: 'string' },
  },
});
const scale = Number(values.builds) / 1_000_000;
const rounds = 7;
const dayMs = 86_400_000;
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
async function exact(pool, by, from, to) {
  const ofJobs = by === 'queue' || by === 'step';
  const inTime = `b.created_at >= $1 and b.created_at < $2 and b.finished_at is not null`;
  const { rows } = await pool.query(
    `select ${keys[by]} as key, count(distinct b.id)::int as builds, sum(${seconds('j.started_at', 'j.finished_at')}) as agent_seconds,
      count(distinct b.id) filter (where ${ofJobs ? `j.state = 'finished' and not j.passed` : `b.state = 'failed'`})::int as failed,
      ${percentiles(ofJobs ? seconds('j.started_at', 'j.finished_at') : seconds('b.started_at', 'b.finished_at'))} as durations,
      ${percentiles(seconds('j.runnable_at', 'j.assigned_at'))} as waits
    from builds b join jobs j on j.build_id = b.id join pipelines p on p.id = b.pipeline_id join steps s on s.id = j.step_id
      join cluster_queues q on q.id = j.cluster_queue_id
    where ${inTime} group by 1`,
    [from, to],
  );
  return new Map(rows.map((row) => [row.key, row]));
}

/** Largest distance of percentiles, as a part of those of the rows, and the number of rows whose counts differ. */
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
    if (row.builds !== of.builds || row.failed !== of.failed || Math.abs(row.agent_seconds - of.agent_seconds) > 1)
      wrong += 1;
    for (const [name, values] of [
      ['duration', of.durations],
      ['wait', of.waits],
    ])
      [50, 90, 95].forEach((share, index) => {
        const was = values[index];
        if (was > 0) error = Math.max(error, Math.abs(row[`${name}_p${share}`] - was) / was);
      });
  }
  return { rows: rows.length, largest_error: Number(error.toFixed(4)), wrong_counts: wrong, builds_of_others: others };
}

async function measure(database) {
  const { pool } = database;
  const { rows: counts } = await pool.query(
    'select count(*)::int as builds, min(created_at) as first, max(created_at) as last from builds',
  );
  print('database', counts[0]);
  const server = await startProduct(database);
  const begin = performance.now();
  for (;;) {
    const { rows } = await pool.query('select folded_until_at, ended_at from insight_folds');
    if (rows[0].ended_at !== null) break;
    await sleep(2_000);
  }
  print('folded', { seconds: Math.round((performance.now() - begin) / 1000) });
  await pool.query('vacuum analyze insight_rollups');
  const { rows: sizes } = await pool.query(
    `select span, count(*)::int as rows, (sum(pg_column_size(r.*)) / 1e6)::int as mb from insight_rollups r group by 1 order by 1`,
  );
  print('rollups', sizes);
  const to = new Date();
  for (const days of [365, 30])
    for (const by of Object.keys(keys)) {
      const from = new Date(to.getTime() - days * dayMs);
      const address = `${server.url}/v2/organizations/bench/insights?by=${by}&from=${from.toISOString()}&to=${to.toISOString()}`;
      const times = [];
      let rows;
      for (let round = 0; round < rounds; round += 1) {
        const start = performance.now();
        rows = await callOk(address);
        times.push(performance.now() - start);
      }
      const figures = compared(rows, await exact(pool, by, from, to));
      print(`${days} days by ${by}`, {
        ms: Math.round(median(times)),
        slowest_ms: Math.round(Math.max(...times)),
        ...figures,
      });
    }
  await server.stop();
}

const postgres = values.postgres ? await usePostgres(values.postgres) : await startPostgres(values.data);
try {
  const seeds = openSeeds({ postgres, directory: values.data, scale, keeps: !values.postgres });
  await seeds.copied('year', measure);
} finally {
  await postgres.stop();
}
