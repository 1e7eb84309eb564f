import { z } from 'zod';
import { bitbucketKey } from './key.js';
import { bitbucketStates } from '../../domain/integrations/status-outcome.js';
import type { ProviderAccess, SourceProvider } from '../../services/source-providers.js';
import { authorizationOf } from '../authorization.js';
import { readCommits, readHeads } from '../page-reader.js';
import { encodedPath, ProviderApi, type ProviderCalls } from '../provider-api.js';
import { checkBitbucket } from './check.js';
import { listRepositories } from './repositories.js';

const perPage = 100;
const events = [
  'repo:push',
  'pullrequest:created',
  'pullrequest:updated',
  'pullrequest:fulfilled',
  'pullrequest:rejected',
];

const newHook = z.object({ uuid: z.string() });
const branchList = z.object({
  values: z.array(z.object({ name: z.string(), target: z.object({ hash: z.string() }) })),
  next: z.string().nullish(),
});
const commitReply = z.object({ message: z.string(), author: z.object({ raw: z.string().nullish() }).nullish() });
const commitList = z.object({
  values: z.array(z.object({ hash: z.string(), parents: z.array(z.object({ hash: z.string() })) })),
  next: z.string().nullish(),
});

/** Opens Bitbucket Cloud with an access token, or with an API token and the account that it belongs to. */
export function openBitbucket(calls: ProviderCalls, { apiUrl, credential }: ProviderAccess): SourceProvider {
  const api = new ProviderApi(calls, apiUrl, () => ({ authorization: authorizationOf(credential) }));
  const repo = (repository: string) => `/repositories/${encodedPath(repository)}`;
  return {
    check: () => checkBitbucket(api),
    statuses: {
      publish: async ({ repository, commit, branch, outcome, context, description, targetUrl }) => {
        const body = {
          key: bitbucketKey(context),
          state: bitbucketStates[outcome],
          name: context,
          description,
          // Required: it is sent whether or not it leads anywhere.
          url: targetUrl,
          // Without it the checks of pull requests do not see the status.
          ...(branch === null ? {} : { refname: branch }),
        };
        const path = `${repo(repository)}/commit/${commit}/statuses/build`;
        const reply = await api.expect({ method: 'POST', path, body }, 200, 201);
        return { rateLimit: api.rateLimit(reply) };
      },
    },
    branches: {
      heads: (repository) =>
        readHeads(async (page) => {
          const fields = 'next,values.name,values.target.hash';
          const path = `${repo(repository)}/refs/branches?pagelen=${perPage}&page=${page}&fields=${fields}`;
          const { values, next } = await api.get(branchList, path);
          return { heads: values.map(({ name, target }) => [name, target.hash]), isLast: !next };
        }),
      commit: async (repository, sha) => {
        const path = `${repo(repository)}/commit/${encodeURIComponent(sha)}`;
        const { message, author } = await api.get(commitReply, path);
        const [, name, email] = /^(.*?)\s*<([^>]*)>\s*$/.exec(author?.raw ?? '') ?? [];
        return { message, author: { name: name ?? author?.raw ?? null, email: email ?? null } };
      },
      commits: (range) =>
        readCommits(range, async (page) => {
          const query = `include=${range.upTo}&exclude=${range.after}&pagelen=${perPage}&page=${page}`;
          const { values, next } = await api.get(commitList, `${repo(range.repository)}/commits?${query}`);
          const commits = values.map(({ hash, parents }) => ({ sha: hash, parents: parents.map((each) => each.hash) }));
          return { commits, isLast: !next };
        }),
    },
    repositories: { list: (search) => listRepositories(api, search) },
    webhooks: {
      create: async ({ repository, url, secret }) => {
        const body = { description: 'Slipway', url, active: true, secret, events };
        const reply = await api.sendPatiently({ method: 'POST', path: `${repo(repository)}/hooks`, body });
        if (reply.status !== 201) throw api.refusal(reply);
        return { externalId: api.read(newHook, reply).uuid };
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
