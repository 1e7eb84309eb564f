import { Command, InvalidArgumentError, Option } from 'commander';

import type { CommandIo } from './command-io.js';

/** A command that talks to the server: it takes the address, the token and the options that every such command has. */
export function serverCommand(io: CommandIo, name: string, description: string): Command {
  return localCommand(io, name, description)
    .addOption(valueOption(io, '--endpoint <url>', 'base URL of the agent API', 'BUILDKITE_AGENT_ENDPOINT'))
    .addOption(
      valueOption(io, '--agent-access-token <token>', 'token of the job', 'BUILDKITE_AGENT_ACCESS_TOKEN').default(
        undefined,
      ),
    )
    .addOption(new Option('--no-http2', 'accepted, without effect').hideHelp())
    .addOption(new Option('--debug-http', 'accepted, without effect').hideHelp())
    .addOption(new Option('--trace-http', 'accepted, without effect').hideHelp());
}

/** A command with the options that every command has. */
export function localCommand(io: CommandIo, name: string, description: string): Command {
  return new Command(name)
    .description(description)
    .addOption(switchOption(io, '--debug', 'write more to standard error', 'BUILDKITE_AGENT_DEBUG'))
    .addOption(
      valueOption(io, '--log-level <level>', 'debug, info, notice, warn, error or fatal', 'BUILDKITE_AGENT_LOG_LEVEL'),
    )
    .addOption(new Option('--no-color', 'accepted, without effect').hideHelp())
    .addOption(new Option('--experiment <names>', 'accepted, without effect').hideHelp())
    .addOption(new Option('--profile <mode>', 'accepted, without effect').hideHelp());
}

/** An option with a value, whose default is an environment variable that is not empty, or `fallback`. */
export function valueOption(
  io: CommandIo,
  flags: string,
  description: string,
  variable?: string,
  fallback?: string,
): Option {
  const value = (variable === undefined ? undefined : io.env[variable]) || fallback;
  return new Option(flags, variable === undefined ? description : `${description} ($${variable})`).default(
    value,
    fallback,
  );
}

/** An option without a value; an environment variable with a true value sets it. */
export function switchOption(io: CommandIo, flags: string, description: string, variable: string): Option {
  return new Option(flags, `${description} ($${variable})`).default(isTrue(io.env[variable]), '');
}

export const jobOption = (io: CommandIo): Option =>
  valueOption(io, '--job <id>', 'the job; default the current one', 'BUILDKITE_JOB_ID');

export const buildOption = (io: CommandIo): Option =>
  valueOption(io, '--build <id>', 'the build; default the current one', 'BUILDKITE_BUILD_ID');

export const redactedVarsOption = (io: CommandIo): Option =>
  valueOption(
    io,
    '--redacted-vars <patterns>',
    'names of secret variables, with commas between',
    'BUILDKITE_REDACTED_VARS',
  );

export function wholeNumber(value: string): number {
  if (!/^-?\d{1,9}$/.test(value)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(value);
}

/** Adds a value of a repeatable option, which may hold several with commas between. */
export function collect(value: string, former: readonly string[] | undefined): string[] {
  return [...(former ?? []), ...value.split(',').filter((each) => each !== '')];
}

export function isTrue(value: string | undefined): boolean {
  return value !== undefined && /^(1|t|true|yes|on)$/i.test(value);
}
