// What the benches share: a database of their own, the server as its own process, load over HTTP, ratios.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { performance } from 'node:perf_hooks';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { hashToken } from '../dist/auth/secrets.js';

const program = fileURLToPath(new URL('../dist/main.js', import.meta.url));
/** As the package's scripts start the program: a small nursery keeps an idle server 20 MB smaller and costs no throughput. */
const usual = ['--max-semi-space-size=8'];
/** Such as `--cpu-prof --cpu-prof-dir=…`, to look into the server under the load of a bench. */
const nodeArguments = [...usual, ...(process.env.SERVER_NODE_ARGUMENTS?.split(' ') ?? [])];
export const apiToken = 'bkua_bench_token_of_the_only_user_there_is';
export const registrationToken = 'bkct_bench_registration_token_of_the_cluster';

/** Runs `work` on a new, migrated database beside the one DATABASE_URL names; drops it whatever happens. */
export async function withDatabase(work) {
  const admin = process.env.DATABASE_URL;
  if (!admin) throw new Error('DATABASE_URL must name a PostgreSQL on which databases may be created');
  const name = `slipway_bench_${process.pid}`;
  const maintenance = new pg.Client({ connectionString: admin });
  await maintenance.connect();
  await maintenance.query(`create database ${name}`);
  const url = new URL(admin);
  url.pathname = `/${name}`;
  const directory = mkdtempSync(join(tmpdir(), 'slipway-bench-'));
  const pool = new pg.Pool({ connectionString: url.href, max: 8 });
  const database = { kind: 'postgres', url: url.href, directory, pool, fill: (write) => write(pool) };
  // The pool reports connections that the final drop cuts.
  database.pool.on('error', () => undefined);
  try {
    const { status, stderr } = spawnSync(process.execPath, [program, 'migrate'], {
      env: environment(database),
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(stderr);
    return await work(database);
  } finally {
    await database.pool.end();
    await maintenance.query(`drop database if exists ${name} with (force)`);
    await maintenance.end();
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Runs `work` with a new embedded database in a directory of its own; `fill` opens it while no server does. */
export async function withEmbedded(work) {
  const directory = mkdtempSync(join(tmpdir(), 'slipway-bench-'));
  const fill = async (write) => {
    const { openDatabase } = await import('../dist/database/open.js');
    const { migrate } = await import('../dist/database/migrate.js');
    const { PGlite } = await import('@electric-sql/pglite');
    const pglite = await PGlite.create({ dataDir: join(directory, 'database') });
    const database = await openDatabase({ dataDir: directory, pglite });
    await migrate(database);
    await write({ query: (text, values) => pglite.query(text, values) });
    await database.close();
    await pglite.close();
  };
  try {
    return await work({ kind: 'embedded', directory, fill });
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

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

/**
 * Starts `slipway serve` and waits for `/healthz`: `startedMs` is counted from the spawn, `startedCpuMs` is the CPU used until then.
 * Takes more arguments of node and variables of the environment; the child process has a channel for messages.
 */
export async function startProduct(database, { arguments: more = [], environment: variables = {} } = {}) {
  const port = await freePort();
  const start = performance.now();
  const child = spawn(process.execPath, [...nodeArguments, ...more, program, 'serve'], {
    env: environment(database, { PORT: String(port), ...variables }),
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const url = `http://127.0.0.1:${port}`;
  while ((await statusOf(`${url}/healthz`)) !== 200) {
    if (child.exitCode !== null) throw new Error('the server ended');
    await sleep(10);
  }
  const startedMs = performance.now() - start;
  return { url, child, pid: child.pid, startedMs, startedCpuMs: cpuMilliseconds(child.pid), stop: () => stop(child) };
}

/** Starts a bench file again with `--floor` as the other process: it prints its port. */
export async function startFloor(file, database) {
  const child = spawn(process.execPath, [file, '--floor'], {
    env: { ...process.env, FLOOR_DATABASE_URL: database.url },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [port] = await once(child.stdout, 'data');
  return { url: `http://127.0.0.1:${String(port).trim()}`, stop: () => stop(child) };
}

/** The other side: `pg` and `node:http`; `answer(pool, body)` gives the JSON text. */
export async function serveFloor(answer) {
  const { createServer: createHttp } = await import('node:http');
  const pool = new pg.Pool({ connectionString: process.env.FLOOR_DATABASE_URL, max: 10 });
  pool.on('error', () => undefined);
  const server = createHttp(async (asked, response) => {
    const pieces = [];
    for await (const piece of asked) pieces.push(piece);
    const text = await answer(pool, pieces.length ? JSON.parse(Buffer.concat(pieces)) : null);
    response
      .writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) })
      .end(text);
  });
  server.listen(0, '127.0.0.1', () => console.log(server.address().port));
}

async function stop(child) {
  if (child.exitCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address();
  probe.close();
  return port;
}

const statusOf = (url) =>
  fetch(url, { headers: { connection: 'close' } }).then(
    (reply) => reply.body?.cancel().then(() => reply.status),
    () => 0,
  );

const agent = new Agent({ keepAlive: true, maxSockets: 64 });

/** One request; gives status and text. */
export function call(url, { method = 'GET', token = `Bearer ${apiToken}`, body } = {}) {
  const payload = body === undefined ? undefined : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const asked = request(
      url,
      {
        method,
        agent,
        headers: {
          authorization: token,
          ...(payload ? { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) } : {}),
        },
      },
      (reply) => {
        const pieces = [];
        reply.on('data', (piece) => pieces.push(piece));
        reply.on('end', () => resolve({ status: reply.statusCode, text: Buffer.concat(pieces).toString() }));
      },
    );
    asked.on('error', reject);
    asked.end(payload);
  });
}

/** Like {@link call}, but throws for anything but success and gives the parsed body. */
export async function callOk(url, options) {
  const { status, text } = await call(url, options);
  if (status >= 300) throw new Error(`${options?.method ?? 'GET'} ${url}: ${status} ${text.slice(0, 500)}`);
  return text ? JSON.parse(text) : null;
}

/** How often a second `step(loop)` is done by so many loops during `ms`. */
export async function rate(step, { ms = 2000, loops = 8 } = {}) {
  let count = 0;
  const start = performance.now();
  await Promise.all(
    Array.from({ length: loops }, async (_, loop) => {
      while (performance.now() - start < ms) {
        await step(loop);
        count += 1;
      }
    }),
  );
  return (count * 1000) / (performance.now() - start);
}

/**
 * Measures contenders in turns, so that a noisy moment hits all of them, after one round that warms up; the first is
 * the floor. Prints a line each: the median rate, and the median of its ratios to the floor of the same round.
 */
export async function compare(title, contenders, { rounds = 3, ms = 2000, loops = 8 } = {}) {
  const names = Object.keys(contenders);
  const rates = Object.fromEntries(names.map((name) => [name, []]));
  for (let round = 0; round <= rounds; round += 1) {
    for (const name of names) {
      const measured = await rate(contenders[name], { ms: round === 0 ? ms / 2 : ms, loops });
      if (round > 0) rates[name].push(measured);
    }
  }
  const floor = rates[names[0]];
  for (const name of names) {
    const ratio = median(rates[name].map((value, round) => value / floor[round]));
    console.log(
      JSON.stringify({
        bench: title,
        path: name,
        ratio: +ratio.toFixed(3),
        per_second: +median(rates[name]).toFixed(1),
      }),
    );
  }
}

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

/** Resident memory of a process in MB, as the kernel counts it. */
export function residentMegabytes(pid) {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;
}

/** CPU time that a process has used so far, in milliseconds: on a busy machine steadier than what the clock says. */
export function cpuMilliseconds(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** SQL for an id as the product makes them: UUIDv7 of a running millisecond, with a tail that tells rows apart. */
const id = (millisecond, tail) =>
  `(lpad(to_hex(1730000000000 + ${millisecond}), 12, '0') || '7' || '000' || '8000' || lpad(to_hex(${tail}), 12, '0'))::uuid`;

export const ids = {
  organization: uuid(1),
  user: uuid(2),
  cluster: uuid(3),
  queue: uuid(4),
  pipeline: uuid(5),
  token: uuid(6),
  agentToken: uuid(7),
};
function uuid(number) {
  return `01920000-0000-7000-8000-${number.toString(16).padStart(12, '0')}`;
}

const configuration = `steps:\n${[1, 2, 3, 4, 5].map((n) => `  - label: "Test ${n}"\n    command: "make test-${n}"\n`).join('')}`;

/** One organization `bench` with a user, a cluster with one queue, tokens, and a pipeline `app` with five steps. */
export async function seedOrganization(pool) {
  const { scopes } = await import('../dist/domain/organizations/scopes.js');
  const insert = (table, row) => {
    const columns = Object.keys(row);
    return pool.query(
      `insert into ${table} (${columns.join(', ')}) values (${columns.map((_, index) => `$${index + 1}`).join(', ')})`,
      Object.values(row),
    );
  };
  const created_at = new Date();
  const organization_id = ids.organization;
  await insert('organizations', {
    id: ids.organization,
    slug: 'bench',
    name: 'Bench',
    default_cluster_id: ids.cluster,
    created_at,
  });
  await insert('users', { id: ids.user, email: 'bench@example.com', name: 'Bench', created_at });
  await insert('organization_members', { id: uuid(8), organization_id, user_id: ids.user, role: 'admin', created_at });
  await insert('api_tokens', {
    id: ids.token,
    user_id: ids.user,
    description: 'bench',
    token_hash: hashToken(apiToken),
    scopes: [...scopes],
    all_organizations: true,
    created_at,
  });
  await insert('clusters', {
    id: ids.cluster,
    organization_id,
    name: 'Default',
    default_queue_id: ids.queue,
    created_at,
  });
  await insert('cluster_queues', {
    id: ids.queue,
    organization_id,
    cluster_id: ids.cluster,
    key: 'default',
    created_at,
  });
  await insert('agent_tokens', {
    id: ids.agentToken,
    organization_id,
    cluster_id: ids.cluster,
    description: 'bench',
    token_hash: hashToken(registrationToken),
    created_at,
  });
  await insert('pipelines', {
    id: ids.pipeline,
    organization_id,
    slug: 'app',
    name: 'App',
    repository: 'https://example.com/app.git',
    cluster_id: ids.cluster,
    default_branch: 'main',
    configuration,
    provider_id: 'git',
    webhook_token_hash: hashToken('bench-webhook'),
    webhook_token: 'bench-webhook',
    badge_token_hash: hashToken('bench-badge'),
    badge_token: 'bench-badge',
    created_at,
    updated_at: created_at,
  });
}

/** `builds` builds of the pipeline with five jobs each, all of the same state; ids in creation order. */
export async function seedBuilds(pool, builds, { buildState = 'passed', jobState = 'finished' } = {}) {
  const done = jobState === 'finished';
  const { readDocument } = await import('../dist/domain/pipelines/steps/document.js');
  const { parsePipeline } = await import('../dist/domain/pipelines/steps/parse.js');
  const { parseOptions } = await import('../dist/domain/pipelines/steps/configuration.js');
  const { steps } = parsePipeline(readDocument(configuration).document, parseOptions).definition;
  const at = (n) => `timestamptz '2026-01-01' + ${n} * interval '1 minute'`;
  await pool.query(`insert into builds (id, organization_id, pipeline_id, number, state, message, commit, branch, source, creator_id, created_at, scheduled_at, started_at, finished_at)
    select ${id('n', '0')}, '${ids.organization}', '${ids.pipeline}', n, '${buildState}', 'Change ' || n, md5(n::text) || 'abcdef01', case when n % 10 = 0 then 'main' else 'feature-' || n % 200 end, 'api', '${ids.user}',
      ${at('n')}, ${at('n')}, ${done ? at('n') : 'null'}, ${done ? at('n') : 'null'} from generate_series(1, ${builds}) n`);
  await pool.query(
    `insert into steps (id, organization_id, build_id, type, label, position, definition, created_at)
    select ${id('n', '100 + s')}, '${ids.organization}', ${id('n', '0')}, 'command', 'Test ' || s, s, $1::jsonb -> (s - 1), ${at('n')} from generate_series(1, ${builds}) n, generate_series(1, 5) s`,
    [JSON.stringify(steps)],
  );
  await pool.query(`insert into jobs (id, organization_id, pipeline_id, build_id, step_id, type, position, state, passed, label, command, exit_status, cluster_id, cluster_queue_id, created_at, scheduled_at, runnable_at, started_at, finished_at)
    select ${id('n', 's')}, '${ids.organization}', '${ids.pipeline}', ${id('n', '0')}, ${id('n', '100 + s')}, 'command', s, '${jobState}', ${done}, 'Test ' || s, 'make test-' || s, ${done ? 0 : 'null'}, '${ids.cluster}', '${ids.queue}',
      ${at('n')}, ${at('n')}, ${at('n')}, ${done ? at('n') : 'null'}, ${done ? at('n') : 'null'} from generate_series(1, ${builds}) n, generate_series(1, 5) s`);
  await pool.query(
    `insert into build_meta_data (build_id, key, organization_id, value) select ${id('n', '0')}, 'release', '${ids.organization}', 'v' || n from generate_series(1, ${builds}) n where n % 4 = 0`,
  );
  await pool.query(`update pipelines set next_build_number = $1`, [builds + 1]);
  await pool.query('analyze');
}
