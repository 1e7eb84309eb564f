import { z } from 'zod';
import type { ConnectionReport } from '../../services/source-providers.js';
import { type ProviderApi, waitedForMs } from '../provider-api.js';
import type { GithubApp } from './app.js';

const user = z.object({ login: z.string() });
const app = z.object({ name: z.string(), permissions: z.record(z.string(), z.string()).default({}) });

/**
 * Asks whose a token is. GitHub names the scopes of classic tokens only; of fine-grained tokens it tells nothing before
 * they are used.
 */
export async function checkGithubToken(api: ProviderApi): Promise<ConnectionReport> {
  const reply = await api.expect({ method: 'GET', path: '/user', timeoutMs: waitedForMs }, 200);
  const header = reply.headers['x-oauth-scopes'];
  const scopes =
    header === undefined
      ? null
      : header
          .split(',')
          .map((scope) => scope.trim())
          .filter(Boolean);
  const has = (...names: string[]) => (scopes === null ? null : names.some((name) => scopes.includes(name)));
  return {
    account: api.read(user, reply).login,
    permissions: scopes,
    may: {
      publishStatuses: has('repo', 'repo:status'),
      manageWebhooks: has('repo', 'admin:repo_hook', 'write:repo_hook'),
      readRepositories: has('repo', 'public_repo'),
    },
    expiresAt: timeOf(reply.headers['github-authentication-token-expiration']),
    rateLimit: api.rateLimit(reply),
  };
}

/** Asks GitHub for the App that the key belongs to, with its permissions. */
export async function checkGithubApp({ api }: GithubApp): Promise<ConnectionReport> {
  const reply = await api.expect({ method: 'GET', path: '/app', timeoutMs: waitedForMs }, 200);
  const { name, permissions } = api.read(app, reply);
  const granted = (permission: string, level: 'read' | 'write') =>
    level === 'write' ? permissions[permission] === 'write' : permissions[permission] !== undefined;
  return {
    account: name,
    permissions: Object.entries(permissions).map(([permission, level]) => `${permission}:${level}`),
    may: {
      publishStatuses: granted('statuses', 'write'),
      manageWebhooks: granted('repository_hooks', 'write'),
      readRepositories: granted('contents', 'read'),
    },
    expiresAt: null,
    rateLimit: api.rateLimit(reply),
  };
}

/** Reads `2026-12-01 10:00:00 UTC`, as GitHub writes the end of a token; null for anything else. */
function timeOf(text: string | undefined): Date | null {
  const time = text === undefined ? Number.NaN : Date.parse(text.replace(' UTC', 'Z').replace(' ', 'T'));
  return Number.isNaN(time) ? null : new Date(time);
}
