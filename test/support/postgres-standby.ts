import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { appendFileSync, chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { testPort } from './test-port.js';

const isRoot = process.getuid?.() === 0;
const distributions = '/usr/lib/postgresql';

/** The folder of the newest PostgreSQL's programs; null where there are none. */
function programs(): string | null {
  const versions = existsSync(distributions) ? readdirSync(distributions).sort((a, b) => Number(b) - Number(a)) : [];
  const folder = versions.map((version) => join(distributions, version, 'bin')).find((bin) => existsSync(bin));
  return folder ?? null;
}

/** Why no PostgreSQL with a standby can be made here; null where one can. */
export function noStandby(): string | null {
  if (programs() === null) return `there is no PostgreSQL in ${distributions}`;
  if (!isRoot) return null;
  // It refuses to run as root.
  try {
    execFileSync('id', ['postgres'], { stdio: 'ignore' });
    execFileSync('which', ['setpriv'], { stdio: 'ignore' });
    return null;
  } catch {
    return 'there is no user postgres to run PostgreSQL as';
  }
}

const asPostgres = ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups'];
const command = (name: string): [string, string[]] => {
  const program = join(programs() ?? '', name);
  return isRoot ? [asPostgres[0] ?? '', [...asPostgres.slice(1), program]] : [program, []];
};

function run(name: string, args: readonly string[]): void {
  const [program, before] = command(name);
  execFileSync(program, [...before, ...args], { stdio: 'pipe', cwd: '/' });
}

/** A PostgreSQL of the test's own, with a database `slipway`. */
export class PostgresServer {
  private child: ChildProcess | null = null;
  private output = '';

  private constructor(
    private readonly directory: string,
    readonly port: number,
  ) {}

  /** Makes an empty server and starts it. */
  static async start(): Promise<PostgresServer> {
    const server = new PostgresServer(ownDirectory(), await testPort());
    run('initdb', ['-D', server.data, '-U', 'slipway', '-A', 'trust', '-E', 'UTF8', '--no-sync']);
    await server.restart();
    await server.query('create database slipway');
    return server;
  }

  /** Makes a streaming standby of the server and starts it. */
  async standby(): Promise<PostgresServer> {
    const standby = new PostgresServer(ownDirectory(), await testPort());
    const from = ['-h', '127.0.0.1', '-p', String(this.port), '-U', 'slipway'];
    run('pg_basebackup', [...from, '-D', standby.data, '-R', '-c', 'fast', '-X', 'stream', '--no-sync']);
    await standby.restart();
    return standby;
  }

  /** The URL of the database `slipway`. */
  get url(): string {
    return `postgres://slipway@127.0.0.1:${this.port}/slipway`;
  }

  private get data(): string {
    return join(this.directory, 'data');
  }

  async restart(): Promise<void> {
    const [program, before] = command('postgres');
    const settings = Object.entries({
      port: this.port,
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      fsync: 'off',
      max_connections: 60,
      shared_buffers: '32MB',
      hot_standby: 'on',
      wal_level: 'replica',
      // A change is applied on the standby although somebody reads there what it takes away.
      max_standby_streaming_delay: '200ms',
    }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    this.child = spawn(program, [...before, '-D', this.data, ...settings], { cwd: '/' });
    for (const stream of [this.child.stdout, this.child.stderr])
      stream?.on('data', (text) => (this.output += String(text)));
    for (let attempt = 0; attempt < 600 && this.child.exitCode === null; attempt += 1) {
      if (await this.query('select 1', 'postgres').catch(() => null)) return;
      await sleep(50);
    }
    throw new Error(`PostgreSQL does not answer:\n${this.output}`);
  }

  /** Runs a statement, in the database `postgres` unless another is named. */
  async query(text: string, database = 'postgres'): Promise<Record<string, unknown>[]> {
    const client = new pg.Client({ connectionString: `postgres://slipway@127.0.0.1:${this.port}/${database}` });
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(text)).rows;
    } finally {
      await client.end();
    }
  }

  /** Adds a line to its settings, which the next start or reload reads. */
  configure(line: string): void {
    appendFileSync(join(this.data, 'postgresql.auto.conf'), `${line}\n`);
  }

  /** The way a machine fails. */
  async kill(): Promise<void> {
    const { child } = this;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGQUIT');
    await ended;
  }

  async remove(): Promise<void> {
    await this.kill();
    rmSync(this.directory, { recursive: true, force: true });
  }
}

function ownDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'slipway-postgres-'));
  if (isRoot) {
    const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
    chownSync(directory, id('-u'), id('-g'));
  }
  chmodSync(directory, 0o700);
  return directory;
}
