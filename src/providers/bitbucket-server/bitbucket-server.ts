import { z } from 'zod';
import { bitbucketServerStates } from '../../domain/integrations/status-outcome.js';
import type { CommitStatus, ProviderAccess, SourceProvider } from '../../services/source-providers.js';
import { authorizationOf } from '../authorization.js';
import { readCommits, readHeads } from '../page-reader.js';
import { ProviderApi, type ProviderCalls, waitedForMs } from '../provider-api.js';
import { RepositorySearch } from '../repository-search.js';

const perPage = 100;
const events = [
  'repo:refs_changed',
  'pr:opened',
  'pr:from_ref_updated',
  'pr:modified',
  'pr:merged',
  'pr:declined',
  'pr:deleted',
];

const newHook = z.object({ id: z.number() });
const branchList = z.object({
  values: z.array(z.object({ displayId: z.string(), latestCommit: z.string() })),
  isLastPage: z.boolean(),
});
const commitReply = z.object({
  message: z.string(),
  author: z.object({ name: z.string().nullish(), emailAddress: z.string().nullish() }).nullish(),
});
const commitList = z.object({
  values: z.array(z.object({ id: z.string(), parents: z.array(z.object({ id: z.string() })) })),
  isLastPage: z.boolean(),
});
const repositories = z.object({
  values: z.array(
    z.object({
      slug: z.string(),
      project: z.object({ key: z.string() }),
      links: z.object({
        clone: z.array(z.object({ name: z.string(), href: z.string() })).default([]),
        self: z.array(z.object({ href: z.string() })).default([]),
      }),
    }),
  ),
});

/** Opens Bitbucket Data Center or Server with an HTTP access token, or with an account and its password. */
export function openBitbucketServer(calls: ProviderCalls, { apiUrl, credential }: ProviderAccess): SourceProvider {
  // `https://host`, or the root of one of its APIs: each has another, below the same root.
  const root = apiUrl.replace(/\/rest(?:\/.*)?$/, '');
  const api = new ProviderApi(calls, root, () => ({
    authorization: authorizationOf(credential),
    // Refused as a forged request otherwise, where a form could have sent it.
    'x-atlassian-token': 'no-check',
  }));
  const core = '/rest/api/latest';
  const repo = (repository: string) => {
    const [project = '', slug = ''] = repository.split('/');
    return `${core}/projects/${encodeURIComponent(project)}/repos/${encodeURIComponent(slug)}`;
  };
  return {
    check: async () => {
      const reply = await api.expect({ method: 'GET', path: `${core}/repos?limit=1`, timeoutMs: waitedForMs }, 200);
      return {
        account: reply.headers['x-ausername'] ?? credentialName(credential),
        permissions: null,
        may: { publishStatuses: null, manageWebhooks: null, readRepositories: true },
        expiresAt: null,
        rateLimit: api.rateLimit(reply),
      };
    },
    statuses: { publish: (status) => publish(api, repo(status.repository), status) },
    branches: {
      heads: (repository) =>
        readHeads(async (page) => {
          const path = `${repo(repository)}/branches?limit=${perPage}&start=${(page - 1) * perPage}`;
          const { values, isLastPage } = await api.get(branchList, path);
          return { heads: values.map((each) => [each.displayId, each.latestCommit]), isLast: isLastPage };
        }),
      commit: async (repository, sha) => {
        const path = `${repo(repository)}/commits/${encodeURIComponent(sha)}`;
        const { message, author } = await api.get(commitReply, path);
        return { message, author: { name: author?.name ?? null, email: author?.emailAddress ?? null } };
      },
      commits: (range) =>
        readCommits(range, async (page) => {
          const query = `since=${range.after}&until=${range.upTo}&limit=${perPage}&start=${(page - 1) * perPage}`;
          const { values, isLastPage } = await api.get(commitList, `${repo(range.repository)}/commits?${query}`);
          const commits = values.map(({ id, parents }) => ({ sha: id, parents: parents.map((each) => each.id) }));
          return { commits, isLast: isLastPage };
        }),
    },
    repositories: {
      list: async (search) => {
        const matches = new RepositorySearch(null);
        const query = search ? `&name=${encodeURIComponent(search)}` : '';
        const { values } = await api.get(repositories, `${core}/repos?limit=${perPage}${query}`);
        matches.add(
          values.map(({ slug, project, links }) => ({
            fullName: `${project.key}/${slug}`,
            htmlUrl: links.self[0]?.href ?? `${root}/projects/${project.key}/repos/${slug}`,
            cloneUrl:
              links.clone.find(({ name }) => name === 'http')?.href ??
              `${root}/scm/${project.key.toLowerCase()}/${slug}.git`,
            defaultBranch: null,
          })),
        );
        return matches.repositories;
      },
    },
    webhooks: {
      create: async ({ repository, url, secret }) => {
        const body = { name: 'Slipway', url, active: true, events, configuration: { secret } };
        const reply = await api.sendPatiently({ method: 'POST', path: `${repo(repository)}/webhooks`, body });
        if (reply.status !== 201 && reply.status !== 200) throw api.refusal(reply);
        return { externalId: String(api.read(newHook, reply).id) };
      },
      delete: async ({ repository, externalId }) => {
        const path = `${repo(repository)}/webhooks/${encodeURIComponent(externalId)}`;
        const reply = await api.sendPatiently({ method: 'DELETE', path });
        if (reply.status !== 204 && reply.status !== 404) throw api.refusal(reply);
      },
    },
    repositoryTokens: null,
    checks: null,
  };
}

const credentialName = (credential: ProviderAccess['credential']) =>
  credential.kind === 'token' ? credential.username : null;

async function publish(
  api: ProviderApi,
  repo: string,
  { commit, branch, outcome, context, description, targetUrl }: CommitStatus,
) {
  const body = { key: context, name: context, state: bitbucketServerStates[outcome], url: targetUrl, description };
  const reply = await api.send({
    method: 'POST',
    path: `${repo}/commits/${commit}/builds`,
    body: { ...body, ...(branch !== null && !branch.includes(':') ? { ref: `refs/heads/${branch}` } : {}) },
  });
  if (reply.status >= 200 && reply.status < 300) return { rateLimit: api.rateLimit(reply) };
  if (reply.status === 404) {
    // Versions before 7.4 have no status of a repository, only one of a commit, and no state for what was canceled.
    const state = body.state === 'CANCELLED' ? 'FAILED' : body.state;
    const older = await api.send({
      method: 'POST',
      path: `/rest/build-status/1.0/commits/${commit}`,
      body: { ...body, state },
    });
    if (older.status >= 200 && older.status < 300) return { rateLimit: api.rateLimit(older) };
  }
  throw api.refusal(reply);
}
