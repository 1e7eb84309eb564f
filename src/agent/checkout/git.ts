import type { JobContext } from '../job/job-context.js';
import { runProcess, type ProcessEnd } from '../job/process.js';

/** A git command that did not exit 0. */
export class GitError extends Error {
  override readonly name = 'GitError';

  constructor(
    message: string,
    readonly end: ProcessEnd,
  ) {
    super(message);
  }
}

/** Git that never prompts: no terminal, no password programs, ssh in batch mode that trusts a host on first sight. */
export function gitEnvironment(env: Readonly<Record<string, string>>): Record<string, string> {
  return {
    GIT_SSH_COMMAND: 'ssh -o BatchMode=yes -o StrictHostKeyChecking=accept-new',
    GIT_ASKPASS: '',
    SSH_ASKPASS: '',
    ...env,
    GIT_TERMINAL_PROMPT: '0',
  };
}

/**
 * Runs git for a job, command and output in its log.
 * @throws GitError when it does not exit 0, in words for the log when git is not installed
 */
export async function git(context: JobContext, cwd: string, ...args: string[]): Promise<void> {
  await context.log.line(`$ git ${args.join(' ')}`);
  const output = (bytes: Buffer): Promise<void> => context.log.write(bytes);
  await run(context, cwd, args, output);
}

/** Runs git and returns its output without logging it. Throws GitError. */
export async function gitOutput(context: JobContext, cwd: string, ...args: string[]): Promise<string> {
  const chunks: Buffer[] = [];
  await run(context, cwd, args, async (bytes) => void chunks.push(bytes));
  return Buffer.concat(chunks).toString('utf8');
}

async function run(
  context: JobContext,
  cwd: string,
  args: string[],
  output: (bytes: Buffer) => Promise<void>,
): Promise<void> {
  const end = await runProcess({
    argv: ['git', ...args],
    cwd,
    env: gitEnvironment(context.env),
    output,
    cancel: context.cancel,
    gracePeriodMs: context.gracePeriodMs,
  });
  if (end.kind === 'exited' && end.code === 0) return;
  if (end.kind === 'not_started') {
    const absent = end.message.includes('ENOENT');
    throw new GitError(
      absent ? 'git is not installed on this machine, and this job needs a checkout.' : end.message,
      end,
    );
  }
  throw new GitError(
    `git ${(args[0] === '-c' ? args[2] : args[0]) ?? ''} ${end.kind === 'exited' ? `exited with status ${end.code}` : `ended by ${end.signal}`}`,
    end,
  );
}
