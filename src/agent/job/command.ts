import { existsSync, statSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { relative, resolve, sep } from 'node:path';

import type { JobContext } from './job-context.js';
import { runInJob } from './run-in-job.js';
import type { ProcessEnd } from './process.js';

export type ShellWords = readonly [string, ...string[]];

/** Program and flags that take a command text as the last argument. */
export function shellWords(shell: string | undefined): ShellWords {
  const [program, ...flags] = shell?.trim().split(/\s+/) ?? [];
  if (program) return [program, ...flags];
  return [existsSync('/bin/bash') ? '/bin/bash' : '/bin/sh', '-e', '-c'];
}

/** Runs the job's command in its checkout, as a script when its whole text names a file there. */
export async function runCommand(context: JobContext, path: string, shell: ShellWords): Promise<ProcessEnd> {
  const command = await scriptOrCommand(context.env['BUILDKITE_COMMAND'] ?? '', path);
  await context.log.line(`$ ${command}`);
  return runInJob(context, { argv: [...shell, command], cwd: path, env: context.env });
}

/** Whether a path names a file. A command that is too long to be a path, or goes through a file, names none. */
function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

async function scriptOrCommand(command: string, path: string): Promise<string> {
  if (/[\n\0]/.test(command)) return command;
  const file = resolve(path, command);
  const inside = relative(path, file);
  if (inside === '' || inside.startsWith('..') || !isFile(file)) return command;
  await chmod(file, statSync(file).mode | 0o100);
  return `'.${sep}${inside.replaceAll("'", `'\\''`)}'`;
}
