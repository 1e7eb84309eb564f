import { execFile, execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { NotToBeHad, type Registry, registryAnswers } from './registries.js';

const execute = promisify(execFile);

/** The longest that one command may take: an install fetches packages, a compiler reads hundreds of files. */
export const stepTimeoutMs = 180_000;

/** Whether a tool of this machine answers; what needs an absent one is skipped by name. */
function has(command: string, ...args: string[]): boolean {
  try {
    execFileSync(command, args.length > 0 ? args : ['--version'], { stdio: 'ignore', timeout: 30_000 });
    return true;
  } catch {
    return false;
  }
}

export const tools = {
  Go: has('go', 'version'),
  Java: has('java', '-version') && has('javac', '-version'),
  Maven: has('mvn', '-version'),
  Python: has('python3'),
} as const;

interface Failure {
  stdout?: string;
  stderr?: string;
  killed?: boolean;
}

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

  /** Copies a folder of examples/client, or a file in it. */
  takeExample(name: string): void {
    cpSync(resolve('examples/client', name), name.includes('.') ? this.path(name) : this.folder, { recursive: true });
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
      const { stdout = '', stderr = '', killed = false } = error as Failure;
      const text = `${stdout}\n${stderr}`.trim().split('\n');
      const end = killed ? `took longer than ${stepTimeoutMs / 1000} s` : 'failed';
      throw new Error(`${command} ${args.slice(0, 6).join(' ')} ${end}:\n${text.slice(-40).join('\n')}`, {
        cause: error,
      });
    }
  }

  /**
   * Runs a command that fetches packages. If it fails and the registry does not answer, or it takes too long, that is
   * not the generator's fault: throws `NotToBeHad`, and so does every later use of the registry.
   */
  async install(registry: Registry, command: string, args: readonly string[], options = {}): Promise<void> {
    if (registry.silent) throw new NotToBeHad(registry.silent);
    try {
      await this.run(command, args, options);
    } catch (error) {
      const tooLong = ((error as Error).cause as Failure).killed;
      if (!tooLong && (await registryAnswers(registry))) throw error;
      registry.silent = tooLong
        ? `${registry.name} takes more than ${stepTimeoutMs / 1000} s`
        : `${registry.name} cannot be reached`;
      throw new NotToBeHad(registry.silent);
    }
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 3 });
  }
}
