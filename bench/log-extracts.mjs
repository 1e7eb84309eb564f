// npm run -s bench:log-extracts [-- --jobs N] [--data DIR | --postgres URL]: a search over what is kept of 100,000 failed jobs, on
// PostgreSQL: time to the first line and to the end, requests, CPU and memory of the server; and what making extracts and
// hashes costs, for a megabyte of a log.
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { callOk } from './harness/load.mjs';
import { linesOfLog } from './harness/log-text.mjs';
import { dataDirectory, startPostgres, usePostgres } from './harness/postgres.mjs';
import { cpuOf, residentMegabytes } from './harness/processes.mjs';
import { startProduct } from './harness/product.mjs';
import { openSeeds } from './harness/seeds.mjs';

const { values } = parseArgs({
  options: {
    jobs: { type: 'string', default: '100000' },
    data: { type: 'string', default: dataDirectory },
    postgres: { type: 'string' },
  },
});
const jobs = Number(values.jobs);
/** A text that many extracts have is followed no further. */
const mostPages = 20;
const linesOfExtract = 20;
const cluster = 'c'.repeat(32);

/** What is looked for, and one in how many extracts has it. */
const needles = [
  { name: 'in one', q: 'segfault at 0x7f3a9c41 in libquux', every: jobs },
  { name: 'in one of a thousand', q: 'disk quota exceeded on /mnt/builds', every: 1_000 },
  { name: 'in every other', q: 'deprecated option --fast-mode', every: 2 },
];

const print = (name, what) => console.log(JSON.stringify({ [name]: what }));

/** Stores an extract of twenty lines for each job. */
async function storeExtracts(pool) {
  const { rows } = await pool.query('select id, organization_id, pipeline_id from jobs order by id');
  const together = 500;
  let bytes = 0;
  for (let from = 0; from < rows.length; from += together) {
    const some = rows.slice(from, from + together).map((row, index) => {
      const log = from + index;
      const own = linesOfLog(log, 1_500, []).split('\n').slice(0, linesOfExtract);
      for (const [line, { q, every }] of needles.entries()) if (log % every === 1) own[line] = q;
      bytes += own.join('\n').length;
      const places = own.map((_line, line) => [line, 'failure_only']);
      return { ...row, content: own.join('\n'), places, cluster: log % 1_000 === 2 ? cluster : null, decisive: 0 };
    });
    await pool.query(
      `insert into log_extracts (job_id, organization_id, pipeline_id, content, places, cluster, decisive)
        select id, organization_id, pipeline_id, content, places, coalesce(cluster, md5(id::text)), decisive
        from jsonb_to_recordset($1::jsonb) as r(id uuid, organization_id uuid, pipeline_id uuid, content text,
          places jsonb, cluster text, decisive int)`,
      [JSON.stringify(some)],
    );
  }
  await pool.query(`update jobs set state = 'finished', passed = false, log_size = 1000`);
  await pool.query('vacuum analyze');
  const size = await pool.query(`select pg_total_relation_size('log_extracts')::float8 as bytes`);
  return { extracts: rows.length, bytes, table_with_indexes: size.rows[0].bytes };
}

/** Follows a search to its end, or so many pages. */
async function search(server, parameters) {
  const [begin, cpu] = [performance.now(), cpuOf(server.pid)];
  const found = { first_ms: null, matches: 0, pages: 0, slowest_page_ms: 0 };
  for (let cursor = null; found.pages < mostPages;) {
    const query = new URLSearchParams({
      in: 'extracts',
      ...parameters,
      per_page: '100',
      ...(cursor ? { cursor } : {}),
    });
    const start = performance.now();
    const page = await callOk(`${server.url}/v2/organizations/bench/logs/search?${query}`);
    found.slowest_page_ms = Math.max(found.slowest_page_ms, Math.round(performance.now() - start));
    if (page.matches.length > 0) found.first_ms ??= Math.round(performance.now() - begin);
    found.matches += page.matches.length;
    found.pages += 1;
    ({ cursor } = page);
    if (cursor === null) break;
  }
  const all_ms = Math.round(performance.now() - begin);
  return {
    ...found,
    all_ms,
    server_cpu_ms: cpuOf(server.pid) - cpu,
    rss_mb: Math.round(residentMegabytes(server.pid)),
  };
}

/** Milliseconds of one thread for a megabyte of a log. */
async function measureMaking() {
  const { addHashes } = await import('../dist/domain/builds/failures/line-hashes.js');
  const { extractFrom, finishExtract, nothingFound } = await import('../dist/domain/builds/failures/extract.js');
  const logs = Array.from({ length: 8 }, (_, log) => Buffer.from(linesOfLog(log, 1_000_000, [])));
  const nothing = new Uint8Array();
  const timed = (work) => {
    work(logs[7]);
    const begin = performance.now();
    for (const log of logs.slice(1)) work(log);
    return Number(((performance.now() - begin) / 7).toFixed(1));
  };
  const passed = [addHashes(nothing, logs[0], 50_000)];
  print('made_of_a_megabyte', {
    hashes_ms: timed((bytes) => addHashes(nothing, bytes, 50_000)),
    extract_ms: timed((bytes) => finishExtract(extractFrom(nothingFound, { bytes, command: null, passed }))),
    bytes_of_hashes: passed[0].length,
  });
}

async function measure({ pool, ...database }) {
  print('stored', await storeExtracts(pool));
  const server = await startProduct({ pool, ...database });
  try {
    await search(server, { q: needles[1].q });
    print('rss_mb_before', Math.round(residentMegabytes(server.pid)));
    for (const { name, q, every } of needles) {
      const ours = await search(server, { q });
      const wanted = Math.ceil((jobs - 1) / every);
      if (ours.pages < mostPages && ours.matches !== wanted)
        throw new Error(`${ours.matches} of ${wanted} lines ${name} were found`);
      print(name, ours);
    }
    print('in none', await search(server, { q: 'kernel panic: no init found' }));
    print('by an expression without a text', await search(server, { q: 'k\\we\\wn\\we\\wl\\s\\wa', regexp: 'true' }));
    print('a cluster', await search(server, { cluster, q: '' }));
  } finally {
    await server.stop();
  }
}

await measureMaking();
const postgres = values.postgres ? await usePostgres(values.postgres) : await startPostgres(values.data);
try {
  // The history has 100,000 builds of a job each.
  const seeds = openSeeds({ postgres, directory: values.data, scale: jobs / 100_000, keeps: false });
  await seeds.copied('history', measure);
} finally {
  await postgres.stop();
}
