import { execFileSync } from 'node:child_process';
import pg from 'pg';
import { describeOnPostgres, temporaryDirectory } from '../support/database.js';
import { Program } from '../support/program.js';

/** The processes that a process has started and that have not ended. */
function childrenOf(pid: number): number[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,stat='], { encoding: 'utf8' }).trim().split('\n');
  return lines
    .map((line) => line.trim().split(/\s+/))
    .filter(([, parent, state]) => Number(parent) === pid && !state?.startsWith('Z'))
    .map(([child]) => Number(child));
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Calls until it is true, within half a minute. */
async function eventually<T>(look: () => Promise<T | null | false> | T | null | false): Promise<T> {
  return vi.waitUntil(look, { timeout: 30_000, interval: 50 }) as Promise<T>;
}

describe('WORKERS', () => {
  test('several processes are refused with the embedded database, which belongs to one', async () => {
    const { code, stderr } = await Program.run(['serve'], { WORKERS: '2' });
    expect([code, stderr]).toEqual([1, expect.stringContaining('WORKERS: several processes need PostgreSQL')]);
  });
});

describeOnPostgres('slipway serve with WORKERS=2', () => {
  const server = process.env['TEST_DATABASE_URL'] ?? '';
  const name = `slipway_processes_${process.pid}_${Date.now()}`;
  const directory = temporaryDirectory();
  const env = () => ({
    DATABASE_URL: Object.assign(new URL(server), { pathname: `/${name}` }).toString(),
    SECRET_KEY: 'a-secret-key-of-the-tests-that-is-long-enough',
    PORT: '0',
    WORKERS: '2',
    DATA_DIR: directory.path,
  });

  async function onServer(text: string): Promise<void> {
    const client = new pg.Client({ connectionString: server });
    await client.connect();
    await client.query(text).finally(() => client.end());
  }

  beforeAll(() => onServer(`create database ${name}`));
  afterAll(async () => {
    await onServer(`drop database if exists ${name} with (force)`);
    directory.remove();
  });

  const programs: Program[] = [];
  afterEach(() => Promise.all(programs.splice(0).map((program) => program.stop('SIGKILL'))));

  async function started() {
    const program = Program.start(['serve'], env());
    programs.push(program);
    const url = (await program.until(/"url":"(http:[^"]+)"/))[1] ?? '';
    await program.until(/"url"[^]*"url"/);
    return { program, url, supervisor: program.child.pid as number };
  }
  const metric = async (url: string, line: RegExp) => {
    const reply = await fetch(`${url}/metrics`, { headers: { connection: 'close' } });
    return Number(line.exec(await reply.text())?.[1]);
  };

  test('two processes answer on one port, and the metrics of either are those of both', async () => {
    const { program, url, supervisor } = await started();
    try {
      expect(childrenOf(supervisor)).toHaveLength(2);
      expect(new Set([...program.stdout.matchAll(/"url":"([^"]+)"/g)].map(([, found]) => found))).toEqual(
        new Set([url]),
      );
      // Each connection goes to the next process in turn.
      for (let count = 0; count < 6; count += 1)
        expect((await fetch(`${url}/v1/nothing`, { headers: { connection: 'close' } })).status).toBe(404);
      const answered = new Set([...program.stdout.matchAll(/"process":(\d).*?"status":404/g)].map(([, n]) => n));
      expect([...answered].sort()).toEqual(['1', '2']);
      const counted = () => metric(url, /duration_seconds_count\{method="GET",route="[^"]*",status="404"\} (\d+)/);
      expect(await counted()).toBe(6);
      expect(await counted()).toBe(6);
      expect(await metric(url, /slipway_unfinished_builds\{state="running"\} (\d+)/)).toBeNaN();
      expect(await metric(url, /slipway_build_info\{version="[^"]+",commit="[^"]+"\} (\d+)/)).toBe(1);
      expect(await metric(url, /slipway_dispatch_latency_seconds_bucket\{le="\+Inf"\} (\d+)/)).toBe(0);
    } finally {
      expect(await program.stop()).toMatchObject({ code: 0, stderr: '' });
    }
    expect(childrenOf(supervisor)).toEqual([]);
  }, 60_000);

  test('a process that is killed is replaced, whichever it is, and requests are answered meanwhile', async () => {
    const { program, url, supervisor } = await started();
    let listening = 2;
    try {
      for (const victim of childrenOf(supervisor)) {
        process.kill(victim, 'SIGKILL');
        await eventually(() => !isAlive(victim));
        await program.healthy(url);
        listening += 1;
        await eventually(() => (program.stdout.match(/"url"/g) ?? []).length === listening);
        expect(childrenOf(supervisor)).toHaveLength(2);
      }
      expect(program.stdout.match(/a server process ended and is replaced/g)).toHaveLength(2);
    } finally {
      expect(await program.stop()).toMatchObject({ code: 0 });
    }
  }, 90_000);

  test('the processes end when their supervisor is killed', async () => {
    const { program, supervisor } = await started();
    const orphans = childrenOf(supervisor);
    await program.stop('SIGKILL');
    await eventually(() => orphans.every((pid) => !isAlive(pid)));
  }, 60_000);

  test('a server that cannot start says why once, and ends', async () => {
    const { code, stderr } = await Program.run(['serve'], {
      ...env(),
      DATABASE_URL: 'postgres://slipway@127.0.0.1:1/none',
    });
    expect(code).toBe(1);
    expect(stderr.match(/nothing listens at 127\.0\.0\.1:1 \(ECONNREFUSED\)/g)).toHaveLength(1);
  }, 60_000);
});
