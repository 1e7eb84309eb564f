import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** A registry of packages, with the least that its own client can ask it. */
export interface Registry {
  readonly name: string;
  /** The command that fetches one small package into `folder`, past every cache. */
  readonly probe: (folder: string) => readonly [command: string, ...args: string[]];
  readonly environment?: (folder: string) => Record<string, string>;
  /** Why nothing more is asked of it in this process, once it failed to answer. */
  silent?: string;
}

const probeTimeoutMs = 90_000;

export const npm: Registry = {
  name: 'the registry of npm',
  probe: (folder) => ['npm', 'view', 'typescript', 'version', '--fetch-retries=0', `--cache=${folder}`],
};

export const pypi: Registry = {
  name: 'the registry of Python',
  probe: (folder) => [
    'python3',
    '-m',
    'pip',
    'download',
    'six',
    '--no-deps',
    '--no-cache-dir',
    '--retries=0',
    `-d${folder}`,
  ],
};

export const goModules: Registry = {
  name: 'the proxy of Go modules',
  probe: () => ['go', 'mod', 'download', 'golang.org/x/text@v0.14.0'],
  environment: (folder) => ({ GOMODCACHE: folder, GOFLAGS: '-modcacherw' }),
};

export const maven: Registry = {
  name: 'the registry of Maven',
  probe: (folder) => ['mvn', '-q', '-B', `-Dmaven.repo.local=${folder}`, 'help:help'],
};

/** A generator that cannot be installed here and now: its test is skipped with this message. */
export class NotToBeHad extends Error {}

/** Asks the registry itself, so that a package that is missing in it is a failure and a missing network is not. */
export async function registryAnswers({ probe, environment }: Registry): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-probe-'));
  const [command, ...args] = probe(folder);
  try {
    const env = { ...process.env, ...environment?.(folder) };
    await promisify(execFile)(command, args, { cwd: folder, env, timeout: probeTimeoutMs });
    return true;
  } catch {
    return false;
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}
