import type { TableName } from '../../../entities/database.js';
import type { PurgedResource } from '../../../entities/installation/deletion.js';

/** What happens to a row whose column names a row that does not exist. */
export type Remedy =
  /** The row belonged to it and goes too. */
  | 'delete'
  /** The row is as good without it. */
  | 'forget'
  /** The row has more below it: all of it is purged, as after a deletion. */
  | 'purge';

/** A column that names a row of another table, which must exist. */
export interface Reference {
  table: TableName;
  column: string;
  parent: TableName;
  remedy: Remedy | null;
}

const of = (parent: TableName, column: string, remedy: Remedy | null, tables: readonly TableName[]): Reference[] =>
  tables.map((table) => ({ table, column, parent, remedy }));

/**
 * Every reference that something is found through, or belongs to. Others may outlive what they name, such as who
 * created something, and are no mistakes; a test asks of each new column which of the two it is.
 */
export const references: readonly Reference[] = [
  ...of('pipelines', 'pipeline_id', 'purge', ['builds']),
  ...of('pipelines', 'pipeline_id', 'delete', [
    'branch_checks',
    'passed_logs',
    'pipeline_favorites',
    'pipeline_schedules',
    'pipeline_triggers',
    'pipeline_webhooks',
    'pull_requests',
    'team_pipelines',
    'webhook_deliveries',
  ]),
  ...of('pipelines', 'source_pipeline_id', 'delete', ['rules']),
  ...of('pipelines', 'target_pipeline_id', 'delete', ['rules']),
  ...of('builds', 'build_id', 'delete', [
    'annotations',
    'artifacts',
    'build_exports',
    'build_meta_data',
    'build_notifications',
    'commit_statuses',
    'commit_status_marks',
    'culprit_searches',
    'jobs',
    'step_uploads',
    'steps',
    'webhook_delivery_builds',
  ]),
  ...of('jobs', 'job_id', 'delete', [
    'annotations',
    'artifacts',
    'log_chunks',
    'log_extracts',
    'log_filters',
    'log_header_times',
    'log_usage',
  ]),
  ...of('steps', 'step_id', null, ['jobs']),
  ...of('suites', 'suite_id', 'purge', ['suite_runs', 'suite_tests']),
  ...of('suites', 'suite_id', 'delete', [
    'team_suites',
    'test_ownerships',
    'test_plans',
    'test_workflows',
    'test_workflow_events',
    'test_workflow_states',
  ]),
  ...of('suite_runs', 'run_id', 'delete', ['suite_executions', 'suite_uploads']),
  ...of('suite_tests', 'test_id', null, ['suite_executions']),
  ...of('suite_tests', 'test_id', 'delete', ['test_workflow_events', 'test_workflow_states']),
  ...of('test_workflows', 'workflow_id', 'delete', ['test_workflow_events', 'test_workflow_states']),
  ...of('clusters', 'cluster_id', 'delete', [
    'agent_tokens',
    'cluster_maintainers',
    'cluster_queues',
    'cluster_secrets',
    'stacks',
  ]),
  ...of('culprit_searches', 'search_id', 'delete', ['culprit_builds']),
  ...of('provider_connections', 'connection_id', 'delete', ['provider_connection_states']),
  ...of('clusters', 'cluster_id', 'purge', ['agents']),
  ...of('clusters', 'cluster_id', 'forget', ['pipelines']),
  ...of('clusters', 'default_cluster_id', 'forget', ['organizations']),
  ...of('cluster_queues', 'default_queue_id', 'forget', ['clusters']),
  ...of('pipeline_templates', 'pipeline_template_id', 'forget', ['pipelines']),
  ...of('teams', 'team_id', 'delete', ['cluster_maintainers', 'team_members', 'team_pipelines', 'team_suites']),
  ...of('users', 'user_id', 'delete', [
    'api_tokens',
    'cluster_maintainers',
    'oauth_grants',
    'organization_members',
    'pipeline_favorites',
    'sessions',
    'sign_in_addresses',
    'team_members',
  ]),
  ...of('api_tokens', 'api_token_id', 'delete', ['api_token_organizations', 'api_token_revocations', 'oauth_grants']),
  ...of('notifications', 'notification_id', 'delete', ['notification_deliveries']),
  ...of('organizations', 'organization_id', null, ['clusters', 'pipelines', 'suites', 'teams']),
  ...of('organizations', 'organization_id', 'delete', ['organization_members', 'organization_banners', 'sso_domains']),
];

/** The deletion that takes what belongs to a row that is gone. */
export const purgedWith: Partial<Record<TableName, PurgedResource>> = {
  pipelines: 'pipeline',
  suites: 'suite',
  clusters: 'cluster',
};
