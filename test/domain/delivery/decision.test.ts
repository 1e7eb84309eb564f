import fc from 'fast-check';
import { decide, type Decision } from '../../../src/domain/delivery/decision.js';
import { type DeliveryPipeline, type KnownPullRequest, plannedBuild } from '../../../src/domain/delivery/planned-build.js';
import { bareEvent, type EventKind, eventKinds, type ProviderEvent, type PullRequestFacts } from '../../../src/domain/delivery/provider-event.js';
import { hasSkipText } from '../../../src/domain/delivery/skip-text.js';
import { defaultSettings, type ProviderSettings } from '../../../src/domain/provider-settings.js';
import type { ProviderId } from '../../../src/domain/provider.js';

const commit = 'a'.repeat(40);
const pullRequest = (given: Partial<PullRequestFacts> = {}): PullRequestFacts => ({
  number: '7', title: 'Change', branch: 'feature', baseBranch: 'main', commit, headRepository: 'acme/app', headOwner: 'acme', headRepositoryUrl: 'https://github.com/acme/app.git',
  fork: false, draft: false, labels: [], label: null, closed: false, baseChanged: false, ...given,
});
const fork = { fork: true, headOwner: 'eve', headRepository: 'eve/app', headRepositoryUrl: 'https://github.com/eve/app.git', branch: 'main' };

const push = (given: Partial<ProviderEvent> = {}): ProviderEvent => ({ ...bareEvent('github', 'branch_push', 'push'), branch: 'feature', commit, message: 'work', ...given });
const tag = (): ProviderEvent => ({ ...bareEvent('github', 'tag_push', 'push'), tag: 'v1', commit });
const pull = (action: string, given: Partial<PullRequestFacts> = {}, event: Partial<ProviderEvent> = {}): ProviderEvent => {
  const facts = pullRequest(given);
  return { ...bareEvent('github', 'pull_request', 'pull_request', action), branch: facts.branch, commit: facts.commit, message: facts.title, pullRequest: facts, ...event };
};
const other = (kind: EventKind, action: string | null = null, given: Partial<ProviderEvent> = {}): ProviderEvent => ({ ...bareEvent('github', kind, kind, action), branch: 'feature', commit, ...given });
const group = (action: string) => other('merge_group', action, { branch: 'gh-readonly-queue/main/pr-1', mergeQueue: { baseBranch: 'main', baseCommit: commit } });
const comment = (text: string, trusted = true, kind: 'issue_comment' | 'pull_request_review_comment' = 'issue_comment') =>
  other(kind, 'created', { branch: kind === 'issue_comment' ? null : 'feature', commit: kind === 'issue_comment' ? null : commit, pullRequest: pullRequest(), comment: { text, trusted } });

interface Around {
  settings?: ProviderSettings;
  providerId?: ProviderId;
  known?: Partial<KnownPullRequest> | null;
  existing?: number | null;
  pipeline?: Partial<DeliveryPipeline>;
  condition?: boolean | 'broken' | null;
}

function answer(event: ProviderEvent, { settings = {}, providerId = 'github', known = null, existing = null, pipeline: given = {}, condition = null }: Around = {}): Decision & { branch: string | null; pullRequest: string | null } {
  const pipeline: DeliveryPipeline = {
    providerId, settings: { ...defaultSettings(providerId, 'acme/app'), ...settings }, repository: 'git@github.com:acme/app.git', defaultBranch: 'main', branchConfiguration: null, archived: false, ...given,
  };
  const build = plannedBuild(event, pipeline, known && { ...pullRequest(), ...known });
  const result = condition === null ? null : condition === 'broken' ? ({ ok: false, kind: 'evaluation', message: 'no', column: 3 } as const) : ({ ok: true, value: condition } as const);
  return { ...decide({ event, pipeline, build, existingBuildNumber: existing, condition: result }), branch: build?.branch ?? null, pullRequest: build?.pullRequest?.number ?? null };
}

type Row = [what: string, event: ProviderEvent, around: Around, outcome: Decision['outcome'], stoppedBy?: string];

const off = (...names: string[]) => Object.fromEntries(names.map((name) => [name, false]));
const on = (...names: string[]) => Object.fromEntries(names.map((name) => [name, true]));
const filtered = (patterns: string) => ({ settings: { pull_request_branch_filter_enabled: true, pull_request_branch_filter_configuration: patterns } });

const check = (rows: Row[]) => test.each(rows)('%s', (_what, event, around, outcome, stoppedBy) => {
  const { outcome: got, rules } = answer(event, around);
  expect([got, rules.find((rule) => rule.outcome === 'stop')?.rule]).toEqual([outcome, stoppedBy]);
  for (const { reason } of rules) expect(reason).not.toBe('');
});

describe('branches, tags and pull requests are built where their setting is on [api-v2:253,259-261]', () => {
  check([
    ['a pushed branch', push(), {}, 'build', undefined],
    ['a pushed branch, off', push(), { settings: off('build_branches') }, 'ignore', 'build_branches'],
    ['a pushed branch of a server-type provider', push(), { providerId: 'bitbucket_server' }, 'build', undefined],
    ['a tag, off at first', tag(), {}, 'ignore', 'build_tags'],
    ['a tag, on', tag(), { settings: on('build_tags') }, 'build', undefined],
    ['a pull request', pull('opened'), {}, 'build', undefined],
    ['a pull request, off', pull('opened'), { settings: off('build_pull_requests') }, 'ignore', 'build_pull_requests'],
    ['a branch of a pull request where branches are off', push(), { settings: off('build_branches'), known: {} }, 'build', undefined],
    ['a branch of a closed pull request where branches are off', push(), { settings: off('build_branches'), known: { closed: true } }, 'ignore', 'build_branches'],
    ['commits on a branch of the repository itself come by push', pull('synchronize'), {}, 'ignore', 'pull_request_action'],
    ['and elsewhere by both', pull('synchronize', {}, { sender: 'gitlab' }), { providerId: 'gitlab' }, 'build', undefined],
    ['a closed pull request', pull('closed', { closed: true }), {}, 'ignore', 'pull_request_action'],
    ['later activity of a closed one', pull('reopened', { closed: true }), { settings: on('build_pull_request_reopened') }, 'ignore', 'skip_builds_for_closed_pull_requests'],
    ['a request to the default branch from itself', pull('opened', { branch: 'main' }), { settings: on('ignore_default_branch_pull_requests') }, 'ignore', 'ignore_default_branch_pull_requests'],
    ['an archived pipeline', push(), { pipeline: { archived: true } }, 'ignore', 'pipeline_active'],
    ['a payload without a commit', push({ commit: null }), {}, 'ignore', 'event'],
    ['a ping', other('ping'), {}, 'ignore', 'event'],
  ]);
});

describe('the filter condition is asked first of all settings [api-v2:250,251]', () => {
  check([
    ['holds', push(), { condition: true }, 'build', undefined],
    ['does not hold', push(), { condition: false }, 'ignore', 'filter_condition'],
    ['cannot be evaluated', push(), { condition: 'broken' }, 'ignore', 'filter_condition'],
    ['and is named before a flag', push(), { condition: false, settings: off('build_branches') }, 'ignore', 'filter_condition'],
  ]);
});

describe('branch filters [api-v2:61,265,266]', () => {
  check([
    ['a branch that passes', push(), { pipeline: { branchConfiguration: 'main feature*' } }, 'build', undefined],
    ['a branch that does not', push(), { pipeline: { branchConfiguration: 'main' } }, 'ignore', 'branch_configuration'],
    ['tags are not asked', tag(), { pipeline: { branchConfiguration: 'main' }, settings: on('build_tags') }, 'build', undefined],
    ['nor are pull requests', pull('opened'), { pipeline: { branchConfiguration: 'main' } }, 'build', undefined],
    ['nor pushed branches of them', push(), { pipeline: { branchConfiguration: 'main' }, known: {} }, 'build', undefined],
    ['a pull request that passes its own filter', pull('opened'), filtered('feature'), 'build', undefined],
    ['one that does not', pull('opened'), filtered('!feature'), 'ignore', 'pull_request_branch_filter'],
    ['nor does a branch of one', push(), { ...filtered('release/*'), known: {} }, 'ignore', 'pull_request_branch_filter'],
    ['a filter that is not enabled', pull('opened'), { settings: { pull_request_branch_filter_configuration: 'release/*' } }, 'build', undefined],
  ]);
});

describe('commits that were built [api-v2:267,268]', () => {
  check([
    ['are built again when pushed', push(), { existing: 3 }, 'build', undefined],
    ['are not, where the setting is on', push(), { existing: 3, settings: on('skip_builds_for_existing_commits') }, 'ignore', 'existing_commits'],
    ['are where they are new', push(), { settings: on('skip_builds_for_existing_commits') }, 'build', undefined],
    ['are not built as pull requests', pull('opened'), { existing: 3 }, 'ignore', 'existing_commits'],
    ['are, where that is off', pull('opened'), { existing: 3, settings: off('skip_pull_request_builds_for_existing_commits') }, 'build', undefined],
    ['and a label asks for another build of them', pull('labeled'), { existing: 3, settings: on('build_pull_request_labels_changed') }, 'build', undefined],
    ['unless no commit is built twice', pull('labeled'), { existing: 3, settings: on('build_pull_request_labels_changed', 'skip_builds_for_existing_commits') }, 'ignore', 'existing_commits'],
  ]);
});

describe('deleted branches [api-v2:262]', () => {
  check([
    ['are nothing to build', other('branch_delete'), {}, 'ignore', 'event'],
    ['and end their builds where that is on', other('branch_delete'), { settings: on('cancel_deleted_branch_builds') }, 'cancel', 'event'],
    ['but not in an archived pipeline', other('branch_delete'), { settings: on('cancel_deleted_branch_builds'), pipeline: { archived: true } }, 'ignore', 'pipeline_active'],
  ]);
  test('and say which branch', () => expect(answer(other('branch_delete'), { settings: on('cancel_deleted_branch_builds') }).cancelBranch).toBe('feature'));
});

describe('forks [api-v2:274,277]', () => {
  check([
    ['are not built at first', pull('opened', fork), {}, 'ignore', 'build_pull_request_forks'],
    ['are where that is on', pull('opened', fork), { settings: on('build_pull_request_forks') }, 'build', undefined],
    ['so are their new commits', pull('synchronize', fork), { settings: on('build_pull_request_forks') }, 'build', undefined],
    ['never of a provider that has no such setting', pull('opened', fork, { sender: 'gitlab' }), { providerId: 'gitlab' }, 'ignore', 'build_pull_request_forks'],
  ]);

  test('their branches carry the owner, unless that is off', () => {
    expect(answer(pull('opened', fork)).branch).toBe('eve:main');
    expect(answer(pull('opened', fork), { settings: off('prefix_pull_request_fork_branch_names') }).branch).toBe('main');
    expect(answer(pull('opened')).branch).toBe('feature');
    // So the filter for the repository's own branch does not pass a fork's.
    expect(answer(pull('opened', fork), { settings: { ...on('build_pull_request_forks'), ...filtered('main').settings } }).outcome).toBe('ignore');
  });
});

describe('what happens to a pull request beside commits [api-v2:275,276]', () => {
  const rows: [action: string, setting: string, given?: Partial<PullRequestFacts>][] = [
    ['labeled', 'build_pull_request_labels_changed'], ['unlabeled', 'build_pull_request_labels_changed'], ['ready_for_review', 'build_pull_request_ready_for_review'],
    ['reopened', 'build_pull_request_reopened'], ['edited', 'build_pull_request_edited'], ['edited', 'build_pull_request_base_branch_changed', { baseChanged: true }],
    ['converted_to_draft', 'build_pull_request_converted_to_draft', { draft: true }], ['review_requested', 'build_pull_request_review_requested'], ['dequeued', 'build_pull_request_dequeued'],
  ];
  test.each(rows)('%s is built where %s is on', (action, setting, given = {}) => {
    expect(answer(pull(action, given)).outcome).toBe('ignore');
    expect(answer(pull(action, given), { settings: on(setting) }).outcome).toBe('build');
    expect(answer(pull(action, given), { settings: { ...on(setting), ...off('build_pull_requests') } }).outcome).toBe('ignore');
  });

  test('an edit of the title is no other base branch', () => expect(answer(pull('edited'), { settings: on('build_pull_request_base_branch_changed') }).outcome).toBe('ignore'));
  test('assigned is nothing to anybody', () => expect(answer(pull('assigned')).reason).toBe('Pull requests are not built when they are assigned'));
});

describe('trigger mode [api-v2:280]', () => {
  const modes = ['code', 'deployment', 'fork', 'none'];
  test.each<[ProviderEvent, string]>([[push(), 'code'], [pull('opened'), 'code'], [other('deployment'), 'deployment'], [other('fork'), 'fork']])('%# only its own', (event, own) => {
    const built = modes.filter((mode) => answer(event, { settings: { trigger_mode: mode } }).outcome === 'build');
    expect(built).toEqual([own]);
  });
  check([
    ['providers without it build pushes', push(), { providerId: 'gitlab' }, 'build', undefined],
    ['a deployment status needs its flag too', other('deployment_status', 'created'), { settings: { trigger_mode: 'deployment' } }, 'ignore', 'build_deployment_status_created'],
    ['and has it', other('deployment_status', 'created'), { settings: { trigger_mode: 'deployment', build_deployment_status_created: true } }, 'build', undefined],
  ]);
});

describe('merge queues, releases, checks, reviews and comments', () => {
  const bk = on('build_issue_comment_created');
  check([
    ['a merge group, off', group('checks_requested'), {}, 'ignore', 'build_merge_group_checks_requested'],
    ['a merge group', group('checks_requested'), { settings: on('build_merge_group_checks_requested'), pipeline: { branchConfiguration: 'main' } }, 'build', undefined],
    ['its skip text is not asked', { ...group('checks_requested'), message: '[skip ci]' }, { settings: on('build_merge_group_checks_requested') }, 'build', undefined],
    ['its branch is not built a second time', push({ branch: 'gh-readonly-queue/main/pr-1' }), { settings: on('build_merge_group_checks_requested') }, 'ignore', 'merge_queue'],
    ['its end', group('destroyed'), {}, 'ignore', 'build_merge_group_checks_requested'],
    ['its end cancels', group('destroyed'), { settings: on('cancel_when_merge_group_destroyed') }, 'cancel', 'build_merge_group_checks_requested'],
    ['a release', other('release', 'published'), { settings: on('build_release_published') }, 'build', undefined],
    ['another action of a release', other('release', 'edited'), { settings: on('build_release_published') }, 'ignore', 'build_release'],
    ['a check run', other('check_run', 'completed'), { settings: on('build_check_run_completed') }, 'build', undefined],
    ['a check run that goes on', other('check_run', 'created'), { settings: on('build_check_run_completed') }, 'ignore', 'build_check_run_completed'],
    ['a review', other('pull_request_review', 'submitted', { pullRequest: pullRequest() }), { settings: on('build_pull_request_review_submitted') }, 'build', undefined],
    ['a created tag', other('ref_create', null, { branch: null, tag: 'v1' }), { settings: on('build_create_event') }, 'build', undefined],
    ['a command', comment(' /BK '), { settings: bk, known: {} }, 'build', undefined],
    ['a command nobody knows the pull request of', comment('/bk'), { settings: bk }, 'ignore', 'event'],
    ['a command of a stranger', comment('/bk', false), { settings: bk, known: {} }, 'ignore', 'comment_command'],
    ['a comment that only mentions it', comment('try /bk'), { settings: bk, known: {} }, 'ignore', 'comment_command'],
    ['which suffices where it may', comment('try /bk'), { settings: { ...bk, issue_comment_match_mode: 'contains' }, known: {} }, 'build', undefined],
    ['a command on a fork', comment('/bk'), { settings: bk, known: fork }, 'ignore', 'build_pull_request_forks'],
    ['a comment in a review', comment('/bk', true, 'pull_request_review_comment'), { settings: on('build_pull_request_review_comment_created') }, 'build', undefined],
    ['comments are off', comment('/bk'), { known: {} }, 'ignore', 'comment_command'],
  ]);
});

describe('skip texts', () => {
  test.each([['[ci skip]', true], ['work [skip ci] more', true], ['[ci-skip]', true], ['[SKIP-CI]', true], ['\n\n[skip ci]', true], ['skip ci', false], ['[ci  skip]', false], [null, false]])('%j: %s', (text, skips) => {
    expect(hasSkipText(text)).toBe(skips);
  });
  check([
    ['in the message of a push', push({ message: 'x [skip ci]' }), {}, 'ignore', 'skip_text'],
    ['in the title of a pull request', pull('opened', { title: '[ci skip] x' }), {}, 'ignore', 'skip_text'],
    ['in the title of a pushed branch\'s pull request', push(), { known: { title: '[ci skip]' } }, 'ignore', 'skip_text'],
  ]);
});

test('whatever happens there is an answer, and a build only of what names a commit and a branch', () => {
  const event = fc.record({
    kind: fc.constantFrom(...eventKinds), action: fc.option(fc.constantFrom('opened', 'synchronize', 'closed', 'created', 'destroyed', 'x')), branch: fc.option(fc.string()), tag: fc.option(fc.string()),
    commit: fc.option(fc.string()), message: fc.option(fc.string()),
  }).map((given) => ({ ...bareEvent('github', given.kind, 'x'), ...given }));
  fc.assert(fc.property(event, fc.boolean(), (each, archived) => {
    const { outcome, rules, reason, branch } = answer(each, { pipeline: { archived } });
    expect(reason).not.toBe('');
    if (outcome === 'build') expect([rules.every((rule) => rule.outcome === 'pass'), branch !== null, archived]).toEqual([true, true, false]);
    else expect(rules.some((rule) => rule.outcome === 'stop')).toBe(true);
  }));
});
