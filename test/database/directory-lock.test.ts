import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { lockDirectory } from '../../src/database/directory-lock.js';
import { temporaryDirectory } from '../support/database.js';
import { compiledModules } from '../support/compiled-modules.js';
import { testUnless } from '../support/skips.js';

const canUnshare = process.getuid?.() === 0 && spawnSync('unshare', ['--pid', '--fork', 'true']).status === 0;
const needsRoot = canUnshare ? null : 'needs root and unshare';

/** Source of a process that takes the lock of directory `argv[1]`, prints that it has, and then runs `then`. */
const holder = (then: string) => {
  const url = pathToFileURL(join(compiledModules(), 'database/directory-lock.js')).href;
  return `import(${JSON.stringify(url)}).then(({ lockDirectory }) => lockDirectory(process.argv[1])).then(() => { process.stdout.write('locked ' + process.pid + '\\n'); ${then} }, (error) => { process.stdout.write('refused: ' + error.message + '\\n'); process.exitCode = 1; })`;
};

/** Starts the command and resolves with the first line it writes. */
function start(command: string, ...args: string[]) {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const line = new Promise<string>((resolve) => {
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (more: string) => {
      text += more;
      if (text.includes('\n')) resolve(text.split('\n')[0] ?? '');
    });
    child.on('close', () => resolve(text.trim()));
  });
  return { child, line, ended: new Promise((resolve) => child.on('close', resolve)) };
}

describe('the lock of the data directory', () => {
  let directory: ReturnType<typeof temporaryDirectory>;
  let path: string;
  let file: string;
  beforeEach(() => {
    directory = temporaryDirectory();
    path = join(directory.path, 'data');
    file = join(path, 'slipway.lock');
  });
  afterEach(() => directory.remove());

  const node = (then: string) => ['-e', holder(then), path] as const;
  const record = (): Record<string, unknown> => JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;

  /** Takes the lock within five seconds: the threads of a killed process end one after another. */
  async function lockedSoon(): Promise<void> {
    for (const deadline = Date.now() + 5_000; ;) {
      const release = await lockDirectory(path).catch(() => null);
      if (release) return release();
      if (Date.now() > deadline) throw new Error('the lock outlived its holder');
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  test('the directory lock has one holder, is named in the refusal of others, and disappears when released', async () => {
    const release = await lockDirectory(path);
    expect(record()).toMatchObject({ pid: process.pid, host: hostname(), heartbeatAt: expect.any(String) });
    await expect(lockDirectory(path)).rejects.toThrow(`${path} is in use by process ${process.pid}:`);
    release();
    release();
    expect(existsSync(file)).toBe(false);
    (await lockDirectory(path))();
  });

  test('the lock of a killed process is free even before its parent has reaped it', async () => {
    // The shell takes its child's place without ever waiting for the child: killed, it stays a zombie of the sleep.
    const parent = start(
      'sh',
      '-c',
      '"$@" & exec sleep 60',
      'sh',
      process.execPath,
      ...node('setInterval(() => 0, 1000)'),
    );
    try {
      const pid = Number((await parent.line).split(' ')[1]);
      await expect(lockDirectory(path)).rejects.toThrow(`in use by process ${pid}`);
      process.kill(pid, 'SIGKILL');
      const state = () => /^\d+ \(.*\) (\S)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1];
      for (const deadline = Date.now() + 5_000; state() !== 'Z' && Date.now() < deadline;)
        await new Promise((resolve) => setTimeout(resolve, 10));
      expect(state()).toBe('Z');
      await lockedSoon();
      expect(state()).toBe('Z');
    } finally {
      parent.child.kill('SIGKILL');
      await parent.ended;
    }
  });

  testUnless(needsRoot, 'holds across process namespaces, where its number means another process', async () => {
    const other = start(
      'unshare',
      '--pid',
      '--fork',
      '--kill-child',
      '--mount-proc',
      process.execPath,
      ...node('setInterval(() => 0, 1000)'),
    );
    try {
      expect(await other.line).toBe('locked 1');
      const began = performance.now();
      await expect(lockDirectory(path)).rejects.toThrow(
        `is in use by process 1 of another container or process namespace on host ${hostname()}:`,
      );
      expect(performance.now() - began).toBeLessThan(1_000);
    } finally {
      other.child.kill('SIGKILL');
      await other.ended;
    }
    // It dies with its holder, however that ended.
    await lockedSoon();
  });

  describe('a data directory with the lock of another machine', () => {
    const write = (ageMs: number) => {
      mkdirSync(path, { mode: 0o700 });
      writeFileSync(
        file,
        JSON.stringify({
          pid: 7,
          host: 'elsewhere',
          bootId: 'another',
          pidNamespace: 'pid:[1]',
          nonce: 'x',
          startedAt: '2026-01-01T00:00:00Z',
          heartbeatAt: new Date(Date.now() - ageMs).toISOString(),
        }),
      );
    };

    test('a lock of another machine is refused while its heartbeat is fresh, naming the machine and the remedy', async () => {
      write(5_000);
      await expect(lockDirectory(path)).rejects.toThrow(
        new RegExp(`in use by process 7 on host elsewhere: .*wait 30 seconds, or delete ${file}`),
      );
      expect(record()).toMatchObject({ pid: 7 });
    });

    test('a lock of another machine is taken over once its heartbeat is old', async () => {
      write(31_000);
      const release = await lockDirectory(path);
      expect(record()).toMatchObject({ pid: process.pid });
      release();
    });
  });

  test('a lock file without content is taken over', async () => {
    mkdirSync(path, { mode: 0o700 });
    writeFileSync(file, 'half a rec');
    (await lockDirectory(path))();
  });

  test("opening the data directory removes other users' permissions on it", async () => {
    mkdirSync(path);
    chmodSync(path, 0o755);
    (await lockDirectory(path))();
    expect(statSync(path).mode & 0o777).toBe(0o700);
  });

  testUnless(needsRoot, 'refuses a directory that others can read and that belongs to another user', async () => {
    mkdirSync(path);
    chmodSync(directory.path, 0o755);
    chmodSync(path, 0o755);
    const { stdout } = spawnSync(
      'setpriv',
      ['--reuid=65534', '--clear-groups', process.execPath, ...node('process.exit()')],
      { encoding: 'utf8' },
    );
    expect(stdout).toContain(
      `refused: ${path} can be read by others (mode 755) and belongs to user 0, not to this process (user 65534)`,
    );
    rmSync(path, { recursive: true });
  });
});
