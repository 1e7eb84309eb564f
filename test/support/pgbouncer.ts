import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { testPort } from './test-port.js';

/** Where Debian and others put it; null where PgBouncer is not installed. */
export function pgbouncerProgram(): string | null {
  return (
    ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer', '/usr/local/bin/pgbouncer'].find((path) => existsSync(path)) ?? null
  );
}

const isRoot = process.getuid?.() === 0;

/** A real PgBouncer in front of a PostgreSQL that trusts its users, with the settings it has as it is installed. */
export class PgBouncer {
  private constructor(
    private readonly process: ChildProcess,
    private readonly directory: string,
    /** The URL of the server, through the pooler. */
    readonly url: string,
  ) {}

  static async start(
    program: string,
    server: string,
    poolMode: 'session' | 'transaction' | 'statement',
  ): Promise<PgBouncer> {
    const directory = mkdtempSync(join(tmpdir(), 'slipway-pgbouncer-'));
    const port = await testPort();
    const url = new URL(server);
    const users = join(directory, 'users.txt');
    writeFileSync(users, `"${decodeURIComponent(url.username)}" ""\n`);
    writeFileSync(
      join(directory, 'pgbouncer.ini'),
      `[databases]
* = host=${url.hostname} port=${url.port || 5432}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${users}
pool_mode = ${poolMode}
`,
    );
    chmodSync(directory, 0o755);
    const settings = join(directory, 'pgbouncer.ini');
    // It refuses to run as root.
    const command = isRoot ? ['setpriv', '--reuid=nobody', '--regid=nogroup', '--clear-groups', program] : [program];
    const process = spawn(command[0] ?? '', [...command.slice(1), settings], { stdio: 'ignore' });
    url.host = `127.0.0.1:${port}`;
    const pooler = new PgBouncer(process, directory, url.href);
    await pooler.listening(port);
    return pooler;
  }

  private async listening(port: number): Promise<void> {
    for (let attempt = 0; attempt < 500; attempt += 1) {
      const open = await new Promise<boolean>((resolve) => {
        const socket = connect(port, '127.0.0.1');
        socket.on('connect', () => resolve(true)).on('error', () => resolve(false));
        socket.on('connect', () => socket.destroy());
      });
      if (open) return;
      if (this.process.exitCode !== null) break;
      await sleep(20);
    }
    throw new Error('PgBouncer does not listen');
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.process.once('exit', resolve));
    if (this.process.exitCode === null) {
      this.process.kill('SIGKILL');
      await ended;
    }
    rmSync(this.directory, { recursive: true, force: true });
  }
}
