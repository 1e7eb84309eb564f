import { readExternalId } from '../check-run.js';
import { matchesBranch } from '../../pipelines/branch-pattern.js';
import { pullRequestRules } from './pull-request-rules.js';
import { type Answer, type DecisionFacts, either, needs, on, pass, type Rule, stop, valueOf } from './build-filter.js';
import { hasSkipText } from './skip-text.js';

const modes: Readonly<Partial<Record<DecisionFacts['event']['kind'], string>>> = {
  deployment: 'deployment',
  deployment_status: 'deployment',
  fork: 'fork',
};
const modeWords: Readonly<Record<string, string>> = {
  code: 'only pushes, pull requests and other code events are built',
  deployment: 'only deployments are built',
  fork: 'only forks are built',
  none: 'no events of the provider are built',
};

/** Asked of everything. */
const first: Rule[] = [
  {
    rule: 'pipeline_active',
    ask: ({ pipeline }) => either(!pipeline.archived, 'The pipeline is active', 'The pipeline is archived'),
  },
  { rule: 'event', ask: eventRule },
  {
    rule: 'trigger_mode',
    ask: (facts) => {
      const mode = valueOf(facts, 'trigger_mode') ?? 'code';
      return either(
        mode === (modes[facts.event.kind] ?? 'code'),
        `trigger_mode is ${mode}`,
        `trigger_mode is ${mode}: ${modeWords[String(mode)] ?? 'nothing is built'}`,
      );
    },
  },
  {
    rule: 'branch_configuration',
    ask: ({ event, build, pipeline }) => {
      if (event.kind !== 'branch_push' || !build || build.pullRequest !== null || !pipeline.branchConfiguration?.trim())
        return null;
      const filter = JSON.stringify(pipeline.branchConfiguration);
      return either(
        matchesBranch(pipeline.branchConfiguration, build.branch),
        `Branch ${build.branch} passes the pipeline's branch filter ${filter}`,
        `Branch ${build.branch} does not pass the pipeline's branch filter ${filter}`,
      );
    },
  },
  {
    rule: 'filter_condition',
    ask: ({ condition }) => {
      if (condition === null) return null;
      if (!condition.ok)
        return stop(`The filter condition could not be evaluated: ${condition.message} (column ${condition.column})`);
      return either(condition.value, 'The filter condition holds', 'The filter condition does not hold');
    },
  },
  {
    rule: 'skip_text',
    ask: ({ event, build }) => {
      if (!build || event.mergeQueue !== null || !['branch_push', 'tag_push', 'pull_request'].includes(event.kind))
        return null;
      if (hasSkipText(event.message)) return stop('The commit message asks for no build');
      return hasSkipText(build.pullRequest?.title ?? null)
        ? stop('The title of the pull request asks for no build')
        : pass('Neither commit message nor title asks for no build');
    },
  },
];

function eventRule({ event, build }: DecisionFacts): Answer {
  const name = event.action === null ? event.event : `${event.event} (${event.action})`;
  if (event.kind === 'ping') return stop('The provider only tested the webhook');
  if (event.kind === 'other') return stop(`Deliveries of ${name} are not built`);
  if (event.kind === 'branch_delete')
    return stop(`Branch ${event.branch ?? ''} was deleted: there is nothing to build`);
  if (event.kind === 'tag_delete') return stop(`Tag ${event.tag ?? ''} was deleted: there is nothing to build`);
  if (event.kind === 'issue_comment' && event.pullRequest === null) return stop('The comment is not on a pull request');
  if (event.kind === 'issue_comment' && build === null)
    return stop(`No delivery has described pull request ${event.pullRequest?.number ?? ''}`);
  return either(build !== null, `A delivery of ${name}`, `The delivery of ${name} names no commit and branch`);
}

/** Build filters of events other than pull requests. */
const codeRules: Rule[] = [
  {
    rule: 'build_branches',
    ask: (facts) => {
      if (facts.event.kind !== 'branch_push') return null;
      if (facts.build?.pullRequest)
        return pass(
          `The branch is that of pull request ${facts.build.pullRequest.number}, and build_pull_requests is on`,
        );
      return needs('build_branches', 'pushed branches')(facts);
    },
  },
  {
    rule: 'merge_queue',
    ask: (facts) => {
      if (facts.event.kind !== 'branch_push' || !facts.event.branch?.startsWith('gh-readonly-queue/')) return null;
      return either(
        !on(facts, 'build_merge_group_checks_requested'),
        'Merge groups are not built of their own event',
        'Merge groups are built when their checks are requested, not when they are pushed',
      );
    },
  },
  { rule: 'build_tags', ask: (facts) => (facts.event.kind === 'tag_push' ? needs('build_tags', 'tags')(facts) : null) },
  {
    rule: 'build_create_event',
    ask: (facts) =>
      facts.event.kind === 'ref_create' ? needs('build_create_event', 'created branches and tags')(facts) : null,
  },
  {
    rule: 'build_merge_group_checks_requested',
    ask: (facts) => {
      if (facts.event.kind !== 'merge_group') return null;
      const { action, mergeQueue } = facts.event;
      if (action === 'destroyed')
        return stop(`The merge group is gone (${mergeQueue?.endReason ?? 'no reason given'})`);
      if (action !== 'checks_requested') return stop('Only requested checks of a merge group are built');
      return needs('build_merge_group_checks_requested', 'merge groups')(facts);
    },
  },
  {
    rule: 'build_deployment_status_created',
    ask: (facts) =>
      facts.event.kind === 'deployment_status'
        ? needs('build_deployment_status_created', 'deployment statuses')(facts)
        : null,
  },
  {
    rule: 'build_release',
    ask: (facts) => {
      if (facts.event.kind !== 'release') return null;
      const setting = `build_release_${facts.event.action ?? ''}`;
      return ['published', 'created', 'released'].includes(facts.event.action ?? '')
        ? needs(setting, `${facts.event.action ?? ''} releases`)(facts)
        : stop(`Releases are not built when they are ${facts.event.action ?? 'changed'}`);
    },
  },
  {
    rule: 'build_check_run_completed',
    ask: (facts) => {
      if (facts.event.kind !== 'check_run') return null;
      // Or a build would start the next by its own end.
      if (readExternalId(facts.event.checkId)) return stop('The check run is one that Slipway has published');
      return facts.event.action === 'completed'
        ? needs('build_check_run_completed', 'completed check runs')(facts)
        : stop('Only completed check runs are built');
    },
  },
];

const last: Rule[] = [
  {
    rule: 'existing_commits',
    ask: (facts) => {
      const { build, event, existingBuildNumber, isExistingNewest } = facts;
      if (!build || !['branch_push', 'tag_push', 'pull_request', 'merged_result'].includes(event.kind)) return null;
      const settings = [
        'skip_builds_for_existing_commits',
        // Every state of a pipeline of GitLab is a delivery. Gitea may deliver a pull request before its push.
        ...(event.kind === 'merged_result' ||
        (event.kind === 'branch_push' && build.pullRequest !== null && isExistingNewest) ||
        (event.kind === 'pull_request' && event.action !== null && newCommits.has(event.action))
          ? ['skip_pull_request_builds_for_existing_commits']
          : []),
      ];
      const setting = settings.find((name) => skipsExisting(facts, name));
      if (setting === undefined) return null;
      return either(
        existingBuildNumber === null,
        'There is no build of this commit on this branch',
        `${setting} is on, and build ${existingBuildNumber ?? ''} is of this commit on this branch`,
      );
    },
  },
];

/** Actions of a pull request that bring commits; a label or review requests another build of the same commit. */
const newCommits: ReadonlySet<string> = new Set(['opened', 'synchronize', 'reopened']);

/**
 * Whether a setting skips existing commits. Providers without the setting for pull requests report each commit twice as
 * well, by push and by pull request, so it is on for them.
 */
function skipsExisting(facts: DecisionFacts, setting: string): boolean {
  const value = valueOf(facts, setting);
  return value === null ? setting === 'skip_pull_request_builds_for_existing_commits' : value === true;
}

/** Every build filter, in the order of docs/webhooks.md#why-did-this-push-not-build. */
export const rules: readonly Rule[] = [...first, ...codeRules, ...pullRequestRules, ...last];
