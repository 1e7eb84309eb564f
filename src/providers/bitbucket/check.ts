import { z } from 'zod';
import type { ConnectionReport } from '../../services/source-providers.js';
import { type ProviderApi, waitedForMs } from '../provider-api.js';

const user = z.object({ nickname: z.string().nullish(), display_name: z.string().nullish() });

/** Asks whose a token is. Tokens of a repository or workspace belong to nobody, and show by reading repositories. */
export async function checkBitbucket(api: ProviderApi): Promise<ConnectionReport> {
  const ofUser = await api.send({ method: 'GET', path: '/user', timeoutMs: waitedForMs });
  const isOfUser = ofUser.status === 200;
  if (!isOfUser && ofUser.status !== 403 && ofUser.status !== 404) throw api.refusal(ofUser);
  const reply = isOfUser
    ? ofUser
    : await api.expect({ method: 'GET', path: '/repositories?role=member&pagelen=1', timeoutMs: waitedForMs }, 200);
  const header = reply.headers['x-oauth-scopes'];
  const scopes = header === undefined ? null : header.split(/[,\s]+/).filter(Boolean);
  const has = (pattern: RegExp) => (scopes === null ? null : scopes.some((scope) => pattern.test(scope)));
  const { nickname, display_name: name } = isOfUser ? api.read(user, reply) : {};
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
