import { execFileSync } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import pg from 'pg';
import { testPort } from '../support/test-port.js';

/** Where Debian puts the server's programs, newest last; null where PostgreSQL is not installed. */
export function postgresPrograms(): string | null {
  const root = '/usr/lib/postgresql';
  if (!existsSync(root)) return null;
  const versions = readdirSync(root).filter((version) => existsSync(join(root, version, 'bin', 'initdb')));
  const newest = versions.sort((a, b) => Number(a) - Number(b)).at(-1);
  return newest === undefined ? null : join(root, newest, 'bin');
}

const isRoot = process.getuid?.() === 0;

/** PostgreSQL that belongs to the test alone: it is killed, stopped and restarted at will. */
export class OwnPostgres {
  private constructor(
    private readonly programs: string,
    private readonly directory: string,
    readonly port: number,
  ) {}

  static async start(programs: string): Promise<OwnPostgres> {
    const directory = mkdtempSync(join(tmpdir(), 'slipway-faults-'));
    if (isRoot)
      chownSync(
        directory,
        Number(execFileSync('id', ['-u', 'postgres'])),
        Number(execFileSync('id', ['-g', 'postgres'])),
      );
    const postgres = new OwnPostgres(programs, directory, await testPort());
    postgres.asOwner('initdb', '-D', directory, '-U', 'slipway', '--auth=trust', '-E', 'UTF8', '--no-sync');
    postgres.start();
    return postgres;
  }

  get url(): string {
    return `postgres://slipway@127.0.0.1:${this.port}/postgres`;
  }

  start(): void {
    // With the disk waited for, as in production: what was acknowledged has to survive an immediate stop.
    const options = `-p ${this.port} -k ${this.directory} -c listen_addresses=127.0.0.1 -c max_connections=60`;
    this.asOwner(
      'pg_ctl',
      '-D',
      this.directory,
      '-w',
      '-o',
      options,
      '-l',
      join(this.directory, 'server.log'),
      'start',
    );
  }

  /** Ends the server without a shutdown: it recovers as after a crash when it starts again. */
  stop(): void {
    this.asOwner('pg_ctl', '-D', this.directory, '-w', '-m', 'immediate', 'stop');
  }

  /** Stops or continues the server and every one of its processes, sockets open. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void {
    const postmaster = Number(readFileSync(join(this.directory, 'postmaster.pid'), 'utf8').split('\n', 1)[0]);
    const children = execFileSync('ps', ['-o', 'pid=', '--ppid', String(postmaster)], { encoding: 'utf8' });
    for (const pid of [postmaster, ...children.trim().split(/\s+/).map(Number)]) {
      try {
        process.kill(pid, signal);
      } catch {
        // A backend that ended meanwhile.
      }
    }
  }

  async connect(): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: this.url });
    client.on('error', () => undefined);
    await client.connect();
    return client;
  }

  async query<T extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<T[]> {
    const client = await this.connect();
    try {
      return (await client.query<T>(text, values)).rows;
    } finally {
      await client.end();
    }
  }

  remove(): void {
    try {
      this.stop();
    } catch {
      // It is stopped already.
    }
    rmSync(this.directory, { recursive: true, force: true });
  }

  private asOwner(program: string, ...args: string[]): void {
    const path = join(this.programs, program);
    const options = { stdio: 'ignore' as const, cwd: this.directory };
    if (isRoot)
      execFileSync('setpriv', ['--reuid=postgres', '--regid=postgres', '--init-groups', path, ...args], options);
    else execFileSync(path, args, options);
  }
}
