/** Kinds of settings by value: a flag that is never null, a nullable flag, text, or one of a few words. */
export type SettingKind = 'flag' | 'flag?' | 'text' | 'text?' | 'match?';
export type SettingTable = Readonly<Record<string, SettingKind>>;

const everywhere: SettingTable = { filterCondition: 'text?', filterEnabled: 'flag?' };

const server: SettingTable = { buildBranches: 'flag', buildPullRequests: 'flag', buildTags: 'flag' };

const cloud: SettingTable = {
  ...server,
  cancelDeletedBranchBuilds: 'flag?',
  ignoreDefaultBranchPullRequests: 'flag',
  publishCommitStatus: 'flag',
  publishCommitStatusPerStep: 'flag',
  pullRequestBranchFilterConfiguration: 'text?',
  pullRequestBranchFilterEnabled: 'flag',
  skipBuildsForExistingCommits: 'flag?',
  skipPullRequestBuildsForExistingCommits: 'flag',
};

const flags = (...names: string[]): SettingTable => Object.fromEntries(names.map((name) => [name, 'flag'] as const));

const github: SettingTable = {
  ...cloud,
  ...flags(
    'buildCheckRunCompleted',
    'buildCreateEvent',
    'buildDeploymentStatusCreated',
    'buildIssueCommentCreated',
    'buildMergeGroupChecksRequested',
    'buildPullRequestBaseBranchChanged',
    'buildPullRequestConvertedToDraft',
    'buildPullRequestDequeued',
    'buildPullRequestEdited',
    'buildPullRequestForks',
    'buildPullRequestLabelsChanged',
    'buildPullRequestMergeCommits',
    'buildPullRequestReadyForReview',
    'buildPullRequestReopened',
    'buildPullRequestReviewCommentCreated',
    'buildPullRequestReviewDismissed',
    'buildPullRequestReviewRequested',
    'buildPullRequestReviewSubmitted',
    'buildPullRequestStacks',
    'buildReleaseCreated',
    'buildReleasePublished',
    'buildReleaseReleased',
    'cancelDeletedBranchBuilds',
    'cancelWhenMergeGroupDestroyed',
    'githubWebhooksDisabled',
    'githubWorkflowAccessTokensEnabled',
    'prefixPullRequestForkBranchNames',
    'preventCustomStatusesFromUsingBuildkitePrefix',
    'publishBlockedAsPending',
    'separatePullRequestStatuses',
    'skipBuildsForClosedPullRequests',
    'skipBuildsForExistingCommits',
    'useMergeGroupBaseCommitForGitDiffBase',
    'useStepKeyAsCommitStatus',
  ),
  issueCommentCommandWord: 'text?',
  issueCommentMatchMode: 'match?',
  reviewCommentCommandWord: 'text?',
  reviewCommentMatchMode: 'match?',
  triggerMode: 'text',
};

/** Commit statuses of hosts for which the facts name none. */
const statuses: SettingTable = flags(
  'preventCustomStatusesFromUsingBuildkitePrefix',
  'publishBlockedAsPending',
  'publishCommitStatus',
  'publishCommitStatusPerStep',
  'separatePullRequestStatuses',
  'useStepKeyAsCommitStatus',
);

/** Here the facts name none, and /v2 has these. */
const gitlab: SettingTable = {
  ...server,
  ...flags('buildPullRequestBaseBranchChanged', 'buildPullRequestMerge', 'publishCommitStatus'),
};

/**
 * Settings of each settings type, besides the common ones, spelled as existing clients spell them. The type's name is
 * `RepositoryProvider<key>Settings`.
 */
export const settingTables = {
  Beanstalk: {},
  Bitbucket: cloud,
  BitbucketServer: { ...server, ...statuses },
  Codebase: {},
  CursorOrigin: { ...server, publishCommitStatus: 'flag' },
  GitHub: github,
  GitHubEnterprise: github,
  Gitlab: gitlab,
  Unknown: { ...server, ...statuses },
} as const satisfies Record<string, SettingTable>;

/** Every setting there is. */
export const allSettings: SettingTable = { ...everywhere, ...github, ...gitlab };

/** `buildPullRequests` is `build_pull_requests` on /v2 and in the database. */
export const storedName = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
