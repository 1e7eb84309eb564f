import type { JsonObject } from '../../domain/pipelines/steps/step.js';

/** The id in examples; a reader who tries one replaces it with an id of their own. */
export const exampleId = '01900000-0000-7000-8000-000000000001';

/**
 * Bodies of requests by operation. Sent in the order of a first visit (create, read, change, delete) they succeed in
 * the demo organization, once {@link exampleId} is an id there; a test does so.
 */
export const requestExamples: Readonly<Record<string, JsonObject>> = {
  'agent.pause': { note: 'Maintenance of the disk', timeout_in_minutes: 30 },
  'agent.stop': { force: false },
  'agent-token.create': { description: 'Linux machines', allowed_ip_addresses: '192.0.2.0/24' },
  'agent-token.update': { description: 'Linux and macOS machines' },
  'annotation.create': { body: '**12** tests passed', style: 'success', context: 'tests' },
  'build.create': {
    commit: 'HEAD',
    branch: 'main',
    message: 'Say hello',
    author: { name: 'Ada', email: 'ada@example.com' },
    env: { GREETING: 'hello' },
    meta_data: { release: 'v1.2' },
  },
  'build.retry-failed-jobs': { states: 'failed,timed_out' },
  'cluster.create': { name: 'Backend', description: 'Builds of the backend', emoji: ':rocket:', color: '#1a2b3c' },
  'cluster.update': { description: 'Builds of the backend and its tools' },
  'cluster-maintainer.create': { user: exampleId },
  'job.reprioritize': { priority: 10 },
  'job.unblock': { fields: { release: 'v1.2' } },
  'notification-service.create': {
    description: 'Chat',
    build_states: { build_failed: true, build_fixed: true },
    settings: { url: 'https://hooks.example.com/slipway', events: ['build.finished'] },
  },
  'notification-service.update': { description: 'Chat of the team', branch_configuration: 'main' },
  'organization.update-api-settings': { revoke_inactive_tokens_after_days: 180 },
  'organization.update-pipeline-settings': { default_cluster_id: null },
  'organization-invitation.create': { emails: ['grace@example.com'], role: 'member', sso_mode: 'optional' },
  'organization-banner.upsert': { message: 'Maintenance on Sunday at 06:00 UTC' },
  'organization-member.update': { role: 'member' },
  'pipeline.create': {
    name: 'Hello',
    repository: 'https://git.example.com/demo/hello.git',
    description: 'Says hello',
    configuration: 'steps:\n  - label: Hello\n    command: echo hello\n',
    env: { CI: 'true' },
    tags: ['example'],
  },
  'pipeline.set-webhook-secret': { secret: 'a-long-secret' },
  'pipeline.update': {
    description: 'Says hello to everyone',
    default_branch: 'main',
    cancel_running_branch_builds: true,
  },
  'pipeline-schedule.create': { cronline: '@daily', label: 'Every night', branch: 'main', commit: 'HEAD' },
  'pipeline-schedule.update': { cronline: '0 3 * * 1-5', enabled: false },
  'pipeline-template.create': {
    name: 'Make',
    description: 'Runs make',
    configuration: 'steps:\n  - command: make\n',
    available: true,
  },
  'pipeline-template.update': { description: 'Runs make and nothing else' },
  'pipeline-trigger.create': { description: 'From the wiki', branch: 'main', message: 'The wiki has changed' },
  'pipeline-trigger.update': { enabled: false },
  'provider-connection.create': { provider: 'github', token: 'ghp_example' },
  'queue.create': { key: 'linux', description: 'Linux machines' },
  'queue.pause-dispatch': { dispatch_paused_note: 'Maintenance of the machines' },
  'queue.update': { description: 'Linux machines with much memory' },
  'rule.create': {
    type: 'pipeline.trigger_build.pipeline',
    description: 'A release deploys',
    value: { source_pipeline: 'hello', target_pipeline: exampleId },
  },
  'rule.update': { description: 'Every release deploys' },
  'secret.create': { key: 'DEPLOY_TOKEN', value: 'a-secret-value', description: 'Token for deployments' },
  'secret.update': { description: 'Token for deployments to production' },
  'secret.update-value': { value: 'another-secret-value' },
  'suite.create': { name: 'Unit tests', default_branch: 'main', emoji: ':test_tube:', color: '#1a2b3c' },
  'suite.update': { application_name: 'Hello' },
  'suite-test.find': { scope: 'User', name: 'has a name' },
  'suite-test.label': { operator: 'add', labels: ['flaky'] },
  'team.create': { name: 'Backend', description: 'Maintains the backend', privacy: 'visible' },
  'team.update': { description: 'Maintains the backend and its tools' },
  'team-member.create': { user_id: exampleId, role: 'member' },
  'team-member.update': { role: 'maintainer' },
  'team-pipeline.create': { pipeline_id: exampleId, access_level: 'build_and_read' },
  'team-pipeline.update': { access_level: 'read_only' },
  'execution.update-tags': {
    executions: [{ id: exampleId, tags: { 'mut.classification': 'infrastructure', 'mut.reason': 'api_timeout' } }],
  },
  'team-suite.create': { suite_id: exampleId, access_level: ['read', 'edit'] },
  'team-suite.update': { access_level: ['read'] },
  'webhook-delivery.preview': {
    provider: 'github',
    event: 'push',
    payload: {
      ref: 'refs/heads/main',
      after: '8b3f1c2d4e5f60718293a4b5c6d7e8f901234567',
      head_commit: { id: '8b3f1c2d4e5f60718293a4b5c6d7e8f901234567', message: 'Say hello' },
      repository: { full_name: 'demo/hello' },
    },
  },
};
