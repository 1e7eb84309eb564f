import type { RuleResult } from './build-filter.js';
import type { EventKind, ProviderEvent } from './provider-event.js';

/** Stored result of one event of a delivery: the event, each rule's verdict and the outcome. */
export interface EventDecision {
  kind: EventKind;
  action: string | null;
  repository: string | null;
  branch: string | null;
  tag: string | null;
  commit: string | null;
  message: string | null;
  author: { name: string | null; email: string | null; username: string | null } | null;
  pullRequest: {
    number: string;
    title: string | null;
    baseBranch: string | null;
    fork: boolean;
    draft: boolean | null;
    labels: string[];
  } | null;
  /** `failed`: the rules allowed a build, but it could not be made. */
  outcome: 'build' | 'cancel' | 'ignore' | 'failed';
  reason: string;
  rules: RuleResult[];
  buildId: string | null;
  canceledBuildIds: string[];
}

const messageShown = 1000;

/** The part of an event that a decision shows; `branch` as the build has it, where there is one. */
export function shownEvent(
  event: ProviderEvent,
  branch: string | null,
): Omit<EventDecision, 'outcome' | 'reason' | 'rules' | 'buildId' | 'canceledBuildIds'> {
  const { pullRequest } = event;
  return {
    kind: event.kind,
    action: event.action,
    repository: event.repository,
    branch: branch ?? event.branch,
    tag: event.tag,
    commit: event.commit,
    message: event.message?.slice(0, messageShown) ?? null,
    author: event.author,
    pullRequest: pullRequest && {
      number: pullRequest.number,
      title: pullRequest.title,
      baseBranch: pullRequest.baseBranch,
      fork: pullRequest.fork,
      draft: pullRequest.draft,
      labels: pullRequest.labels,
    },
  };
}

const weights = { failed: 3, build: 2, cancel: 1, ignore: 0 } as const;

/** Outcome of a whole delivery: the strongest outcome of its events, with that event's reason. */
export function summarise(decisions: readonly EventDecision[]): Pick<EventDecision, 'outcome' | 'reason'> {
  const [first, ...rest] = decisions;
  if (!first) return { outcome: 'ignore', reason: 'The delivery tells nothing' };
  const most = rest.reduce((best, each) => (weights[each.outcome] > weights[best.outcome] ? each : best), first);
  return { outcome: most.outcome, reason: most.reason };
}
