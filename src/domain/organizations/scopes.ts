/** Every scope that an API token can hold. An operation requires at most one. */
export const scopes = [
  'read_pipelines',
  'write_pipelines',
  'read_builds',
  'write_builds',
  'read_build_logs',
  'write_build_logs',
  'read_job_env',
  'read_artifacts',
  'write_artifacts',
  'read_agents',
  'write_agents',
  'read_clusters',
  'write_clusters',
  'read_pipeline_templates',
  'write_pipeline_templates',
  'read_rules',
  'write_rules',
  'read_organizations',
  'write_organizations',
  'read_organization_invitations',
  'write_organization_invitations',
  'read_organization_settings',
  'write_organization_settings',
  'read_organization_repository_connections',
  'read_notification_services',
  'write_notification_services',
  'read_teams',
  'write_teams',
  'read_user',
  'read_audit_events',
  'read_secrets_details',
  'write_secrets',
  'read_suites',
  'write_suites',
  'read_test_plan',
  'write_test_plan',
  'graphql',
] as const;
export type Scope = (typeof scopes)[number];

/** Spellings that clients use for another scope. */
const aliases = {
  view_teams: 'read_teams',
  read_secret_details: 'read_secrets_details',
  read_accounts: 'read_organizations',
} as const satisfies Record<string, Scope>;
export type ScopeAlias = keyof typeof aliases;
const isAlias = (word: string): word is ScopeAlias => Object.hasOwn(aliases, word);

/** Returns the scope of a spelling; null for an unknown one. */
export function canonicalScope(word: string): Scope | null {
  if ((scopes as readonly string[]).includes(word)) return word as Scope;
  return isAlias(word) ? aliases[word] : null;
}

/**
 * Scopes of a token with these words. A scope that was issued under another spelling is listed under both, because the
 * owner of the token looks for the spelling that was issued. Unknown words are left out.
 */
export function heldScopes(words: readonly string[]): (Scope | ScopeAlias)[] {
  const scopes = new Set<Scope | ScopeAlias>();
  for (const word of words) {
    const scope = canonicalScope(word);
    if (scope !== null) scopes.add(scope);
    if (isAlias(word)) scopes.add(word);
  }
  return [...scopes];
}

/** The scopes themselves among the words of a token, without their other spellings. */
export const scopesAmong = (words: readonly string[]): Scope[] => scopes.filter((scope) => words.includes(scope));

/** Surface of a request; the `graphql` scope grants the whole GraphQL surface and nothing else. */
export type Surface = 'rest' | 'graphql' | 'agent' | 'webhook' | 'web' | 'system';

/** Whether a token's scopes allow an operation that needs `needed` (null: any valid token). */
export function scopeAllows(scopes: ReadonlySet<string>, needed: Scope | null, surface: Surface): boolean {
  if (needed === null || scopes.has(needed)) return true;
  return surface === 'graphql' && scopes.has('graphql');
}
