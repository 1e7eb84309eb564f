import { Command } from 'commander';

import { callAgent } from './agent-calls.js';
import { CommandFailure, type CommandIo } from './command-io.js';
import { localCommand, valueOption } from './command-options.js';

const path = '/api/current-job/v0/env';

interface EnvOptions {
  format: string;
  inputFormat: string;
  outputFormat: string;
}

/** `buildkite-agent env`: the environment of the job's later hooks and its command. */
export function envCommand(io: CommandIo): Command {
  const inputOption = (variable: string) =>
    valueOption(io, '--input-format <format>', 'plain or json', variable, 'plain');
  const outputOption = (variable: string) =>
    valueOption(io, '--output-format <format>', 'plain, json, json-pretty or quiet', variable, 'plain');

  const dump = localCommand(io, 'dump', 'Print the environment of this process as JSON.')
    .addOption(valueOption(io, '--format <format>', 'json or json-pretty', 'BUILDKITE_AGENT_ENV_DUMP_FORMAT', 'json'))
    .action((options: EnvOptions) => io.out(json(io.env, known(options.format, ['json', 'json-pretty']))));
  const get = localCommand(io, 'get', 'Print variables of the job: all of them, or those named.')
    .argument('[name...]')
    .addOption(
      valueOption(io, '--format <format>', 'plain, json or json-pretty', 'BUILDKITE_AGENT_ENV_GET_FORMAT', 'plain'),
    )
    .action(async (names: string[], options: EnvOptions) => {
      const format = known(options.format, ['plain', 'json', 'json-pretty']);
      const env = (await callAgent(io, 'GET', path))['env'] as Record<string, string>;
      const missing = names.filter((name) => !Object.hasOwn(env, name));
      for (const name of missing) io.err(`warning: "${name}" is not set\n`);
      const entries = Object.entries(env).filter(([name]) => names.length === 0 || names.includes(name));
      if (format !== 'plain') io.out(json(Object.fromEntries(entries), format));
      else for (const [name, value] of entries) io.out(names.length === 1 ? `${value}\n` : `${name}=${value}\n`);
      if (missing.length > 0) throw new CommandFailure('');
    });
  const set = localCommand(io, 'set', 'Set variables for the rest of the job; "-" reads standard input.')
    .argument('<name=value...>')
    .addOption(inputOption('BUILDKITE_AGENT_ENV_SET_INPUT_FORMAT'))
    .addOption(outputOption('BUILDKITE_AGENT_ENV_SET_OUTPUT_FORMAT'))
    .action(async (parts: string[], options: EnvOptions) => {
      const read = known(options.inputFormat, ['plain', 'json']) === 'json' ? jsonObject : nameAndValue;
      const env = Object.assign({}, ...(await inputs(io, parts)).map(read)) as Record<string, string>;
      const reply = await callAgent(io, 'PATCH', path, { env });
      report(io, options.outputFormat, reply, [
        ['added', 'Added:', '+'],
        ['updated', 'Updated:', '~'],
      ]);
    });
  const unset = localCommand(io, 'unset', 'Remove variables for the rest of the job; "-" reads standard input.')
    .argument('<name...>')
    .addOption(inputOption('BUILDKITE_AGENT_ENV_UNSET_INPUT_FORMAT'))
    .addOption(outputOption('BUILDKITE_AGENT_ENV_UNSET_OUTPUT_FORMAT'))
    .action(async (parts: string[], options: EnvOptions) => {
      const read = known(options.inputFormat, ['plain', 'json']) === 'json' ? jsonNames : (part: string) => [part];
      const keys = (await inputs(io, parts)).flatMap(read);
      report(io, options.outputFormat, await callAgent(io, 'DELETE', path, { keys }), [['deleted', 'Unset:', '-']]);
    });
  return [dump, get, set, unset].reduce(
    (group, command) => group.addCommand(command),
    new Command('env').description("The job's environment."),
  );
}

/** The arguments, with the lines of standard input in the place of "-". */
async function inputs(io: CommandIo, parts: readonly string[]): Promise<string[]> {
  const texts = await Promise.all(
    parts.map(async (part) => (part === '-' ? (await io.readStdin()).split('\n').filter((line) => line !== '') : part)),
  );
  return texts.flat();
}

function nameAndValue(part: string): Record<string, string> {
  const at = part.indexOf('=');
  if (at <= 0) throw new CommandFailure(`"${part}" is not name=value.`);
  return { [part.slice(0, at)]: part.slice(at + 1) };
}

function jsonObject(part: string): Record<string, string> {
  const value = parsed(part);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new CommandFailure('The input is not a JSON object.');
  return value as Record<string, string>;
}

function jsonNames(part: string): string[] {
  const value = parsed(part);
  if (!Array.isArray(value)) throw new CommandFailure('The input is not a JSON list of names.');
  return value as string[];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new CommandFailure('The input is not JSON.');
  }
}

function known(format: string, formats: readonly string[]): string {
  if (formats.includes(format)) return format;
  throw new CommandFailure(`Unknown format "${format}": it must be one of ${formats.join(', ')}.`);
}

function json(value: unknown, format: string): string {
  return `${JSON.stringify(value, null, format === 'json-pretty' ? 2 : undefined)}\n`;
}

function report(
  io: CommandIo,
  outputFormat: string,
  reply: Record<string, unknown>,
  lists: readonly (readonly [string, string, string])[],
): void {
  const format = known(outputFormat, ['plain', 'json', 'json-pretty', 'quiet']);
  if (format === 'quiet') return;
  if (format !== 'plain') return io.out(json(reply, format));
  for (const [name, title, sign] of lists) {
    const names = reply[name] as string[];
    if (names.length > 0) io.out(`${title}\n${names.map((each) => `${sign} ${each}\n`).join('')}`);
  }
}
