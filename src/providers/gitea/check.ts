import { z } from 'zod';
import type { ConnectionReport } from '../../services/source-providers.js';
import { type ApiReply, type ProviderApi, waitedForMs } from '../provider-api.js';

const user = z.object({ login: z.string() });

/**
 * Asks whose a token is. A token without `read:user` is refused, with its scopes in the words of the refusal: it is
 * good
 * if it reads repositories.
 */
export async function checkGitea(api: ProviderApi): Promise<ConnectionReport> {
  const reply = await api.send({ method: 'GET', path: '/user', timeoutMs: waitedForMs });
  if (reply.status !== 200 && reply.status !== 403) throw api.refusal(reply);
  const scopes = reply.status === 403 ? scopesIn(reply) : null;
  if (reply.status === 403)
    await api.expect({ method: 'GET', path: '/repos/search?limit=1', timeoutMs: waitedForMs }, 200);
  const writes = scopes === null ? null : scopes.some((scope) => scope === 'write:repository' || scope === 'all');
  return {
    account: reply.status === 200 ? api.read(user, reply).login : null,
    permissions: scopes,
    may: { publishStatuses: writes, manageWebhooks: writes, readRepositories: scopes === null ? null : true },
    expiresAt: null,
    rateLimit: api.rateLimit(reply),
  };
}

/** Reads the scopes in `token does not have at least one of required scope(s), required=[…], token scope=…`. */
function scopesIn({ body }: ApiReply): string[] | null {
  const [, scopes] = /token scope=\[?([\w:,\- ]*)/.exec(body) ?? [];
  return scopes === undefined ? null : scopes.split(/[, ]+/).filter(Boolean);
}
