import pRetry from 'p-retry';
import { z } from 'zod';
import { isStorable } from '../domain/input-text.js';
import {
  type Outbound,
  type OutboundReply,
  type OutboundRequest,
  type ProviderAccess,
  ProviderRefusal,
  type Providers,
} from '../services/services.js';

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
  'merge_group',
  'issue_comment',
  'pull_request_review',
  'pull_request_review_comment',
];

/**
 * Timeout of each attempt at creating or deleting a webhook, for which a user waits; there are at most two attempts.
 */
const webhookMs = 3_000;
const branchesPerPage = 100;
const branchPagesAtMost = 20;
const listBytes = 4 * 1024 * 1024;

const newHook = z.object({ id: z.union([z.string(), z.number()]) });
const branchList = z.array(z.object({ name: z.string(), commit: z.object({ sha: z.string() }) }));
const person = z.object({ name: z.string().nullish(), email: z.string().nullish() }).nullish();
const commitReply = z.object({ commit: z.object({ message: z.string(), author: person }) });

/**
 * Requests to the API of GitHub and GitHub Enterprise Server. Every method throws ProviderRefusal if the provider
 * refuses or does not answer.
 */
export function githubProviders(outbound: Outbound): Providers {
  const ask = (access: ProviderAccess, request: ApiRequest) => send(outbound, access, request);
  return {
    createWebhook: async (access, { repository, url, secret }) => {
      const body = {
        name: 'web',
        active: true,
        events,
        config: { url, content_type: 'json', secret, insecure_ssl: '0' },
      };
      const reply = await patiently(() =>
        ask(access, { method: 'POST', path: `/repos/${encoded(repository)}/hooks`, body, timeoutMs: webhookMs }),
      );
      if (reply.status !== 201) throw refused(reply);
      return { externalId: String(read(newHook, reply).id) };
    },
    deleteWebhook: async (access, { repository, externalId }) => {
      const reply = await patiently(() =>
        ask(access, {
          method: 'DELETE',
          path: `/repos/${encoded(repository)}/hooks/${encodeURIComponent(externalId)}`,
          timeoutMs: webhookMs,
        }),
      );
      if (reply.status !== 204 && reply.status !== 404) throw refused(reply);
    },
    setCommitStatus: async (access, { repository, commit, state, context, description, targetUrl }) => {
      const reply = await ask(access, {
        method: 'POST',
        path: `/repos/${encoded(repository)}/statuses/${commit}`,
        body: { state, context, description, target_url: targetUrl },
      });
      if (reply.status < 200 || reply.status > 299) throw refused(reply);
    },
    branchHeads: async (access, repository) => {
      const heads: Record<string, string> = {};
      for (let page = 1; page <= branchPagesAtMost; page += 1) {
        const reply = await ask(access, {
          method: 'GET',
          path: `/repos/${encoded(repository)}/branches?per_page=${branchesPerPage}&page=${page}`,
          replyBytes: listBytes,
        });
        if (reply.status !== 200) throw refused(reply);
        const rows = read(branchList, reply);
        for (const { name, commit } of rows) heads[name] = commit.sha;
        if (rows.length < branchesPerPage) break;
      }
      return heads;
    },
    commit: async (access, { repository, sha }) => {
      const reply = await ask(access, {
        method: 'GET',
        path: `/repos/${encoded(repository)}/commits/${encodeURIComponent(sha)}`,
        replyBytes: listBytes,
      });
      if (reply.status !== 200) throw refused(reply);
      const { message, author } = read(commitReply, reply).commit;
      return { message, author: { name: author?.name ?? null, email: author?.email ?? null } };
    },
  };
}

interface ApiRequest extends Pick<OutboundRequest, 'method' | 'replyBytes' | 'timeoutMs'> {
  /** Path below the API's root. */
  path: string;
  body?: object;
}

const encoded = (repository: string) => repository.split('/').map(encodeURIComponent).join('/');

async function send(
  outbound: Outbound,
  { apiUrl, token }: ProviderAccess,
  { path, body, ...more }: ApiRequest,
): Promise<OutboundReply> {
  const headers = {
    authorization: `Bearer ${token}`,
    accept: 'application/vnd.github+json',
    'x-github-api-version': '2022-11-28',
  };
  try {
    return await outbound.send({
      ...more,
      url: `${apiUrl.replace(/\/+$/, '')}${path}`,
      headers: body ? { ...headers, 'content-type': 'application/json' } : headers,
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
  } catch (error) {
    throw new ProviderRefusal(error instanceof Error ? error.message || error.name : 'no reply');
  }
}

/** Sends a request, and repeats it once if the provider could not be reached or was busy (429 or 5xx). */
function patiently(ask: () => Promise<OutboundReply>): Promise<OutboundReply> {
  const attempt = async () => {
    const reply = await ask();
    if (reply.status === 429 || reply.status >= 500) throw refused(reply);
    return reply;
  };
  return pRetry(attempt, { retries: 1, minTimeout: 200, maxTimeout: 400 });
}

const shownOfRefusal = 300;
const refused = ({ status, body }: OutboundReply) =>
  new ProviderRefusal(`it answered ${status}: ${body.slice(0, shownOfRefusal).replaceAll(/[\0\p{Cs}]/gu, '')}`);

/** Replaces characters that the database cannot store: commit messages of old repositories have some. */
const storable = (_key: string, value: unknown): unknown =>
  typeof value === 'string' && !isStorable(value) ? value.replaceAll(/[\0\p{Cs}]/gu, '\uFFFD') : value;

function read<Shape>(shape: z.ZodType<Shape>, { body }: OutboundReply): Shape {
  try {
    return shape.parse(JSON.parse(body, storable));
  } catch {
    throw new ProviderRefusal('its answer cannot be read');
  }
}
