import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { quoted } from './job-workspace.js';

/**
 * Pseudo-terminals for jobs, by the `script` command of the system: Node itself cannot open one, and the agent has to
 * run where nothing but Node, a shell and git is installed.
 */
export type TerminalKind = 'util-linux' | 'bsd';

/** How `script` runs a shell script in a pseudo-terminal and ends with its exit status. */
const invocations: Record<TerminalKind, (file: string) => readonly [string, ...string[]]> = {
  'util-linux': (file) => ['script', '-qefc', `exec /bin/sh ${quoted(file)}`, '/dev/null'],
  bsd: (file) => ['script', '-q', '/dev/null', '/bin/sh', file],
};

/** Size of the terminal, which no person looks at: wide, so that programs do not fold their lines. */
const size = { rows: 100, columns: 160 };

const probeMs = 5_000;
const probeStatus = 42;

/**
 * Returns which `script` command this machine has, or null if none of them runs a program in a pseudo-terminal and
 * tells how it ended: where there is none, where it is that of BusyBox, or where no terminal can be opened.
 */
export async function findTerminal(env: Readonly<Record<string, string | undefined>>): Promise<TerminalKind | null> {
  const folder = await mkdtemp(join(env['TMPDIR'] || '/tmp', 'slipway-terminal-'));
  try {
    const file = join(folder, 'probe');
    await writeFile(file, `test -t 1 && exit ${probeStatus}\n`);
    for (const kind of Object.keys(invocations) as TerminalKind[])
      if ((await statusOf(invocations[kind](file), { ...env, SHELL: '/bin/sh' })) === probeStatus) return kind;
    return null;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function statusOf([program, ...args]: readonly [string, ...string[]], env: NodeJS.ProcessEnv): Promise<unknown> {
  return new Promise((resolve) => {
    execFile(program, args, { env, timeout: probeMs, killSignal: 'SIGKILL' }, (error) => resolve(error?.code ?? 0));
  });
}

/** A program that is about to run in a pseudo-terminal. */
export interface Terminal {
  argv: readonly [string, ...string[]];
  env: Readonly<Record<string, string>>;
  /** The process group of the program, once it runs; null before. `script` itself is in another one. */
  group: () => number | null;
}

/**
 * Prepares a program for a pseudo-terminal of its own.
 *
 * @param folder private folder of the job, in which the files of the terminal stay until its end
 */
export async function prepareTerminal(
  kind: TerminalKind,
  folder: string,
  { argv, env }: { argv: readonly string[]; env: Readonly<Record<string, string>> },
): Promise<Terminal> {
  const files = await mkdtemp(join(folder, 'terminal-'));
  const [program, leader] = [join(files, 'program'), join(files, 'leader')];
  const shell = env['SHELL'];
  await writeFile(
    program,
    [
      // The first process of a terminal leads its session and its process group.
      `printf %s "$$" > ${quoted(leader)}`,
      `stty rows ${size.rows} cols ${size.columns} 2>/dev/null`,
      shell === undefined ? 'unset SHELL' : `SHELL=${quoted(shell)} && export SHELL`,
      `exec ${argv.map(quoted).join(' ')}`,
      '',
    ].join('\n'),
  );
  let group: number | null = null;
  return {
    argv: invocations[kind](program),
    // `script` starts its program by the shell that this variable names.
    env: { ...env, SHELL: '/bin/sh' },
    group: () => (group ??= readLeader(leader)),
  };
}

function readLeader(file: string): number | null {
  try {
    const pid = Number(readFileSync(file, 'utf8'));
    return Number.isInteger(pid) && pid > 1 ? pid : null;
  } catch {
    return null;
  }
}
