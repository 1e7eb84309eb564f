import { canonicalScope, type Scope, scopes } from '../scopes.js';

/** Scopes that the tools of MCP need, all of them together; a test compares it with the tools. */
export const toolScopes = [
  'read_pipelines',
  'write_pipelines',
  'read_builds',
  'write_builds',
  'read_build_logs',
  'read_job_env',
  'read_artifacts',
  'read_agents',
  'read_clusters',
  'write_clusters',
  'read_organizations',
  'read_user',
  'read_suites',
] as const satisfies readonly Scope[];

export const isReadScope = (scope: Scope): boolean => scope.startsWith('read_');

/** Scopes of tools that change nothing: what a program gets to ask for that names no scope. */
export const readingToolScopes: readonly Scope[] = toolScopes.filter(isReadScope);

/**
 * The scopes among the words of a request, in the order of the table. A program asks for what it knows: words that no
 * scope has are left out. Without a word those of tools that read.
 */
export function requestedScopes(text: string | null): Scope[] {
  if (text === null || text.trim() === '') return [...readingToolScopes];
  const words = new Set(text.split(' ').map((word) => canonicalScope(word)));
  return scopes.filter((scope) => words.has(scope));
}
