import { isSettingOn } from '../provider-settings.js';
import type { DecisionFacts, RuleResult } from './build-filter.js';
import { rules } from './build-filters.js';
import { isRerun } from './provider-event.js';

/** The answer to "why did this push (not) build". */
export interface Decision {
  outcome: 'build' | 'cancel' | 'ignore';
  /** In one sentence: the first rule that stopped it, or that nothing did. */
  reason: string;
  /** Decisions of every build filter that applies, in the order in which they run. */
  rules: RuleResult[];
  /** The branch whose builds are canceled. */
  cancelBranch: string | null;
}

/** Runs every build filter; the event is built if no filter that applies stops it. */
export function decide(facts: DecisionFacts): Decision {
  if (isRerun(facts.event)) return decideRerun(facts);
  const results = rules.flatMap(({ rule, ask }) => {
    const answer = ask(facts);
    return answer === null ? [] : [{ rule, ...answer }];
  });
  const stop = results.find(({ outcome }) => outcome === 'stop');
  if (!stop) return { outcome: 'build', reason: 'Every rule allows it', rules: results, cancelBranch: null };
  const cancel = cancelation(facts);
  if (cancel === null) return { outcome: 'ignore', reason: stop.reason, rules: results, cancelBranch: null };
  return { outcome: 'cancel', reason: cancel.reason, rules: [...results, cancel], cancelBranch: facts.event.branch };
}

/** A check runs again on request, whatever builds by itself; only an archived pipeline builds nothing. */
function decideRerun({ pipeline }: DecisionFacts): Decision {
  const reason = pipeline.archived ? 'The pipeline is archived' : 'Somebody asked for the check to run again';
  const outcome = pipeline.archived ? 'stop' : 'pass';
  return {
    outcome: pipeline.archived ? 'ignore' : 'build',
    reason,
    rules: [{ rule: 'check_rerequested', outcome, reason }],
    cancelBranch: null,
  };
}

/** Effect of a deleted branch on its builds. */
function cancelation({ event, pipeline }: DecisionFacts): RuleResult | null {
  if (event.branch === null || pipeline.archived) return null;
  const on = (setting: string) => isSettingOn(pipeline.providerId, pipeline.settings, setting);
  if (event.kind === 'branch_delete' && on('cancel_deleted_branch_builds')) {
    return {
      rule: 'cancel_deleted_branch_builds',
      outcome: 'pass',
      reason: `Builds of the deleted branch ${event.branch} are canceled`,
    };
  }
  if (event.kind === 'merge_group' && event.action === 'destroyed' && on('cancel_when_merge_group_destroyed')) {
    return {
      rule: 'cancel_when_merge_group_destroyed',
      outcome: 'pass',
      reason: `Builds of the merge group ${event.branch} are canceled`,
    };
  }
  return null;
}
