/** A value on the command line that makes no sense: exit code 2. */
export class WrongUsage extends Error {
  override readonly name = 'WrongUsage';
}

/** Line after an error of usage. */
export const usageHint = '(add --help to see the options of the command)';
