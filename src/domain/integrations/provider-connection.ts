/**
 * Kinds of connections to source providers, in the words of the provisioning file. `github_app` is an installation of a
 * GitHub App on GitHub or GitHub Enterprise Server, `gitlab` any GitLab, `gitea` also Forgejo.
 */
export const connectionProviders = [
  'github_app',
  'github',
  'github_enterprise',
  'gitlab',
  'bitbucket',
  'bitbucket_server',
  'gitea',
] as const;
export type ConnectionProvider = (typeof connectionProviders)[number];

/** API and host of the hosted service of a kind of connection; absent for kinds that only exist self-hosted. */
export const hostedService: Readonly<Partial<Record<ConnectionProvider, { apiUrl: string; host: string }>>> = {
  github_app: { apiUrl: 'https://api.github.com', host: 'github.com' },
  github: { apiUrl: 'https://api.github.com', host: 'github.com' },
  gitlab: { apiUrl: 'https://gitlab.com/api/v4', host: 'gitlab.com' },
  bitbucket: { apiUrl: 'https://api.bitbucket.org/2.0', host: 'bitbucket.org' },
};

/** Names that the host of a hosted provider has beside its own. */
const hostNames: Readonly<Record<string, string>> = {
  'www.github.com': 'github.com',
  'ssh.github.com': 'github.com',
  'www.gitlab.com': 'gitlab.com',
  'altssh.gitlab.com': 'gitlab.com',
  'www.bitbucket.org': 'bitbucket.org',
  'altssh.bitbucket.org': 'bitbucket.org',
};

/** The name of a repository's host under which connections are stored. */
export const connectionHost = (host: string): string => hostNames[host.toLowerCase()] ?? host.toLowerCase();

/**
 * Picks the connection for a repository among those of its host: an App before a token, because it may do more, and
 * the newest of several.
 */
export function preferredConnection<Connection extends { provider: ConnectionProvider; id: string }>(
  connections: readonly Connection[],
): Connection | null {
  const rank = ({ provider }: Connection) => (provider === 'github_app' ? 0 : 1);
  return [...connections].sort((a, b) => rank(a) - rank(b) || (a.id < b.id ? 1 : -1))[0] ?? null;
}

/** Path of the API below the root of its host, by kind: people know the root. */
const apiPaths: Readonly<Partial<Record<ConnectionProvider, string>>> = { gitlab: '/api/v4', gitea: '/api/v1' };

/** The root URL of an API, without a slash at its end; the API's own path is added to the root of a host. */
export function normalizedApiUrl(provider: ConnectionProvider, text: string): string {
  const url = text.replace(/\/+$/, '');
  const path = apiPaths[provider];
  return path === undefined || url.endsWith(path) ? url : `${url}${path}`;
}

/** The host of the repositories where nobody names it: that of the hosted service, or of the API. */
export function defaultHost(provider: ConnectionProvider, apiUrl: string): string {
  const hosted = hostedService[provider];
  return hosted && new URL(hosted.apiUrl).host === new URL(apiUrl).host ? hosted.host : new URL(apiUrl).hostname;
}

/** Ends of the API's root below the root of a host, which some hosts serve below a path of their own. */
const apiRoots = /\/(?:api\/v[134]|rest\/api\/(?:latest|1\.0)|rest)\/?$/;

/**
 * Path of a repository at its provider, such as `owner/name`, from the path of its URL: without the path that the whole
 * host is below, and without `scm` of Bitbucket Data Center.
 */
export function repositoryPath(
  { provider, apiUrl }: { provider: ConnectionProvider; apiUrl: string },
  path: string,
): string {
  if (provider === 'bitbucket_server') return path.replace(/^(?:[^/]+\/)*scm\//, '');
  const root = new URL(apiUrl).pathname.replace(apiRoots, '').replace(/^\/+|\/+$/g, '');
  return root !== '' && path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path;
}
