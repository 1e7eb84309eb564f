import { delimiter } from 'node:path';

import { uploadArtifacts } from '../artifacts/artifact-upload.js';
import type { AgentSession } from '../session/agent-session.js';
import { checkout, checkoutPath, emptyFolder } from '../checkout/checkout.js';
import { runCommand, shellWords } from './command.js';
import { jobEnvironment } from './environment.js';
import { GitError } from '../checkout/git.js';
import type { JobContext } from './job-context.js';
import { headCommit, sendCommit } from '../checkout/git-commit.js';
import { AgentHttpError } from '../http.js';
import type { JobClient } from './job-client.js';
import type { JobLog } from './job-log.js';
import { refuse } from './job-refusal.js';
import { openWorkspace } from './job-workspace.js';
import type { LockTable } from '../job-socket/lock-table.js';
import type { ResolvedOptions } from '../options.js';
import type { ProcessEnd } from './process.js';
import { urlCredentials } from './redactor.js';
import { fetchSecrets, stepSecrets } from './step-secrets.js';
import type { JobPayload, JobResult } from '../wire.js';

export interface JobPhases {
  job: JobPayload;
  client: JobClient;
  session: AgentSession;
  agentName: string;
  options: ResolvedOptions;
  locks: LockTable;
  log: JobLog;
  cancel: AbortSignal;
}

/**
 * Runs the phases of a job, from its environment through the checkout to the end of its command, and writes them to its
 * log.
 */
export async function runPhases(phases: JobPhases): Promise<JobResult> {
  const { job, client, session, agentName, options, locks, log, cancel } = phases;
  log.hide([session.token, ...urlCredentials(job.env['BUILDKITE_REPO'] ?? '')]);
  log.hideSecretsOf(job.env);
  const refusal = refuse(job);
  if (refusal) {
    await log.line(`🚨 Error: ${refusal.message}`);
    return refusal.result;
  }

  const shell = shellWords(options.shell);
  const path = checkoutPath(options.buildPath, agentName, job.env);
  const { env, ignored } = jobEnvironment(options.environment, job.env, {
    endpoint: client.endpoint,
    accessToken: client.token,
    agentName,
    buildPath: options.buildPath,
    checkoutPath: path,
    shell,
    cancelGracePeriod: options.cancelGracePeriod,
    requestHeaders: session.http.requestHeaders,
  });
  log.hideSecretsOf(env);
  const workspace = await openWorkspace(options.commandProgram, {
    jobId: job.id,
    env,
    locks,
    redact: (values) => log.hide(values),
    environmentChanged: () => log.hideSecretsOf(env),
  });
  log.hide([workspace.socket.token]);
  Object.assign(env, {
    // Last, so that an installed agent comes first.
    PATH: [env['PATH'], workspace.binPath].filter(Boolean).join(delimiter),
    BUILDKITE_BIN_PATH: workspace.binPath,
    BUILDKITE_AGENT_JOB_API_SOCKET: workspace.socket.path,
    BUILDKITE_AGENT_JOB_API_TOKEN: workspace.socket.token,
  });
  const context: JobContext = { log, env, cancel, gracePeriodMs: options.cancelGracePeriod * 1000 };

  try {
    await log.group('Preparing working directory');
    if (ignored.length > 0) await log.line(`⚠️ Ignored, since only the agent may set them: ${ignored.join(', ')}`);
    const secrets = await fetchSecrets(client, stepSecrets(job.step?.secrets), cancel);
    log.hide(Object.values(secrets));
    Object.assign(env, secrets);
    await prepareFolder(context, client, path, env, options.retryScale);

    await log.group('Running commands');
    const end = await runCommand(context, path, shell);
    const result = await conclude(end, log);
    if (!env['BUILDKITE_ARTIFACT_PATHS']?.trim() || (end.kind !== 'exited' && end.kind !== 'signalled')) return result;
    return await withArtifacts(result, context, client, path);
  } catch (error) {
    return await setupFailure(error, log, cancel);
  } finally {
    const left = locks.releaseOf(job.id);
    if (left.length > 0) await log.line(`⚠️ Released locks that the job still held: ${left.join(', ')}`);
    await workspace.close();
  }
}

async function prepareFolder(
  context: JobContext,
  client: JobClient,
  path: string,
  env: Record<string, string>,
  retryScale: number,
): Promise<void> {
  await context.log.line(`$ cd ${path}`);
  if (env['BUILDKITE_SKIP_CHECKOUT'] === 'true') {
    await emptyFolder(path);
    await context.log.line('Skipping checkout');
    return;
  }
  await checkout(context, path, retryScale);
  env['BUILDKITE_COMMIT'] = await headCommit(context, path);
  await sendCommit(context, client, path);
}

/** Returns the result of an ended command in the form of the protocol. */
async function conclude(end: ProcessEnd, log: JobLog): Promise<JobResult> {
  switch (end.kind) {
    case 'exited':
      if (end.code !== 0) await fail(log, `The command exited with status ${end.code}`);
      return { exitStatus: String(end.code) };
    case 'signalled':
      await fail(log, `The command was killed by ${end.signal}`);
      return { exitStatus: '255' };
    case 'cancelled':
      await log.line(`# The job was cancelled (${end.signal})`);
      return { exitStatus: '-1', signal: end.signal };
    case 'not_started':
      await fail(log, `The command could not be started: ${end.message}`);
      return { exitStatus: '-1', signalReason: 'process_run_error' };
  }
}

/**
 * Uploads artifacts after the command, also after a failure. A job whose artifacts did not arrive fails even if its
 * command passed.
 */
async function withArtifacts(
  result: JobResult,
  context: JobContext,
  client: JobClient,
  path: string,
): Promise<JobResult> {
  try {
    await context.log.group('Uploading artifacts');
    const { log, cancel } = context;
    const paths = context.env['BUILDKITE_ARTIFACT_PATHS'] ?? '';
    if (await uploadArtifacts(client, { paths, folder: path, log, cancel })) return result;
  } catch (error) {
    if (context.cancel.aborted || !(error instanceof Error)) throw error;
    await fail(context.log, `The artifacts could not be uploaded: ${error.message}`);
  }
  return result.exitStatus === '0' ? { exitStatus: '1' } : result;
}

async function setupFailure(error: unknown, log: JobLog, cancel: AbortSignal): Promise<JobResult> {
  if (cancel.aborted) {
    const end = error instanceof GitError ? error.end : undefined;
    return { exitStatus: '-1', signal: end?.kind === 'cancelled' ? end.signal : 'SIGTERM' };
  }
  await fail(log, (error as Error).message);
  if (error instanceof GitError) return { exitStatus: '1' };
  if (!(error instanceof AgentHttpError)) await log.line('The agent could not prepare this job.');
  return { exitStatus: '-1', signalReason: 'process_run_error' };
}

async function fail(log: JobLog, message: string): Promise<void> {
  await log.line('^^^ +++');
  await log.line(`🚨 Error: ${message}`);
}
