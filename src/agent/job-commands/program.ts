import { Command, CommanderError } from 'commander';

import { annotateCommand, annotationCommand } from './annotation.js';
import { artifactCommand } from './artifact.js';
import { CommandFailure, type CommandIo } from './command-io.js';
import { envCommand } from './env.js';
import { gitCredentialsCommand } from './git-credentials.js';
import { agentControlCommands, buildCommand, jobCommand } from './job-and-build.js';
import { lockCommand } from './lock.js';
import { metaDataCommand } from './meta-data.js';
import { pipelineCommand } from './pipeline.js';
import { oidcCommand, redactorCommand, secretCommand } from './secret.js';
import { stepCommand } from './step.js';

/** Errors whose message says all there is to say. */
const plainErrors = new Set(['AgentHttpError', 'PipelineTextError', 'KeySetError', 'StepFormError']);

/**
 * Runs a command line of the `buildkite-agent` that the bundled agent gives to its jobs, and returns the exit code:
 * that of the command, and 1 for every failure that has none.
 */
export async function runJobCommand(args: readonly string[], io: CommandIo): Promise<number> {
  const program = createProgram(io);
  prepare(program, io);
  const line = withoutSwitchValues(args, program);
  try {
    await program.parseAsync(line, { from: 'user' });
    return 0;
  } catch (error) {
    // Commander has printed its own message already.
    if (error instanceof CommanderError) return error.exitCode;
    const { message, stack, name, code } = error as NodeJS.ErrnoException;
    if (error instanceof CommandFailure) {
      if (message !== '') io.err(`fatal: ${message}\n`);
      return error.exitCode;
    }
    io.err(`fatal: ${plainErrors.has(name) || code !== undefined ? message : (stack ?? message)}\n`);
    return 1;
  }
}

function createProgram(io: CommandIo): Command {
  const program = new Command('buildkite-agent')
    .description('The commands that the bundled agent of Slipway gives to its jobs.')
    .version(`buildkite-agent version ${io.version}, of the bundled agent of Slipway`, '-v, --version');
  const commands = [
    ...agentControlCommands(io),
    annotateCommand(io),
    annotationCommand(io),
    artifactCommand(io),
    buildCommand(io),
    envCommand(io),
    gitCredentialsCommand(io),
    jobCommand(io),
    lockCommand(io),
    metaDataCommand(io),
    oidcCommand(io),
    pipelineCommand(io),
    redactorCommand(io),
    secretCommand(io),
    stepCommand(io),
  ];
  return commands.reduce((whole, command) => whole.addCommand(command), program);
}

/**
 * Turns `--switch=true` and `--switch=false`, which the open-source agent takes, into what commander does: the switch,
 * and its opposite or nothing.
 */
function withoutSwitchValues(args: readonly string[], program: Command): string[] {
  const switches = new Set(switchesOf(program));
  return args.flatMap((arg) => {
    const [, flag = '', value] = /^(--[a-z0-9-]+)=(true|false)$/.exec(arg) ?? [];
    if (!switches.has(flag)) return [arg];
    if (value === 'true') return [flag];
    const opposite = flag.replace(/^--/, '--no-');
    return switches.has(opposite) ? [opposite] : [];
  });
}

/** The flags of options without a value, in all commands. */
function switchesOf(command: Command): string[] {
  const own = command.options.flatMap(({ required, optional, long }) => (required || optional || !long ? [] : [long]));
  return [...own, ...command.commands.flatMap(switchesOf)];
}

/** Commander passes neither setting on to subcommands. */
function prepare(command: Command, io: CommandIo): void {
  command.exitOverride().configureOutput({ writeOut: io.out, writeErr: io.err });
  for (const inner of command.commands) prepare(inner, io);
}
