import { z } from 'zod';
import type { ConnectionReport } from '../../services/source-providers.js';
import { type ProviderApi, waitedForMs } from '../provider-api.js';

const user = z.object({ username: z.string() });
const token = z.object({ scopes: z.array(z.string()), expires_at: z.string().nullish() });

/** Asks whose a token is and which scopes it has; versions before 16 do not tell the scopes. */
export async function checkGitlab(api: ProviderApi): Promise<ConnectionReport> {
  const reply = await api.expect({ method: 'GET', path: '/user', timeoutMs: waitedForMs }, 200);
  const self = await api.send({ method: 'GET', path: '/personal_access_tokens/self', timeoutMs: waitedForMs });
  const { scopes, expires_at: expiresAt } =
    self.status === 200 ? api.read(token, self) : { scopes: null, expires_at: null };
  const has = (...names: string[]) => (scopes === null ? null : names.some((name) => scopes.includes(name)));
  return {
    account: api.read(user, reply).username,
    permissions: scopes,
    may: {
      publishStatuses: has('api'),
      manageWebhooks: has('api'),
      readRepositories: has('api', 'read_api'),
    },
    expiresAt: expiresAt ? new Date(expiresAt) : null,
    rateLimit: api.rateLimit(reply),
  };
}
