import { matchesBranch } from '../../pipelines/branch-pattern.js';
import { type DecisionFacts, either, needs, on, pass, type Rule, stop, valueOf } from './build-filter.js';

/** Settings that allow builds for pull request actions other than new commits. */
const actionSettings: Readonly<Record<string, string>> = {
  ready_for_review: 'build_pull_request_ready_for_review',
  labeled: 'build_pull_request_labels_changed',
  unlabeled: 'build_pull_request_labels_changed',
  reopened: 'build_pull_request_reopened',
  converted_to_draft: 'build_pull_request_converted_to_draft',
  review_requested: 'build_pull_request_review_requested',
  dequeued: 'build_pull_request_dequeued',
};

const wordsOf: Readonly<
  Partial<Record<DecisionFacts['event']['kind'], { word: string; mode: string; setting: string }>>
> = {
  issue_comment: {
    word: 'issue_comment_command_word',
    mode: 'issue_comment_match_mode',
    setting: 'build_issue_comment_created',
  },
  pull_request_review_comment: {
    word: 'review_comment_command_word',
    mode: 'review_comment_match_mode',
    setting: 'build_pull_request_review_comment_created',
  },
};

const isAboutPullRequest = ({ event }: DecisionFacts) =>
  ['pull_request', 'pull_request_review', 'issue_comment', 'pull_request_review_comment', 'merged_result'].includes(
    event.kind,
  );

function actionRule(facts: DecisionFacts) {
  const { action, pullRequest, sender } = facts.event;
  if (action === 'opened') return pass('The pull request was opened');
  if (action === 'synchronize') {
    // Bitbucket and GitLab report new commits by push and by pull request; `existing_commits` stops the second build.
    if (sender !== 'github') return pass('The pull request has new commits');
    return either(
      pullRequest?.fork === true,
      'The pull request has new commits from a fork',
      'Commits on branches of the repository itself are built when they are pushed',
    );
  }
  if (action === 'closed') return stop('The pull request was closed');
  if (action === 'edited') {
    if (on(facts, 'build_pull_request_edited')) return pass('build_pull_request_edited is on');
    if (!pullRequest?.baseChanged) return stop('build_pull_request_edited is off: edited pull requests are not built');
    return needs('build_pull_request_base_branch_changed', 'pull requests with another base branch')(facts);
  }
  const setting = action !== null && Object.hasOwn(actionSettings, action) ? actionSettings[action] : undefined;
  return setting === undefined
    ? stop(`Pull requests are not built when they are ${action?.replaceAll('_', ' ') ?? 'changed'}`)
    : needs(setting, `pull requests that are ${action?.replaceAll('_', ' ') ?? 'changed'}`)(facts);
}

/** States of a pipeline of GitLab that has not ended. */
const unfinished: ReadonlySet<string | null> = new Set([
  'created',
  'waiting_for_resource',
  'preparing',
  'pending',
  'running',
]);

/** Builds the commit of a merged result or merge train once, and no commit that a push tells of. */
function mergedResultRule(facts: DecisionFacts) {
  const { event, knownHead } = facts;
  if (!unfinished.has(event.action))
    return stop(`Pipelines of merge requests are built while they run, not when they are ${event.action ?? 'changed'}`);
  const isMerged = event.refspec !== null && /\/(?:merge|train)$/.test(event.refspec);
  if (!isMerged && (knownHead === event.commit || event.refspec?.endsWith('/head')))
    return stop('The pipeline is of the last commit of the merge request, which is built when it is pushed');
  if (!isMerged && knownHead === null)
    return stop(`No delivery has described merge request ${event.pullRequest?.number ?? ''}`);
  return needs('build_pull_request_merge', 'merged results and merge trains')(facts);
}

function commentRule(facts: DecisionFacts) {
  const { comment, kind, action } = facts.event;
  const words = wordsOf[kind];
  if (!words || comment === null) return null;
  if (action !== 'created') return stop('Only new comments are commands');
  if (!on(facts, words.setting)) return stop(`${words.setting} is off: comments are not built`);
  const phrase = String(valueOf(facts, words.word) ?? '')
    .trim()
    .toLowerCase();
  const commentText = comment.text.trim().toLowerCase();
  const says =
    phrase !== '' &&
    (valueOf(facts, words.mode) === 'contains' ? commentText.includes(phrase) : commentText === phrase);
  if (!says) return stop(`The comment does not say ${phrase}`);
  return either(
    comment.trusted,
    `The comment says ${phrase}`,
    'The author of the comment is no owner, member or collaborator',
  );
}

/** Rules of pull requests, and of branches pushed that belong to one. */
export const pullRequestRules: Rule[] = [
  {
    rule: 'build_pull_requests',
    ask: (facts) => (facts.event.kind === 'pull_request' ? needs('build_pull_requests', 'pull requests')(facts) : null),
  },
  {
    rule: 'build_pull_request_merge',
    ask: (facts) => (facts.event.kind === 'merged_result' ? mergedResultRule(facts) : null),
  },
  { rule: 'pull_request_action', ask: (facts) => (facts.event.kind === 'pull_request' ? actionRule(facts) : null) },
  {
    rule: 'pull_request_review',
    ask: (facts) => {
      if (facts.event.kind !== 'pull_request_review') return null;
      const { action } = facts.event;
      return action === 'submitted' || action === 'dismissed'
        ? needs(`build_pull_request_review_${action}`, `${action} reviews`)(facts)
        : stop(`Reviews are not built when they are ${action ?? 'changed'}`);
    },
  },
  { rule: 'comment_command', ask: commentRule },
  {
    rule: 'build_pull_request_forks',
    ask: (facts) =>
      isAboutPullRequest(facts) && facts.build?.pullRequest?.fork
        ? needs('build_pull_request_forks', 'pull requests from forks')(facts)
        : null,
  },
  {
    rule: 'skip_builds_for_closed_pull_requests',
    ask: (facts) => {
      if (!isAboutPullRequest(facts) || !facts.build?.pullRequest?.closed || facts.event.action === 'closed')
        return null;
      return either(
        valueOf(facts, 'skip_builds_for_closed_pull_requests') === false,
        'skip_builds_for_closed_pull_requests is off',
        'The pull request is closed',
      );
    },
  },
  {
    rule: 'ignore_default_branch_pull_requests',
    ask: (facts) => {
      const { build, pipeline } = facts;
      const pullRequest = build?.pullRequest;
      if (
        !isAboutPullRequest(facts) ||
        !pullRequest ||
        pullRequest.fork ||
        pullRequest.branch !== pipeline.defaultBranch
      )
        return null;
      return either(
        !on(facts, 'ignore_default_branch_pull_requests'),
        'ignore_default_branch_pull_requests is off',
        `ignore_default_branch_pull_requests is on, and the pull request is of the ` +
          `default branch ${pipeline.defaultBranch}`,
      );
    },
  },
  {
    rule: 'pull_request_branch_filter',
    ask: (facts) => {
      const { build } = facts;
      if (!build?.pullRequest || !on(facts, 'pull_request_branch_filter_enabled')) return null;
      const filter = String(valueOf(facts, 'pull_request_branch_filter_configuration') ?? '');
      return either(
        matchesBranch(filter, build.branch),
        `Branch ${build.branch} passes the filter for pull requests ${JSON.stringify(filter)}`,
        `Branch ${build.branch} does not pass the filter for pull requests ${JSON.stringify(filter)}`,
      );
    },
  },
];
