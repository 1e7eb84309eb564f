/** Thrown for an invalid configuration; the message names every problem, one per line. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}
