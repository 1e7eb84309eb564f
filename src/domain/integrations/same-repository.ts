import { parseRepositoryUrl } from '../pipelines/repository-url.js';
import { connectionHost } from './provider-connection.js';

/**
 * Whether two URLs are of one repository: over HTTPS or SSH, with or without `.git` and a user, in any case. False for
 * paths on a disk, which name another repository on every machine.
 */
export function isSameRepository(one: string, other: string): boolean {
  const [a, b] = [parseRepositoryUrl(one), parseRepositoryUrl(other)];
  if (a?.host == null || b?.host == null) return false;
  return connectionHost(a.host) === connectionHost(b.host) && a.path.toLowerCase() === b.path.toLowerCase();
}
