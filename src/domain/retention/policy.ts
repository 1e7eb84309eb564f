import { z } from 'zod';
import { filledText, flag, orMissing, wholeNumber } from '../input-text.js';
import { limits } from '../limits/limits.js';
import { branchPatternProblem, matchesBranch } from '../pipelines/branch-pattern.js';

/** What goes by the policy of a build's pipeline: the whole build, or only the bytes of its logs or artifacts. */
export const buildKinds = ['builds', 'logs', 'artifacts'] as const;
export type BuildKind = (typeof buildKinds)[number];

/**
 * What is kept of a kind: everything younger than `days`, and of the newest `count` builds. Where both are set, both
 * must allow a deletion; with neither, everything is kept.
 */
export interface KeepRule {
  days?: number;
  count?: number;
}

/** What a pipeline says for some of its branches; kinds that it does not name are as for all branches. */
export interface BranchRetention extends Partial<Record<BuildKind, KeepRule>> {
  /** Patterns separated by spaces, as `branch_configuration` has them. */
  branches: string;
  /** False: the last builds of a branch may go too, for branches that nobody comes back to. */
  last?: boolean;
}

/** The policy of a pipeline; a kind that is absent is as the organization has it, `{}` keeps everything. */
export interface PipelineRetention extends Partial<Record<BuildKind, KeepRule>> {
  /** The first one whose patterns match the branch of a build counts for it. */
  overrides?: BranchRetention[];
}

/** The policy of an organization; a kind that is absent is as the environment has it. */
export interface OrganizationRetention extends Partial<Record<BuildKind, KeepRule>> {
  /** Runs of test suites. */
  runs?: { days?: number };
  audit?: { days?: number };
}

/** Days by kind that apply where neither pipeline nor organization says anything: `RETENTION_BUILDS` and so on. */
export type RetentionDefaults = Readonly<Partial<Record<BuildKind | 'runs' | 'audit' | 'agents', number>>>;

/**
 * An object without other fields: one that is misspelt would delete more than was meant, or nothing. Documents name the
 * fields and do not forbid others, which later releases may have.
 */
const objectOf = <Shape extends z.ZodRawShape>(shape: Shape, sentence: string) =>
  z.looseObject(shape, { error: orMissing(sentence) }).superRefine((value, context) => {
    const names = Object.keys(shape);
    for (const name of Object.keys(value).filter((each) => !names.includes(each)))
      context.addIssue({ code: 'custom', path: [name], message: `is not a field; there is ${names.join(', ')}` });
  });

const days = wholeNumber(1, limits.retentionDays).nullish();
const count = wholeNumber(1, limits.retentionBuilds).nullish();
const keepRule = objectOf({ days, count }, 'must be an object with days, count or both').nullish();
const ageRule = objectOf({ days }, 'must be an object with days').nullish();
const kinds = { builds: keepRule, logs: keepRule, artifacts: keepRule };

const branchPatterns = filledText(limits.retentionPatternLength).superRefine((value, context) => {
  const message = branchPatternProblem(value);
  if (message !== null) context.addIssue({ code: 'custom', message });
});
const overrides = z
  .array(objectOf({ branches: branchPatterns, ...kinds, last: flag.nullish() }, 'must be an object with branches'), {
    error: orMissing('must be a list of objects with branches'),
  })
  .max(limits.retentionOverrides, `has more than ${limits.retentionOverrides} entries`)
  .nullish();

/** The policy of a pipeline as callers write it. */
export const pipelineRetention = objectOf({ ...kinds, overrides }, 'must be an object').transform(
  (policy) => withoutNulls(policy) as PipelineRetention,
);

/** The policy of an organization as callers write it. */
export const organizationRetention = objectOf(
  { ...kinds, runs: ageRule, audit: ageRule },
  'must be an object',
).transform((policy) => withoutNulls(policy) as OrganizationRetention);

/** A value without its fields that are null: GraphQL clients send those that they leave out. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).filter(([, inner]) => inner !== null && inner !== undefined);
  return Object.fromEntries(fields.map(([name, inner]) => [name, withoutNulls(inner)]));
}

/** What is kept of builds of one branch, after all levels are put together. */
export interface BranchPolicy extends Record<BuildKind, KeepRule> {
  /** Null for every branch that no policy before this one matches. */
  branches: string | null;
  last: boolean;
}

/** What is kept of a pipeline's builds: the first policy that matches the branch; the last one matches all. */
export type ResolvedPolicy = readonly BranchPolicy[];

/** Puts the levels together, kind by kind: the pipeline's word, else the organization's, else the environment's. */
export function resolvePolicy(
  pipeline: PipelineRetention | null,
  organization: OrganizationRetention | null,
  defaults: RetentionDefaults,
): ResolvedPolicy {
  const ruleOf = (kind: BuildKind, override?: BranchRetention): KeepRule =>
    override?.[kind] ?? pipeline?.[kind] ?? organization?.[kind] ?? ageOf(defaults[kind]);
  const policyOf = (override?: BranchRetention): BranchPolicy => ({
    branches: override?.branches ?? null,
    last: override?.last ?? true,
    builds: ruleOf('builds', override),
    logs: ruleOf('logs', override),
    artifacts: ruleOf('artifacts', override),
  });
  return [...(pipeline?.overrides ?? []).map((override) => policyOf(override)), policyOf()];
}

const ageOf = (age: number | undefined): KeepRule => (age === undefined ? {} : { days: age });

/** Days for which runs or audit events of an organization are kept; null for ever. */
export function daysOf(
  kind: 'runs' | 'audit',
  organization: OrganizationRetention | null,
  defaults: RetentionDefaults,
): number | null {
  const own = organization?.[kind];
  return (own ? own.days : defaults[kind]) ?? null;
}

/** The policy that counts for builds of a branch. */
export function policyOfBranch(policy: ResolvedPolicy, branch: string): BranchPolicy {
  const match = policy.find(({ branches }) => branches === null || matchesBranch(branches, branch));
  if (!match) throw new Error('a policy ends with one for every branch');
  return match;
}

/** Whether a policy ever lets anything go. */
export const deletesNothing = (policy: ResolvedPolicy): boolean =>
  policy.every((each) => buildKinds.every((kind) => each[kind].days === undefined && each[kind].count === undefined));
