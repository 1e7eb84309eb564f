import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

import { uploadArtifacts } from '../artifacts/artifact-upload.js';
import { applyStepCheckout } from '../checkout/checkout-options.js';
import { checkout, checkoutPath, emptyFolder } from '../checkout/checkout.js';
import { useRepositoryCredentials } from '../checkout/git-credentials.js';
import { headCommit, sendCommit } from '../checkout/git-commit.js';
import { JobHooks } from '../hooks/job-hooks.js';
import type { LockTable } from '../job-socket/lock-table.js';
import type { ResolvedOptions } from '../options.js';
import { checkoutPlugin, vendoredPlugin } from '../plugins/plugin-checkout.js';
import { isVendored, PluginError, readPlugins, type Plugin } from '../plugins/plugin.js';
import type { AgentSession } from '../session/agent-session.js';
import type { JobPayload, JobResult } from '../wire.js';
import { runCommand, shellWords } from './command.js';
import { endingOf, type Ending } from './ending.js';
import { jobEnvironment } from './environment.js';
import type { JobClient } from './job-client.js';
import type { JobContext } from './job-context.js';
import type { JobLog } from './job-log.js';
import { refuse, refuseUnverified } from './job-refusal.js';
import { conclude, MissingCommandError, phaseFailure } from './job-result.js';
import { installJobProgram } from './job-program.js';
import { openWorkspace } from './job-workspace.js';
import type { ProcessEnd } from './process.js';
import { urlCredentials } from './redactor.js';
import { wantsTerminal } from './run-in-job.js';
import { fetchSecrets, stepSecrets } from './step-secrets.js';

export interface JobPhases {
  job: JobPayload;
  client: JobClient;
  session: AgentSession;
  agentName: string;
  /** Folder of the agent's checkouts. */
  agentFolder: string;
  options: ResolvedOptions;
  locks: LockTable;
  log: JobLog;
  cancel: AbortSignal;
}

/** What the phases of one job have in common. */
interface Run extends JobPhases {
  context: JobContext;
  hooks: JobHooks;
  ending: Ending;
  shell: ReturnType<typeof shellWords>;
  ignored: readonly string[];
  /** Where the checkout goes unless a hook moves it. */
  ownCheckoutPath: string;
}

/**
 * Runs the phases of a job, from its environment through the checkout to the end of its command, with the hooks of
 * agent, repository and plugins, and writes them to its log.
 */
export async function runPhases(phases: JobPhases): Promise<JobResult> {
  const { job, client, session, agentName, agentFolder, options, locks, log, cancel } = phases;
  log.hide([session.token, ...urlCredentials(job.env['BUILDKITE_REPO'] ?? '')]);
  log.hideSecretsOf(job.env);
  const unverified = await refuseUnverified(job, options.verificationKeysFile);
  if (unverified && options.verificationFailureBehavior === 'warn') await log.line(`⚠️ ${unverified.message}`);
  const refusal = (options.verificationFailureBehavior === 'block' ? unverified : undefined) ?? refuse(job, options);
  if (refusal) {
    await log.line(`🚨 Error: ${refusal.message}`);
    return refusal.result;
  }

  const shell = shellWords(options.shell);
  const ownCheckoutPath = checkoutPath(agentFolder, job.env);
  const { env, ignored } = jobEnvironment(options.environment, job.env, {
    endpoint: client.endpoint,
    accessToken: client.token,
    agentName,
    buildPath: options.buildPath,
    checkoutPath: ownCheckoutPath,
    shell,
    hooksPath: options.hooksPath,
    pluginsPath: options.pluginsPath,
    pluginsEnabled: options.pluginsEnabled,
    repositoryHooksEnabled: options.repositoryHooksEnabled,
    defaults: options.jobDefaults,
    cancelGracePeriod: options.cancelGracePeriod,
    requestHeaders: session.http.requestHeaders,
    redactedVars: options.redactedVars,
    signing: options.signing,
  });
  if (options.repository !== undefined) env['BUILDKITE_REPO'] = options.repository;
  log.hideSecretsOf(env);
  const binPath = await installJobProgram(options.buildPath, { ...options, endpoint: client.endpoint });
  const workspace = await openWorkspace(job.env, {
    jobId: job.id,
    env,
    locks,
    redact: (values) => log.hide(values),
    environmentChanged: () => log.hideSecretsOf(env),
  });
  log.hide([workspace.socket.token]);
  Object.assign(env, {
    // Last, so that an installed agent comes first.
    PATH: [env['PATH'], binPath].filter(Boolean).join(delimiter),
    BUILDKITE_BIN_PATH: binPath,
    BUILDKITE_ENV_FILE: workspace.envFile,
    BUILDKITE_ENV_JSON_FILE: workspace.envJsonFile,
    BUILDKITE_AGENT_JOB_API_SOCKET: workspace.socket.path,
    BUILDKITE_AGENT_JOB_API_TOKEN: workspace.socket.token,
  });
  const gracePeriodMs = options.cancelGracePeriod * 1000;
  const context: JobContext = {
    log,
    env,
    cwd: options.buildPath,
    folder: workspace.folder,
    cancel,
    gracePeriodMs,
    findTerminal: options.findTerminal,
  };
  const folders = { agent: options.hooksPath, repositoryHooksEnabled: options.repositoryHooksEnabled };
  const ending = endingOf(cancel, gracePeriodMs);
  const hooks = new JobHooks(context, folders);
  const run: Run = { ...phases, context, hooks, ending, shell, ignored, ownCheckoutPath };
  try {
    return await withPreExit(run, await prepareAndRun(run));
  } finally {
    ending.close();
    const left = locks.releaseOf(job.id);
    if (left.length > 0) await log.line(`⚠️ Released locks that the job still held: ${left.join(', ')}`);
    await workspace.close();
  }
}

async function prepareAndRun(run: Run): Promise<JobResult> {
  try {
    const vendored = await prepare(run);
    await checkoutPhase(run);
    await activateVendored(run, vendored);
  } catch (error) {
    return phaseFailure(error, run.log, run.cancel);
  }
  const result = await commandPhase(run);
  return withArtifacts(run, result);
}

/** Secrets, the agent's environment hook and plugins; returns the plugins that the checkout brings. */
async function prepare({ job, client, options, context, hooks, log, cancel, ignored }: Run): Promise<Plugin[]> {
  const { env } = context;
  await mkdir(context.cwd, { recursive: true });
  if (ignored.length > 0) await log.line(`⚠️ Ignored, since only the agent may set them: ${ignored.join(', ')}`);
  if (wantsTerminal(env) && (await context.findTerminal()) === null)
    await log.line('⚠️ Runs without a pseudo-terminal (BUILDKITE_PTY): no "script" command of this machine opens one');
  const undone = applyStepCheckout(env, job.step?.checkout);
  if (env['BUILDKITE_GIT_LFS_ENABLED'] === 'true') undone.push('lfs');
  if (undone.length > 0)
    await log.line(`⚠️ The bundled agent does not do this of the step's checkout: ${undone.join(', ')}`);
  const secrets = await fetchSecrets(client, stepSecrets(job.step?.secrets), cancel);
  log.hide(Object.values(secrets));
  Object.assign(env, secrets);
  await hooks.runAgent('environment');

  const plugins = env['BUILDKITE_PLUGINS']?.trim() ? readPlugins(env['BUILDKITE_PLUGINS']) : [];
  if (plugins.length === 0) return [];
  await log.group('Preparing plugins');
  if (!options.pluginsEnabled) throw new PluginError('this agent does not run plugins (--no-plugins)');
  for (const plugin of plugins)
    if (!isVendored(plugin))
      hooks.plugins.push(await checkoutPlugin(context, plugin, options.pluginsPath, options.retryScale));
  await hooks.runPlugins('environment', hooks.plugins);
  return plugins.filter(isVendored);
}

async function checkoutPhase({ context, hooks, log, client, options, ownCheckoutPath }: Run): Promise<void> {
  const { env } = context;
  await hooks.runBeforeCheckout('pre-checkout');
  await log.group('Preparing working directory');
  const path = (env['BUILDKITE_BUILD_CHECKOUT_PATH'] ||= ownCheckoutPath);
  await log.line(`$ cd ${path}`);
  if (env['BUILDKITE_SKIP_CHECKOUT'] === 'true') {
    // A folder that a hook chose may hold anything.
    if (path === ownCheckoutPath) await emptyFolder(path);
    else await mkdir(path, { recursive: true });
    context.cwd = path;
    await log.line('Skipping checkout');
  } else {
    await mkdir(path, { recursive: true });
    context.cwd = path;
    // After the hooks that may change what the job clones, and from where.
    if (useRepositoryCredentials(env, env['BUILDKITE_BIN_PATH'] ?? ''))
      await log.line('# Git asks the server for a token of the repository');
    if (!(await hooks.replaceCheckout())) await checkout(context, path, options.retryScale);
    if (existsSync(join(path, '.git'))) {
      env['BUILDKITE_COMMIT'] = await headCommit(context, path);
      await sendCommit(context, client, path);
    }
  }
  await hooks.run('post-checkout');
  const moved = env['BUILDKITE_BUILD_CHECKOUT_PATH'] || path;
  if (moved === path) return;
  await log.line(`# A post-checkout hook moved the checkout to ${moved}`);
  context.cwd = moved;
}

/** Plugins of the repository itself: they take part from here on. */
async function activateVendored({ context, hooks }: Run, plugins: readonly Plugin[]): Promise<void> {
  const path = context.env['BUILDKITE_BUILD_CHECKOUT_PATH'] ?? '';
  const vendored = plugins.map((plugin) => vendoredPlugin(plugin, path));
  hooks.plugins.push(...vendored);
  await hooks.runPlugins('environment', vendored);
}

/** Runs the command, or the command hook in its place, between the hooks before and after. */
async function commandPhase(run: Run): Promise<JobResult> {
  const { context, hooks, log, cancel, ending } = run;
  let result: JobResult;
  try {
    await hooks.run('pre-command');
    const end = (await hooks.replaceCommand()) ?? (await defaultCommand(run));
    result = await conclude(end, log);
    context.env['BUILDKITE_COMMAND_EXIT_STATUS'] = result.exitStatus;
  } catch (error) {
    return phaseFailure(error, log, cancel);
  }
  if (cancel.aborted) context.env['BUILDKITE_JOB_CANCELLED'] = 'true';
  try {
    await hooks.run('post-command', ending);
    return result;
  } catch (error) {
    const failure = await phaseFailure(error, log, ending.cancel);
    return cancel.aborted ? result : failure;
  }
}

async function defaultCommand({ context, log, shell }: Run): Promise<ProcessEnd> {
  if (!context.env['BUILDKITE_COMMAND']?.trim()) throw new MissingCommandError();
  await log.group('Running commands');
  return runCommand(context, context.cwd, shell);
}

/**
 * Uploads artifacts after the command, also after a failure. A job whose artifacts did not arrive fails even if its
 * command passed. A canceled job uploads nothing.
 */
async function withArtifacts({ context, hooks, client, log, cancel }: Run, result: JobResult): Promise<JobResult> {
  const paths = context.env['BUILDKITE_ARTIFACT_PATHS'] ?? '';
  if (paths.trim() === '' || cancel.aborted || result.signalReason !== undefined) return result;
  let failure: JobResult | undefined;
  try {
    await hooks.run('pre-artifact');
    await log.group('Uploading artifacts');
    const uploaded = await uploadArtifacts(client, { paths, folder: context.cwd, log, cancel });
    if (!uploaded) failure = { exitStatus: '1' };
    else await hooks.run('post-artifact');
  } catch (error) {
    failure = await phaseFailure(error, log, cancel, 'The artifacts could not be uploaded: ');
  }
  return failure && (result.exitStatus === '0' || cancel.aborted) ? failure : result;
}

/** Runs the last hooks, whatever the job's result; a hook that fails fails the job. */
async function withPreExit({ context, hooks, log, cancel, ending }: Run, result: JobResult): Promise<JobResult> {
  if (cancel.aborted) context.env['BUILDKITE_JOB_CANCELLED'] = 'true';
  // The checkout may have failed, or a command deleted its folder.
  if (!existsSync(context.cwd)) context.cwd = context.folder;
  try {
    await hooks.run('pre-exit', ending);
    return result;
  } catch (error) {
    const failure = await phaseFailure(error, log, ending.cancel);
    return cancel.aborted ? result : failure;
  }
}
