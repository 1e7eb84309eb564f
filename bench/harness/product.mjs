// The product and what it is measured against, each as a process of its own.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from './postgres.mjs';
import { cpuOf } from './processes.mjs';

const program = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
/** As the package's scripts start the program. */
const usual = ['--max-semi-space-size=8', '--enable-source-maps'];
/** Such as `--cpu-prof --cpu-prof-dir=…`, to look into the server under the load of a bench. */
const nodeArguments = [...usual, ...(process.env.SERVER_NODE_ARGUMENTS?.split(' ') ?? [])];

function environment({ url, directory }, more = {}) {
  const { PATH, HOME } = process.env;
  return {
    PATH,
    HOME,
    ...(url ? { DATABASE_URL: url } : {}),
    DATA_DIR: directory,
    SECRET_KEY: 'a secret key of the benches, long enough',
    RATE_LIMIT_ORGANIZATION: '0',
    RATE_LIMIT_USER: '0',
    GRAPHQL_COST_LIMIT: '0',
    LOG_LEVEL: 'warn',
    ...more,
  };
}

/** Brings a database to the schema of this checkout by `slipway migrate`. */
export function migrateByProgram(database) {
  const { status, stderr } = spawnSync(process.execPath, [program, 'migrate'], {
    env: environment(database),
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
}

/**
 * Starts `slipway serve` and waits for `/healthz`: `startedMs` is counted from the spawn, `startedCpuMs` is the CPU used until then.
 * Takes more arguments of node and variables of the environment; the child process has a channel for messages.
 */
export async function startProduct(
  database,
  { node = process.execPath, arguments: more = [], environment: variables = {} } = {},
) {
  const port = await freePort();
  const start = performance.now();
  const child = spawn(node, [...nodeArguments, ...more, program, 'serve'], {
    env: environment(database, { PORT: String(port), ...variables }),
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const url = `http://127.0.0.1:${port}`;
  while ((await statusOf(`${url}/healthz`)) !== 200) {
    if (child.exitCode !== null) throw new Error('the server ended');
    await sleep(10);
  }
  const startedMs = performance.now() - start;
  const contender = { pid: child.pid, database: database.name };
  return { ...contender, contender, url, child, startedMs, startedCpuMs: cpuOf(child.pid), stop: () => stop(child) };
}

/** Starts a file as another server, which prints its port; `OTHER_DATABASE_URL` and the given variables are in its environment. */
export async function startOther(file, database, { node = process.execPath, environment: variables = {} } = {}) {
  const child = spawn(node, [...usual, fileURLToPath(file)], {
    env: { ...process.env, OTHER_DATABASE_URL: database.url, ...variables },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [port] = await Promise.race([
    once(child.stdout, 'data'),
    once(child, 'exit').then(() => Promise.reject(new Error(`${file} ended before it listened`))),
  ]);
  const contender = { pid: child.pid, database: database.name };
  return { ...contender, contender, url: `http://127.0.0.1:${String(port).trim()}`, stop: () => stop(child) };
}

/** A floor: `pg` and `node:http`; `answer(pool, url, body)` gives the JSON text. To be run in a file of its own. */
export async function serveFloor(answer) {
  const { createServer } = await import('node:http');
  const pool = new pg.Pool({ connectionString: process.env.OTHER_DATABASE_URL, max: 10 });
  pool.on('error', () => undefined);
  const server = createServer(async (asked, response) => {
    const pieces = [];
    for await (const piece of asked) pieces.push(piece);
    const text = await answer(pool, asked.url, pieces.length ? JSON.parse(Buffer.concat(pieces)) : null);
    response
      .writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) })
      .end(text);
  });
  server.listen(0, '127.0.0.1', () => console.log(server.address().port));
}

async function stop(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const cut = setTimeout(() => child.kill('SIGKILL'), 30_000);
  await ended;
  clearTimeout(cut);
}

const statusOf = (url) =>
  fetch(url, { headers: { connection: 'close' } }).then(
    (reply) => reply.body?.cancel().then(() => reply.status),
    () => 0,
  );
