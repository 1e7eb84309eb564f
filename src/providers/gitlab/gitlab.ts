import { z } from 'zod';
import { gitlabStates, olderGitlabStates } from '../../domain/integrations/status-outcome.js';
import type { CommitStatus, ProviderAccess, SourceProvider } from '../../services/source-providers.js';
import { readCommits, readHeads } from '../page-reader.js';
import { type ApiReply, ProviderApi, type ProviderCalls } from '../provider-api.js';
import { RepositorySearch } from '../repository-search.js';
import { checkGitlab } from './check.js';

const perPage = 100;
const descriptionLength = 255;

const newHook = z.object({ id: z.number() });
const branchList = z.array(z.object({ name: z.string(), commit: z.object({ id: z.string() }) }));
const commitReply = z.object({
  message: z.string(),
  author_name: z.string().nullish(),
  author_email: z.string().nullish(),
});
const commitList = z.array(z.object({ id: z.string(), parent_ids: z.array(z.string()) }));
const projects = z.array(
  z.object({
    path_with_namespace: z.string(),
    web_url: z.string(),
    http_url_to_repo: z.string(),
    default_branch: z.string().nullish(),
  }),
);

/** Opens GitLab, hosted or self-managed, with a personal, group or project token. */
export function openGitlab(calls: ProviderCalls, { apiUrl, credential }: ProviderAccess): SourceProvider {
  const token = credential.kind === 'token' ? credential.token : '';
  const api = new ProviderApi(calls, apiUrl, () => ({ 'private-token': token }));
  const project = (repository: string) => `/projects/${encodeURIComponent(repository)}`;
  return {
    check: () => checkGitlab(api),
    statuses: { publish: (status) => publish(api, project(status.repository), status) },
    branches: {
      heads: (repository) =>
        readHeads(async (page) => {
          const path = `${project(repository)}/repository/branches?per_page=${perPage}&page=${page}`;
          const rows = await api.get(branchList, path);
          return { heads: rows.map(({ name, commit }) => [name, commit.id]), isLast: rows.length < perPage };
        }),
      commit: async (repository, sha) => {
        const path = `${project(repository)}/repository/commits/${encodeURIComponent(sha)}`;
        const { message, author_name: name, author_email: email } = await api.get(commitReply, path);
        return { message, author: { name: name ?? null, email: email ?? null } };
      },
      commits: (range) =>
        readCommits(range, async (page) => {
          const query = `ref_name=${range.after}..${range.upTo}&first_parent=true&per_page=${perPage}&page=${page}`;
          const rows = await api.get(commitList, `${project(range.repository)}/repository/commits?${query}`);
          const commits = rows.map(({ id, parent_ids: parents }) => ({ sha: id, parents }));
          return { commits, isLast: rows.length < perPage };
        }),
    },
    repositories: {
      list: async (search) => {
        const matches = new RepositorySearch(search);
        // Texts of one or two letters are no search at GitLab.
        const query = search && search.length > 2 ? `&search_namespaces=true&search=${encodeURIComponent(search)}` : '';
        const path = `/projects?membership=true&simple=true&order_by=last_activity_at&per_page=${perPage}${query}`;
        const rows = await api.get(projects, path);
        matches.add(
          rows.map((each) => ({
            fullName: each.path_with_namespace,
            htmlUrl: each.web_url,
            cloneUrl: each.http_url_to_repo,
            defaultBranch: each.default_branch ?? null,
          })),
        );
        return matches.repositories;
      },
    },
    webhooks: {
      create: async ({ repository, url, secret }) => {
        const body = {
          url,
          token: secret,
          push_events: true,
          tag_push_events: true,
          merge_requests_events: true,
          enable_ssl_verification: true,
        };
        const reply = await api.sendPatiently({ method: 'POST', path: `${project(repository)}/hooks`, body });
        if (reply.status !== 201) throw api.refusal(reply);
        return { externalId: String(api.read(newHook, reply).id) };
      },
      delete: async ({ repository, externalId }) => {
        const path = `${project(repository)}/hooks/${encodeURIComponent(externalId)}`;
        const reply = await api.sendPatiently({ method: 'DELETE', path });
        if (reply.status !== 204 && reply.status !== 404) throw api.refusal(reply);
      },
    },
    repositoryTokens: null,
    checks: null,
  };
}

/** Versions before mid-2025 refuse the state that a status has already. */
const isUnchanged = ({ status, body }: ApiReply) => status === 400 && body.includes('Cannot transition status');
/** Versions before 17 do not know the state `skipped`. */
const isUnknownState = ({ status, body }: ApiReply) =>
  status === 400 && /state does not have a valid value/i.test(body);

async function publish(
  api: ProviderApi,
  project: string,
  { commit, branch, outcome, context, description, targetUrl, linked }: CommitStatus,
) {
  const send = (state: string) =>
    api.send({
      method: 'POST',
      path: `${project}/statuses/${commit}`,
      body: {
        state,
        name: context,
        description: description.slice(0, descriptionLength),
        ...(linked ? { target_url: targetUrl } : {}),
        // The branch of a fork has another form, and is no branch of this project.
        ...(branch !== null && !branch.includes(':') ? { ref: branch } : {}),
      },
    });
  let reply = await send(gitlabStates[outcome]);
  const older = olderGitlabStates[outcome];
  if (older !== undefined && isUnknownState(reply)) reply = await send(older);
  if (reply.status !== 201 && reply.status !== 200 && !isUnchanged(reply)) throw api.refusal(reply);
  return { rateLimit: api.rateLimit(reply) };
}
