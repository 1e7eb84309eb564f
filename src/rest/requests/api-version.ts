import { Problem } from '../../domain/problem.js';

/** Header by which clients say for which version of the API they are made. */
export const versionHeader = 'Buildkite-Version';

/**
 * Checks the version that a client names; every version has the same reply. Throws `malformed` for a text that is no
 * date; a blank one counts as absent.
 */
export function checkVersion(version: string | undefined): void {
  if (version === undefined || version.trim() === '' || /^\d{4}-\d{2}-\d{2}$/.test(version)) return;
  throw new Problem('malformed', `${versionHeader} must be in format YYYY-MM-DD`);
}
