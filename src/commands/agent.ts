import { readFileSync } from 'node:fs';
import { Command, InvalidArgumentError, Option } from 'commander';
import type { AgentOptions } from '../agent/options.js';
import { type PingMode, pingModes } from '../agent/ping-modes.js';
import { WrongUsage } from './wrong-usage.js';

interface StartOptions {
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
  return new Command('start')
    .description('Run the bundled agent: registers, takes jobs, checks out, runs commands, streams their output.')
    .addOption(
      new Option('--endpoint <url>', 'the agent API')
        .env('BUILDKITE_AGENT_ENDPOINT')
        .default('http://127.0.0.1:3000/v3'),
    )
    .addOption(new Option('--token <token>', 'an agent token of the cluster').env('BUILDKITE_AGENT_TOKEN'))
    .addOption(
      new Option('--token-file <path>', 'file that holds the agent token, such as a mounted secret').env(
        'BUILDKITE_AGENT_TOKEN_FILE',
      ),
    )
    .option('--tags <key=value,...>', 'tags that decide which jobs the agent may take (repeatable)', collectTags, [])
    .option('--queue <key>', 'shorthand for --tags queue=<key>')
    .option(
      '--name <name>',
      'name of the agent; %hostname, %spawn, %pid, %random and %n (a number from the server) are expanded (%hostname-%n)',
    )
    .option('--spawn <count>', 'how many agents to run in this process', wholeNumber, 1)
    .option('--priority <number>', 'priority of the agent: higher numbers get jobs first', wholeNumber)
    .option('--build-path <directory>', 'directory of the checkouts')
    .option('--shell <program>', 'program and flags that take the command as their last argument')
    .addOption(new Option('--hooks-path <directory>', "directory of the agent's own hooks").env('BUILDKITE_HOOKS_PATH'))
    .addOption(
      new Option('--plugins-path <directory>', 'directory that plugins are checked out to').env(
        'BUILDKITE_PLUGINS_PATH',
      ),
    )
    .option('--no-plugins', 'fail steps that use plugins')
    .option('--no-local-hooks', 'fail jobs whose repository has hooks')
    .option('--pty', 'run hooks and commands in a pseudo-terminal, where the machine has one (BUILDKITE_PTY=true)')
    .option('--no-pty', 'run them without (the default)')
    .option('--no-git-submodules', 'leave submodules out of the checkout')
    .addOption(new Option('--git-clone-flags <flags>', 'flags of git clone (-v)').env('BUILDKITE_GIT_CLONE_FLAGS'))
    .addOption(
      new Option('--git-fetch-flags <flags>', 'flags of git fetch (-v --prune)').env('BUILDKITE_GIT_FETCH_FLAGS'),
    )
    .addOption(
      new Option('--git-checkout-flags <flags>', 'flags of git checkout (-f)').env('BUILDKITE_GIT_CHECKOUT_FLAGS'),
    )
    .addOption(new Option('--git-clean-flags <flags>', 'flags of git clean (-ffxdq)').env('BUILDKITE_GIT_CLEAN_FLAGS'))
    .addOption(
      new Option('--verification-jwks-file <path>', 'keys that verify signed steps; others are refused then').env(
        'BUILDKITE_AGENT_VERIFICATION_JWKS_FILE',
      ),
    )
    .addOption(
      new Option('--verification-failure-behavior <behavior>', 'what becomes of a job that is not verified')
        .choices(['block', 'warn'])
        .default('block')
        .env('BUILDKITE_AGENT_JOB_VERIFICATION_NO_SIGNATURE_BEHAVIOR'),
    )
    .addOption(
      new Option('--signing-jwks-file <path>', 'keys with which jobs sign the steps that they upload').env(
        'BUILDKITE_AGENT_SIGNING_JWKS_FILE',
      ),
    )
    .addOption(
      new Option('--signing-jwks-key-id <id>', 'the key that signs, where the file holds several').env(
        'BUILDKITE_AGENT_SIGNING_JWKS_KEY_ID',
      ),
    )
    .option(
      '--cancel-grace-period <seconds>',
      'seconds between SIGTERM and SIGKILL when a job is canceled',
      wholeNumber,
      10,
    )
    .addOption(
      new Option(
        '--ping-mode <mode>',
        'how to learn of jobs: over a stream if the server has one, or by asking for them',
      )
        .env('BUILDKITE_AGENT_PING_MODE')
        .choices(pingModes)
        .default('auto'),
    )
    .option('--disconnect-after-job', 'exit after one job')
    .option('--disconnect-after-idle-timeout <seconds>', 'exit after this long without a job', wholeNumber)
    .option('--acquire-job <id>', 'run this one job, then exit')
    .addHelpText(
      'after',
      '\nSIGTERM or SIGINT finishes the job and exits; a second signal cancels the job.\nLOG_LEVEL sets the log level (info).',
    )
    .action((options: StartOptions) => startAgentProcess(options, program));
}

async function startAgentProcess(options: StartOptions, program: AgentProgram | undefined): Promise<void> {
  const token = readToken(options);
  const { createLog } = await import('../server/logging.js');
  const { resolveOptions } = await import('../agent/options.js');
  const { startAgent } = await import('../agent/session/start-agent.js');
  const { listenForStopSignals } = await import('../agent/session/stop-signals.js');
  const agentOptions = {
    ...options,
    ...program,
    token,
    pluginsEnabled: options.plugins,
    repositoryHooksEnabled: options.localHooks,
    pty: options.pty ?? process.env['BUILDKITE_PTY'] === 'true',
    jobDefaults: checkoutDefaults(options),
    ...(await signatureKeys(options)),
    log: await createLog(process.env['LOG_LEVEL'] || 'info'),
  };
  try {
    resolveOptions(agentOptions);
  } catch (error) {
    if (error instanceof RangeError) throw new WrongUsage(error.message);
    throw error;
  }
  const { graceful, now } = listenForStopSignals();
  const exit = await startAgent(agentOptions, graceful, now);
  process.exit(exit.code);
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

function collectTags(value: string, former: string[]): string[] {
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
