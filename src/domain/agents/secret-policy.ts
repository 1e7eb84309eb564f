import { parse } from 'yaml';

/** Claims that a policy can require of a job. */
export interface SecretFacts {
  pipeline_slug: readonly string[];
  build_branch: readonly string[];
  build_source: readonly string[];
  /** Id and e-mail address of the build's creator; absent without a creator. */
  build_creator: readonly string[];
  build_creator_team: readonly string[];
  cluster_queue_key: readonly string[];
}

export const secretClaims = [
  'pipeline_slug',
  'build_branch',
  'build_source',
  'build_creator',
  'build_creator_team',
  'cluster_queue_key',
] as const satisfies readonly (keyof SecretFacts)[];

/** Rules of which one must hold. A rule holds if every one of its claims has one of the listed values. */
export type SecretPolicy = readonly Readonly<Partial<Record<keyof SecretFacts, readonly string[]>>>[];

export type PolicyResult = { ok: true; policy: SecretPolicy } | { ok: false; message: string };

const mostRules = 100;

/**
 * Reads the policy of a secret: YAML, a list of rules, each a map from a claim to a value or a list of values. `open`:
 * the policy is blank and allows every job. `ok` is false with a message for an invalid policy, also for unknown
 * claims, because a misspelled claim would allow every job.
 */
export function readSecretPolicy(text: string | null): PolicyResult & { open: boolean } {
  if (text === null || text.trim() === '') return { ok: true, policy: [], open: true };
  let document: unknown;
  try {
    document = parse(text, { maxAliasCount: 0, schema: 'core' });
  } catch {
    return refused('is not valid YAML');
  }
  if (document === null || document === undefined) return { ok: true, policy: [], open: true };
  if (!Array.isArray(document)) return refused('must be a list of rules');
  if (document.length > mostRules) return refused(`has more than ${mostRules} rules`);
  const rules: Partial<Record<keyof SecretFacts, string[]>>[] = [];
  for (const item of document as unknown[]) {
    const rule = readRule(item);
    if (typeof rule === 'string') return refused(rule);
    rules.push(rule);
  }
  return { ok: true, policy: rules, open: false };
}

const refused = (message: string) => ({ ok: false as const, message, open: false });

function readRule(item: unknown): Partial<Record<keyof SecretFacts, string[]>> | string {
  if (typeof item !== 'object' || item === null || Array.isArray(item))
    return 'must be a list of rules, each a map of claims';
  const rule: Partial<Record<keyof SecretFacts, string[]>> = {};
  for (const [claim, value] of Object.entries(item)) {
    if (!(secretClaims as readonly string[]).includes(claim))
      return `has an unknown claim ${claim.slice(0, 100)}: claims are ${secretClaims.join(', ')}`;
    const values = [value].flat() as unknown[];
    if (values.length === 0 || !values.every((each) => typeof each === 'string' && each !== ''))
      return `must give ${claim} as a text or a list of texts`;
    rule[claim as keyof SecretFacts] = values as string[];
  }
  return Object.keys(rule).length > 0 ? rule : 'has a rule without claims';
}

/** Whether a policy allows a job its secret; an unreadable policy allows none. */
export function policyAllows(text: string | null, facts: SecretFacts): boolean {
  const read = readSecretPolicy(text);
  if (!read.ok) return false;
  if (read.open) return true;
  return read.policy.some((rule) =>
    Object.entries(rule).every(([claim, values]) =>
      values.some((value) => isOneOf(facts[claim as keyof SecretFacts], claim, value)),
    ),
  );
}

/** Ids and email addresses of people are the same in any case; slugs, keys and branches are not. */
function isOneOf(words: readonly string[], claim: string, value: string): boolean {
  if (claim !== 'build_creator') return words.includes(value);
  return words.some((word) => word.toLowerCase() === value.toLowerCase());
}
