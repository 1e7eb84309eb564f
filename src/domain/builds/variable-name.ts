import { limits } from '../limits.js';

/**
 * Whether an environment variable can have this name: not empty, at most `limits.envNameLength` characters, without `=`,
 * white space and control characters. A line break in a name would make a second variable of what follows it wherever an
 * environment is written as lines. Names that a POSIX shell cannot set, such as `spring.datasource.url`, are valid: programs
 * read them.
 */
export function isVariableName(name: string): boolean {
  return name.length <= limits.envNameLength && /^[^=\s\p{Cc}]+$/u.test(name);
}

/** The refusal of a map with a name that is not {@link isVariableName}. */
export const variableNameProblem = 'has a name that no environment variable can have';
