// npm run -s bench:log-search [-- --logs N] [--data DIR | --postgres URL]: a search over 10,000 logs of a megabyte each, which all
// differ, on PostgreSQL and a disk: time to the first line and to the end, bytes read, memory of the server; in the same run
// ripgrep (`rg`) over the same bytes, as they are and as they are stored. It takes 14 GB of disk, which it frees in the end.
import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { callOk } from './harness/load.mjs';
import { dataDirectory, startPostgres, usePostgres } from './harness/postgres.mjs';
import { cpuOf, residentMegabytes } from './harness/processes.mjs';
import { startProduct } from './harness/product.mjs';
import { openSeeds } from './harness/seeds.mjs';
import { linesOfLog } from './harness/log-text.mjs';

const { values } = parseArgs({
  options: {
    logs: { type: 'string', default: '10000' },
    data: { type: 'string', default: dataDirectory },
    postgres: { type: 'string' },
  },
});
const logs = Number(values.logs);
const logBytes = 1_000_000;
/** Logs that are made at a time. */
const logsAtOnce = 8;
/** Pages of a search that no filter helps: it reads each log alike. */
const unfilteredPages = 4;
/** A search whose text every other log has is followed no further. */
const mostPages = 40;

/** What is looked for, and the logs that have it. */
const needles = [
  { name: 'in one log', q: 'Segfault at 0x7f3a9c41 in libquux', isIn: (log) => log === Math.floor(logs / 2) },
  { name: 'in one log of a hundred', q: 'disk quota exceeded on /mnt/builds', isIn: (log) => log % 100 === 50 },
  { name: 'in every other log', q: 'deprecated option --fast-mode', isIn: (log) => log % 2 === 1 },
  { name: 'in none', q: 'kernel panic: no init found', isIn: () => false },
];

const print = (name, what) => console.log(JSON.stringify({ [name]: what }));

async function inPieces(items, atOnce, work) {
  const next = items.values();
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const item of next) await work(item);
    }),
  );
}

/** Stores a log for each job in the product's own form, with its filter, and as it is below `raw`. */
async function storeLogs({ pool, directory }) {
  const { openStorage } = await import('../dist/storage/open-storage.js');
  const { storeRun } = await import('../dist/storage/logs/packing.js');
  const { trigramFilter } = await import('../dist/domain/builds/logs/search/trigram-filter.js');
  const storage = openStorage(undefined, { dataDir: directory });
  const raw = join(directory, 'raw');
  await mkdir(raw, { recursive: true });
  await pool.query('truncate log_chunks, log_usage');
  const { rows: jobs } = await pool.query('select id, organization_id, build_id from jobs order by id');
  const sums = { bytes: 0, stored: 0, filters: 0 };
  await inPieces([...jobs.entries()], logsAtOnce, async ([log, { id, organization_id, build_id }]) => {
    const bytes = Buffer.from(
      linesOfLog(
        log,
        logBytes,
        needles.filter((needle) => needle.isIn(log)).map(({ q }) => q),
      ),
    );
    const { trigrams } = trigramFilter(bytes);
    const ref = { organizationId: organization_id, buildId: build_id, jobId: id };
    const { key, storedSize } = await storeRun(storage, ref, 'chunks', { offset: 0, sequence: 1, bytes });
    await writeFile(join(raw, `${log}.log`), bytes);
    await pool.query(
      `with chunk as (insert into log_chunks (job_id, sequence, organization_id, start_offset, size, stored_key, stored_size) values ($1, 1, $2, 0, $3, $4, $5)),
        usage as (insert into log_usage (job_id, organization_id, entries, bytes) values ($1, $2, 1, $3)),
        filter as (insert into log_filters (job_id, start_offset, organization_id, size, first_line, trigrams, log_entries, log_bytes) values ($1, 0, $2, $3, 0, $6, 1, $3))
      update jobs set log_size = $3, log_compacted_at = now() where id = $1`,
      [id, organization_id, bytes.length, key, storedSize, trigrams],
    );
    sums.bytes += bytes.length;
    sums.stored += storedSize;
    sums.filters += trigrams.length;
    if ((log + 1) % 1000 === 0) console.error(`${log + 1} logs are stored …`);
  });
  await pool.query('vacuum analyze');
  const { rows } = await pool.query(`select pg_total_relation_size('log_filters')::float8 as bytes`);
  return { logs: jobs.length, ...sums, table_of_filters: rows[0].bytes, raw };
}

/** Follows a search to its end, or so many pages; looks at the server's memory meanwhile. */
async function search(server, parameters, most = Infinity) {
  const [begin, cpu] = [performance.now(), cpuOf(server.pid)];
  const found = { first_ms: null, matches: 0, pages: 0, scanned_bytes: 0, slowest_page_ms: 0 };
  let memory = residentMegabytes(server.pid);
  const look = setInterval(() => (memory = Math.max(memory, residentMegabytes(server.pid))), 100);
  for (let cursor = null; found.pages < most;) {
    const query = new URLSearchParams({ ...parameters, per_page: '100', ...(cursor ? { cursor } : {}) });
    const start = performance.now();
    const page = await callOk(`${server.url}/v2/organizations/bench/logs/search?${query}`);
    found.slowest_page_ms = Math.max(found.slowest_page_ms, Math.round(performance.now() - start));
    if (page.matches.length > 0) found.first_ms ??= Math.round(performance.now() - begin);
    found.matches += page.matches.length;
    found.scanned_bytes += page.scanned_bytes;
    found.pages += 1;
    ({ cursor } = page);
    if (cursor === null) break;
  }
  clearInterval(look);
  const all_ms = Math.round(performance.now() - begin);
  return { ...found, all_ms, server_cpu_ms: cpuOf(server.pid) - cpu, rss_mb: Math.round(memory) };
}

/** Seconds of ripgrep over a folder, and the files that it finds. */
async function ripgrep(q, folder, more = []) {
  const begin = performance.now();
  const lines = await new Promise((resolve, reject) =>
    execFile('rg', ['-i', '-F', '-l', ...more, q, folder], { maxBuffer: 1e8 }, (error, stdout) => {
      if (error && error.code !== 1) reject(error);
      else resolve(stdout.split('\n').length - 1);
    }),
  );
  return { all_ms: Math.round(performance.now() - begin), files: lines };
}

async function measure(database) {
  const { raw, ...stored } = await storeLogs(database);
  print('stored', stored);
  const server = await startProduct(database);
  try {
    // Warms both up: what is in memory of the disk's is so for all.
    await ripgrep(needles[1].q, raw);
    await search(server, { q: needles[1].q });
    print('rss_mb_before', Math.round(residentMegabytes(server.pid)));
    for (const { name, q, isIn } of needles) {
      const ours = await search(server, { q }, mostPages);
      const theirs = await ripgrep(q, raw);
      const wanted = Array.from({ length: logs }, (_, log) => isIn(log)).filter(Boolean).length;
      if (theirs.files !== wanted) throw new Error(`ripgrep found ${theirs.files} of ${wanted} logs ${name}`);
      if (ours.pages < mostPages && ours.matches !== wanted)
        throw new Error(`${ours.matches} of ${wanted} lines ${name} were found`);
      print(name, { ours, ripgrep: theirs, ratio: Number((theirs.all_ms / ours.all_ms).toFixed(2)) });
    }
    print('ripgrep_of_what_is_stored', await ripgrep(needles[0].q, join(database.directory, 'objects'), ['-z']));
    const unfiltered = await search(server, { q: 'S\\wg\\wa\\wl\\w\\sa.\\s0x', regexp: 'true' }, unfilteredPages);
    print('without_filters', {
      ...unfiltered,
      mb_per_second: Number((unfiltered.scanned_bytes / 1000 / unfiltered.all_ms).toFixed(1)),
    });
  } finally {
    await server.stop();
  }
}

const postgres = values.postgres ? await usePostgres(values.postgres) : await startPostgres(values.data);
try {
  // The history has 100,000 builds of a job each.
  const seeds = openSeeds({ postgres, directory: values.data, scale: logs / 100_000, keeps: false });
  await seeds.copied('history', measure);
} finally {
  await postgres.stop();
}
