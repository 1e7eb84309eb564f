import { GitError } from '../checkout/git.js';
import { HookError } from '../hooks/job-hooks.js';
import { AgentHttpError } from '../http.js';
import { PluginError } from '../plugins/plugin.js';
import type { JobResult } from '../wire.js';
import type { JobLog } from './job-log.js';
import type { ProcessEnd } from './process.js';

/** A job without a command and without a hook in its place. */
export class MissingCommandError extends Error {
  override readonly name = 'MissingCommandError';

  constructor() {
    super('Missing BUILDKITE_COMMAND: the step has no command, and no hook of plugin, repository or agent runs one.');
  }
}

/** Returns the result of an ended command in the form of the protocol, and writes a failure to the log. */
export async function conclude(end: ProcessEnd, log: JobLog): Promise<JobResult> {
  switch (end.kind) {
    case 'exited':
      if (end.code !== 0) await fail(log, `The command exited with status ${end.code}`);
      break;
    case 'signalled':
      await fail(log, `The command was killed by ${end.signal}`);
      break;
    case 'cancelled':
      await log.line(`# The job was cancelled (${end.signal})`);
      break;
    case 'not_started':
      await fail(log, `The command could not be started: ${end.message}`);
  }
  return resultOf(end);
}

/** Returns the result of a job whose phase failed, and writes the reason to the log. */
export async function phaseFailure(error: unknown, log: JobLog, cancel: AbortSignal, prefix = ''): Promise<JobResult> {
  const end = error instanceof GitError || error instanceof HookError ? error.end : undefined;
  const { message } = error as Error;
  if (cancel.aborted) {
    const signal = end?.kind === 'cancelled' ? end.signal : 'SIGTERM';
    await log.line(`# The job was cancelled (${end?.kind === 'cancelled' ? message : signal})`);
    return { exitStatus: '-1', signal };
  }
  await fail(log, error instanceof HookError ? message : `${prefix}${message}`);
  if (error instanceof HookError) return resultOf(error.end);
  // Retry rules name the statuses of git, such as 128 where a repository is out of reach.
  if (error instanceof GitError && error.end.kind !== 'not_started') return resultOf(error.end);
  if (end || error instanceof PluginError || error instanceof MissingCommandError) return { exitStatus: '1' };
  if (!(error instanceof AgentHttpError)) await log.line('The agent could not go on with this job.');
  return prefix === '' ? { exitStatus: '-1', signalReason: 'process_run_error' } : { exitStatus: '1' };
}

function resultOf(end: ProcessEnd): JobResult {
  switch (end.kind) {
    case 'exited':
      return { exitStatus: String(end.code) };
    case 'signalled':
      return { exitStatus: '255' };
    case 'cancelled':
      return { exitStatus: '-1', signal: end.signal };
    case 'not_started':
      return { exitStatus: '-1', signalReason: 'process_run_error' };
  }
}

async function fail(log: JobLog, message: string): Promise<void> {
  await log.line('^^^ +++');
  await log.line(`🚨 Error: ${message}`);
}
