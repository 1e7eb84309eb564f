// PostgreSQL for the benches: Debian's, with its usual durability and 512 MB of buffers, on a data directory that is kept
// between runs so that databases are seeded once.
import { spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { cpuOf, processes } from './processes.mjs';

/** Where the server's data is kept unless said otherwise: not below a home, since it may run as another user than we do. */
export const dataDirectory = join(tmpdir(), `slipway-bench-${userInfo().username}`);
const asRoot = process.getuid?.() === 0;
const settings = {
  shared_buffers: '512MB',
  max_connections: 300,
  max_wal_size: '4GB',
  shared_preload_libraries: 'pg_stat_statements',
  'pg_stat_statements.max': 10_000,
  listen_addresses: '127.0.0.1',
};

/**
 * Starts the server on `directory`, which it makes if need be. Gives its connection strings, databases made from others, CPU
 * and statements. `stop` leaves the data where it is.
 */
export async function startPostgres(directory) {
  const bin = programs();
  const data = join(directory, 'postgres');
  if (!existsSync(join(data, 'PG_VERSION'))) {
    mkdirSync(data, { recursive: true, mode: 0o755 });
    if (asRoot) chownSync(data, ...ownerOf('postgres'));
    run(`${bin}/initdb -D ${data} -U slipway --auth=trust -E UTF8 --no-sync`);
  }
  // A run that was killed may have left its server behind.
  if (existsSync(join(data, 'postmaster.pid'))) run(`${bin}/pg_ctl -D ${data} -m fast -w stop`, { mayFail: true });
  const port = await freePort();
  const options = Object.entries({ ...settings, port, unix_socket_directories: data }).map(
    ([name, value]) => `-c ${name}=${value}`,
  );
  run(`${bin}/pg_ctl -D ${data} -w -t 60 -o '${options.join(' ')}' -l ${data}/server.log start`);
  const pid = Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n', 1)[0]);
  const urlOf = (name) => `postgres://slipway@127.0.0.1:${port}/${name}`;
  const served = await openServer(urlOf, { pid });
  return {
    ...served,
    async stop() {
      await served.stop();
      run(`${bin}/pg_ctl -D ${data} -m fast -w stop`, { mayFail: true });
    },
  };
}

/** The same for a server that runs already, of which `url` names any database; it is left running. */
export function usePostgres(url) {
  const urlOf = (name) => Object.assign(new URL(url), { pathname: `/${name}` }).href;
  return openServer(urlOf, { pid: null });
}

async function openServer(urlOf, { pid }) {
  const admin = new pg.Pool({ connectionString: urlOf('postgres'), max: 2 });
  admin.on('error', () => undefined);
  // Without the library, which is loaded at the start of a server, the view may be made but not read.
  await admin.query('create extension if not exists pg_stat_statements').catch(() => undefined);
  const { rows } = await admin.query('show server_version');

  return {
    version: rows[0].server_version.split(' ')[0],
    urlOf,
    /** CPU milliseconds of the server with all its connections so far, of those that have ended too. */
    cpuMs: () =>
      cpuOf(pid, { withEndedChildren: true }) +
      processes()
        .filter(({ parent }) => parent === pid)
        .reduce((sum, child) => sum + cpuOf(child.pid), 0),
    /** Statements so far in one database, begins and commits among them. */
    async statements(name) {
      const counted = await admin.query(
        `select coalesce(sum(calls), 0) as calls from pg_stat_statements where dbid = (select oid from pg_database where datname = $1)`,
        [name],
      );
      return Number(counted.rows[0].calls);
    },
    async databases() {
      return (await admin.query('select datname from pg_database where not datistemplate')).rows.map(
        (row) => row.datname,
      );
    },
    /** Makes a database, empty or as a copy of another that nobody is connected to. */
    create: (name, template = 'template0') => admin.query(`create database ${name} template ${template}`),
    rename: (name, to) => admin.query(`alter database ${name} rename to ${to}`),
    drop: (name) => admin.query(`drop database if exists ${name} with (force)`),
    stop: () => admin.end(),
  };
}

/** Folder of the newest PostgreSQL installed; as root on Debian it is installed if there is none. */
function programs() {
  const found = () =>
    existsSync('/usr/lib/postgresql')
      ? readdirSync('/usr/lib/postgresql')
          .filter((version) => existsSync(`/usr/lib/postgresql/${version}/bin/initdb`))
          .sort((a, b) => Number(b) - Number(a))
          .map((version) => `/usr/lib/postgresql/${version}/bin`)[0]
      : undefined;
  if (!found() && asRoot) {
    console.error('Installing PostgreSQL …');
    spawnSync('sh', ['-c', 'apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq postgresql'], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  }
  const bin = found();
  if (!bin) throw new Error('PostgreSQL is not installed: no /usr/lib/postgresql/*/bin/initdb');
  return bin;
}

/** Runs a command of PostgreSQL, which refuses to run as root, as the user that its package makes. */
function run(command, { mayFail = false } = {}) {
  const [program, ...given] = asRoot ? ['su', 'postgres', '-s', '/bin/sh', '-c', command] : ['sh', '-c', command];
  // Its output goes to its log: a pipe would be kept open by the server that it leaves behind.
  const { status } = spawnSync(program, given, { stdio: ['ignore', 'ignore', 'inherit'], cwd: '/' });
  if (status !== 0 && !mayFail) throw new Error(`${command} ended with ${status}`);
}

function ownerOf(user) {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith(`${user}:`));
  if (!line) throw new Error(`There is no user ${user}`);
  return line.split(':').slice(2, 4).map(Number);
}

export async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address();
  probe.close();
  return port;
}
