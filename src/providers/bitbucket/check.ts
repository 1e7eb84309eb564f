import { z } from 'zod';
import type { ConnectionReport } from '../../services/source-providers.js';
import { type ProviderApi, waitedForMs } from '../provider-api.js';

const user = z.object({ nickname: z.string().nullish(), display_name: z.string().nullish() });

/**
 * Asks whose a token is. Those of a repository or workspace belong to nobody: Bitbucket refuses to say, by 403 or 404,
 * with their scopes in a header; 401 is its answer to a token that is not valid.
 */
export async function checkBitbucket(api: ProviderApi): Promise<ConnectionReport> {
  const reply = await api.expect({ method: 'GET', path: '/user', timeoutMs: waitedForMs }, 200, 403, 404);
  const header = reply.headers['x-oauth-scopes'];
  const scopes = header === undefined ? null : header.split(/[,\s]+/).filter(Boolean);
  const has = (pattern: RegExp) => (scopes === null ? null : scopes.some((scope) => pattern.test(scope)));
  const { nickname, display_name: name } = reply.status === 200 ? api.read(user, reply) : {};
  return {
    account: nickname ?? name ?? null,
    permissions: scopes,
    may: {
      publishStatuses: has(/^repository(:|$)|^(read|write):repository:bitbucket$/),
      manageWebhooks: has(/^webhook$|^write:webhook:bitbucket$/),
      readRepositories: has(/^repository(:|$)|^(read|write):repository:bitbucket$/),
    },
    expiresAt: null,
    rateLimit: api.rateLimit(reply),
  };
}
