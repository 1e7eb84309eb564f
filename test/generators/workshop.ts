import { execFile, execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** A generator installs packages and compiles hundreds of files. */
export const stepTimeoutMs = 600_000;

/** Whether a tool of this machine answers; what needs an absent one is skipped by name. */
export function has(command: string, ...args: string[]): boolean {
  try {
    execFileSync(command, args.length > 0 ? args : ['--version'], { stdio: 'ignore', timeout: 30_000 });
    return true;
  } catch {
    return false;
  }
}

export const tools = {
  go: has('go', 'version'),
  java: has('java', '-version'),
  maven: has('mvn', '-version'),
  python: has('python3'),
} as const;

/** A temporary folder in which one generator is installed, run, and its client compiled and used. */
export class Workshop {
  readonly folder = mkdtempSync(join(tmpdir(), 'slipway-generator-'));

  constructor(private readonly environment: Readonly<Record<string, string>>) {}

  path(...names: string[]): string {
    return join(this.folder, ...names);
  }

  write(name: string, text: string): void {
    mkdirSync(this.path(name, '..'), { recursive: true });
    writeFileSync(this.path(name), text);
  }

  /** Copies the program of a folder of examples/client. */
  takeExample(name: string): void {
    cpSync(resolve('examples/client', name), this.folder, { recursive: true });
  }

  /** Runs a command in the folder, or one below it; returns what it printed, fails with what it complained. */
  async run(command: string, args: readonly string[], { within = '' } = {}): Promise<string> {
    try {
      const { stdout } = await execute(command, args, {
        cwd: this.path(within),
        env: { ...process.env, ...this.environment },
        timeout: stepTimeoutMs,
        maxBuffer: 64 * 1024 ** 2,
      });
      return stdout.trim();
    } catch (error) {
      const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
      const text = `${stdout}\n${stderr}`.trim().split('\n');
      throw new Error(`${command} ${args.slice(0, 6).join(' ')} failed:\n${text.slice(-40).join('\n')}`, {
        cause: error,
      });
    }
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 3 });
  }
}
