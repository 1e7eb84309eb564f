import { branchPatternProblem } from '../pipelines/branch-pattern.js';
import { checkCondition } from '../pipelines/conditions/condition.js';
import { limits } from '../limits/limits.js';
import { type ProviderId, providerIds } from './provider.js';

/** Text, or one of a few words, or true and false. */
type SettingType = 'boolean' | 'text' | 'condition' | 'branches' | readonly string[];
export type SettingValue = boolean | string | null;
/** Settings as stored and shown; `repository` is among them, and ours to write. */
export type ProviderSettings = Record<string, SettingValue>;

interface Setting {
  type: SettingType;
  initial: SettingValue;
  /** Settings without which this one has no effect; words are `key=value`. */
  needs: readonly string[];
}

const off = (...needs: string[]): Setting => ({ type: 'boolean', initial: false, needs });
const on = (...needs: string[]): Setting => ({ type: 'boolean', initial: true, needs });
const words = (...needs: string[]): Setting => ({ type: ['exact', 'contains'], initial: 'exact', needs });

const everywhere = {
  filter_enabled: off(),
  filter_condition: { type: 'condition', initial: null, needs: ['filter_enabled'] },
} satisfies Record<string, Setting>;

const server = { ...everywhere, build_branches: on(), build_pull_requests: on(), build_tags: off() };

/**
 * Commit statuses of hosts for which the public list of settings has none: Bitbucket Data Center, and hosts such as
 * Gitea whose name does not say what they are. Nothing is published without a connection. See `shownSettings`.
 */
const statuses = {
  publish_commit_status: on(),
  publish_commit_status_per_step: off('publish_commit_status'),
  publish_blocked_as_pending: off(),
  separate_pull_request_statuses: off(),
  use_step_key_as_commit_status: off('publish_commit_status', 'publish_commit_status_per_step'),
  prevent_custom_statuses_from_using_buildkite_prefix: off(),
} satisfies Record<string, Setting>;

const cloud = {
  ...server,
  cancel_deleted_branch_builds: off(),
  ignore_default_branch_pull_requests: off(),
  publish_commit_status: on(),
  publish_commit_status_per_step: off('publish_commit_status'),
  pull_request_branch_filter_enabled: off(),
  pull_request_branch_filter_configuration: {
    type: 'branches',
    initial: null,
    needs: ['pull_request_branch_filter_enabled'],
  },
  skip_builds_for_existing_commits: off(),
  skip_pull_request_builds_for_existing_commits: on(),
} satisfies Record<string, Setting>;

const gitlab = {
  ...server,
  build_pull_request_merge: off('build_pull_requests'),
  build_pull_request_base_branch_changed: off('build_pull_requests', 'build_pull_request_merge'),
  publish_commit_status: on(),
};

const pulls = 'build_pull_requests';
const githubEnterprise = {
  ...cloud,
  trigger_mode: { type: ['code', 'deployment', 'fork', 'none'], initial: 'code', needs: [] },
  build_pull_request_base_branch_changed: off(pulls),
  build_pull_request_forks: off(pulls),
  build_pull_request_labels_changed: off(pulls),
  build_pull_request_ready_for_review: off(pulls),
  build_pull_request_stacks: off(pulls),
  build_pull_request_reopened: off(pulls),
  build_pull_request_edited: off(pulls),
  build_pull_request_converted_to_draft: off(pulls),
  build_pull_request_review_requested: off(pulls),
  build_pull_request_dequeued: off(pulls),
  build_pull_request_merge_commits: off(),
  build_check_run_completed: off(),
  build_pull_request_review_submitted: off(),
  build_pull_request_review_dismissed: off(),
  build_release_published: off(),
  build_release_created: off(),
  build_release_released: off(),
  build_issue_comment_created: off(),
  issue_comment_command_word: { type: 'text', initial: '/bk', needs: ['build_issue_comment_created'] },
  issue_comment_match_mode: words('build_issue_comment_created'),
  build_pull_request_review_comment_created: off(),
  review_comment_command_word: { type: 'text', initial: '/bk', needs: ['build_pull_request_review_comment_created'] },
  review_comment_match_mode: words('build_pull_request_review_comment_created'),
  build_deployment_status_created: off('trigger_mode=deployment'),
  build_create_event: off(),
  build_merge_group_checks_requested: off(),
  cancel_when_merge_group_destroyed: off(),
  use_merge_group_base_commit_for_git_diff_base: off(),
  prefix_pull_request_fork_branch_names: on(),
  publish_blocked_as_pending: off(),
  separate_pull_request_statuses: off(),
  skip_builds_for_closed_pull_requests: on(),
  use_step_key_as_commit_status: off('publish_commit_status', 'publish_commit_status_per_step'),
  prevent_custom_statuses_from_using_buildkite_prefix: off(),
} satisfies Record<string, Setting>;

/** The closed list of settings each provider takes. */
const settingsOf: Readonly<Record<ProviderId, Readonly<Record<string, Setting>>>> = {
  github: { ...githubEnterprise, github_workflow_access_tokens_enabled: off() },
  github_enterprise: githubEnterprise,
  gitlab,
  gitlab_ee: gitlab,
  bitbucket: cloud,
  bitbucket_server: { ...server, ...statuses },
  git: { ...server, ...statuses },
};

/** Settings of a new pipeline, in this order; each provider has the subset that it supports. */
const shown = [
  'trigger_mode',
  'build_branches',
  'build_pull_requests',
  'build_tags',
  'pull_request_branch_filter_enabled',
  'cancel_deleted_branch_builds',
  'skip_builds_for_existing_commits',
  'skip_pull_request_builds_for_existing_commits',
  'publish_commit_status',
  'publish_commit_status_per_step',
  'build_pull_request_ready_for_review',
  'separate_pull_request_statuses',
  'build_pull_request_labels_changed',
  'publish_blocked_as_pending',
  'build_pull_request_base_branch_changed',
  'use_step_key_as_commit_status',
  'build_pull_request_forks',
  'build_pull_request_merge',
  'filter_enabled',
  'prefix_pull_request_fork_branch_names',
  'skip_builds_for_closed_pull_requests',
  'ignore_default_branch_pull_requests',
];

/** Settings of a new pipeline of a provider for a repository (`owner/name`). */
export function defaultSettings(providerId: ProviderId, repository: string): ProviderSettings {
  const known = settingsOf[providerId];
  const entries = shown.flatMap((key): [string, SettingValue][] => {
    const setting = known[key];
    return setting === undefined || isAddition(providerId, key) ? [] : [[key, setting.initial]];
  });
  return { ...Object.fromEntries(entries), repository };
}

/** Whether the public list of settings of a provider lacks one that it takes here. */
const isAddition = (providerId: ProviderId, key: string): boolean =>
  (providerId === 'bitbucket_server' || providerId === 'git') && Object.hasOwn(statuses, key);

/**
 * Settings of a pipeline as REST shows them. An addition to the public list is shown only once it was set to true: the
 * Terraform provider sends `false` for every boolean that its configuration leaves out, and takes one that comes back,
 * where its own GraphQL documents have none, for an error. Whether it is on is said by `listSettings`.
 */
export function shownSettings(providerId: string, settings: ProviderSettings): ProviderSettings {
  const known = providerIds.find((each) => each === providerId);
  if (known === undefined) return settings;
  return Object.fromEntries(
    Object.entries(settings).filter(([key, value]) => value !== false || !isAddition(known, key)),
  );
}

/**
 * Types of the settings of all providers, by name: `boolean`, `text`, `condition`, `branches`, or the words of a
 * choice.
 */
export function providerSettingTypes(): Readonly<Record<string, SettingType>> {
  return Object.fromEntries(
    Object.values(settingsOf).flatMap((settings) => Object.entries(settings).map(([key, { type }]) => [key, type])),
  );
}

/** The value a setting has, its default where it was never set, null for one the provider does not know. */
export function settingValue(providerId: ProviderId, settings: ProviderSettings, key: string): SettingValue {
  const known = settingsOf[providerId];
  if (!Object.hasOwn(known, key)) return null;
  const value = Object.hasOwn(settings, key) ? settings[key] : undefined;
  return value ?? known[key]?.initial ?? null;
}

/** A setting as a form shows it. */
export interface ListedSetting {
  /** Its name inside `provider_settings`. */
  key: string;
  /** `boolean`, `text`, `condition`, `branches`, or `choice`. */
  kind: string;
  /** Words of a choice; empty for any other kind. */
  choices: readonly string[];
  value: SettingValue;
  /** Settings without which this one has no effect; words are `key=value`. */
  needs: readonly string[];
}

/** Every setting that a provider takes, with its value. */
export function listSettings(providerId: ProviderId, settings: ProviderSettings): ListedSetting[] {
  return Object.entries(settingsOf[providerId]).map(([key, { type, needs }]) => ({
    key,
    kind: typeof type === 'string' ? type : 'choice',
    choices: typeof type === 'string' ? [] : type,
    value: settingValue(providerId, settings, key),
    needs,
  }));
}

/**
 * True for a boolean setting that is on and whose needs are met; stored settings whose needs are not have no effect.
 */
export function isSettingOn(providerId: ProviderId, settings: ProviderSettings, key: string): boolean {
  const needs = Object.hasOwn(settingsOf[providerId], key) ? (settingsOf[providerId][key]?.needs ?? []) : [];
  return (
    settingValue(providerId, settings, key) === true &&
    needs.every((need) => {
      const [name = '', value] = need.split('=');
      return settingValue(providerId, settings, name) === (value ?? true);
    })
  );
}

/** One refused setting; `key` is its name inside `provider_settings`. */
export interface SettingProblem {
  key: string;
  message: string;
}

function settingProblem({ type }: Setting, value: unknown): string | null {
  if (type === 'boolean') return typeof value === 'boolean' ? null : 'must be true or false';
  if (typeof value !== 'string') return 'must be a string';
  if (type === 'branches') return branchPatternProblem(value);
  if (type === 'condition') {
    const problem = checkCondition(value, 'build_condition');
    return problem === null ? null : `is not a valid condition: ${problem.message} (column ${problem.column})`;
  }
  if (type === 'text')
    return value.length > limits.labelLength ? `is longer than ${limits.labelLength} characters` : null;
  return type.includes(value) ? null : `must be one of ${type.join(', ')}`;
}

/**
 * Whether a value restores the default of a setting: null, or a blank text if the default is not blank, because some
 * clients send blank texts for settings that their users did not set.
 */
function restoresDefault({ type, initial }: Setting, value: unknown): boolean {
  return value === null || (value === '' && type !== 'boolean' && initial !== null);
}

/**
 * Applies a request's `provider_settings` to the stored ones. Names the provider does not take are ignored, null and
 * some blank values restore a default, wrong types, conditions and patterns are refused together.
 */
export function mergeProviderSettings(
  providerId: ProviderId,
  current: ProviderSettings,
  patch: Readonly<Record<string, unknown>>,
): { settings: ProviderSettings } | { problems: SettingProblem[] } {
  const settings = { ...current };
  const problems: SettingProblem[] = [];
  for (const [key, setting] of Object.entries(settingsOf[providerId])) {
    if (!Object.hasOwn(patch, key)) continue;
    const value = restoresDefault(setting, patch[key]) ? setting.initial : patch[key];
    const message = value === null ? null : settingProblem(setting, value);
    if (message !== null) problems.push({ key, message });
    else settings[key] = value as SettingValue;
  }
  return problems.length > 0 ? { problems } : { settings };
}
