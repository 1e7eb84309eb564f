import type { ConditionResult } from '../../pipelines/conditions/condition.js';
import { isSettingOn, settingValue } from '../provider-settings.js';
import type { DeliveryPipeline, PlannedBuild } from './planned-build.js';
import type { ProviderEvent } from './provider-event.js';

/** Decision of one build filter about one event. */
export interface RuleResult {
  /** Name of the filter: a provider setting or a name of ours. */
  rule: string;
  outcome: 'pass' | 'stop';
  reason: string;
}

/** Everything the rules may look at. */
export interface DecisionFacts {
  event: ProviderEvent;
  pipeline: DeliveryPipeline;
  build: PlannedBuild | null;
  /** Commit of the pull request as earlier deliveries told it; null if none did. */
  knownHead: string | null;
  /** A build of the same commit and branch, if there is one. */
  existingBuildNumber: number | null;
  /** Whether that build is the newest of its branch. */
  isExistingNewest: boolean;
  /** Result of `filter_condition` for the planned build; null if it is not evaluated. */
  condition: ConditionResult | null;
}

/** The same without the name of the rule. */
export type Answer = Omit<RuleResult, 'rule'>;

/** A rule with the name it has in decisions; `ask` is null where it does not apply. */
export interface Rule {
  rule: string;
  ask: (facts: DecisionFacts) => Answer | null;
}

export const pass = (reason: string): Answer => ({ outcome: 'pass', reason });
export const stop = (reason: string): Answer => ({ outcome: 'stop', reason });
export const either = (holds: boolean, yes: string, no: string): Answer => (holds ? pass(yes) : stop(no));

/** Whether a setting of the pipeline's provider is on and has effect. */
export const on = ({ pipeline }: DecisionFacts, setting: string): boolean =>
  isSettingOn(pipeline.providerId, pipeline.settings, setting);
export const valueOf = ({ pipeline }: DecisionFacts, setting: string) =>
  settingValue(pipeline.providerId, pipeline.settings, setting);

/** A build that one setting allows. */
export function needs(setting: string, what: string): (facts: DecisionFacts) => Answer {
  return (facts) =>
    either(on(facts, setting), `${setting} is on: ${what} are built`, `${setting} is off: ${what} are not built`);
}
