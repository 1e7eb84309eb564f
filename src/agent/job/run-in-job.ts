import type { Ending } from './ending.js';
import type { JobContext } from './job-context.js';
import { type ProcessEnd, type ProcessSpec, runProcess } from './process.js';
import { prepareTerminal } from './terminal.js';

/** Runs a hook or the command of a job, in a pseudo-terminal where the job's environment asks for one. */
export async function runInJob(
  context: JobContext,
  program: Pick<ProcessSpec, 'argv' | 'cwd' | 'env'>,
  { cancel, gracePeriodMs }: Ending = context,
): Promise<ProcessEnd> {
  const kind = wantsTerminal(program.env) ? await context.findTerminal() : null;
  return runProcess({
    ...program,
    terminal: kind && (await prepareTerminal(kind, context.folder, program)),
    output: (bytes) => context.log.write(bytes),
    cancel,
    gracePeriodMs,
  });
}

/** Whether the programs of a job run in a pseudo-terminal. */
export const wantsTerminal = (env: Readonly<Record<string, string>>): boolean => env['BUILDKITE_PTY'] === 'true';
