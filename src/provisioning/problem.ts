/** Position in the file; line and column count from 1. */
export interface Position {
  line: number;
  column: number;
}

export interface FileProblem extends Position {
  message: string;
}

/**
 * Thrown for a provisioning file that cannot be applied; the message lists every problem as `file:line:column`, in
 * order.
 */
export class ProvisioningError extends Error {
  override readonly name = 'ProvisioningError';

  constructor(
    readonly file: string,
    readonly problems: readonly FileProblem[],
  ) {
    const sorted = [...problems].sort((a, b) => a.line - b.line || a.column - b.column);
    super(
      `${file} cannot be applied, nothing was ` +
        `changed:\n${sorted.map(({ line, column, message }) => `  ${file}:${line}:${column}: ${message}`).join('\n')}`,
    );
  }
}
