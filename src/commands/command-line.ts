import { type Command, CommanderError } from 'commander';
import { usageHint, WrongUsage } from './wrong-usage.js';

/**
 * Sets what commander does not pass on to subcommands: errors are thrown, and those of usage end with a hint at
 * `--help`.
 */
export function prepareCommands(command: Command): void {
  command.exitOverride().showHelpAfterError(usageHint);
  for (const inner of command.commands) prepareCommands(inner);
}

/**
 * Runs a command line and gives the exit code: 0 success, 1 failure, 2 wrong usage. A command that ends with a code
 * of its own sets `process.exitCode`.
 * @param describe the text for standard error about an error that is not one of usage
 */
export async function runCommandLine(
  program: Command,
  argv: readonly string[],
  describe: (error: unknown) => string,
): Promise<number> {
  // Where it can no longer be written to, nobody can be told; the event without a listener would be an uncaught error.
  if (process.stderr.listenerCount('error') === 0) process.stderr.on('error', () => undefined);
  try {
    await program.parseAsync([...argv]);
    return Number(process.exitCode ?? 0);
  } catch (error) {
    // Commander has printed its own message already.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (error instanceof WrongUsage) {
      process.stderr.write(`error: ${error.message}\n${usageHint}\n`);
      return 2;
    }
    process.stderr.write(`error: ${describe(error)}\n`);
    return 1;
  }
}
