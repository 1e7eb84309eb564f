import type { Command } from 'commander';
import { DatabaseUnavailableError } from '../database/faults.js';
import { Problem } from '../domain/problem.js';
import { runCommandLine } from './command-line.js';

/** Errors whose message suffices for an operator; any other error is internal and shown with its stack. */
const plainErrors = new Set([
  'ConfigError',
  'AddressError',
  'BackupError',
  'DatabaseStartError',
  'DirectoryInUseError',
  'DirectoryAccessError',
  'MoveError',
  'NewerSchemaError',
  'RequirementError',
  'OpenError',
  'EmbeddedDatabaseEnded',
  'ProvisioningError',
  'StorageError',
  'ServerError',
]);

/** Runs a command line of `slipway` and gives the exit code, as {@link runCommandLine} does. */
export function runProgram(program: Command, argv: readonly string[]): Promise<number> {
  return runCommandLine(program, argv, describe);
}

/** The message of an error; connection errors hide theirs in a list or a cause. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof Problem)
    return [error.message, ...(error.details.fields ?? []).map(({ field, code }) => `  ${field}: ${code}`)].join('\n');
  if (plainErrors.has(error.name) || plainErrors.has(error.constructor.name)) return error.message;
  // Callers of the API are spared the reason; the operator of the program needs nothing else.
  if (error instanceof DatabaseUnavailableError && error.cause !== undefined) return describe(error.cause);
  const inner = error instanceof AggregateError ? (error.errors as unknown[])[0] : error.cause;
  const code = codeOf(error) ?? codeOf(inner);
  if (code !== null)
    return inner instanceof Error && error.message === '' ? inner.message : `${error.message} (${code})`;
  return error.stack ?? error.message;
}

/** System errors (`ECONNREFUSED`) and the database's (`28P01`): the operator's surroundings, not our code. */
function codeOf(error: unknown): string | null {
  return typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
    ? error.code
    : null;
}
