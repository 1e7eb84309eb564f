import { z } from 'zod';
import { githubStates } from '../../domain/integrations/status-outcome.js';
import type { ProviderBranches, ProviderWebhooks, StatusPublisher } from '../../services/source-providers.js';
import { readCommits, readHeads } from '../page-reader.js';
import { encodedPath, type ProviderApi } from '../provider-api.js';

/** Headers that every request to GitHub has beside its credential. */
export const githubHeaders = { accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' };

/** Events that webhooks subscribe to: all that a pipeline's settings can build. */
const events = [
  'push',
  'pull_request',
  'create',
  'delete',
  'deployment',
  'deployment_status',
  'fork',
  'release',
  'check_run',
  'check_suite',
  'merge_group',
  'issue_comment',
  'pull_request_review',
  'pull_request_review_comment',
];

const branchesPerPage = 100;
const commitsPerPage = 100;

const newHook = z.object({ id: z.union([z.string(), z.number()]) });
const branchList = z.array(z.object({ name: z.string(), commit: z.object({ sha: z.string() }) }));
const commitList = z.array(z.object({ sha: z.string(), parents: z.array(z.object({ sha: z.string() })) }));
const person = z.object({ name: z.string().nullish(), email: z.string().nullish() }).nullish();
const commitReply = z.object({ commit: z.object({ message: z.string(), author: person }) });

/** Requests to a repository: an App has another token for each of its installations. */
export type ApiOf = (repository: string) => ProviderApi;

/** Commit statuses of GitHub and GitHub Enterprise Server. */
export function githubStatuses(apiOf: ApiOf): StatusPublisher {
  return {
    publish: async ({ repository, commit, outcome, context, description, targetUrl, linked }) => {
      const api = apiOf(repository);
      const reply = await api.expect(
        {
          method: 'POST',
          path: `/repos/${encodedPath(repository)}/statuses/${commit}`,
          body: {
            state: githubStates[outcome],
            context,
            description,
            ...(linked ? { target_url: targetUrl } : {}),
          },
        },
        201,
        200,
      );
      return { rateLimit: api.rateLimit(reply) };
    },
  };
}

/** Webhooks of repositories at GitHub and GitHub Enterprise Server. */
export function githubWebhooks(apiOf: ApiOf): ProviderWebhooks {
  return {
    create: async ({ repository, url, secret }) => {
      const api = apiOf(repository);
      const body = {
        name: 'web',
        active: true,
        events,
        config: { url, content_type: 'json', secret, insecure_ssl: '0' },
      };
      const reply = await api.sendPatiently({ method: 'POST', path: `/repos/${encodedPath(repository)}/hooks`, body });
      if (reply.status !== 201) throw api.refusal(reply);
      return { externalId: String(api.read(newHook, reply).id) };
    },
    delete: async ({ repository, externalId }) => {
      const api = apiOf(repository);
      const reply = await api.sendPatiently({
        method: 'DELETE',
        path: `/repos/${encodedPath(repository)}/hooks/${encodeURIComponent(externalId)}`,
      });
      if (reply.status !== 204 && reply.status !== 404) throw api.refusal(reply);
    },
  };
}

/** Branches and commits at GitHub and GitHub Enterprise Server. */
export function githubBranches(apiOf: ApiOf): ProviderBranches {
  return {
    heads: (repository) =>
      readHeads(async (page) => {
        const path = `/repos/${encodedPath(repository)}/branches?per_page=${branchesPerPage}&page=${page}`;
        const rows = await apiOf(repository).get(branchList, path);
        return { heads: rows.map(({ name, commit }) => [name, commit.sha]), isLast: rows.length < branchesPerPage };
      }),
    commit: async (repository, sha) => {
      const path = `/repos/${encodedPath(repository)}/commits/${encodeURIComponent(sha)}`;
      const { message, author } = (await apiOf(repository).get(commitReply, path)).commit;
      return { message, author: { name: author?.name ?? null, email: author?.email ?? null } };
    },
    commits: (range) =>
      readCommits(range, async (page) => {
        const { repository, upTo } = range;
        const path = `/repos/${encodedPath(repository)}/commits?sha=${upTo}&per_page=${commitsPerPage}&page=${page}`;
        const rows = await apiOf(repository).get(commitList, path);
        const commits = rows.map(({ sha, parents }) => ({ sha, parents: parents.map((parent) => parent.sha) }));
        return { commits, isLast: rows.length < commitsPerPage };
      }),
  };
}
