import { type BuildKind, type KeepRule, policyOfBranch, type ResolvedPolicy } from './policy.js';

const dayMs = 86_400_000;
/**
 * Nothing of a build goes before it has been over for a day, whatever a count says: agents may still send the end of a
 * log for an hour, and people look at what has just failed.
 */
const leastAgeMs = dayMs;

/** What is looked at of a build. */
export interface RetentionFacts {
  number: number;
  branch: string;
  /** Null while it is not finished. */
  finishedAt: Date | null;
  hasLogs: boolean;
  hasArtifacts: boolean;
  /** Marked by a person to be kept. */
  isPinned: boolean;
  /** The newest of its branch, or the newest of its branch that passed. */
  isLast: boolean;
  ofDefaultBranch: boolean;
  /** An unfinished build was triggered by it, has triggered it and waits for it, or repeats it. */
  isNeeded: boolean;
}

/**
 * Number of the oldest of the newest `count` builds that a rule counts: all of the pipeline, or for an override those
 * of the branch. 0 if there are not so many.
 */
export type OldestOf = (count: number) => number;

/**
 * Decides what goes of a build: the whole build, or bytes of it; nothing of one that is not finished, pinned, needed by
 * an unfinished one, or the last of its branch.
 */
export function dueKinds(
  policy: ResolvedPolicy,
  build: RetentionFacts,
  now: Date,
  oldestOf: { pipeline: OldestOf; branch: OldestOf },
): BuildKind[] {
  const { finishedAt } = build;
  if (finishedAt === null || build.isPinned || build.isNeeded) return [];
  const ageMs = now.getTime() - finishedAt.getTime();
  if (ageMs < leastAgeMs) return [];
  const rules = policyOfBranch(policy, build.branch);
  if (build.isLast && (rules.last || build.ofDefaultBranch)) return [];
  const oldest = rules.branches === null ? oldestOf.pipeline : oldestOf.branch;
  const goes = (kind: BuildKind) => allows(rules[kind], ageMs, (count) => build.number < oldest(count));
  if (goes('builds')) return ['builds'];
  const kinds: BuildKind[] = [];
  if (build.hasLogs && goes('logs')) kinds.push('logs');
  if (build.hasArtifacts && goes('artifacts')) kinds.push('artifacts');
  return kinds;
}

/** Whether a rule allows a deletion: each part that is set must, and one must be set. */
function allows({ days, count }: KeepRule, ageMs: number, isBeyond: (count: number) => boolean): boolean {
  if (days === undefined && count === undefined) return false;
  return (days === undefined || ageMs >= days * dayMs) && (count === undefined || isBeyond(count));
}

/**
 * The time after which a build must not have been finished for anything of it to go, whatever else holds; null for a
 * policy that lets nothing go.
 */
export function latestFinish(policy: ResolvedPolicy, now: Date): Date | null {
  const ages = policy.flatMap((rules) =>
    [rules.builds, rules.logs, rules.artifacts]
      .filter(({ days, count }) => days !== undefined || count !== undefined)
      .map(({ days }) => (days ?? 0) * dayMs),
  );
  if (ages.length === 0) return null;
  return new Date(now.getTime() - Math.max(leastAgeMs, Math.min(...ages)));
}

/**
 * The earliest time at which the bytes of a build's artifacts go by age: with the build or before it; null if age lets
 * neither go. Counts, and the last builds of branches, may keep them longer.
 */
export function artifactExpiry(policy: ResolvedPolicy, branch: string, finishedAt: Date): Date | null {
  const rules = policyOfBranch(policy, branch);
  const ages = [rules.builds.days, rules.artifacts.days].filter((days) => days !== undefined);
  return ages.length === 0 ? null : new Date(finishedAt.getTime() + Math.max(leastAgeMs, Math.min(...ages) * dayMs));
}
