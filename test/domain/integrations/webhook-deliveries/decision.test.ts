import fc from 'fast-check';
import { decide, type Decision } from '../../../../src/domain/integrations/webhook-deliveries/decision.js';
import {
  type DeliveryPipeline,
  type KnownPullRequest,
  plannedBuild,
} from '../../../../src/domain/integrations/webhook-deliveries/planned-build.js';
import {
  bareEvent,
  type EventKind,
  eventKinds,
  type ProviderEvent,
  type PullRequestFacts,
} from '../../../../src/domain/integrations/webhook-deliveries/provider-event.js';
import { hasSkipText } from '../../../../src/domain/integrations/webhook-deliveries/skip-text.js';
import { defaultSettings, type ProviderSettings } from '../../../../src/domain/integrations/provider-settings.js';
import type { ProviderId } from '../../../../src/domain/integrations/provider.js';

const commit = 'a'.repeat(40);
const pullRequest = (given: Partial<PullRequestFacts> = {}): PullRequestFacts => ({
  number: '7',
  title: 'Change',
  branch: 'feature',
  baseBranch: 'main',
  commit,
  headRepository: 'acme/app',
  headOwner: 'acme',
  headRepositoryUrl: 'https://github.com/acme/app.git',
  fork: false,
  draft: false,
  labels: [],
  label: null,
  closed: false,
  baseChanged: false,
  ...given,
});
const fork = {
  fork: true,
  headOwner: 'eve',
  headRepository: 'eve/app',
  headRepositoryUrl: 'https://github.com/eve/app.git',
  branch: 'main',
};

const push = (given: Partial<ProviderEvent> = {}): ProviderEvent => ({
  ...bareEvent('github', 'branch_push', 'push'),
  branch: 'feature',
  commit,
  message: 'work',
  ...given,
});
const tag = (): ProviderEvent => ({ ...bareEvent('github', 'tag_push', 'push'), tag: 'v1', commit });
const pull = (
  action: string,
  given: Partial<PullRequestFacts> = {},
  event: Partial<ProviderEvent> = {},
): ProviderEvent => {
  const facts = pullRequest(given);
  return {
    ...bareEvent('github', 'pull_request', 'pull_request', action),
    branch: facts.branch,
    commit: facts.commit,
    message: facts.title,
    pullRequest: facts,
    ...event,
  };
};
const other = (kind: EventKind, action: string | null = null, given: Partial<ProviderEvent> = {}): ProviderEvent => ({
  ...bareEvent('github', kind, kind, action),
  branch: 'feature',
  commit,
  ...given,
});
const group = (action: string) =>
  other('merge_group', action, {
    branch: 'gh-readonly-queue/main/pr-1',
    mergeQueue: { baseBranch: 'main', baseCommit: commit, endReason: null },
  });
const comment = (
  text: string,
  trusted = true,
  kind: 'issue_comment' | 'pull_request_review_comment' = 'issue_comment',
) =>
  other(kind, 'created', {
    branch: kind === 'issue_comment' ? null : 'feature',
    commit: kind === 'issue_comment' ? null : commit,
    pullRequest: pullRequest(),
    comment: { text, trusted },
  });

interface Around {
  settings?: ProviderSettings;
  providerId?: ProviderId;
  known?: Partial<KnownPullRequest> | null;
  existing?: number | null;
  newest?: boolean;
  pipeline?: Partial<DeliveryPipeline>;
  condition?: boolean | 'broken' | null;
}

function answer(
  event: ProviderEvent,
  {
    settings = {},
    providerId = 'github',
    known = null,
    existing = null,
    newest = false,
    pipeline: given = {},
    condition = null,
  }: Around = {},
): Decision & { branch: string | null; pullRequest: string | null } {
  const pipeline: DeliveryPipeline = {
    providerId,
    settings: { ...defaultSettings(providerId, 'acme/app'), ...settings },
    repository: 'git@github.com:acme/app.git',
    defaultBranch: 'main',
    branchConfiguration: null,
    archived: false,
    ...given,
  };
  const build = plannedBuild(event, pipeline, known && { ...pullRequest(), ...known });
  const result =
    condition === null
      ? null
      : condition === 'broken'
        ? ({ ok: false, kind: 'evaluation', message: 'no', column: 3 } as const)
        : ({ ok: true, value: condition } as const);
  return {
    ...decide({
      event,
      pipeline,
      build,
      knownHead: known && { ...pullRequest(), ...known }.commit,
      existingBuildNumber: existing,
      isExistingNewest: newest,
      condition: result,
    }),
    branch: build?.branch ?? null,
    pullRequest: build?.pullRequest?.number ?? null,
  };
}

type Row = [what: string, event: ProviderEvent, around: Around, outcome: Decision['outcome'], stoppedBy?: string];

const off = (...names: string[]) => Object.fromEntries(names.map((name) => [name, false]));
const on = (...names: string[]) => Object.fromEntries(names.map((name) => [name, true]));
const filtered = (patterns: string) => ({
  settings: { pull_request_branch_filter_enabled: true, pull_request_branch_filter_configuration: patterns },
});

const check = (rows: Row[]) =>
  test.each(rows)('%s', (_what, event, around, outcome, stoppedBy) => {
    const { outcome: got, rules } = answer(event, around);
    expect([got, rules.find((rule) => rule.outcome === 'stop')?.rule]).toEqual([outcome, stoppedBy]);
    for (const { reason } of rules) expect(reason).not.toBe('');
  });

describe('building branches, tags and pull requests [api-v2:klgpjo,omkcbj,gjmipg,enoaai]', () => {
  check([
    ['a pushed branch is built', push(), {}, 'build', undefined],
    [
      'a pushed branch is not built where build_branches is off',
      push(),
      { settings: off('build_branches') },
      'ignore',
      'build_branches',
    ],
    [
      'a pushed branch of a self-hosted provider is built',
      push(),
      { providerId: 'bitbucket_server' },
      'build',
      undefined,
    ],
    ['a tag is not built by default', tag(), {}, 'ignore', 'build_tags'],
    ['a tag is built where build_tags is on', tag(), { settings: on('build_tags') }, 'build', undefined],
    ['an opened pull request is built', pull('opened'), {}, 'build', undefined],
    [
      'a pull request is not built where build_pull_requests is off',
      pull('opened'),
      { settings: off('build_pull_requests') },
      'ignore',
      'build_pull_requests',
    ],
    [
      'a push to the branch of an open pull request is built where build_branches is off',
      push(),
      { settings: off('build_branches'), known: {} },
      'build',
      undefined,
    ],
    [
      'a push to the branch of a closed pull request is not built where build_branches is off',
      push(),
      { settings: off('build_branches'), known: { closed: true } },
      'ignore',
      'build_branches',
    ],
    [
      'new commits of a pull request from the same repository are built by their push alone',
      pull('synchronize'),
      {},
      'ignore',
      'pull_request_action',
    ],
    [
      'new commits of a pull request at GitLab are built by the pull request event as well',
      pull('synchronize', {}, { sender: 'gitlab' }),
      { providerId: 'gitlab' },
      'build',
      undefined,
    ],
    ['closing a pull request builds nothing', pull('closed', { closed: true }), {}, 'ignore', 'pull_request_action'],
    [
      'later activity of a closed pull request is not built',
      pull('reopened', { closed: true }),
      { settings: on('build_pull_request_reopened') },
      'ignore',
      'skip_builds_for_closed_pull_requests',
    ],
    [
      'a pull request from the default branch is not built where that setting is on',
      pull('opened', { branch: 'main' }),
      { settings: on('ignore_default_branch_pull_requests') },
      'ignore',
      'ignore_default_branch_pull_requests',
    ],
    ['an archived pipeline is not built', push(), { pipeline: { archived: true } }, 'ignore', 'pipeline_active'],
    ['a payload without a commit is not built', push({ commit: null }), {}, 'ignore', 'event'],
    ['a ping is not built', other('ping'), {}, 'ignore', 'event'],
  ]);
});

describe('the filter condition [api-v2:hnmjhl,ifdalf]', () => {
  check([
    ['a push that meets the condition is built', push(), { condition: true }, 'build', undefined],
    ['a push that fails the condition is not built', push(), { condition: false }, 'ignore', 'filter_condition'],
    ['a condition that fails to evaluate is false', push(), { condition: 'broken' }, 'ignore', 'filter_condition'],
    [
      'a condition that does not hold is named as the reason before a disabled setting',
      push(),
      { condition: false, settings: off('build_branches') },
      'ignore',
      'filter_condition',
    ],
  ]);
});

describe('branch filters [api-v2:cilbhl,khaiij,ncfhal]', () => {
  check([
    ['a matching branch is built', push(), { pipeline: { branchConfiguration: 'main feature*' } }, 'build', undefined],
    [
      'a branch that does not pass the filter is not built',
      push(),
      { pipeline: { branchConfiguration: 'main' } },
      'ignore',
      'branch_configuration',
    ],
    [
      'the branch filter does not apply to tags',
      tag(),
      { pipeline: { branchConfiguration: 'main' }, settings: on('build_tags') },
      'build',
      undefined,
    ],
    [
      'the branch filter does not apply to pull requests',
      pull('opened'),
      { pipeline: { branchConfiguration: 'main' } },
      'build',
      undefined,
    ],
    [
      'the branch filter does not apply to pushed branches of pull requests',
      push(),
      { pipeline: { branchConfiguration: 'main' }, known: {} },
      'build',
      undefined,
    ],
    ['a pull request that passes its own filter is built', pull('opened'), filtered('feature'), 'build', undefined],
    [
      'a pull request that does not pass the pull request filter is not built',
      pull('opened'),
      filtered('!feature'),
      'ignore',
      'pull_request_branch_filter',
    ],
    [
      'a pushed branch of a pull request that does not pass the pull request filter is not built',
      push(),
      { ...filtered('release/*'), known: {} },
      'ignore',
      'pull_request_branch_filter',
    ],
    [
      'a pull request filter that is not enabled does not apply',
      pull('opened'),
      { settings: { pull_request_branch_filter_configuration: 'release/*' } },
      'build',
      undefined,
    ],
  ]);
});

describe('commits that were built before [api-v2:jkpkhj,aoddfh]', () => {
  check([
    ['a pushed commit is built again by default', push(), { existing: 3 }, 'build', undefined],
    [
      'a pushed commit is not built again where skip_builds_for_existing_commits is on',
      push(),
      { existing: 3, settings: on('skip_builds_for_existing_commits') },
      'ignore',
      'existing_commits',
    ],
    [
      'a new commit is built where skip_builds_for_existing_commits is on',
      push(),
      { settings: on('skip_builds_for_existing_commits') },
      'build',
      undefined,
    ],
    ['a push after its pull request', push(), { existing: 3, newest: true, known: {} }, 'ignore', 'existing_commits'],
    ['a push back to an earlier commit', push(), { existing: 3, known: {} }, 'build', undefined],
    ['a push without a pull request', push(), { existing: 3, newest: true }, 'build', undefined],
    [
      'the commit of an opened pull request is not built again by default',
      pull('opened'),
      { existing: 3 },
      'ignore',
      'existing_commits',
    ],
    [
      'the commit of a pull request is built again where skip_pull_request_builds_for_existing_commits is off',
      pull('opened'),
      { existing: 3, settings: off('skip_pull_request_builds_for_existing_commits') },
      'build',
      undefined,
    ],
    [
      'a changed label builds the commit of a pull request again',
      pull('labeled'),
      { existing: 3, settings: on('build_pull_request_labels_changed') },
      'build',
      undefined,
    ],
    [
      'a changed label does not build a commit again where skip_builds_for_existing_commits is on',
      pull('labeled'),
      { existing: 3, settings: on('build_pull_request_labels_changed', 'skip_builds_for_existing_commits') },
      'ignore',
      'existing_commits',
    ],
  ]);
});

describe('deleted branches [api-v2:elnjkb]', () => {
  check([
    ['a deleted branch is ignored by default', other('branch_delete'), {}, 'ignore', 'event'],
    [
      'a deleted branch cancels its builds where cancel_deleted_branch_builds is on',
      other('branch_delete'),
      { settings: on('cancel_deleted_branch_builds') },
      'cancel',
      'event',
    ],
    [
      'a deleted branch cancels no builds of an archived pipeline',
      other('branch_delete'),
      { settings: on('cancel_deleted_branch_builds'), pipeline: { archived: true } },
      'ignore',
      'pipeline_active',
    ],
  ]);
  test('a decision about a deleted branch names the branch', () =>
    expect(answer(other('branch_delete'), { settings: on('cancel_deleted_branch_builds') }).cancelBranch).toBe(
      'feature',
    ));
});

describe('pull requests from forks [api-v2:fhlhai,afgkcn]', () => {
  check([
    ['pull requests from forks are off by default', pull('opened', fork), {}, 'ignore', 'build_pull_request_forks'],
    [
      'a pull request from a fork is built where build_pull_request_forks is on',
      pull('opened', fork),
      { settings: on('build_pull_request_forks') },
      'build',
      undefined,
    ],
    [
      'new commits of a pull request from a fork are built where build_pull_request_forks is on',
      pull('synchronize', fork),
      { settings: on('build_pull_request_forks') },
      'build',
      undefined,
    ],
    [
      'a pull request from a fork is not built for a provider without build_pull_request_forks',
      pull('opened', fork, { sender: 'gitlab' }),
      { providerId: 'gitlab' },
      'ignore',
      'build_pull_request_forks',
    ],
  ]);

  test('the branch of a pull request from a fork carries its owner unless that setting is off', () => {
    expect(answer(pull('opened', fork)).branch).toBe('eve:main');
    expect(answer(pull('opened', fork), { settings: off('prefix_pull_request_fork_branch_names') }).branch).toBe(
      'main',
    );
    expect(answer(pull('opened')).branch).toBe('feature');
    // So the filter for the repository's own branch does not pass a fork's.
    expect(
      answer(pull('opened', fork), { settings: { ...on('build_pull_request_forks'), ...filtered('main').settings } })
        .outcome,
    ).toBe('ignore');
  });
});

describe('other activity of a pull request [api-v2:lhpndi,cobhlp]', () => {
  const rows: [action: string, setting: string, given?: Partial<PullRequestFacts>][] = [
    ['labeled', 'build_pull_request_labels_changed'],
    ['unlabeled', 'build_pull_request_labels_changed'],
    ['ready_for_review', 'build_pull_request_ready_for_review'],
    ['reopened', 'build_pull_request_reopened'],
    ['edited', 'build_pull_request_edited'],
    ['edited', 'build_pull_request_base_branch_changed', { baseChanged: true }],
    ['converted_to_draft', 'build_pull_request_converted_to_draft', { draft: true }],
    ['review_requested', 'build_pull_request_review_requested'],
    ['dequeued', 'build_pull_request_dequeued'],
  ];
  test.each(rows)('a pull request that becomes %s is built only where %s is on', (action, setting, given = {}) => {
    expect(answer(pull(action, given)).outcome).toBe('ignore');
    expect(answer(pull(action, given), { settings: on(setting) }).outcome).toBe('build');
    expect(answer(pull(action, given), { settings: { ...on(setting), ...off('build_pull_requests') } }).outcome).toBe(
      'ignore',
    );
  });

  test('an edited title does not count as a changed base branch', () =>
    expect(answer(pull('edited'), { settings: on('build_pull_request_base_branch_changed') }).outcome).toBe('ignore'));
  test('assigning a pull request is never built', () =>
    expect(answer(pull('assigned')).reason).toBe('Pull requests are not built when they are assigned'));
});

describe('trigger mode [api-v2:koffjp]', () => {
  const modes = ['code', 'deployment', 'fork', 'none'];
  test.each<[ProviderEvent, string]>([
    [push(), 'code'],
    [pull('opened'), 'code'],
    [other('deployment'), 'deployment'],
    [other('fork'), 'fork'],
  ])('the events of one trigger mode are built in that mode only (row %#)', (event, own) => {
    const built = modes.filter((mode) => answer(event, { settings: { trigger_mode: mode } }).outcome === 'build');
    expect(built).toEqual([own]);
  });
  check([
    ['a push is built for a provider without trigger modes', push(), { providerId: 'gitlab' }, 'build', undefined],
    [
      'a deployment status is not built in mode deployment alone',
      other('deployment_status', 'created'),
      { settings: { trigger_mode: 'deployment' } },
      'ignore',
      'build_deployment_status_created',
    ],
    [
      'a deployment status is built in mode deployment where build_deployment_status_created is on',
      other('deployment_status', 'created'),
      { settings: { trigger_mode: 'deployment', build_deployment_status_created: true } },
      'build',
      undefined,
    ],
  ]);
});

describe('merge queues, releases, checks, reviews and comments', () => {
  const bk = on('build_issue_comment_created');
  check([
    ['a merge group is off by default', group('checks_requested'), {}, 'ignore', 'build_merge_group_checks_requested'],
    [
      'a merge group is built where its setting is on, whatever the branch filter',
      group('checks_requested'),
      { settings: on('build_merge_group_checks_requested'), pipeline: { branchConfiguration: 'main' } },
      'build',
      undefined,
    ],
    [
      'a merge group is built despite a skip text',
      { ...group('checks_requested'), message: '[skip ci]' },
      { settings: on('build_merge_group_checks_requested') },
      'build',
      undefined,
    ],
    [
      'a push to the branch of a merge group is not built',
      push({ branch: 'gh-readonly-queue/main/pr-1' }),
      { settings: on('build_merge_group_checks_requested') },
      'ignore',
      'merge_queue',
    ],
    ['the end of a merge group is ignored', group('destroyed'), {}, 'ignore', 'build_merge_group_checks_requested'],
    [
      'the end of a merge group cancels its builds where cancel_when_merge_group_destroyed is on',
      group('destroyed'),
      { settings: on('cancel_when_merge_group_destroyed') },
      'cancel',
      'build_merge_group_checks_requested',
    ],
    [
      'a published release is built where its setting is on',
      other('release', 'published'),
      { settings: on('build_release_published') },
      'build',
      undefined,
    ],
    [
      'an edited release is not built where only published releases are on',
      other('release', 'edited'),
      { settings: on('build_release_published') },
      'ignore',
      'build_release',
    ],
    [
      'a completed check run is built where its setting is on',
      other('check_run', 'completed'),
      { settings: on('build_check_run_completed') },
      'build',
      undefined,
    ],
    [
      'a check run that has not completed is not built',
      other('check_run', 'created'),
      { settings: on('build_check_run_completed') },
      'ignore',
      'build_check_run_completed',
    ],
    [
      'a submitted review is built where its setting is on',
      other('pull_request_review', 'submitted', { pullRequest: pullRequest() }),
      { settings: on('build_pull_request_review_submitted') },
      'build',
      undefined,
    ],
    [
      'a created tag is built where build_create_event is on',
      other('ref_create', null, { branch: null, tag: 'v1' }),
      { settings: on('build_create_event') },
      'build',
      undefined,
    ],
    ['a command on a pull request is built', comment(' /BK '), { settings: bk, known: {} }, 'build', undefined],
    ['a command on an unknown pull request is not built', comment('/bk'), { settings: bk }, 'ignore', 'event'],
    [
      'a command from a person without write access is not built',
      comment('/bk', false),
      { settings: bk, known: {} },
      'ignore',
      'comment_command',
    ],
    [
      'a comment that only mentions the command is not built',
      comment('try /bk'),
      { settings: bk, known: {} },
      'ignore',
      'comment_command',
    ],
    [
      'a comment that mentions the command is built where issue_comment_match_mode is contains',
      comment('try /bk'),
      { settings: { ...bk, issue_comment_match_mode: 'contains' }, known: {} },
      'build',
      undefined,
    ],
    [
      'a command on a pull request from a fork is not built',
      comment('/bk'),
      { settings: bk, known: fork },
      'ignore',
      'build_pull_request_forks',
    ],
    [
      'a command in a review comment is built where its setting is on',
      comment('/bk', true, 'pull_request_review_comment'),
      { settings: on('build_pull_request_review_comment_created') },
      'build',
      undefined,
    ],
    ['a command is not built where comments are off', comment('/bk'), { known: {} }, 'ignore', 'comment_command'],
  ]);
});

describe('skip texts', () => {
  test.each([
    ['[ci skip]', true],
    ['work [skip ci] more', true],
    ['[ci-skip]', true],
    ['[SKIP-CI]', true],
    ['\n\n[skip ci]', true],
    ['skip ci', false],
    ['[ci  skip]', false],
    [null, false],
  ])('whether the text %j skips the build is answered %s', (text, skips) => {
    expect(hasSkipText(text)).toBe(skips);
  });
  check([
    ['a push with a skip text is not built', push({ message: 'x [skip ci]' }), {}, 'ignore', 'skip_text'],
    [
      'a pull request with a skip text in its title is not built',
      pull('opened', { title: '[ci skip] x' }),
      {},
      'ignore',
      'skip_text',
    ],
    [
      'a pushed branch is not built while the title of its pull request has a skip text',
      push(),
      { known: { title: '[ci skip]' } },
      'ignore',
      'skip_text',
    ],
  ]);
});

test('every event gets a decision, and only events with a commit and a branch can build', () => {
  const event = fc
    .record({
      kind: fc.constantFrom(...eventKinds),
      action: fc.option(fc.constantFrom('opened', 'synchronize', 'closed', 'created', 'destroyed', 'x')),
      branch: fc.option(fc.string()),
      tag: fc.option(fc.string()),
      commit: fc.option(fc.string()),
      message: fc.option(fc.string()),
    })
    .map((given) => ({ ...bareEvent('github', given.kind, 'x'), ...given }));
  fc.assert(
    fc.property(event, fc.boolean(), (each, archived) => {
      const { outcome, rules, reason, branch } = answer(each, { pipeline: { archived } });
      expect(reason).not.toBe('');
      if (outcome === 'build')
        expect([rules.every((rule) => rule.outcome === 'pass'), branch !== null, archived]).toEqual([
          true,
          true,
          false,
        ]);
      else expect(rules.some((rule) => rule.outcome === 'stop')).toBe(true);
    }),
  );
});
