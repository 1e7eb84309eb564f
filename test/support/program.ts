import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { transformSync } from '@swc/core';
import { bundleAgent } from '../../scripts/bundle-agent.mjs';

/** Compiles src once per state of it and of scripts, into a folder of the checkout, so that packages resolve; returns main.js. */
export function builtProgram(): string {
  const names = (readdirSync('src', { recursive: true }) as string[]).filter((name) => name.endsWith('.ts')).sort();
  const sources = new Map(names.map((name) => [name, readFileSync(join('src', name), 'utf8')]));
  const hash = createHash('sha256');
  for (const [name, text] of sources) hash.update(name).update(text);
  for (const name of readdirSync('scripts').sort()) hash.update(readFileSync(join('scripts', name)));
  const folder = join(process.cwd(), 'tmp', `program-${hash.digest('hex').slice(0, 16)}`);
  const main = join(folder, 'dist', 'main.js');
  if (existsSync(main)) return main;
  const own = `${folder}.${process.pid}`;
  for (const [name, text] of sources) {
    const target = join(own, 'dist', name.replace(/\.ts$/, '.js'));
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, transformSync(text, { filename: join('src', name), configFile: '.swcrc' }).code);
  }
  copyFileSync('package.json', join(own, 'package.json'));
  try {
    renameSync(own, folder);
  } catch {
    // Another worker was faster; its build is the same.
    rmSync(own, { recursive: true, force: true });
  }
  return main;
}

/** Program and first arguments of the `buildkite-agent` that the bundled agent gives to jobs. */
export function commandProgram(): string[] {
  return [process.execPath, '--no-warnings', join(dirname(builtProgram()), 'agent', 'job-commands', 'main.js')];
}

/** Makes the agent that the built program hands out to other machines, once per state of src. */
export async function builtAgent(): Promise<void> {
  const dist = dirname(builtProgram());
  if (!existsSync(join(dist, 'agent-bundle', 'slipway-agent.mjs'))) await bundleAgent(dist, '0.1.0');
}

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
  milliseconds: number;
}

/** A running `slipway` process with its output so far. */
export class Program {
  stdout = '';
  stderr = '';
  readonly ended: Promise<Ended>;

  private constructor(readonly child: ChildProcess) {
    const start = Date.now();
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (this.stdout += text));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (this.stderr += text));
    this.ended = new Promise((resolve) => {
      child.on('close', (code) =>
        resolve({ code, stdout: this.stdout, stderr: this.stderr, milliseconds: Date.now() - start }),
      );
    });
  }

  /**
   * Starts `slipway <args>` with a clean environment: the variables of the test process do not configure it.
   * `nodeArguments` are options of Node, before the program; `cwd` is where it starts;
   * with the `stdin` `pipe` the test writes its standard input.
   */
  static start(
    args: string[],
    env: Record<string, string>,
    nodeArguments: readonly string[] = [],
    cwd: string = process.cwd(),
    stdin: 'ignore' | 'pipe' = 'ignore',
  ): Program {
    const { PATH = '', HOME = '' } = process.env;
    return new Program(
      spawn(process.execPath, ['--no-warnings', ...nodeArguments, builtProgram(), ...args], {
        cwd,
        env: { PATH, HOME, ...env },
        stdio: [stdin, 'pipe', 'pipe'],
      }),
    );
  }

  /** Runs a command to its end. */
  static run(args: string[], env: Record<string, string>): Promise<Ended> {
    return Program.start(args, env).ended;
  }

  /** Waits until its stdout matches; fails with its whole output when it ends first. */
  async until(pattern: RegExp, patience = 60_000): Promise<RegExpMatchArray> {
    const deadline = Date.now() + patience;
    for (;;) {
      const match = this.stdout.match(pattern);
      if (match) return match;
      if (this.child.exitCode !== null || Date.now() > deadline)
        throw new Error(`no ${pattern} in:\n${this.stdout}\n${this.stderr}`);
      await new Promise((done) => setTimeout(done, 20));
    }
  }

  stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<Ended> {
    this.child.kill(signal);
    return this.ended;
  }
}
