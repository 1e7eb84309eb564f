import { limits } from '../limits/limits.js';

/**
 * Whether an environment variable can have this name: not empty, at most `limits.envNameLength` characters, without
 * `=`, white space and control characters. Where an environment is written as lines, the text after a line break in a
 * name would become a second variable. Names that a POSIX shell cannot set, such as `spring.datasource.url`, are valid,
 * because programs read them.
 */
export function isVariableName(name: string): boolean {
  return name.length <= limits.envNameLength && /^[^=\s\p{Cc}]+$/u.test(name);
}

/** The refusal of a map with a name that is not {@link isVariableName}. */
export const variableNameProblem = 'has a name that no environment variable can have';
