import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

import { ownAgentFile, ownCommandProgram } from './job/job-program.js';
import { redactedVars } from './job/redactor.js';
import { findTerminal, type TerminalKind } from './job/terminal.js';
import type { PingMode } from './ping-modes.js';
import { packageVersion } from '../package/version.js';

/** Log of the agent. A pino logger implements it. */
export interface AgentLog {
  debug(fields: Record<string, unknown>, message: string): void;
  info(fields: Record<string, unknown>, message: string): void;
  warn(fields: Record<string, unknown>, message: string): void;
  error(fields: Record<string, unknown>, message: string): void;
}

/** Options of `startAgent`; only `endpoint` and `token` have no default. */
export interface AgentOptions {
  /** Base URL of the agent protocol, such as `http://127.0.0.1:3000/v3`. */
  endpoint: string;
  /** Agent (registration) token. */
  token: string;
  /** Tags, each `key=value`; they decide which jobs the agent may take. */
  tags?: readonly string[];
  /** Repository that every job checks out, in place of its own. Default none. */
  repository?: string;
  /** Shorthand for the tag `queue=<queue>`, in place of one in `tags`. */
  queue?: string;
  /**
   * Name; `%hostname`, `%spawn`, `%pid` and `%random` are expanded, `%n` by the server to the lowest number that no
   * other agent has. Default `%hostname-%n`. Spawned agents get `-%n` added to a name without a number.
   */
  name?: string;
  /** Number of agents in this process, each with its own session. Default 1. */
  spawn?: number;
  /** Higher is offered work first. */
  priority?: number;
  /** True: the number of each agent in this process is its priority. Default false. */
  spawnWithPriority?: boolean;
  /**
   * Folder for checkouts, `<agent>/<organization>/<pipeline>` below it; two agents never work in one. Default
   * `~/.slipway/builds`.
   */
  buildPath?: string;
  /** Folder of the agent's own hooks. Default none. */
  hooksPath?: string;
  /** Folder that plugins are checked out to. Default `~/.slipway/plugins`. */
  pluginsPath?: string;
  /** False: a step with plugins fails. Default true. */
  pluginsEnabled?: boolean;
  /** Jobs of other repositories are refused. Default none: all are allowed. */
  allowedRepositories?: readonly RegExp[];
  /**
   * Jobs with other plugins are refused, by `location#version` with or without a scheme. Default none: all are allowed.
   */
  allowedPlugins?: readonly RegExp[];
  /** Patterns, with `*`, of variables whose values are hidden from logs. Default `*_PASSWORD` and the like. */
  redactedVars?: readonly string[];
  /** If false, a job fails when its repository has a hook to run. Default true. */
  repositoryHooksEnabled?: boolean;
  /** Run hooks and commands in a pseudo-terminal, unless the job's `BUILDKITE_PTY` says otherwise. Default false. */
  pty?: boolean;
  /** Finds what opens pseudo-terminals. Default: looks for a `script` command, once. */
  findTerminal?: () => Promise<TerminalKind | null>;
  /** Variables that every job begins with unless it has its own, such as `BUILDKITE_GIT_CLONE_FLAGS`. Default none. */
  jobDefaults?: Readonly<Record<string, string>>;
  /**
   * File of the keys that verify signed steps (a JSON Web Key Set). With it, steps without a signature are refused too.
   * Default none: signed steps are refused.
   */
  verificationKeysFile?: string;
  /** What becomes of a job that is not verified: it is refused (`block`, the default) or runs with a warning. */
  verificationFailureBehavior?: 'block' | 'warn';
  /** File of the keys with which jobs sign the steps that they upload, and the id of the key where it holds several. */
  signing?: { keysFile: string; keyId?: string };
  /**
   * Program and flags that take the command as their last argument, separated by spaces. Default `/bin/bash -e -c`, or
   * `/bin/sh -e -c` where there is no bash.
   */
  shell?: string;
  /** Seconds between SIGTERM and SIGKILL when a job is cancelled. Default 10. */
  cancelGracePeriod?: number;
  /**
   * How to learn of jobs: over a stream, or by asking where that does not work (`auto`); by asking; over a stream or
   * not at all. Default `auto`.
   */
  pingMode?: PingMode;
  /** Leave after one job. */
  disconnectAfterJob?: boolean;
  /** Seconds without a job of any agent in this process after which the agents leave. */
  disconnectAfterIdleTimeout?: number;
  /** Seconds after which the agents leave, once their jobs have ended. */
  disconnectAfterUptime?: number;
  /** Take this one job (a UUID), then leave. */
  acquireJob?: string;
  /** Default: silent. */
  log?: AgentLog;
  /** Environment that jobs take PATH, HOME and the like from. Default: `process.env`. */
  environment?: NodeJS.ProcessEnv;
  /**
   * Program and first arguments of the `buildkite-agent` command that jobs find on their PATH. Default this
   * installation's.
   */
  commandProgram?: readonly string[];
  /** The one file that holds the whole agent, which that command is in containers. Default this installation's. */
  agentFile?: string;
  /** Version reported to the server. Default that of the package. */
  version?: string;
  /** Multiplies every wait between retries; below 1 in tests only. Default 1. */
  retryScale?: number;
}

export type ResolvedOptions = Required<Omit<AgentOptions, 'queue' | 'signing' | OptionWithoutDefault>> &
  Pick<AgentOptions, OptionWithoutDefault> & { signing: { keysFile: string; keyId: string | undefined } | undefined };

type OptionWithoutDefault =
  | 'repository'
  | 'priority'
  | 'shell'
  | 'hooksPath'
  | 'disconnectAfterIdleTimeout'
  | 'disconnectAfterUptime'
  | 'acquireJob'
  | 'verificationKeysFile';

/**
 * End of an agent; `code` is the process's exit code: 0 clean, 1 failure, 27 if the job to acquire is not available.
 */
export interface AgentExit {
  code: 0 | 1 | 27;
  reason: 'stopped' | 'disconnected' | 'idle' | 'job_done' | 'job_rejected' | 'failed';
  message?: string;
}

const silent = (): void => undefined;
export const silentLog: AgentLog = { debug: silent, info: silent, warn: silent, error: silent };

/**
 * Fills the defaults in and checks the values.
 * @throws RangeError naming the option that makes no sense
 */
export function resolveOptions(options: AgentOptions): ResolvedOptions {
  const endpoint = parseEndpoint(options.endpoint);
  if (options.token.trim() === '') throw new RangeError('token: must not be empty');
  let tags = [...(options.tags ?? [])];
  const untagged = tags.find((tag) => !/^[^=]+=/.test(tag));
  if (untagged !== undefined) throw new RangeError(`tags: "${untagged}" is not key=value`);
  if (options.queue !== undefined) {
    tags = tags.filter((tag) => !/^queue\s*=/.test(tag));
    tags.push(`queue=${options.queue}`);
  }
  const spawn = options.spawn ?? 1;
  if (!Number.isInteger(spawn) || spawn < 1) throw new RangeError('spawn: must be a whole number of at least 1');
  if (spawn > 1 && options.acquireJob !== undefined) throw new RangeError('spawn: must be 1 when acquiring one job');
  const name = options.name ?? '%hostname-%n';
  const cancelGracePeriod = options.cancelGracePeriod ?? 10;
  if (!(cancelGracePeriod >= 0)) throw new RangeError('cancelGracePeriod: must not be negative');
  return {
    endpoint,
    token: options.token,
    tags,
    repository: options.repository,
    name: spawn > 1 && !/%(spawn|random|n)/.test(name) ? `${name}-%n` : name,
    spawn,
    priority: options.priority,
    spawnWithPriority: options.spawnWithPriority ?? false,
    buildPath: options.buildPath ?? join(homedir(), '.slipway', 'builds'),
    hooksPath: absolute(options.hooksPath),
    pluginsPath: resolve(options.pluginsPath ?? join(homedir(), '.slipway', 'plugins')),
    pluginsEnabled: options.pluginsEnabled ?? true,
    allowedRepositories: options.allowedRepositories ?? [],
    allowedPlugins: options.allowedPlugins ?? [],
    redactedVars: options.redactedVars ?? redactedVars,
    repositoryHooksEnabled: options.repositoryHooksEnabled ?? true,
    pty: options.pty ?? false,
    findTerminal: options.findTerminal ?? once(() => findTerminal(options.environment ?? process.env)),
    jobDefaults: { BUILDKITE_PTY: String(options.pty ?? false), ...options.jobDefaults },
    verificationKeysFile: absolute(options.verificationKeysFile),
    verificationFailureBehavior: options.verificationFailureBehavior ?? 'block',
    signing: options.signing && { keysFile: resolve(options.signing.keysFile), keyId: options.signing.keyId },
    shell: options.shell,
    cancelGracePeriod,
    pingMode: options.pingMode ?? 'auto',
    disconnectAfterJob: options.disconnectAfterJob ?? false,
    disconnectAfterIdleTimeout: options.disconnectAfterIdleTimeout,
    disconnectAfterUptime: options.disconnectAfterUptime,
    acquireJob: options.acquireJob,
    log: options.log ?? silentLog,
    environment: options.environment ?? process.env,
    commandProgram: options.commandProgram ?? ownCommandProgram(),
    agentFile: options.agentFile ?? ownAgentFile(),
    version: options.version ?? packageVersion(),
    retryScale: options.retryScale ?? 1,
  };
}

/** Calls a function when it is first needed, and only then. */
function once<T>(make: () => T): () => T {
  let cached: { value: T } | undefined;
  return () => (cached ??= { value: make() }).value;
}

const absolute = (path: string | undefined): string | undefined => (path === undefined ? undefined : resolve(path));

function parseEndpoint(endpoint: string): string {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new RangeError(`endpoint: "${endpoint}" is not an http(s) URL`);
  return endpoint;
}
