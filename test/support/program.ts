import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { compiledModules, folderOf, once } from './compiled-modules.js';

/** Builds the program as an install does; returns main.js. */
export function builtProgram(): string {
  const folder = once(folderOf('program'), (own) => {
    mkdirSync(join(own, 'dist'), { recursive: true });
    writeFileSync(join(own, 'package.json'), readFileSync('package.json'));
    const assemble = `
      import { assemble } from './scripts/assemble.mjs';
      await assemble(...process.argv.slice(1));`;
    const folders = [compiledModules(), join(own, 'dist')];
    execFileSync(process.execPath, ['--input-type=module', '-e', assemble, ...folders], { stdio: 'pipe' });
  });
  return join(folder, 'dist', 'main.js');
}

/** Program and first arguments of the `buildkite-agent` that the bundled agent gives to jobs. */
export function commandProgram(): string[] {
  return [process.execPath, '--no-warnings', join(dirname(builtProgram()), 'agent', 'job-commands', 'main.js')];
}

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
  milliseconds: number;
}

/** The embedded database of a process that lives for seconds is not worth compiling twice. */
const usual = ['--no-warnings', '--liftoff-only'];

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
   * Starts `slipway <args>` with a clean environment: the variables of the test process do not configure it. No proxy
   * looks at it, so that it stops at once.
   * `nodeArguments` are options of Node, before the program; `cwd` is where it starts;
   * with the `stdin` `pipe` the test writes its standard input; `main` is the program, the sources' own where absent.
   */
  static start(
    args: string[],
    env: Record<string, string>,
    nodeArguments: readonly string[] = [],
    cwd: string = process.cwd(),
    stdin: 'ignore' | 'pipe' = 'ignore',
    main = builtProgram(),
  ): Program {
    const { PATH = '', HOME = '' } = process.env;
    return new Program(
      spawn(process.execPath, [...usual, ...nodeArguments, main, ...args], {
        cwd,
        env: { PATH, HOME, DRAIN_DELAY: '0', ...env },
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

  /**
   * Waits until the server that it is says at the URL that it is healthy; fails with its whole output when it does not.
   * A check has three seconds, which are too few while others have the processors.
   */
  async healthy(url: string, patience = 30_000): Promise<void> {
    const deadline = Date.now() + patience;
    for (;;) {
      const reply = await fetch(`${url}/healthz`, { headers: { connection: 'close' } });
      if (reply.status === 200) return;
      if (Date.now() > deadline)
        throw new Error(`/healthz: ${await reply.text()}, with:\n${this.stdout}\n${this.stderr}`);
      await new Promise((done) => setTimeout(done, 250));
    }
  }

  stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<Ended> {
    this.child.kill(signal);
    return this.ended;
  }
}
