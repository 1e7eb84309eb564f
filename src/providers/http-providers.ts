import { type ProviderAccess, ProviderRefusal, type Providers } from '../context.js';
import { type ProviderClient, providerClient, type ProviderReply } from './http-client.js';

/** What deliveries are wanted of: everything that a pipeline's settings can ask for. */
const events = [
  'push', 'pull_request', 'create', 'delete', 'deployment', 'deployment_status', 'fork', 'release', 'check_run', 'merge_group', 'issue_comment', 'pull_request_review',
  'pull_request_review_comment',
];

/** Source providers over HTTP: GitHub and GitHub Enterprise Server speak the same words. */
export function httpProviders(options: { allowLoopback: boolean }): Providers {
  const client = providerClient(options);
  return {
    createWebhook: async (access, { repository, url, secret }) => {
      const reply = await ask(client, access, 'POST', `/repos/${path(repository)}/hooks`, {
        name: 'web', active: true, events, config: { url, content_type: 'json', secret, insecure_ssl: '0' },
      });
      const id = typeof reply.body === 'object' && reply.body !== null && 'id' in reply.body ? reply.body.id : null;
      if (reply.status !== 201 || (typeof id !== 'number' && typeof id !== 'string')) throw new ProviderRefusal(`it answered ${reply.status} to a new webhook`);
      return { externalId: String(id) };
    },
    deleteWebhook: async (access, { repository, externalId }) => {
      const reply = await ask(client, access, 'DELETE', `/repos/${path(repository)}/hooks/${encodeURIComponent(externalId)}`);
      if (reply.status !== 204 && reply.status !== 404) throw new ProviderRefusal(`it answered ${reply.status} to the end of a webhook`);
    },
  };
}

const path = (repository: string) => repository.split('/').map(encodeURIComponent).join('/');

function ask(client: ProviderClient, { apiUrl, token }: ProviderAccess, method: 'POST' | 'DELETE', below: string, body?: object): Promise<ProviderReply> {
  const headers = { authorization: `Bearer ${token}`, accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' };
  return client({ method, url: `${apiUrl.replace(/\/+$/, '')}${below}`, headers, ...(body ? { body } : {}) });
}
