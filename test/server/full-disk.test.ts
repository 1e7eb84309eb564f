import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync, statfsSync, writeFileSync, writeSync, openSync, closeSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from '../support/database.js';
import { builtProgram } from '../support/program.js';
import { describeUnless } from '../support/skips.js';

const provisioning = `users:
  - {email: ada@example.com, name: Ada}
organizations:
  - slug: acme
    name: Acme
    default_cluster: Linux
    members: [{user: ada@example.com, role: admin}]
    clusters: [{name: Linux, queues: [{key: default}], default_queue: default}]
api_tokens:
  - {user: ada@example.com, description: ci, token: a-secret-of-twenty-characters, scopes: all, organizations: all}
`;

const directory = temporaryDirectory();
afterAll(() => directory.remove());
/** The disk of the tests. Only processes that {@link onDisk} has started see it, and it goes with the last of them. */
const disk = join(directory.path, 'disk');
mkdirSync(disk);
writeFileSync(join(directory.path, 'slipway.yaml'), provisioning);

/** Runs a shell line on a disk of so many MiB; `$0` is the disk, `$@` the program with its first arguments. */
function onDisk(mebibytes: number, line: string, reserve = '0'): ChildProcess {
  const script = `mount -t tmpfs -o size=${mebibytes}m none "$0" && ${line}`;
  const program = [process.execPath, '--no-warnings', '--liftoff-only', builtProgram()];
  const { PATH = '', HOME = '' } = process.env;
  return spawn('unshare', ['--map-root-user', '--mount', 'sh', '-c', script, disk, ...program], {
    env: { PATH, HOME, DATA_DIR: join(disk, 'data'), PORT: '0', DRAIN_DELAY: '0', DISK_RESERVE: reserve },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

async function resultOf(child: ChildProcess): Promise<{ code: number | null; stderr: string }> {
  let stderr = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  child.stdout?.resume();
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stderr };
}

const canMount =
  spawnSync('unshare', ['--map-root-user', '--mount', 'mount', '-t', 'tmpfs', '-o', 'size=1m', 'none', disk]).status ===
  0;
const reason = canMount ? null : 'this machine lets nobody mount a small disk, so a full one cannot be tested';

describeUnless(reason, 'a server on the embedded database whose disk is full', () => {
  let server: ChildProcess | null = null;
  afterAll(() => server?.kill('SIGKILL'));

  test('changes are refused with Retry-After, reads go on, nothing restarts the server, and it goes on once there is space', async () => {
    const child = onDisk(150, `exec "$@" serve --apply "${join(directory.path, 'slipway.yaml')}"`);
    server = child;
    let output = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (output += text));
    await vi.waitUntil(() => /"url":/.test(output) || child.exitCode !== null, { timeout: 60_000 });
    const [, url] = /"url":"(http:[^"]+)"/.exec(output) ?? [];
    if (url === undefined) throw new Error(output);
    const ask = async (method: string, path: string, body?: object) => {
      const reply = await fetch(url + path, {
        method,
        headers: { authorization: 'Bearer a-secret-of-twenty-characters', 'content-type': 'application/json' },
        signal: AbortSignal.timeout(20_000),
        ...(body && { body: JSON.stringify(body) }),
      });
      const { message } = (await reply.json()) as { message?: string };
      return { status: reply.status, retryAfter: reply.headers.get('retry-after'), message };
    };
    const builds = '/v2/organizations/acme/pipelines/deploy/builds';
    const build = (message: string) => ask('POST', builds, { commit: 'HEAD', branch: 'main', message });
    const created = await ask('POST', '/v2/organizations/acme/pipelines', {
      name: 'Deploy',
      repository: 'https://git.example.com/deploy.git',
      configuration: 'steps: [{ command: "true" }]',
    });
    expect(created.status).toBe(201);
    expect((await build('before')).status).toBe(201);

    // The disk as the server sees it.
    const filling = join(`/proc/${child.pid}/root`, disk, 'filling');
    fillDisk(filling);
    const refusals: Awaited<ReturnType<typeof build>>[] = [];
    for (let time = 0; time < 200 && refusals.length < 20; time += 1) {
      const reply = await build('x'.repeat(4_000) + time);
      if (reply.status !== 201) refusals.push(reply);
    }
    expect(refusals).toHaveLength(20);
    for (const refusal of refusals)
      expect(refusal).toEqual({
        status: 503,
        retryAfter: '60',
        message: 'The disk of the database is full. Please try again once there is space.',
      });
    expect((await ask('GET', builds)).status).toBe(200);
    expect((await ask('GET', '/healthz')).status).toBe(200);
    expect(await ask('GET', '/readyz')).toMatchObject({
      status: 503,
      message: 'Storage of logs and artifacts cannot be used',
    });

    rmSync(filling);
    expect((await build('after')).status).toBe(201);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  }, 120_000);

  test('below DISK_RESERVE it is not ready and says so early, and its database goes on', async () => {
    const child = onDisk(220, `exec "$@" serve --apply "${join(directory.path, 'slipway.yaml')}"`, '20m');
    server = child;
    let output = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (output += text));
    await vi.waitUntil(() => /"url":/.test(output) || child.exitCode !== null, { timeout: 60_000 });
    const [, url] = /"url":"(http:[^"]+)"/.exec(output) ?? [];
    const ready = async () => {
      const reply = await fetch(`${url}/readyz`);
      return [reply.status, ((await reply.json()) as { message: string }).message];
    };
    expect(await ready()).toEqual([200, 'Everything can be used']);
    const filling = join(`/proc/${child.pid}/root`, disk, 'filling');
    const { bavail, bsize } = statfsSync(join(`/proc/${child.pid}/root`, disk));
    writeFileSync(filling, Buffer.alloc(bavail * bsize - 10 * 1024 * 1024));
    const message = 'Storage of logs and artifacts cannot be used';
    await vi.waitFor(async () => expect(await ready()).toEqual([503, message]), { timeout: 10_000 });
    expect(output).toContain('the disk of logs and artifacts is full to DISK_RESERVE: new ones are refused');
    const created = await fetch(`${url}/v2/organizations/acme/pipelines`, {
      method: 'POST',
      headers: { authorization: 'Bearer a-secret-of-twenty-characters', 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Deploy', repository: 'https://git.example.com/a.git', configuration: 'steps: []' }),
    });
    expect(created.status).toBe(201);
    rmSync(filling);
    await vi.waitFor(async () => expect((await ready())[0]).toBe(200), { timeout: 10_000 });
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  }, 90_000);

  test.each([
    ['too small for a new database', 8, ''],
    ['full to the last byte', 8, 'cat /dev/zero >"$0/filling" 2>/dev/null; '],
  ])('a start on a disk that is %s says so in one sentence, and ends', async (_kind, mebibytes, before) => {
    const { code, stderr } = await resultOf(onDisk(mebibytes, `{ ${before} exec "$@" serve; }`));
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(
        /^error: the disk of \S+\/data has [078] MiB of free space, and the embedded database needs \d+ MiB to start: make space, .*\n$/,
      ),
    ]);
  });
});

/** Writes a file until the disk has no byte left. */
function fillDisk(path: string): void {
  const file = openSync(path, 'w');
  for (const size of [1024 * 1024, 4096, 1]) {
    const piece = Buffer.alloc(size);
    try {
      for (;;) writeSync(file, piece);
    } catch {
      // Full for pieces of this size.
    }
  }
  closeSync(file);
}

describe('a server that may open few files', () => {
  const serve = (limit: number, env: Record<string, string>) => {
    const { PATH = '', HOME = '' } = process.env;
    const program = [process.execPath, '--no-warnings', '--liftoff-only', builtProgram(), 'serve'];
    return spawn('sh', ['-c', `ulimit -n ${limit}; exec "$@"`, 'sh', ...program], {
      env: { PATH, HOME, PORT: '0', DRAIN_DELAY: '0', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  };

  test('with 256 open files the server is healthy while it answers many connections', async () => {
    const child = serve(256, { DATA_DIR: join(directory.path, 'few') });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
    await vi.waitUntil(() => /"url":/.test(output) || child.exitCode !== null, { timeout: 60_000 });
    const [, url] = /"url":"(http:[^"]+)"/.exec(output) ?? [];
    const replies = await Promise.all(
      Array.from({ length: 50 }, () => fetch(`${url}/healthz`, { signal: AbortSignal.timeout(20_000) })),
    );
    expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: 50 }, () => 200));
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  }, 90_000);

  test('with fewer than it needs it says so and ends', async () => {
    const { code, stderr } = await resultOf(serve(140, { DATA_DIR: join(directory.path, 'fewer') }));
    expect([code, stderr]).toEqual([1, expect.stringContaining('this process may open 140 files at a time')]);
  });
});
