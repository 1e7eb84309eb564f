/** Pattern of an organization's slug; letters may be upper or lower case. */
export const organizationSlug = /^[a-z0-9](?:[a-z0-9_-]*[a-z0-9_])?$/i;

/**
 * First segments of paths that other surfaces and the console itself answer: an organization's page would hide behind
 * them.
 */
const reserved: ReadonlySet<string> = new Set([
  'account',
  'agent',
  'assets',
  'avatars',
  'badge',
  'docs',
  'emojis',
  'files',
  'graphql',
  'healthz',
  'invitations',
  'login',
  'logout',
  'mcp',
  'metrics',
  'oauth',
  'organizations',
  'readyz',
  'v1',
  'v2',
  'v3',
  'webhooks',
]);

export const isReservedSlug = (slug: string): boolean => reserved.has(slug.toLowerCase());
