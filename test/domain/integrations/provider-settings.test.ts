import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type ProviderId, providerIds } from '../../../src/domain/integrations/provider.js';
import {
  defaultSettings,
  isSettingOn,
  listSettings,
  mergeProviderSettings,
  settingValue,
  shownSettings,
} from '../../../src/domain/integrations/provider-settings.js';
import { describeWithVectors, vectorsDir, vectorsPresent } from '../../support/vectors.js';

const settingKeys = (id: ProviderId) => listSettings(id, {}).map(({ key }) => key);

test('a new pipeline of the hosted provider has the recorded settings', () => {
  expect(defaultSettings('github', 'acme/app')).toEqual({
    trigger_mode: 'code',
    build_branches: true,
    build_pull_requests: true,
    build_tags: false,
    pull_request_branch_filter_enabled: false,
    cancel_deleted_branch_builds: false,
    skip_builds_for_existing_commits: false,
    publish_commit_status: true,
    skip_pull_request_builds_for_existing_commits: true,
    publish_commit_status_per_step: false,
    build_pull_request_ready_for_review: false,
    separate_pull_request_statuses: false,
    build_pull_request_labels_changed: false,
    publish_blocked_as_pending: false,
    build_pull_request_base_branch_changed: false,
    use_step_key_as_commit_status: false,
    build_pull_request_forks: false,
    filter_enabled: false,
    prefix_pull_request_fork_branch_names: true,
    skip_builds_for_closed_pull_requests: true,
    ignore_default_branch_pull_requests: false,
    repository: 'acme/app',
  });
});

test.each(providerIds)('pipelines of %s accept the defaults of their provider and the common settings', (id) => {
  const { repository, ...settings } = defaultSettings(id, 'a/b');
  expect(repository).toBe('a/b');
  expect(mergeProviderSettings(id, {}, settings)).toEqual({ settings });
  expect(settingKeys(id)).toEqual(
    expect.arrayContaining([
      'filter_enabled',
      'filter_condition',
      'build_branches',
      'build_pull_requests',
      'build_tags',
    ]),
  );
  for (const key of settingKeys(id)) expect(key === 'repository').toBe(false);
});

test('each provider accepts only its own settings', () => {
  expect(settingKeys('bitbucket_server')).toHaveLength(11);
  expect(settingKeys('git')).toEqual(settingKeys('bitbucket_server'));
  expect(settingKeys('bitbucket')).toEqual(
    expect.arrayContaining(['cancel_deleted_branch_builds', 'skip_builds_for_existing_commits']),
  );
  expect(settingKeys('bitbucket')).not.toContain('trigger_mode');
  expect(settingKeys('gitlab')).toContain('build_pull_request_merge');
  expect(settingKeys('github')).not.toContain('build_pull_request_merge');
  expect(settingKeys('github_enterprise')).not.toContain('github_workflow_access_tokens_enabled');
});

test('what the public list of a provider lacks is shown only while it is true', () => {
  const stored = { build_tags: false, publish_commit_status: false, publish_commit_status_per_step: true };
  for (const id of ['git', 'bitbucket_server'])
    expect(shownSettings(id, stored)).toEqual({ build_tags: false, publish_commit_status_per_step: true });
  for (const id of ['github', 'gitlab', 'of a later release']) expect(shownSettings(id, stored)).toEqual(stored);
});

test('a patch changes the named settings and ignores unknown ones', () => {
  const current = defaultSettings('github', 'acme/app');
  const patch = { build_tags: true, trigger_mode: 'none', repository: 'evil/x', nonsense: [1], constructor: true };
  expect(mergeProviderSettings('github', current, patch)).toEqual({
    settings: { ...current, build_tags: true, trigger_mode: 'none' },
  });
  expect(current['build_tags']).toBe(false);
});

test('setting null restores the default', () => {
  const current = { ...defaultSettings('github', 'a/b'), build_branches: false, filter_condition: 'true' };
  expect(mergeProviderSettings('github', current, { build_branches: null, filter_condition: null })).toEqual({
    settings: { ...current, build_branches: true, filter_condition: null },
  });
});

test('blank text restores the default of a setting whose default is not blank, and is kept by every other', () => {
  const current = defaultSettings('github', 'a/b');
  const custom = { trigger_mode: 'none', issue_comment_match_mode: 'contains', issue_comment_command_word: '/build' };
  const blank = {
    trigger_mode: '',
    issue_comment_match_mode: '',
    issue_comment_command_word: '',
    filter_condition: '',
    pull_request_branch_filter_configuration: '',
  };
  expect(mergeProviderSettings('github', { ...current, ...custom }, blank)).toEqual({
    settings: {
      ...current,
      issue_comment_match_mode: 'exact',
      issue_comment_command_word: '/bk',
      filter_condition: '',
      pull_request_branch_filter_configuration: '',
    },
  });
  expect(mergeProviderSettings('github', current, { build_tags: '' })).toHaveProperty('problems');
});

test.each<[string, unknown, RegExp]>([
  ['build_tags', 'yes', /true or false/],
  ['build_tags', 1, /true or false/],
  ['build_tags', {}, /true or false/],
  ['trigger_mode', 'sometimes', /one of code, deployment, fork, none/],
  ['trigger_mode', true, /string/],
  ['issue_comment_match_mode', 'regex', /exact, contains/],
  ['filter_condition', 5, /string/],
  ['filter_condition', 'nope', /`nope` is not a variable \(column 1\)/],
  ['filter_condition', 'step.key == "a"', /step variables/],
  ['pull_request_branch_filter_configuration', 'a !', /negates nothing/],
  ['issue_comment_command_word', 'x'.repeat(300), /longer/],
  ['issue_comment_command_word', [], /string/],
])('the setting %s refuses the value %j', (key, value, message) => {
  expect(mergeProviderSettings('github', {}, { [key]: value, build_branches: false })).toEqual({
    problems: [{ key, message: expect.stringMatching(message) }],
  });
});

test('all invalid settings are reported at once', () => {
  const result = mergeProviderSettings('github', {}, { build_tags: 'x', build_branches: 'y' });
  expect(result).toEqual({
    problems: [expect.objectContaining({ key: 'build_branches' }), expect.objectContaining({ key: 'build_tags' })],
  });
});

test('a setting applies only while the setting it depends on is enabled', () => {
  const on = {
    build_pull_request_forks: true,
    use_step_key_as_commit_status: true,
    publish_commit_status_per_step: true,
    build_deployment_status_created: true,
  };
  expect(isSettingOn('github', { ...on, build_pull_requests: false }, 'build_pull_request_forks')).toBe(false);
  expect(isSettingOn('github', on, 'build_pull_request_forks')).toBe(true);
  expect(isSettingOn('github', on, 'use_step_key_as_commit_status')).toBe(true);
  expect(isSettingOn('github', { ...on, publish_commit_status: false }, 'use_step_key_as_commit_status')).toBe(false);
  expect(isSettingOn('github', on, 'build_deployment_status_created')).toBe(false);
  expect(isSettingOn('github', { ...on, trigger_mode: 'deployment' }, 'build_deployment_status_created')).toBe(true);
  expect(isSettingOn('git', on, 'build_pull_request_forks')).toBe(false);
  expect(isSettingOn('git', {}, 'build_branches')).toBe(true);
  expect(settingValue('github', {}, 'issue_comment_command_word')).toBe('/bk');
  expect(settingValue('git', {}, 'toString')).toBeNull();
});

describeWithVectors('the settings in the public GraphQL schema', () => {
  /** The first is state of its own endpoint, the second a setting of the hosted provider only, despite the type. */
  const notTaken: Readonly<Record<string, readonly string[]>> = {
    github: ['github_webhooks_disabled'],
    github_enterprise: ['github_webhooks_disabled', 'github_workflow_access_tokens_enabled'],
  };
  const schema = vectorsPresent ? readFileSync(resolve(vectorsDir, 'graphql/public-schema.graphql'), 'utf8') : '';
  test.each([
    ['github', 'GitHubSettings'],
    ['github_enterprise', 'GitHubEnterpriseSettings'],
    ['bitbucket', 'BitbucketSettings'],
    ['bitbucket_server', 'BitbucketServerSettings'],
  ] as const)('every setting of %s is accepted with the type that %s shows', (id, type) => {
    const body = new RegExp(`type RepositoryProvider${type} [^{]*\\{([^}]*)\\}`).exec(schema)?.[1] ?? '';
    const fields = [...body.matchAll(/^ {2}(\w+): (\w+!?)/gm)].map(
      ([, name = '', kind = '']) => [name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), kind] as const,
    );
    expect(fields.length).toBeGreaterThan(4);
    for (const [key, kind] of fields) {
      if (notTaken[id]?.includes(key)) continue;
      expect(settingKeys(id)).toContain(key);
      if (kind === 'Boolean!') expect([key, typeof settingValue(id, {}, key)]).toEqual([key, 'boolean']);
    }
  });
});
