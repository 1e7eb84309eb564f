/** Sender of a delivery, identified by the delivery itself and not by the pipeline's repository URL. */
export const deliverySenders = [
  'github',
  'gitlab',
  'bitbucket',
  'bitbucket_server',
  'gitea',
  'gogs',
  'forgejo',
  'azure_devops',
] as const;
export type DeliverySender = (typeof deliverySenders)[number];

/** A person as a payload names one. */
export interface Person {
  name: string | null;
  email: string | null;
  username: string | null;
}

/**
 * Kinds of events, with common names for all providers: pull requests include GitLab's merge requests. A merged result
 * is a commit that GitLab made of a merge request and its base, for itself or in a merge train.
 */
export const eventKinds = [
  'branch_push',
  'branch_delete',
  'tag_push',
  'tag_delete',
  'pull_request',
  'merge_group',
  'merged_result',
  'deployment',
  'deployment_status',
  'fork',
  'release',
  'check_run',
  'check_suite',
  'pull_request_review',
  'issue_comment',
  'pull_request_review_comment',
  'ref_create',
  'ping',
  'other',
] as const;
export type EventKind = (typeof eventKinds)[number];

export interface PullRequestFacts {
  number: string;
  title: string | null;
  /** The branch the commits are on, as its own repository calls it. */
  branch: string | null;
  baseBranch: string | null;
  commit: string | null;
  /** `owner/name` of the repository the commits are in; null where it is gone. */
  headRepository: string | null;
  headOwner: string | null;
  headRepositoryUrl: string | null;
  fork: boolean;
  draft: boolean | null;
  labels: string[];
  /** The label that was added or removed. */
  label: string | null;
  closed: boolean;
  /** Whether the base branch was changed. */
  baseChanged: boolean;
}

/** One event at a provider. A delivery that moves several branches contains several. */
export interface ProviderEvent {
  sender: DeliverySender;
  kind: EventKind;
  /** The provider's own word for the event. */
  event: string;
  action: string | null;
  /** `owner/name` as the payload has it. */
  repository: string | null;
  branch: string | null;
  tag: string | null;
  commit: string | null;
  message: string | null;
  author: Person | null;
  pullRequest: PullRequestFacts | null;
  /** `endReason`: why the group is gone (`merged`, `invalidated`, `dequeued`); null while it exists. */
  mergeQueue: { baseBranch: string | null; baseCommit: string | null; endReason: string | null } | null;
  /** Text of a comment, and whether its author may act for the repository. */
  comment: { text: string; trusted: boolean } | null;
  /** Values that the build gets as `BUILDKITE_GITHUB_<NAME>`, besides event and action. */
  variables: Record<string, string>;
  /** What agents fetch for a commit that is on no branch, such as a merge train's; null where the branch has it. */
  refspec: string | null;
  /** What the App that made a check run calls it; null for other events. */
  checkId: string | null;
}

/** An event known by its name only. */
export function bareEvent(
  sender: DeliverySender,
  kind: EventKind,
  event: string,
  action: string | null = null,
  repository: string | null = null,
): ProviderEvent {
  return {
    sender,
    kind,
    event,
    action,
    repository,
    branch: null,
    tag: null,
    commit: null,
    message: null,
    author: null,
    pullRequest: null,
    mergeQueue: null,
    comment: null,
    variables: {},
    refspec: null,
    checkId: null,
  };
}

/** Whether somebody asked the provider to run a check again. */
export const isRerun = ({ kind, action }: Pick<ProviderEvent, 'kind' | 'action'>): boolean =>
  (kind === 'check_run' || kind === 'check_suite') && action === 'rerequested';
