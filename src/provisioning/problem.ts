/** Where something stands in the file, both counted from 1. */
export interface Position {
  line: number;
  column: number;
}

export interface FileProblem extends Position {
  message: string;
}

/** Thrown for a provisioning file that cannot be applied: every problem with file, line and column, in their order. */
export class ProvisioningError extends Error {
  override readonly name = 'ProvisioningError';

  constructor(
    readonly file: string,
    readonly problems: readonly FileProblem[],
  ) {
    const sorted = [...problems].sort((a, b) => a.line - b.line || a.column - b.column);
    super(`${file} cannot be applied, nothing was changed:\n${sorted.map(({ line, column, message }) => `  ${file}:${line}:${column}: ${message}`).join('\n')}`);
  }
}
