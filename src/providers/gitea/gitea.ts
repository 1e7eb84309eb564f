import { z } from 'zod';
import { giteaStates, githubStates } from '../../domain/integrations/status-outcome.js';
import type { CommitStatus, ProviderAccess, SourceProvider } from '../../services/source-providers.js';
import { readCommits, readHeads } from '../page-reader.js';
import { encodedPath, ProviderApi, type ProviderCalls } from '../provider-api.js';
import { RepositorySearch } from '../repository-search.js';
import { checkGitea } from './check.js';

/** The most that Gitea and Forgejo put on a page unless they are configured otherwise. */
const perPage = 50;
const events = ['push', 'create', 'delete', 'pull_request', 'pull_request_sync', 'pull_request_label', 'release'];

const newHook = z.object({ id: z.number() });
const person = z.object({ name: z.string().nullish(), email: z.string().nullish() }).nullish();
const branchList = z.array(z.object({ name: z.string(), commit: z.object({ id: z.string() }) }));
const commitReply = z.object({ commit: z.object({ message: z.string(), author: person }) });
const commitList = z.array(z.object({ sha: z.string(), parents: z.array(z.object({ sha: z.string() })).nullish() }));
const repositories = z.object({
  data: z.array(
    z.object({
      full_name: z.string(),
      html_url: z.string(),
      clone_url: z.string(),
      default_branch: z.string().nullish(),
      empty: z.boolean().nullish(),
    }),
  ),
});

/** Opens Gitea or Forgejo with an access token. */
export function openGitea(calls: ProviderCalls, { apiUrl, credential }: ProviderAccess): SourceProvider {
  const token = credential.kind === 'token' ? credential.token : '';
  const api = new ProviderApi(calls, apiUrl, () => ({ authorization: `token ${token}` }));
  const repo = (repository: string) => `/repos/${encodedPath(repository)}`;
  return {
    check: () => checkGitea(api),
    statuses: { publish: (status) => publish(api, repo(status.repository), status) },
    branches: {
      heads: (repository) =>
        readHeads(async (page) => {
          const rows = await api.get(branchList, `${repo(repository)}/branches?limit=${perPage}&page=${page}`);
          return { heads: rows.map(({ name, commit }) => [name, commit.id]), isLast: rows.length === 0 };
        }),
      commit: async (repository, sha) => {
        const path = `${repo(repository)}/git/commits/${encodeURIComponent(sha)}?stat=false&files=false`;
        const { message, author } = (await api.get(commitReply, path)).commit;
        return { message, author: { name: author?.name ?? null, email: author?.email ?? null } };
      },
      commits: (range) =>
        readCommits(range, async (page) => {
          const detail = 'stat=false&verification=false&files=false';
          const query = `sha=${range.upTo}&not=${range.after}&${detail}&limit=${perPage}&page=${page}`;
          const rows = await api.get(commitList, `${repo(range.repository)}/commits?${query}`);
          const commits = rows.map(({ sha, parents }) => ({ sha, parents: (parents ?? []).map((each) => each.sha) }));
          // Its pages may be shorter than they were asked to be.
          return { commits, isLast: rows.length === 0 };
        }),
    },
    repositories: {
      list: async (search) => {
        const matches = new RepositorySearch(search);
        for (let page = 1; page <= 2; page += 1) {
          const query = search ? `&q=${encodeURIComponent(search)}` : '';
          const { data } = await api.get(repositories, `/repos/search?limit=${perPage}&page=${page}${query}`);
          matches.add(
            data.map((each) => ({
              fullName: each.full_name,
              htmlUrl: each.html_url,
              cloneUrl: each.clone_url,
              defaultBranch: each.empty === true ? null : (each.default_branch ?? null),
            })),
          );
          if (data.length < perPage) break;
        }
        return matches.repositories;
      },
    },
    webhooks: {
      create: async ({ repository, url, secret }) => {
        const body = { type: 'gitea', active: true, events, config: { url, content_type: 'json', secret } };
        const reply = await api.sendPatiently({ method: 'POST', path: `${repo(repository)}/hooks`, body });
        if (reply.status !== 201) throw api.refusal(reply);
        return { externalId: String(api.read(newHook, reply).id) };
      },
      delete: async ({ repository, externalId }) => {
        const path = `${repo(repository)}/hooks/${encodeURIComponent(externalId)}`;
        const reply = await api.sendPatiently({ method: 'DELETE', path });
        if (reply.status !== 204 && reply.status !== 404) throw api.refusal(reply);
      },
    },
    repositoryTokens: null,
    checks: null,
  };
}

async function publish(
  api: ProviderApi,
  repo: string,
  { commit, outcome, context, description, targetUrl, linked }: CommitStatus,
) {
  const send = (state: string) =>
    api.send({
      method: 'POST',
      path: `${repo}/statuses/${commit}`,
      body: { state, context, description, ...(linked ? { target_url: targetUrl } : {}) },
    });
  let reply = await send(giteaStates[outcome]);
  // Gitea before 1.24 and Forgejo before 12 do not know `skipped`.
  if (reply.status === 422 && giteaStates[outcome] === 'skipped') reply = await send(githubStates.not_run);
  if (reply.status !== 201 && reply.status !== 200) throw api.refusal(reply);
  return { rateLimit: api.rateLimit(reply) };
}
