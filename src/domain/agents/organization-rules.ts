/** Actions that a rule can allow one pipeline on another. */
export const ruleActions = ['trigger_build', 'artifacts_read'] as const;
export type RuleAction = (typeof ruleActions)[number];

/** The types of rules, as every surface spells them. */
export const ruleTypes = ruleActions.map((action) => `pipeline.${action}.pipeline` as const);

export const typeOfAction = (action: RuleAction): string => `pipeline.${action}.pipeline`;

/** Returns the action of a rule type; null for an unknown type. */
export const actionOfType = (type: string): RuleAction | null =>
  ruleActions.find((action) => typeOfAction(action) === type) ?? null;

/** Facts that decide whether a build may trigger another pipeline. */
export interface Triggering {
  /** Whether there is a rule for these two pipelines. */
  rule: boolean;
  fromCluster: string | null;
  toCluster: string | null;
  /** Whether the people behind the build may build the target. */
  permitted: boolean;
}

/**
 * Whether a build may trigger another pipeline: within its cluster and with its creator's permission, unless a rule
 * allows it.
 */
export function mayTrigger({ rule, fromCluster, toCluster, permitted }: Triggering): 'yes' | 'other_cluster' | 'no' {
  if (rule) return 'yes';
  if (!permitted) return 'no';
  return fromCluster !== null && toCluster !== null && fromCluster !== toCluster ? 'other_cluster' : 'yes';
}
