/** What a rule can allow one pipeline to do with another (rest-facts 3.7, rules). */
export const ruleActions = ['trigger_build', 'artifacts_read'] as const;
export type RuleAction = (typeof ruleActions)[number];

/** The types of rules, as every surface spells them. */
export const ruleTypes = ruleActions.map((action) => `pipeline.${action}.pipeline` as const);

export const typeOfAction = (action: RuleAction): string => `pipeline.${action}.pipeline`;

/** The action that a type names; null for a type that is none. */
export const actionOfType = (type: string): RuleAction | null => ruleActions.find((action) => typeOfAction(action) === type) ?? null;

/** What bears on whether a build may trigger another pipeline. */
export interface Triggering {
  /** Whether there is a rule for these two pipelines. */
  rule: boolean;
  fromCluster: string | null;
  toCluster: string | null;
  /** Whether the people behind the build may build the target. */
  permitted: boolean;
}

/** Clusters keep to themselves and people to what they may build, unless a rule allows the one pipeline the other (rest-facts 4.5, trigger). */
export function mayTrigger({ rule, fromCluster, toCluster, permitted }: Triggering): 'yes' | 'other_cluster' | 'no' {
  if (rule) return 'yes';
  if (!permitted) return 'no';
  return fromCluster !== null && toCluster !== null && fromCluster !== toCluster ? 'other_cluster' : 'yes';
}
