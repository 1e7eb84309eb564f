import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { Command, InvalidArgumentError, Option } from 'commander';
import type { AgentOptions } from '../agent/options.js';
import { type PingMode, pingModes } from '../agent/ping-modes.js';
import { applySettings, nameOf, readSettingsFile, variables } from './agent-settings.js';
import { WrongUsage } from './wrong-usage.js';

interface StartOptions {
  config?: string;
  spawnPerCpu?: number;
  spawnWithPriority?: boolean;
  pluginsAlwaysCloneFresh?: boolean;
  allowedPlugins?: RegExp[];
  allowedRepositories?: RegExp[];
  skipCheckout?: boolean;
  gitSparseCheckoutPaths?: string;
  gitSparseCheckoutMode?: string;
  redactedVars?: string[];
  disconnectAfterUptime?: number;
  logLevel?: string;
  debug?: boolean;
  endpoint: string;
  token?: string;
  tokenFile?: string;
  tags: string[];
  queue?: string;
  name?: string;
  spawn: number;
  priority?: number;
  buildPath?: string;
  shell?: string;
  hooksPath?: string;
  pluginsPath?: string;
  plugins: boolean;
  localHooks: boolean;
  pty?: boolean;
  gitSubmodules: boolean;
  gitCloneFlags?: string;
  gitFetchFlags?: string;
  gitCheckoutFlags?: string;
  gitCleanFlags?: string;
  verificationJwksFile?: string;
  verificationFailureBehavior: 'block' | 'warn';
  signingJwksFile?: string;
  signingJwksKeyId?: string;
  cancelGracePeriod: number;
  pingMode: PingMode;
  disconnectAfterJob?: boolean;
  disconnectAfterIdleTimeout?: number;
  acquireJob?: string;
}

/** Where the agent runs from, if that is not this installation: its version and the `buildkite-agent` of its jobs. */
export interface AgentProgram {
  version: string;
  /** Program and first arguments. */
  commandProgram: readonly string[];
  /** The one file that it runs from. */
  agentFile: string;
}

/** `slipway agent`. */
export function agentCommand(): Command {
  return new Command('agent').description('The bundled agent.').addCommand(agentStartCommand());
}

/** `slipway agent start`: the bundled agent against any server. */
export function agentStartCommand(program?: AgentProgram): Command {
  const command = new Command('start')
    .description('Run the bundled agent: registers, takes jobs, checks out, runs commands, streams their output.')
    .addHelpText(
      'after',
      '\nSIGTERM or SIGINT finishes the job and exits; a second signal cancels the job.\nOptions come from the ' +
        'command line, else from their variable, else from the file of --config.',
    )
    .action((options: StartOptions) => startAgentProcess(command, options, program));
  const add = (flags: string, description: string, fallback?: unknown, parse?: (value: string) => unknown): void => {
    const option = new Option(flags, description);
    const [variable] = variables[nameOf(option)] ?? [];
    if (variable !== undefined) option.description += ` ($${variable})`;
    if (fallback !== undefined) option.default(fallback);
    if (parse) option.argParser(parse);
    command.addOption(option);
  };
  add('--config <path>', 'file of settings, in the form of buildkite-agent.cfg');
  add('--endpoint <url>', 'the agent API', 'http://127.0.0.1:3000/v3');
  add('--token <token>', 'an agent token of the cluster');
  add('--token-file <path>', 'file that holds the agent token, such as a mounted secret');
  command.addOption(
    new Option('--tags <key=value,...>', 'tags that decide which jobs the agent may take (repeatable)')
      .default([])
      .argParser(collectTags),
  );
  add('--queue <key>', 'shorthand for --tags queue=<key>');
  add(
    '--name <name>',
    'name of the agent; %hostname, %spawn, %pid, %random and %n (a number from the server) are expanded',
    '%hostname-%n',
  );
  add('--spawn <count>', 'how many agents to run in this process', 1, wholeNumber);
  add('--spawn-per-cpu <count>', 'how many agents to run for each processor', undefined, wholeNumber);
  add('--spawn-with-priority', 'give each agent of this process its number as its priority');
  add('--priority <number>', 'priority of the agent: higher numbers get jobs first', undefined, wholeNumber);
  add('--build-path <directory>', 'directory of the checkouts');
  add('--shell <program>', 'program and flags that take the command as their last argument');
  add('--hooks-path <directory>', "directory of the agent's own hooks");
  add('--plugins-path <directory>', 'directory that plugins are checked out to');
  add('--no-plugins', 'fail steps that use plugins');
  add('--plugins-always-clone-fresh', 'clone plugins for each job');
  add(
    '--allowed-plugins <patterns>',
    'refuse jobs with other plugins: regular expressions, with commas between',
    undefined,
    patterns,
  );
  add(
    '--allowed-repositories <patterns>',
    'refuse jobs of other repositories: regular expressions, with commas between',
    undefined,
    patterns,
  );
  add('--no-local-hooks', 'fail jobs whose repository has hooks');
  add('--pty', 'run hooks and commands in a pseudo-terminal, where the machine has one');
  add('--no-pty', 'run them without (the default)');
  add('--skip-checkout', 'give jobs an empty directory');
  add('--no-git-submodules', 'leave submodules out of the checkout');
  add('--git-clone-flags <flags>', 'flags of git clone (-v)');
  add('--git-fetch-flags <flags>', 'flags of git fetch (-v --prune)');
  add('--git-checkout-flags <flags>', 'flags of git checkout (-f)');
  add('--git-clean-flags <flags>', 'flags of git clean (-ffxdq)');
  add('--git-sparse-checkout-paths <paths>', 'the only directories to check out, with commas between');
  add('--git-sparse-checkout-mode <mode>', 'cone, or no-cone for patterns');
  add(
    '--redacted-vars <patterns>',
    'names of variables whose values are hidden from logs, with commas between',
    undefined,
    list,
  );
  add('--verification-jwks-file <path>', 'keys that verify signed steps; others are refused then');
  add(
    '--verification-failure-behavior <behavior>',
    'what becomes of a job that is not verified: block or warn',
    'block',
    oneOf('block', 'warn'),
  );
  add('--signing-jwks-file <path>', 'keys with which jobs sign the steps that they upload');
  add('--signing-jwks-key-id <id>', 'the key that signs, where the file holds several');
  add('--cancel-grace-period <seconds>', 'seconds between SIGTERM and SIGKILL when a job is canceled', 10, wholeNumber);
  add(
    '--ping-mode <mode>',
    `how to learn of jobs, over a stream if the server has one or by asking for them: ${pingModes.join(', ')}`,
    'auto',
    oneOf(...pingModes),
  );
  add('--disconnect-after-job', 'exit after one job');
  add('--disconnect-after-idle-timeout <seconds>', 'exit after this long without a job', undefined, wholeNumber);
  add(
    '--disconnect-after-uptime <seconds>',
    'exit after this long, once the current job has ended',
    undefined,
    wholeNumber,
  );
  add('--acquire-job <id>', 'run this one job, then exit');
  add(
    '--log-level <level>',
    'debug, info, warn, error or fatal (LOG_LEVEL, info)',
    undefined,
    oneOf('debug', 'info', 'notice', 'warn', 'error', 'fatal'),
  );
  add('--debug', 'the same as --log-level debug');
  return command;
}

async function startAgentProcess(
  command: Command,
  options: StartOptions,
  program: AgentProgram | undefined,
): Promise<void> {
  const { env } = process;
  const file = readSettingsFile(options.config ?? env['BUILDKITE_AGENT_CONFIG'], env);
  const ignored = applySettings(command, { env, file });
  const settings = command.opts<StartOptions>();
  const token = readToken(settings);
  const { createLog } = await import('../server/logging.js');
  const { resolveOptions } = await import('../agent/options.js');
  const { startAgent } = await import('../agent/session/start-agent.js');
  const { listenForStopSignals } = await import('../agent/session/stop-signals.js');
  const log = await createLog(logLevel(settings) ?? (env['LOG_LEVEL'] || 'info'));
  const agentOptions = {
    ...settings,
    ...program,
    token,
    spawn: spawnCount(command, settings),
    pluginsEnabled: settings.plugins,
    repositoryHooksEnabled: settings.localHooks,
    jobDefaults: checkoutDefaults(settings),
    ...(await signatureKeys(settings)),
    // Zero has always meant none.
    disconnectAfterIdleTimeout: settings.disconnectAfterIdleTimeout || undefined,
    disconnectAfterUptime: settings.disconnectAfterUptime || undefined,
    log,
  };
  try {
    resolveOptions(agentOptions);
  } catch (error) {
    if (error instanceof RangeError) throw new WrongUsage(error.message);
    throw error;
  }
  if (file) log.info({ file: file.path }, 'read settings from a file');
  if (ignored.length > 0) log.warn({ ignored }, 'these settings have no effect: the bundled agent does not have them');
  const { graceful, now } = listenForStopSignals();
  const exit = await startAgent(agentOptions, graceful, now);
  process.exit(exit.code);
}

function logLevel({ debug, logLevel: level }: StartOptions): string | undefined {
  if (debug) return 'debug';
  return level === 'notice' ? 'info' : level;
}

/** The number of agents of this process; throws WrongUsage where two options say it. */
function spawnCount(command: Command, { spawn, spawnPerCpu }: StartOptions): number {
  if (!spawnPerCpu) return spawn;
  if (command.getOptionValueSource('spawn') !== 'default')
    throw new WrongUsage('--spawn and --spawn-per-cpu cannot be used together');
  return spawnPerCpu * availableParallelism();
}

/** The options of signatures, once their files are found to hold keys; throws WrongUsage where they do not. */
async function signatureKeys(options: StartOptions): Promise<Pick<AgentOptions, 'verificationKeysFile' | 'signing'>> {
  const { verificationJwksFile, signingJwksFile, signingJwksKeyId: keyId } = options;
  if (!verificationJwksFile && !signingJwksFile) return {};
  const { chooseKey, readKeySet } = await import('../agent/signing/key-set.js');
  try {
    if (verificationJwksFile) await readKeySet(verificationJwksFile);
    if (signingJwksFile) chooseKey(await readKeySet(signingJwksFile), keyId);
  } catch (error) {
    throw new WrongUsage((error as Error).message);
  }
  return {
    ...(verificationJwksFile && { verificationKeysFile: verificationJwksFile }),
    ...(signingJwksFile && { signing: { keysFile: signingJwksFile, keyId } }),
  };
}

/** The options of a checkout as the variables that jobs begin with. */
function checkoutDefaults(options: StartOptions): Record<string, string> {
  const variables = {
    BUILDKITE_GIT_SUBMODULES: options.gitSubmodules ? undefined : 'false',
    BUILDKITE_GIT_CLONE_FLAGS: options.gitCloneFlags,
    BUILDKITE_GIT_FETCH_FLAGS: options.gitFetchFlags,
    BUILDKITE_GIT_CHECKOUT_FLAGS: options.gitCheckoutFlags,
    BUILDKITE_GIT_CLEAN_FLAGS: options.gitCleanFlags,
    BUILDKITE_GIT_SPARSE_CHECKOUT_PATHS: options.gitSparseCheckoutPaths,
    BUILDKITE_GIT_SPARSE_CHECKOUT_MODE: options.gitSparseCheckoutMode,
    BUILDKITE_SKIP_CHECKOUT: options.skipCheckout ? 'true' : undefined,
    BUILDKITE_PLUGINS_ALWAYS_CLONE_FRESH: options.pluginsAlwaysCloneFresh ? 'true' : undefined,
  };
  return Object.fromEntries(Object.entries(variables).flatMap(([name, value]) => (value ? [[name, value]] : [])));
}

/** Returns the agent token of `--token` or `--token-file`; throws WrongUsage without exactly one of them. */
function readToken({ token, tokenFile }: StartOptions): string {
  if (token && tokenFile) throw new WrongUsage('--token and --token-file cannot be used together');
  if (token) return token;
  if (!tokenFile) throw new WrongUsage('--token (or BUILDKITE_AGENT_TOKEN) or --token-file is required');
  let content: string;
  try {
    content = readFileSync(tokenFile, 'utf8').trim();
  } catch (error) {
    throw new WrongUsage(`--token-file: ${tokenFile} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
  if (content === '') throw new WrongUsage(`--token-file: ${tokenFile} is empty`);
  return content;
}

function collectTags(value: string, former: readonly string[] = []): string[] {
  const tags = value
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
  const wrong = tags.find((tag) => !/^[^=]+=/.test(tag));
  if (wrong !== undefined) throw new InvalidArgumentError(`"${wrong}" is not key=value.`);
  return [...former, ...tags];
}

function wholeNumber(value: string): number {
  if (!/^-?\d{1,9}$/.test(value)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(value);
}

function list(value: string): string[] {
  return value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

function patterns(value: string): RegExp[] {
  return list(value).map((text) => {
    try {
      return new RegExp(text);
    } catch {
      throw new InvalidArgumentError(`"${text}" is not a regular expression.`);
    }
  });
}

function oneOf(...values: readonly string[]): (value: string) => string {
  return (value) => {
    if (values.includes(value)) return value;
    throw new InvalidArgumentError(`It must be one of ${values.join(', ')}.`);
  };
}
