import { posix } from 'node:path';

/** Path of a file as suites compare it: collectors send `./spec/a_spec.rb` for what clients call `spec/a_spec.rb`. */
export const comparablePath = (path: string): string => path.replace(/^\.\//, '');

/** Path of a file below a prefix, as a client with a location prefix has uploaded it. */
export const prefixedPath = (prefix: string, path: string): string =>
  comparablePath(prefix === '' ? path : posix.join(prefix, path));
