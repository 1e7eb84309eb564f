import { parseRepositoryUrl } from '../../domain/pipelines/repository-url.js';

/**
 * Returns why the URL of a git mirror is refused, or null: it must be a repository URL without credentials, query and
 * fragment. Blank means none.
 */
export function mirrorUrlProblem(text: string): string | null {
  if (text === '') return null;
  const parsed = parseRepositoryUrl(text);
  if (parsed === null) return 'is not a repository URL or path';
  if (/[?#]/.test(text)) return 'must not have a query or a fragment';
  const user = /^[a-z+]+:\/\/([^/@]*)@/i.exec(text)?.[1];
  // An SSH login name is part of the address, not a credential.
  const allowed = user === undefined || (parsed.form === 'ssh' && !user.includes(':'));
  return allowed ? null : 'must not have credentials';
}
