import { limits } from '../../limits/limits.js';
import { isSettingOn, type ProviderSettings } from '../provider-settings.js';
import type { ProviderId } from '../provider.js';
import { isRerun, type Person, type ProviderEvent, type PullRequestFacts } from './provider-event.js';

/** The pipeline fields that build filters read. */
export interface DeliveryPipeline {
  providerId: ProviderId;
  settings: ProviderSettings;
  repository: string;
  defaultBranch: string;
  branchConfiguration: string | null;
  archived: boolean;
}

/** Facts of a pull request from earlier deliveries. */
export type KnownPullRequest = Omit<PullRequestFacts, 'label' | 'baseChanged'>;

/** The build an event would make, whether or not it makes it. */
export interface PlannedBuild {
  branch: string;
  tag: string | null;
  commit: string;
  message: string | null;
  author: Person | null;
  pullRequest: KnownPullRequest | null;
  /** The repository the pull request's commits are fetched from. */
  pullRequestRepository: string | null;
  env: Record<string, string>;
}

/** Kinds that say nothing about a commit to build. */
const withoutCommit: ReadonlySet<ProviderEvent['kind']> = new Set([
  'branch_delete',
  'tag_delete',
  'check_suite',
  'ping',
  'other',
]);

/**
 * Returns the build of an event; null if the event names no commit and branch. `known` is the open pull request of the
 * pushed branch, or of the comment.
 */
export function plannedBuild(
  event: ProviderEvent,
  pipeline: DeliveryPipeline,
  known: KnownPullRequest | null,
): PlannedBuild | null {
  if (withoutCommit.has(event.kind) || isRerun(event)) return null;
  const pullRequest = pullRequestOf(event, pipeline, known);
  const branch = event.tag ?? branchOf(event, pipeline, pullRequest);
  const commit = event.commit ?? (event.kind === 'branch_push' ? null : (pullRequest?.commit ?? null));
  if (branch === null || commit === null) return null;
  return {
    branch,
    tag: event.tag,
    commit,
    message: (event.message ?? pullRequest?.title ?? null)?.slice(0, limits.messageBytes / 4) ?? null,
    author: event.author,
    pullRequest,
    pullRequestRepository: pullRequest?.fork === false ? pipeline.repository : (pullRequest?.headRepositoryUrl ?? null),
    env: environment(event, pipeline),
  };
}

/**
 * A push is a build of the pull request of its branch where such builds are on; the default branch has none of its own.
 */
function pullRequestOf(
  event: ProviderEvent,
  { providerId, settings, defaultBranch }: DeliveryPipeline,
  known: KnownPullRequest | null,
): KnownPullRequest | null {
  if (event.kind === 'issue_comment') return known;
  // The payload has less of the pull request than earlier deliveries had. A fork is one whichever of them says so.
  if (event.kind === 'merged_result')
    return known ? { ...known, fork: known.fork || event.pullRequest?.fork === true } : event.pullRequest;
  if (event.kind !== 'branch_push') return event.pullRequest;
  if (known === null || known.closed || event.branch === defaultBranch) return null;
  return isSettingOn(providerId, settings, 'build_pull_requests') ? known : null;
}

/** Fork branches carry their owner in front, so that a fork's `main` matches no rule for `main`. */
function branchOf(
  event: ProviderEvent,
  { providerId, settings }: DeliveryPipeline,
  pullRequest: KnownPullRequest | null,
): string | null {
  const branch = event.kind === 'issue_comment' ? (pullRequest?.branch ?? null) : event.branch;
  if (branch === null || !pullRequest?.fork || pullRequest.headOwner === null) return branch;
  return isSettingOn(providerId, settings, 'prefix_pull_request_fork_branch_names')
    ? `${pullRequest.headOwner}:${branch}`
    : branch;
}

/** The variables that only a delivery can provide. */
function environment(event: ProviderEvent, { providerId, settings }: DeliveryPipeline): Record<string, string> {
  const env: Record<string, string> = {};
  if (event.sender === 'github') {
    env['BUILDKITE_GITHUB_EVENT'] = event.event;
    if (event.action !== null) env['BUILDKITE_GITHUB_ACTION'] = event.action;
  }
  for (const [name, value] of Object.entries(event.variables)) env[`BUILDKITE_GITHUB_${name}`] = value;
  if (event.mergeQueue?.baseBranch) env['BUILDKITE_MERGE_QUEUE_BASE_BRANCH'] = event.mergeQueue.baseBranch;
  if (event.mergeQueue?.baseCommit) {
    env['BUILDKITE_MERGE_QUEUE_BASE_COMMIT'] = event.mergeQueue.baseCommit;
    // What `if_changed` compares with: the changes of this group alone, without those ahead of it in the queue.
    if (isSettingOn(providerId, settings, 'use_merge_group_base_commit_for_git_diff_base'))
      env['BUILDKITE_GIT_DIFF_BASE'] = event.mergeQueue.baseCommit;
  }
  if (event.refspec !== null) env['BUILDKITE_REFSPEC'] = event.refspec;
  return env;
}
