import { AgentTimeRollupSchema } from './agents/agent-time-rollup.js';
import { AgentTokenSchema } from './agents/agent-token.js';
import { AgentSchema } from './agents/agent.js';
import { AnnotationSchema } from './builds/annotation.js';
import { ApiTokenOrganizationSchema } from './organizations/api-token-organization.js';
import { ApiTokenRevocationSchema } from './organizations/api-token-revocation.js';
import { ApiTokenSchema } from './organizations/api-token.js';
import { ArtifactSchema } from './builds/artifact.js';
import { AuditEventSchema } from './organizations/audit-event.js';
import { BranchCheckSchema } from './integrations/branch-check.js';
import { BuildMetaDataSchema } from './builds/build-meta-data.js';
import { BuildNotificationSchema } from './integrations/build-notification.js';
import { BuildSchema } from './builds/build.js';
import { ClusterMaintainerSchema } from './agents/cluster-maintainer.js';
import { ClusterQueueSchema } from './agents/cluster-queue.js';
import { ClusterSecretSchema } from './agents/cluster-secret.js';
import { ClusterSchema } from './agents/cluster.js';
import { CommitStatusMarkSchema } from './integrations/commit-status-mark.js';
import { CulpritBuildSchema } from './builds/culprit-build.js';
import { CulpritSearchSchema } from './builds/culprit-search.js';
import { CommitStatusSchema } from './integrations/commit-status.js';
import { ConcurrencyGroupSchema } from './agents/concurrency-group.js';
import { DeletionSchema } from './installation/deletion.js';
import { EventStreamSchema } from './builds/event-stream.js';
import { EventSchema } from './builds/event.js';
import { GraphqlPointCountSchema } from './installation/graphql-point-count.js';
import { IdempotencyKeySchema } from './installation/idempotency-key.js';
import { BuildExportSchema } from './installation/build-export.js';
import { InsightFoldSchema } from './builds/insight-fold.js';
import { InsightRollupSchema } from './builds/insight-rollup.js';
import { InstallationSchema } from './installation/installation.js';
import { JobSchema } from './builds/job.js';
import { ListeningClockSchema } from './listening-clock.js';
import { LogChunkSchema } from './builds/log-chunk.js';
import { LogExtractSchema } from './builds/log-extract.js';
import { LogFilterSchema } from './builds/log-filter.js';
import { LogHeaderTimeSchema } from './builds/log-header-time.js';
import { LogUsageSchema } from './builds/log-usage.js';
import { NotificationDeliverySchema } from './integrations/notification-delivery.js';
import { NotificationServiceSchema } from './integrations/notification-service.js';
import { NotificationSchema } from './integrations/notification.js';
import { OauthClientSchema } from './organizations/oauth-client.js';
import { OauthGrantSchema } from './organizations/oauth-grant.js';
import { OidcKeySchema } from './installation/oidc-key.js';
import { OrganizationBannerSchema } from './organizations/organization-banner.js';
import { OrganizationInvitationSchema } from './organizations/organization-invitation.js';
import { OrganizationMemberSchema } from './organizations/organization-member.js';
import { OrganizationSchema } from './organizations/organization.js';
import { OutboxMessageSchema } from './installation/outbox-message.js';
import { PassedLogSchema } from './builds/passed-log.js';
import { PipelineCountSchema } from './pipelines/pipeline-count.js';
import { PipelineFavoriteSchema } from './pipelines/pipeline-favorite.js';
import { PipelineScheduleSchema } from './pipelines/pipeline-schedule.js';
import { PipelineTemplateSchema } from './pipelines/pipeline-template.js';
import { PipelineTriggerSchema } from './pipelines/pipeline-trigger.js';
import { PipelineWebhookSchema } from './pipelines/pipeline-webhook.js';
import { PipelineSchema } from './pipelines/pipeline.js';
import { ProviderConnectionStateSchema } from './integrations/provider-connection-state.js';
import { ProviderConnectionSchema } from './integrations/provider-connection.js';
import { PullRequestSchema } from './builds/pull-request.js';
import { RateLimitCountSchema } from './installation/rate-limit-count.js';
import { RetentionLeftoverSchema } from './installation/retention-leftover.js';
import { RetentionPassSchema } from './installation/retention-pass.js';
import { StorageSizeSchema } from './installation/storage-size.js';
import { RuleSchema } from './agents/rule.js';
import { ScheduledBackupSchema } from './installation/scheduled-backup.js';
import { SchemaCompatibilitySchema } from './installation/schema-compatibility.js';
import { SecretKeySchema } from './secret-key.js';
import { SessionSchema } from './organizations/session.js';
import { SignInAddressSchema } from './organizations/sign-in-address.js';
import { SignInAttemptSchema } from './organizations/sign-in-attempt.js';
import { SsoDomainSchema } from './organizations/sso-domain.js';
import { StackSchema } from './agents/stack.js';
import { StepUploadSchema } from './pipelines/step-upload.js';
import { StepSchema } from './pipelines/step.js';
import { StorageSweepSchema } from './installation/storage-sweep.js';
import { SuiteExecutionSchema } from './suites/suite-execution.js';
import { SuiteRunSchema } from './suites/suite-run.js';
import { SuiteTestSchema } from './suites/suite-test.js';
import { SuiteUploadSchema } from './suites/suite-upload.js';
import { TestOwnershipSchema } from './suites/test-ownership.js';
import { TestPlanSchema } from './suites/test-plan.js';
import { TestWorkflowEventSchema } from './suites/test-workflow-event.js';
import { TestWorkflowSchema } from './suites/test-workflow.js';
import { TestWorkflowStateSchema } from './suites/test-workflow-state.js';
import { SuiteSchema } from './suites/suite.js';
import { TeamMemberSchema } from './organizations/team-member.js';
import { TeamPipelineSchema } from './organizations/team-pipeline.js';
import { TeamSuiteSchema } from './organizations/team-suite.js';
import { TeamSchema } from './organizations/team.js';
import { TriggerUsageSchema } from './pipelines/trigger-usage.js';
import { UserSchema } from './organizations/user.js';
import { WebhookDeliveryBuildSchema } from './integrations/webhook-delivery-build.js';
import { WebhookDeliverySchema } from './integrations/webhook-delivery.js';
import { WorkClaimSchema } from './installation/work-claim.js';
import { WorkSuspectSchema } from './installation/work-suspect.js';

/** Every table of the product. */
export const entities = [
  OrganizationSchema,
  UserSchema,
  OrganizationBannerSchema,
  OrganizationInvitationSchema,
  OrganizationMemberSchema,
  TeamSchema,
  TeamMemberSchema,
  TeamPipelineSchema,
  TeamSuiteSchema,
  SuiteSchema,
  ClusterSchema,
  ClusterQueueSchema,
  StackSchema,
  AgentTokenSchema,
  ApiTokenSchema,
  ApiTokenOrganizationSchema,
  ApiTokenRevocationSchema,
  SessionSchema,
  SignInAddressSchema,
  SignInAttemptSchema,
  SsoDomainSchema,
  RuleSchema,
  PipelineSchema,
  PipelineCountSchema,
  PipelineFavoriteSchema,
  PipelineTemplateSchema,
  BuildSchema,
  BuildMetaDataSchema,
  BuildNotificationSchema,
  StepSchema,
  StepUploadSchema,
  ClusterMaintainerSchema,
  ClusterSecretSchema,
  PipelineScheduleSchema,
  JobSchema,
  AgentSchema,
  AgentTimeRollupSchema,
  LogChunkSchema,
  LogUsageSchema,
  LogHeaderTimeSchema,
  LogFilterSchema,
  LogExtractSchema,
  PassedLogSchema,
  EventSchema,
  AuditEventSchema,
  EventStreamSchema,
  OutboxMessageSchema,
  IdempotencyKeySchema,
  ConcurrencyGroupSchema,
  DeletionSchema,
  NotificationServiceSchema,
  NotificationSchema,
  NotificationDeliverySchema,
  CommitStatusSchema,
  CommitStatusMarkSchema,
  BranchCheckSchema,
  WebhookDeliverySchema,
  WebhookDeliveryBuildSchema,
  PullRequestSchema,
  PipelineWebhookSchema,
  ProviderConnectionSchema,
  ProviderConnectionStateSchema,
  AnnotationSchema,
  SuiteRunSchema,
  SuiteUploadSchema,
  SuiteTestSchema,
  SuiteExecutionSchema,
  TestOwnershipSchema,
  TestPlanSchema,
  TestWorkflowSchema,
  TestWorkflowStateSchema,
  TestWorkflowEventSchema,
  CulpritSearchSchema,
  CulpritBuildSchema,
  ArtifactSchema,
  GraphqlPointCountSchema,
  RateLimitCountSchema,
  PipelineTriggerSchema,
  TriggerUsageSchema,
  SecretKeySchema,
  OauthClientSchema,
  OauthGrantSchema,
  OidcKeySchema,
  ListeningClockSchema,
  InsightFoldSchema,
  InsightRollupSchema,
  InstallationSchema,
  StorageSweepSchema,
  ScheduledBackupSchema,
  SchemaCompatibilitySchema,
  StorageSizeSchema,
  RetentionPassSchema,
  RetentionLeftoverSchema,
  BuildExportSchema,
  WorkClaimSchema,
  WorkSuspectSchema,
] as const;
