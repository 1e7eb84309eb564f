// npm run bench [-- NAME…] [-- --scale N] [--rounds N] [--docs]: what the product costs, path by path, beside a floor or a peer that
// is measured in the same run. See bench/README.md.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { dataDirectory, startPostgres } from './harness/postgres.mjs';
import { openSeeds } from './harness/seeds.mjs';
import { describeMachine, formatRow, writeDocument } from './harness/report.mjs';

const usage = `Usage: npm run bench -- [NAME…] [options]

Measures the paths whose name contains one of the words, or all of them.

  --scale N      number of builds as a multiple of the usual (default 1)
  --rounds N     rounds after the one that warms up (default 5)
  --output FILE  results as JSON (default bench/results/latest.json)
  --docs         writes docs/performance.md from the results
  --data DIR     where PostgreSQL and its seeded databases are kept
  --check        compares replies with those of the floors, and measures nothing
  --list         names of the paths`;

const options = {
  scale: { type: 'string', default: '1' },
  rounds: { type: 'string', default: '5' },
  output: { type: 'string', default: fileURLToPath(new URL('results/latest.json', import.meta.url)) },
  data: { type: 'string', default: dataDirectory },
  docs: { type: 'boolean', default: false },
  check: { type: 'boolean', default: false },
  list: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
};

function readArguments() {
  try {
    const { values, positionals } = parseArgs({ allowPositionals: true, options });
    const [scale, rounds] = [Number(values.scale), Number(values.rounds)];
    if (!(scale > 0 && scale <= 100)) throw new Error('--scale must be a number above 0, at most 100');
    if (!(Number.isInteger(rounds) && rounds >= 1 && rounds <= 100))
      throw new Error('--rounds must be a whole number from 1 to 100');
    return { ...values, scale, rounds, words: positionals };
  } catch (error) {
    console.error(`${error.message}\n\n${usage}`);
    process.exit(2);
  }
}

/** Installs what the product is measured beside, once. */
function installPeers() {
  const prefix = fileURLToPath(new URL('peers', import.meta.url));
  if (existsSync(join(prefix, 'node_modules', '.package-lock.json'))) return;
  console.error('Installing the peers …');
  const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--prefix', prefix], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) throw new Error('the peers could not be installed');
}

const given = readArguments();
if (given.help) {
  console.log(usage);
  process.exit(0);
}

const folder = new URL('./paths/', import.meta.url);
const paths = [];
for (const file of readdirSync(folder).sort()) paths.push(...(await import(new URL(file, folder).href)).paths);
const chosen = paths
  .filter(({ check }) => check || !given.check)
  .filter(({ name }) => given.words.length === 0 || given.words.some((word) => name.includes(word)));
if (given.list || chosen.length === 0) {
  console.log(paths.map(({ name, title }) => `${name.padEnd(20)} ${title}`).join('\n'));
  process.exit(given.list ? 0 : 2);
}

if (chosen.some(({ peers }) => peers)) installPeers();
mkdirSync(given.data, { recursive: true, mode: 0o755 });
const postgres = await startPostgres(given.data);
const bench = {
  postgres,
  rounds: given.rounds,
  scale: given.scale,
  seeds: openSeeds({ postgres, directory: given.data, scale: given.scale }),
};
const results = {
  at: new Date().toISOString(),
  machine: describeMachine(postgres),
  scale: given.scale,
  rounds: given.rounds,
  rows: [],
  failed: [],
};
let interrupted = false;
process.once('SIGINT', () => {
  interrupted = true;
  console.error('Stopping after this path …');
});
try {
  for (const { name, title, run, check } of chosen) {
    if (interrupted) break;
    console.error(`${title} …`);
    try {
      if (given.check) await check(bench);
      else
        await run(bench, (row) => {
          results.rows.push({ name, title, ...row });
          console.log(formatRow(results.rows.at(-1)));
        });
    } catch (error) {
      results.failed.push({ name, error: error.message });
      console.error(`${name} failed: ${error.stack}`);
    }
  }
} finally {
  await postgres.stop();
}
mkdirSync(join(given.output, '..'), { recursive: true });
writeFileSync(given.output, `${JSON.stringify(results, null, 2)}\n`);
console.error(`Results: ${given.output}`);
if (given.docs) writeDocument(results);
process.exit(results.failed.length > 0 || interrupted ? 1 : 0);
