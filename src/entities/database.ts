import type { InferKyselyDB } from '@mikro-orm/sql';
import type { Insertable, Kysely, Selectable, Updateable } from 'kysely';
import type { entities } from './registry.js';
import type { TableWithUnshown, unshownColumns } from './unshown-columns.js';

/**
 * Every table with its columns in camelCase, inferred from the entities. Reads and set-based writes go through
 * Kysely on these types: rows arrive plain, nothing is hydrated (docs/decisions/0001).
 */
export type Database = InferKyselyDB<(typeof entities)[number], { columnNamingStrategy: 'property' }>;
export type Db = Kysely<Database>;
export type TableName = keyof Database & string;
export type Row<T extends TableName> = Selectable<Database[T]>;
/** A row of a list: without its large columns (`unshown-columns.ts`). */
export type ShownRow<T extends TableWithUnshown> = Omit<Row<T>, (typeof unshownColumns)[T][number]>;
export type NewRow<T extends TableName> = Insertable<Database[T]>;
export type Patch<T extends TableName> = Updateable<Database[T]>;

export type OrganizationRow = Row<'organizations'>;
export type UserRow = Row<'users'>;
export type PipelineRow = Row<'pipelines'>;
/** A pipeline as lists and references have it, without the texts of its steps. */
export type ShownPipelineRow = ShownRow<'pipelines'>;
export type BuildRow = Row<'builds'>;
/** A build as lists and references have it, without the columns that none of them shows (`unshown-columns.ts`). */
export type ShownBuildRow = ShownRow<'builds'>;
export type StepRow = Row<'steps'>;
export type OidcKeyRow = Row<'oidc_keys'>;
export type StepUploadRow = Row<'step_uploads'>;
export type JobRow = Row<'jobs'>;
export type AgentRow = Row<'agents'>;
export type ClusterRow = Row<'clusters'>;
export type ClusterQueueRow = Row<'cluster_queues'>;
export type StackRow = Row<'stacks'>;
export type ClusterMaintainerRow = Row<'cluster_maintainers'>;
export type ClusterSecretRow = Row<'cluster_secrets'>;
export type PipelineScheduleRow = Row<'pipeline_schedules'>;
export type AgentTokenRow = Row<'agent_tokens'>;
/** Without the hash of its value. */
export type ShownAgentTokenRow = Omit<AgentTokenRow, 'tokenHash'>;
export type AuditEventRow = Row<'audit_events'>;
export type ApiTokenRow = Row<'api_tokens'>;
/** Without the hashes of its tokens. */
export type SessionRow = Omit<Row<'sessions'>, 'tokenHash' | 'previousTokenHash' | 'previousExpiresAt' | 'rotatedAt'>;
export type RuleRow = Row<'rules'>;
export type TeamRow = Row<'teams'>;
/** Without its bodies, which can be large: `loaders.ts` reads them where they are shown. */
export type AnnotationRow = Omit<Row<'annotations'>, 'body' | 'bodyHtml'>;
export type ArtifactRow = Row<'artifacts'>;
export type DeletionRow = Row<'deletions'>;
export type EventRow = Row<'events'>;
export type NotificationServiceRow = Row<'notification_services'>;
export type BuildNotificationRow = Row<'build_notifications'>;
/** Without its payload. */
export type ShownNotificationRow = ShownRow<'notifications'>;
export type NotificationDeliveryRow = Row<'notification_deliveries'>;
export type WebhookDeliveryRow = Row<'webhook_deliveries'>;
export type PipelineWebhookRow = Row<'pipeline_webhooks'>;
export type CommitStatusRow = Row<'commit_statuses'>;
export type ProviderConnectionRow = Row<'provider_connections'>;
export type SuiteRow = Row<'suites'>;
export type SuiteRunRow = Row<'suite_runs'>;
export type SuiteUploadRow = Row<'suite_uploads'>;
export type SuiteTestRow = Row<'suite_tests'>;
export type TestOwnershipRow = Row<'test_ownerships'>;
export type TestPlanRow = Row<'test_plans'>;
export type TestWorkflowRow = Row<'test_workflows'>;
export type CulpritSearchRow = Row<'culprit_searches'>;
export type CulpritBuildRow = Row<'culprit_builds'>;
export type TestWorkflowEventRow = Row<'test_workflow_events'>;
/** Without the details of its failure: `loaders.ts` reads them where they are shown. */
export type SuiteExecutionRow = ShownRow<'suite_executions'>;
export type PipelineTriggerRow = Row<'pipeline_triggers'>;
