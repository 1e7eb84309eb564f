/** Kinds of setting by what they show: a flag that always has a value, one that may have none, text, a word of a few. */
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
    'buildCheckRunCompleted', 'buildCreateEvent', 'buildDeploymentStatusCreated', 'buildIssueCommentCreated', 'buildMergeGroupChecksRequested',
    'buildPullRequestBaseBranchChanged', 'buildPullRequestConvertedToDraft', 'buildPullRequestDequeued', 'buildPullRequestEdited',
    'buildPullRequestForks', 'buildPullRequestLabelsChanged', 'buildPullRequestMergeCommits', 'buildPullRequestReadyForReview',
    'buildPullRequestReopened', 'buildPullRequestReviewCommentCreated', 'buildPullRequestReviewDismissed', 'buildPullRequestReviewRequested',
    'buildPullRequestReviewSubmitted', 'buildPullRequestStacks', 'buildReleaseCreated', 'buildReleasePublished', 'buildReleaseReleased',
    'cancelDeletedBranchBuilds', 'cancelWhenMergeGroupDestroyed', 'githubWebhooksDisabled', 'githubWorkflowAccessTokensEnabled',
    'prefixPullRequestForkBranchNames', 'preventCustomStatusesFromUsingBuildkitePrefix', 'publishBlockedAsPending', 'separatePullRequestStatuses',
    'skipBuildsForClosedPullRequests', 'skipBuildsForExistingCommits', 'useMergeGroupBaseCommitForGitDiffBase', 'useStepKeyAsCommitStatus',
  ),
  issueCommentCommandWord: 'text?',
  issueCommentMatchMode: 'match?',
  reviewCommentCommandWord: 'text?',
  reviewCommentMatchMode: 'match?',
  triggerMode: 'text',
};

/** Here the facts name none, and /v2 has these. */
const gitlab: SettingTable = { ...server, ...flags('buildPullRequestBaseBranchChanged', 'buildPullRequestMerge', 'publishCommitStatus') };

/**
 * The settings of each settings type, beside those that all have, spelled as in graphql-facts 4.2: the name of the
 * type is `RepositoryProvider<key>Settings`.
 */
export const settingTables = {
  Beanstalk: {},
  Bitbucket: cloud,
  BitbucketServer: server,
  Codebase: {},
  GitHub: github,
  GitHubEnterprise: github,
  Gitlab: gitlab,
  Unknown: server,
} as const satisfies Record<string, SettingTable>;

/** Every setting there is. */
export const allSettings: SettingTable = { ...everywhere, ...github, ...gitlab };

/** `buildPullRequests` is `build_pull_requests` on /v2 and in the database. */
export const storedName = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
