import { Command, InvalidArgumentError, Option } from 'commander';
import { WrongUsage } from './wrong-usage.js';

interface StartOptions {
  endpoint: string;
  token?: string;
  tags: string[];
  queue?: string;
  name?: string;
  spawn: number;
  priority?: number;
  buildPath?: string;
  shell?: string;
  cancelGracePeriod: number;
  disconnectAfterJob?: boolean;
  disconnectAfterIdleTimeout?: number;
  acquireJob?: string;
}

/** `slipway agent start`: the bundled agent against any server. */
export function agentCommand(): Command {
  const start = new Command('start')
    .description('Run the bundled agent: registers, takes jobs, checks out, runs commands, streams their output.')
    .addOption(new Option('--endpoint <url>', 'the agent API').env('BUILDKITE_AGENT_ENDPOINT').default('http://127.0.0.1:3000/v3'))
    .addOption(new Option('--token <token>', 'an agent token of the cluster').env('BUILDKITE_AGENT_TOKEN'))
    .option('--tags <key=value,...>', 'tags that decide which jobs it may take (repeatable)', collectTags, [])
    .option('--queue <key>', 'shorthand for --tags queue=<key>')
    .option('--name <name>', 'its name; %hostname, %spawn, %pid and %random are expanded')
    .option('--spawn <count>', 'how many agents to run in this process', wholeNumber, 1)
    .option('--priority <number>', 'higher is offered work first', wholeNumber)
    .option('--build-path <directory>', 'where checkouts are kept')
    .option('--shell <program>', 'program and flags that take the command as their last argument')
    .option('--cancel-grace-period <seconds>', 'between SIGTERM and SIGKILL when a job is cancelled', wholeNumber, 10)
    .option('--disconnect-after-job', 'leave after one job')
    .option('--disconnect-after-idle-timeout <seconds>', 'leave after so long without a job', wholeNumber)
    .option('--acquire-job <id>', 'take this one job, then leave')
    .addHelpText('after', '\nOn SIGTERM or SIGINT it finishes its job and leaves; on a second one it cancels the job.\nLOG_LEVEL sets how much it tells (info).')
    .action(startAgentProcess);
  return new Command('agent').description('The bundled agent.').addCommand(start);
}

async function startAgentProcess(options: StartOptions): Promise<void> {
  if (!options.token) throw new WrongUsage('--token (or BUILDKITE_AGENT_TOKEN) is required');
  const { createLog } = await import('../server/logging.js');
  const { resolveOptions } = await import('../agent/options.js');
  const { startAgent } = await import('../agent/start-agent.js');
  const { listenForStopSignals } = await import('../agent/stop-signals.js');
  const given = { ...options, token: options.token, log: await createLog(process.env['LOG_LEVEL'] || 'info') };
  try {
    resolveOptions(given);
  } catch (error) {
    if (error instanceof RangeError) throw new WrongUsage(error.message);
    throw error;
  }
  const { graceful, now } = listenForStopSignals();
  const exit = await startAgent(given, graceful, now);
  process.exit(exit.code);
}

function collectTags(value: string, former: string[]): string[] {
  const tags = value.split(',').map((tag) => tag.trim()).filter((tag) => tag !== '');
  const wrong = tags.find((tag) => !/^[^=]+=/.test(tag));
  if (wrong !== undefined) throw new InvalidArgumentError(`"${wrong}" is not key=value.`);
  return [...former, ...tags];
}

function wholeNumber(value: string): number {
  if (!/^-?\d{1,9}$/.test(value)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(value);
}
