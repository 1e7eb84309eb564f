import { parseRepositoryUrl } from '../pipelines/repository-url.js';
import type { RepositoryUrl } from '../pipelines/repository-url.js';

/**
 * Ids of source providers on REST. `git` is an addition for every repository whose provider is unknown from its URL:
 * other hosts, and paths on a disk.
 */
export const providerIds = [
  'github',
  'github_enterprise',
  'gitlab',
  'gitlab_ee',
  'bitbucket',
  'bitbucket_server',
  'git',
] as const;
export type ProviderId = (typeof providerIds)[number];

/** Provider and repository that a repository URL identifies. */
export interface RepositoryProvider {
  id: ProviderId;
  /** `owner/name`; deeper groups are kept; the last part of the path for repositories on a disk. */
  repository: string;
}

const hosted: Readonly<Record<string, ProviderId>> = {
  'github.com': 'github',
  'www.github.com': 'github',
  'ssh.github.com': 'github',
  'gitlab.com': 'gitlab',
  'www.gitlab.com': 'gitlab',
  'altssh.gitlab.com': 'gitlab',
  'bitbucket.org': 'bitbucket',
  'www.bitbucket.org': 'bitbucket',
  'altssh.bitbucket.org': 'bitbucket',
};

/**
 * Self-hosted installations are recognized by a word in their host name, Bitbucket Server also by its path or SSH port.
 */
function providerOf({ host, port, form, path }: RepositoryUrl): ProviderId {
  if (host === null) return 'git';
  const known = Object.hasOwn(hosted, host) ? hosted[host] : undefined;
  if (known !== undefined) return known;
  const words = host.split(/[.-]/);
  if (words.includes('github') || words.includes('ghe')) return 'github_enterprise';
  if (words.includes('gitlab')) return 'gitlab_ee';
  if (words.includes('bitbucket') || words.includes('stash')) return 'bitbucket_server';
  if (form === 'ssh' && port === 7999) return 'bitbucket_server';
  return (form === 'https' || form === 'http') && /^(?:[^/]+\/)?scm\/[^/]+\/[^/]+$/.test(path)
    ? 'bitbucket_server'
    : 'git';
}

/** Derives provider and repository name from a URL; other text is a `git` repository of that name. */
export function providerFromUrl(text: string): RepositoryProvider {
  const url = parseRepositoryUrl(text);
  if (url === null) return { id: 'git', repository: text };
  const id = providerOf(url);
  if (url.host === null) return { id, repository: url.path.split('/').pop() ?? url.path };
  return { id, repository: id === 'bitbucket_server' ? url.path.replace(/^(?:[^/]+\/)?scm\//, '') : url.path };
}
