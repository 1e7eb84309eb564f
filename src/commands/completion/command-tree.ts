import type { Command } from 'commander';
import { firstLine } from '../../domain/first-line.js';

/** An option as shells complete it. */
export interface CompletedOption {
  /** Its spellings, such as `-V` and `--version`. */
  flags: string[];
  description: string;
  takesValue: boolean;
  /** The only values, if they are few. */
  choices: string[];
}

/** A command with its own commands; `path` has the words after the program's name. */
export interface CompletedCommand {
  path: string[];
  description: string;
  commands: { name: string; description: string }[];
  options: CompletedOption[];
  /** Values of the arguments, where they are few. */
  choices: string[];
  /** Whether an argument may be the name of a file. */
  takesFile: boolean;
}

/** Every command of a program, itself first. No library makes scripts that need not start the program at each key. */
export function describeCommands(program: Command): CompletedCommand[] {
  return walk(program, []);
}

function walk(command: Command, path: string[]): CompletedCommand[] {
  const help = command.createHelp();
  // Each command lists a command `help`, which the help of every command already is.
  const commands = help.visibleCommands(command).filter((inner) => inner.name() !== 'help');
  const options = help.visibleOptions(command);
  return [
    {
      path,
      description: firstLine(command.description()),
      commands: commands.map((inner) => ({ name: inner.name(), description: firstLine(inner.description()) })),
      options: options.map((option) => ({
        flags: [option.short, option.long].filter((flag) => flag !== undefined && flag !== null),
        description: firstLine(option.description),
        takesValue: option.required || option.optional,
        choices: [...(option.argChoices ?? [])],
      })),
      choices: command.registeredArguments.flatMap((argument) => [...(argument.argChoices ?? [])]),
      takesFile: command.registeredArguments.some((argument) => argument.name().toLowerCase().includes('file')),
    },
    ...commands.flatMap((inner) => walk(inner, [...path, inner.name()])),
  ];
}
