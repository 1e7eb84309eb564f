import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync } from 'node:fs';
import type { Readable } from 'node:stream';

import { openOutputPipe } from './output-pipe.js';
import { ProcessGroups } from './process-groups.js';
import type { Terminal } from './terminal.js';
import { wait } from '../wait.js';

export interface ProcessSpec {
  /** Program and arguments. */
  argv: readonly [string, ...string[]];
  cwd: string;
  env: Readonly<Record<string, string>>;
  /** Takes stdout and stderr in the order written; the program is held up while it waits. */
  output: (bytes: Buffer) => Promise<void>;
  /** Aborted: SIGTERM to the whole process group, SIGKILL after the grace period. */
  cancel: AbortSignal;
  gracePeriodMs: number;
  /** The pseudo-terminal in which the program runs; it has taken argv and env over. */
  terminal?: Terminal | null;
  /** Creates the pipe of the output; for tests of machines without `mkfifo`. */
  openPipe?: typeof openOutputPipe;
}

/** End of a program; `cancelled` names the strongest signal it received. */
export type ProcessEnd =
  | { kind: 'exited'; code: number }
  | { kind: 'signalled'; signal: NodeJS.Signals }
  | { kind: 'cancelled'; signal: 'SIGTERM' | 'SIGKILL' }
  | { kind: 'not_started'; message: string };

/**
 * Output after the program's own end, from processes it left behind: how long it may stay silent, and how long it
 * is read at all, before the pipe is closed under them.
 */
const lingerSilenceMs = 1_000;
const lingerMs = 5_000;

/** Process groups of the programs that run now. */
const running = new Set<ProcessGroups>();

/** Kills every program of this process at once, for a process that ends without waiting for them. */
export function killRunningPrograms(): void {
  for (const groups of running) groups.kill();
}

/**
 * Runs a program in its own process group until it ends and its output is read. Never throws for failures of the
 * program.
 */
export async function runProcess(spec: ProcessSpec): Promise<ProcessEnd> {
  if (spec.cancel.aborted) return { kind: 'cancelled', signal: 'SIGTERM' };
  const started = await start(spec);
  if ('message' in started) return { kind: 'not_started', message: started.message };
  const { child, output, exited } = started;
  const groups = new ProcessGroups(child.pid as number, spec.terminal?.group);
  running.add(groups);

  const reading = readOutput(output, spec.output);
  let killed: 'SIGTERM' | 'SIGKILL' | undefined;
  const ended = new AbortController();
  const cancelled = new Promise<void>((resolve) => {
    const terminate = async (): Promise<void> => {
      killed = 'SIGTERM';
      groups.signal('SIGTERM');
      const deadline = Date.now() + spec.gracePeriodMs;
      // The leader may be gone while its children still clean up: they have the grace period too. A group whose
      // output is closed may be nothing but zombies, where process 1 does not reap.
      const gone = (): boolean => !groups.exist || (ended.signal.aborted && reading.closed);
      while (Date.now() < deadline && !gone()) await wait(Math.min(50, deadline - Date.now()));
      if (!ended.signal.aborted) killed = 'SIGKILL';
      groups.kill();
      resolve();
    };
    const onCancel = (): void => void terminate();
    if (spec.cancel.aborted) onCancel();
    else spec.cancel.addEventListener('abort', onCancel, { once: true });
    ended.signal.addEventListener('abort', () => {
      spec.cancel.removeEventListener('abort', onCancel);
      if (killed === undefined) resolve();
    });
  });

  const end = await exited;
  ended.abort();
  await cancelled;
  await reading.settle();
  // Sends SIGHUP like a terminal at the end of its session; programs that want to outlive the job ignore it.
  groups.signal('SIGHUP');
  running.delete(groups);
  return killed === undefined ? end : { kind: 'cancelled', signal: killed };
}

interface Started {
  child: ChildProcess;
  output: Readable;
  exited: Promise<ProcessEnd>;
}

async function start(spec: ProcessSpec): Promise<Started | { message: string }> {
  const pipe = await (spec.openPipe ?? openOutputPipe)();
  // Without a pipe to share, a shell joins stderr to stdout before it becomes the program.
  const { argv, env } = spec.terminal ?? spec;
  const [program, ...args] = pipe ? argv : (['/bin/sh', '-c', 'exec "$@" 2>&1', 'sh', ...argv] as const);
  try {
    const child = spawn(program, args, {
      cwd: spec.cwd,
      env: { ...env },
      detached: true,
      // The keyboard of a terminal: nobody types, and nothing says that nobody will.
      stdio: [spec.terminal ? 'pipe' : 'ignore', pipe?.writeFd ?? 'pipe', pipe?.writeFd ?? 'ignore'],
    });
    const exited = new Promise<ProcessEnd>((resolve) => {
      child.once('exit', (code, signal) =>
        resolve(signal ? { kind: 'signalled', signal } : { kind: 'exited', code: code ?? 1 }),
      );
    });
    await new Promise<void>((resolve, reject) => child.once('spawn', resolve).once('error', reject));
    return { child, output: pipe?.readable ?? (child.stdout as Readable), exited };
  } catch (error) {
    pipe?.readable.destroy();
    return { message: (error as Error).message };
  } finally {
    if (pipe) closeSync(pipe.writeFd);
  }
}

interface Reading {
  /** Whether no process holds the output open any more. */
  readonly closed: boolean;
  /**
   * Waits for the end of the output, and gives up on a pipe that other processes still hold. Time in which reading was
   * blocked does not count.
   */
  settle(): Promise<void>;
}

function readOutput(output: Readable, take: (bytes: Buffer) => Promise<void>): Reading {
  let busy = false;
  let lastRead = Date.now();
  const pump = async (): Promise<void> => {
    try {
      for await (const chunk of output) {
        busy = true;
        await take(chunk as Buffer);
        busy = false;
        lastRead = Date.now();
      }
    } catch {
      // Destroyed by `settle`, or the pipe broke: the output read so far is complete.
    }
  };
  let closed = false;
  const finished = pump().then(() => {
    closed = true;
  });
  return {
    get closed() {
      return closed;
    },
    async settle() {
      const done = new AbortController();
      void finished.then(() => done.abort());
      lastRead = Date.now();
      let patienceMs = lingerMs;
      while (busy || (patienceMs > 0 && Date.now() - lastRead < lingerSilenceMs)) {
        if (!(await wait(50, done.signal))) return;
        if (!busy) patienceMs -= 50;
      }
      output.destroy();
      await finished;
    },
  };
}
