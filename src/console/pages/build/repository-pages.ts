/** Pages of a repository at its source provider. */
export interface RepositoryPages {
  commit(sha: string): string;
  pullRequest(number: string): string;
  /** What a commit has that an earlier one has not. */
  compare(from: string, to: string): string;
}

type Forms = (base: string) => RepositoryPages;

const github: Forms = (base) => ({
  commit: (sha) => `${base}/commit/${sha}`,
  pullRequest: (number) => `${base}/pull/${number}`,
  compare: (from, to) => `${base}/compare/${from}...${to}`,
});
const gitlab: Forms = (base) => ({
  commit: (sha) => `${base}/-/commit/${sha}`,
  pullRequest: (number) => `${base}/-/merge_requests/${number}`,
  compare: (from, to) => `${base}/-/compare/${from}...${to}`,
});
const bitbucket: Forms = (base) => ({
  commit: (sha) => `${base}/commits/${sha}`,
  pullRequest: (number) => `${base}/pull-requests/${number}`,
  // The later of the two comes first.
  compare: (from, to) => `${base}/branches/compare/${to}..${from}`,
});
const bitbucketServer: Forms = (base) => ({
  commit: (sha) => `${base}/commits/${sha}`,
  pullRequest: (number) => `${base}/pull-requests/${number}`,
  compare: (from, to) => `${base}/compare/commits?sourceBranch=${to}&targetBranch=${from}`,
});

/** By the GraphQL type of the provider; the pages of an unknown host are unknown. */
const formsOf: Readonly<Record<string, Forms>> = {
  RepositoryProviderGithub: github,
  RepositoryProviderGithubEnterprise: github,
  RepositoryProviderGitlab: gitlab,
  RepositoryProviderGitlabCommunity: gitlab,
  RepositoryProviderGitlabEnterprise: gitlab,
  RepositoryProviderBitbucket: bitbucket,
  RepositoryProviderBitbucketServer: bitbucketServer,
};

const isCommit = /^[0-9a-f]{7,64}$/i;

/** Pages of the repository with this URL; null where nobody knows how its host names them. */
export function repositoryPages(url: string, provider: string | undefined): RepositoryPages | null {
  const forms = provider === undefined ? undefined : formsOf[provider];
  const base = baseOf(url, provider === 'RepositoryProviderBitbucketServer');
  return forms && base !== null ? forms(base) : null;
}

/** Pages of a repository as GraphQL has it; null where it is absent, too. */
export const pagesOf = (
  repository: { readonly url: string; readonly provider?: { readonly __typename: string } | null } | null | undefined,
): RepositoryPages | null => (repository ? repositoryPages(repository.url, repository.provider?.__typename) : null);

/** A link to a commit; null for `HEAD` and other words that are no commit. */
export const commitPage = (pages: RepositoryPages | null, commit: string): string | null =>
  pages && isCommit.test(commit) ? pages.commit(commit) : null;

/** A link to what lies between two commits; null unless both are commits, and two. */
export const comparePage = (pages: RepositoryPages | null, from: string, to: string): string | null =>
  pages && isCommit.test(from) && isCommit.test(to) && from !== to ? pages.compare(from, to) : null;

/** The page of a repository, over https unless its URL says http; hosts of SSH serve their pages without a port. */
function baseOf(url: string, isServer: boolean): string | null {
  const web = /^(https?):\/\/(?:[^/@]*@)?([\w.-]+(?::\d+)?)\/(.+)$/i.exec(url);
  const ssh =
    /^(?:ssh|git|git\+ssh|ssh\+git):\/\/(?:[^/@]*@)?([\w.-]+)(?::\d+)?\/(.+)$/i.exec(url) ??
    /^(?:[^/@:]+@)?([\w.-]+):(?!:)\/?(.+)$/.exec(url);
  const [scheme = 'https', host, path] = web ? web.slice(1) : ['https', ...(ssh?.slice(1) ?? [])];
  if (host === undefined || path === undefined) return null;
  const name = path.replace(/\/+$/, '').replace(/\.git$/, '');
  const root = `${scheme.toLowerCase()}://${host.toLowerCase()}`;
  return isServer ? serverBase(root, name) : `${root}/${encodeURI(name)}`;
}

function serverBase(root: string, name: string): string | null {
  const [, before = '', key, slug] = /^(?:(.+)\/)?(?:scm\/)?([^/]+)\/([^/]+)$/.exec(name) ?? [];
  if (key === undefined || slug === undefined) return null;
  const prefix = before.replace(/\/?scm$/, '');
  const owner = key.startsWith('~')
    ? `users/${encodeURIComponent(key.slice(1))}`
    : `projects/${encodeURIComponent(key)}`;
  return `${root}${prefix === '' ? '' : `/${encodeURI(prefix)}`}/${owner}/repos/${encodeURIComponent(slug)}`;
}
