import { AgentTokenSchema } from './agent-token.js';
import { AgentSchema } from './agent.js';
import { AnnotationSchema } from './annotation.js';
import { ApiTokenOrganizationSchema } from './api-token-organization.js';
import { ApiTokenRevocationSchema } from './api-token-revocation.js';
import { ApiTokenSchema } from './api-token.js';
import { ArtifactSchema } from './artifact.js';
import { AuditEventSchema } from './audit-event.js';
import { BranchCheckSchema } from './branch-check.js';
import { BuildMetaDataSchema } from './build-meta-data.js';
import { BuildSchema } from './build.js';
import { ClusterMaintainerSchema } from './cluster-maintainer.js';
import { ClusterQueueSchema } from './cluster-queue.js';
import { ClusterSecretSchema } from './cluster-secret.js';
import { ClusterSchema } from './cluster.js';
import { CommitStatusSchema } from './commit-status.js';
import { ConcurrencyGroupSchema } from './concurrency-group.js';
import { EventStreamSchema } from './event-stream.js';
import { EventSchema } from './event.js';
import { IdempotencyKeySchema } from './idempotency-key.js';
import { JobSchema } from './job.js';
import { LogChunkSchema } from './log-chunk.js';
import { LogHeaderTimeSchema } from './log-header-time.js';
import { LogUsageSchema } from './log-usage.js';
import { NotificationDeliverySchema } from './notification-delivery.js';
import { NotificationServiceSchema } from './notification-service.js';
import { NotificationSchema } from './notification.js';
import { OrganizationMemberSchema } from './organization-member.js';
import { OrganizationSchema } from './organization.js';
import { OutboxMessageSchema } from './outbox-message.js';
import { PipelineFavoriteSchema } from './pipeline-favorite.js';
import { PipelineScheduleSchema } from './pipeline-schedule.js';
import { PipelineTemplateSchema } from './pipeline-template.js';
import { PipelineTriggerSchema } from './pipeline-trigger.js';
import { PipelineWebhookSchema } from './pipeline-webhook.js';
import { PipelineSchema } from './pipeline.js';
import { ProviderConnectionSchema } from './provider-connection.js';
import { PullRequestSchema } from './pull-request.js';
import { RateLimitCountSchema } from './rate-limit-count.js';
import { RuleSchema } from './rule.js';
import { StepSchema } from './step.js';
import { SuiteExecutionSchema } from './suite-execution.js';
import { SuiteRunSchema } from './suite-run.js';
import { SuiteTestSchema } from './suite-test.js';
import { SuiteUploadSchema } from './suite-upload.js';
import { SuiteSchema } from './suite.js';
import { TeamMemberSchema } from './team-member.js';
import { TeamPipelineSchema } from './team-pipeline.js';
import { TeamSuiteSchema } from './team-suite.js';
import { TeamSchema } from './team.js';
import { TriggerUsageSchema } from './trigger-usage.js';
import { UserSchema } from './user.js';
import { WebhookDeliveryBuildSchema } from './webhook-delivery-build.js';
import { WebhookDeliverySchema } from './webhook-delivery.js';

/** Every table of the product. */
export const entities = [
  OrganizationSchema, UserSchema, OrganizationMemberSchema, TeamSchema, TeamMemberSchema, TeamPipelineSchema, TeamSuiteSchema,
  SuiteSchema, ClusterSchema, ClusterQueueSchema, AgentTokenSchema, ApiTokenSchema, ApiTokenOrganizationSchema, ApiTokenRevocationSchema, RuleSchema,
  PipelineSchema, PipelineFavoriteSchema, PipelineTemplateSchema, BuildSchema, BuildMetaDataSchema, StepSchema,
  ClusterMaintainerSchema, ClusterSecretSchema,
  PipelineScheduleSchema,
  JobSchema, AgentSchema, LogChunkSchema, LogUsageSchema, LogHeaderTimeSchema, EventSchema, AuditEventSchema,
  EventStreamSchema,
  OutboxMessageSchema, IdempotencyKeySchema, ConcurrencyGroupSchema,
  NotificationServiceSchema, NotificationSchema, NotificationDeliverySchema, CommitStatusSchema, BranchCheckSchema,
  WebhookDeliverySchema, WebhookDeliveryBuildSchema, PullRequestSchema, PipelineWebhookSchema, ProviderConnectionSchema,
  AnnotationSchema,
  SuiteRunSchema, SuiteUploadSchema, SuiteTestSchema,
  SuiteExecutionSchema,
  ArtifactSchema,
  RateLimitCountSchema,
  PipelineTriggerSchema,
  TriggerUsageSchema,
] as const;
