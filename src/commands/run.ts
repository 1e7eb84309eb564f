import { Command, InvalidArgumentError, Option } from 'commander';
import { secretKeyProblem } from '../domain/agents/secret-key.js';
import type { RunOptions } from './run/run-working-tree.js';
import { WrongUsage } from './wrong-usage.js';

/** `slipway run`: builds the working tree on this machine. */
export function runCommand(): Command {
  return new Command('run')
    .description(
      'Build the working tree on this machine, uncommitted changes included; needs no server, and uses one if told.',
    )
    .option('--pipeline <file>', 'the pipeline file (default: the one that a pipeline upload would find)')
    .option('--step <key>', 'run this step or group and every step it waits for')
    .option('--alone', 'with --step: without the steps it waits for')
    .option('--env <name=value>', 'a variable for the build (repeatable)', collectVariable, {})
    .option(
      '--secret <name[=value]>',
      'a secret for the jobs; without a value, that of the variable here (repeatable)',
      collectSecret,
      {},
    )
    .option('--jobs <count>', 'how many jobs may run at a time', countOfJobs, 1)
    .option('--unblock-all', 'unblock every block and input step with the defaults of its fields')
    .option('--endpoint <url>', 'build on this running server, such as https://ci.example.com')
    .addOption(new Option('--token <token>', 'with --endpoint: an API token').env('SLIPWAY_API_TOKEN'))
    .option('--organization <slug>', 'with --endpoint: the organization')
    .option('--pipeline-slug <slug>', 'with --endpoint: the pipeline, made by the first build (FOLDER-run-USER)')
    .option('--verbose', 'show the checkout of each job, too')
    .addHelpText(
      'after',
      '\nJobs run in a copy of the working tree without the files that git ignores; the working tree itself ' +
        'stays as it is.' +
        '\nEvery job runs here, whatever agents it asks for. Ctrl-C cancels the build, a second one ends it at once.' +
        '\nExit codes: 0 passed; that of the first failed job; 1 not passed otherwise; 2 wrong usage; 130 canceled.',
    )
    .action(run);
}

type CommandOptions = Omit<RunOptions, 'secrets'> & { secret: Record<string, string> } & {
  endpoint?: string;
  token?: string;
  organization?: string;
};

async function run({ endpoint, token, organization, secret: secrets, ...others }: CommandOptions): Promise<void> {
  const options = { ...others, secrets };
  if (options.alone && options.step === undefined) throw new WrongUsage('--alone needs --step');
  if (endpoint !== undefined && Object.keys(options.secrets).length > 0)
    throw new WrongUsage('--secret is for builds on this machine; a server has secrets of its own');
  const { runWorkingTree } = await import('./run/run-working-tree.js');
  const code = await runWorkingTree({ ...options, server: serverOf({ endpoint, token, organization }, options) });
  // A library that keeps a handle open must not keep a finished program alive.
  process.exit(code);
}

/** The server that the options name; throws WrongUsage where they name half of one. */
function serverOf(
  { endpoint, token, organization }: Pick<CommandOptions, 'endpoint' | 'token' | 'organization'>,
  { pipelineSlug }: RunOptions,
): RunOptions['server'] {
  if (endpoint === undefined) {
    const other = organization === undefined ? pipelineSlug && '--pipeline-slug' : '--organization';
    if (other) throw new WrongUsage(`${other} needs --endpoint`);
    return undefined;
  }
  if (!URL.canParse(endpoint) || !/^https?:$/.test(new URL(endpoint).protocol))
    throw new WrongUsage(`--endpoint: "${endpoint}" is not an http(s) URL`);
  if (!token) throw new WrongUsage('--endpoint needs --token (or SLIPWAY_API_TOKEN)');
  if (!organization) throw new WrongUsage('--endpoint needs --organization');
  return { endpoint, token, organization };
}

function collectVariable(value: string, former: Record<string, string>): Record<string, string> {
  const [, name, text] = /^([^=]+)=([^]*)$/.exec(value) ?? [];
  if (name === undefined) throw new InvalidArgumentError(`"${value}" is not name=value.`);
  return { ...former, [name]: text ?? '' };
}

/** Never shows a value: the text may be a secret with a wrong name. */
function collectSecret(text: string, former: Record<string, string>): Record<string, string> {
  const [, name = '', , assignment] = /^([^=]*)(=([^]*))?$/.exec(text) ?? [];
  const problem = secretKeyProblem(name);
  if (problem !== null) throw new InvalidArgumentError(`The name of the secret ${problem}.`);
  const value = assignment ?? process.env[name];
  if (value === undefined || value === '')
    throw new InvalidArgumentError(
      `The secret ${name} has no value: set the variable ${name}, or write ${name}=value.`,
    );
  return { ...former, [name]: value };
}

function countOfJobs(value: string): number {
  if (!/^[1-9]\d?$/.test(value)) throw new InvalidArgumentError('It must be a whole number from 1 to 99.');
  return Number(value);
}
