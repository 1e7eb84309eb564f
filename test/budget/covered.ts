import { buildFillers } from './fill/builds.js';
import type { Filler } from './fill/filler.js';
import { organizationFillers } from './fill/organization.js';
import { pipelineFillers } from './fill/pipelines.js';
import { lastFillers } from './fill/suites.js';

/** All fillers in their order: later ones use what earlier ones have made. */
export const fillers: readonly Filler[] = [...organizationFillers, ...pipelineFillers, ...buildFillers, ...lastFillers];
export const kinds: readonly string[] = fillers.map(({ kind }) => kind);

interface Coverage {
  /** The kind of the filler. */
  by: string;
  /** Columns that the filler makes as large as it may. */
  filled: readonly string[];
  /** Columns that hold a word of the product, a hash, or a text that is cut short before it is stored. */
  short: readonly string[];
}

const names = (text: string) => text.split(/\s+/).filter((name) => name !== '');
const by = (kind: string, filled: string, short = ''): Coverage => ({
  by: kind,
  filled: names(filled),
  short: names(short),
});

/** What fills each table, with its columns of texts, lists and JSON. A new column belongs into one of the two lists. */
export const covered: Readonly<Record<string, Coverage>> = {
  users: by('organization', 'name', 'email passwordHash buildMail'),
  organization_banners: by('organization', 'message'),
  organization_invitations: by('organization', 'teams', 'email role ssoMode tokenHash'),
  organization_members: by('organization', '', 'role ssoMode'),
  teams: by('organization', 'name description', 'slug privacy defaultMemberRole'),
  team_members: by('organization', '', 'role'),
  team_pipelines: by('pipelines', '', 'accessLevel'),
  team_suites: by('test results', '', 'accessLevel'),
  suites: by('test results', 'defaultBranch', 'slug name applicationName color emoji tokenHash tokenSealed'),
  clusters: by('clusters', 'name description', 'emoji color'),
  cluster_queues: by('clusters', 'description dispatchPausedNote', 'key retryAgentAffinity'),
  cluster_maintainers: by('clusters', ''),
  cluster_secrets: by('clusters', 'description policy encryptedValue', 'key'),
  agent_tokens: by('clusters', 'description allowedIpAddresses', 'tokenHash revokedReason'),
  stacks: by('integrations', 'metadata', 'key type'),
  provider_connections: by(
    'integrations',
    'token webhookSecret',
    'provider host apiUrl name username appId account rateLimit lastError',
  ),
  agents: by(
    'agents',
    'hostname os metaData pausedNote',
    'version build sessionTokenHash name ipAddress arch userAgent pid machineId features connectionState',
  ),
  api_tokens: by('organization', 'scopes', 'description tokenHash lastUsedIpAddress'),
  rules: by('pipelines', 'description conditions', 'action'),
  pipelines: by(
    'pipelines',
    'description branchConfiguration configuration tags retention',
    `slug name repository defaultBranch visualSteps env providerId providerSettings webhookTokenHash webhookTokenSealed badgeTokenHash
     badgeTokenSealed webhookToken badgeToken skipQueuedBranchBuildsFilter cancelRunningBranchBuildsFilter cloneMirrorUrl color emoji visibility`,
  ),
  pipeline_counts: by('pipelines', ''),
  pipeline_favorites: by('pipelines', ''),
  pipeline_templates: by('pipelines', 'description configuration', 'name'),
  pipeline_schedules: by('schedules and triggers', 'label message env', 'cronline commit branch failedMessage'),
  pipeline_triggers: by('schedules and triggers', 'description branch message env', 'kind commit tokenHash secret'),
  webhook_deliveries: by('webhook deliveries', 'payload', 'sender event deliveryId headers outcome reason decisions'),
  builds: by(
    'job',
    'message env author pullRequestLabels notify',
    `pinReason state blockedState cancelReason commit branch tag pipelineEnv source pullRequestId pullRequestBaseBranch pullRequestRepository conditions traceparent`,
  ),
  build_meta_data: by('meta-data', 'value', 'key'),
  annotations: by('annotations', 'body bodyHtml', 'context style'),
  step_uploads: by('step uploads', 'definition', 'state message pipelineEnvBefore'),
  log_chunks: by('logs', '', 'storedKey'),
  log_usage: by('logs', ''),
  log_filters: by('logs', ''),
  log_extracts: by('logs', '', 'content places cluster'),
  passed_logs: by('logs', '', 'step'),
  log_header_times: by('logs', '', 'nanoseconds'),
  artifacts: by('artifacts', 'path absolutePath globPath uploadDestination url', 'state contentType sha1sum sha256sum'),
  steps: by('jobs', 'definition', 'key type label updateUuids'),
  jobs: by(
    'jobs',
    'command',
    `type state label env plugins agentQueryRules artifactPaths signal signalReason brokenReason matrix softFail concurrencyGroup
     concurrencyMethod retryType retryRuleUses`,
  ),
  idempotency_keys: by('idempotency keys', 'result', 'key operation fingerprint replyBody'),
  events: by('events', '', 'subject type fromState toState reason actorType data requestId'),
  audit_events: by('pipelines', '', 'data operation actorType subject subjectName requestId ipAddress userAgent'),
  outbox_messages: by('notifications', '', 'topic payload lastError'),
  suite_runs: by('test results', 'message branch commitSha', 'key state result sourceUrl ci number jobId'),
  suite_uploads: by('test results', '', 'format fingerprint idempotencyKey errors'),
  test_plans: by('test results', 'plan', 'identifier branch reports'),
  test_ownerships: by('test results', 'content', ''),
  culprit_searches: by(
    'culprits',
    'commits',
    'state branch steps plan goodCommit badCommit commitsFrom culpritCommit reason',
  ),
  culprit_builds: by('culprits', '', 'stepIds verdict reason'),
  test_workflows: by('test results', 'name tagFilters alarmActions recoverActions', 'monitor'),
  test_workflow_states: by('test results', '', 'memory'),
  test_workflow_events: by('test results', '', 'event facts problems'),
  suite_tests: by('test results', 'scope name location fileName labels', 'identity state flakyCommitSha owners'),
  suite_executions: by('test results', 'location fileName failureExpanded tags', 'result failureReason'),
  notification_services: by(
    'notifications',
    'description scopeIds url sealedToken',
    'scope branchConfiguration tokenMode events withheldStates provider settings sealedSettings',
  ),
  notifications: by('notifications', 'payload', 'event'),
  notification_deliveries: by(
    'notifications',
    'url',
    'receiver orderKey state responseBody lastError channel requestBody sealedTarget',
  ),
};

const ofSignIn = 'a person signs in to the console; the sizes are those of a form of 16 KiB';
const ofServer = 'the server has a few rows of it for itself';
const small = 'rows of ids and words';

/** Tables that no caller can fill with much, and why. */
export const notFilled: Readonly<Record<string, string>> = {
  api_token_organizations: small,
  api_token_revocations: small,
  branch_checks: 'one row a pipeline, made of the branches that its provider tells, which there is none of here',
  commit_status_marks: small,
  provider_connection_states: small,
  build_notifications:
    'short texts, a thousand rows a build, of entries that the filler of builds has no steps to end for',
  commit_statuses: 'one short row a build and context, for a source provider, which there is none of here',
  concurrency_groups: small,
  deletions: small,
  work_claims: small,
  work_suspects: small,
  event_streams: ofServer,
  installations: ofServer,
  listening_clocks: ofServer,
  oidc_keys: ofServer,
  organizations: 'made by the provisioning file alone',
  pipeline_webhooks: 'one row a pipeline, with the address of a webhook at its provider, which there is none of here',
  pull_requests: 'one row a pull request of a provider, each text cut to 255 characters',
  graphql_point_counts: small,
  rate_limit_counts: small,
  scheduled_backups: ofServer,
  schema_compatibility: ofServer,
  build_exports: small,
  retention_leftovers: small,
  agent_time_rollups: small,
  insight_folds: ofServer,
  insight_rollups: small,
  retention_passes: ofServer,
  secret_keys: ofServer,
  sessions: ofSignIn,
  oauth_clients: 'filled to its limit in test/web/oauth/authorize; nobody reads a list of it',
  oauth_grants: 'a few of each person, read one at a time; the sizes are those of a form of 16 KiB',
  sign_in_addresses: ofSignIn,
  sign_in_attempts: ofSignIn,
  sso_domains: 'made by the provisioning file alone',
  storage_sizes: small,
  storage_sweeps: ofServer,
  trigger_usage: small,
  webhook_delivery_builds: small,
};
