import { AgentSchema } from './agent.js';
import { AgentTokenSchema } from './agent-token.js';
import { ApiTokenOrganizationSchema } from './api-token-organization.js';
import { ApiTokenSchema } from './api-token.js';
import { AuditEventSchema } from './audit-event.js';
import { BuildMetaDataSchema } from './build-meta-data.js';
import { BuildSchema } from './build.js';
import { ClusterQueueSchema } from './cluster-queue.js';
import { ClusterSchema } from './cluster.js';
import { ConcurrencyGroupSchema } from './concurrency-group.js';
import { EventSchema } from './event.js';
import { IdempotencyKeySchema } from './idempotency-key.js';
import { JobSchema } from './job.js';
import { LogChunkSchema } from './log-chunk.js';
import { LogHeaderTimeSchema } from './log-header-time.js';
import { LogUsageSchema } from './log-usage.js';
import { OrganizationMemberSchema } from './organization-member.js';
import { OrganizationSchema } from './organization.js';
import { OutboxMessageSchema } from './outbox-message.js';
import { PipelineFavoriteSchema } from './pipeline-favorite.js';
import { PipelineSchema } from './pipeline.js';
import { PipelineTriggerSchema } from './pipeline-trigger.js';
import { PipelineWebhookSchema } from './pipeline-webhook.js';
import { ProviderConnectionSchema } from './provider-connection.js';
import { PullRequestSchema } from './pull-request.js';
import { PipelineTemplateSchema } from './pipeline-template.js';
import { StepSchema } from './step.js';
import { SuiteSchema } from './suite.js';
import { TeamMemberSchema } from './team-member.js';
import { TeamPipelineSchema } from './team-pipeline.js';
import { TeamSchema } from './team.js';
import { TriggerUsageSchema } from './trigger-usage.js';
import { UserSchema } from './user.js';
import { WebhookDeliveryBuildSchema } from './webhook-delivery-build.js';
import { WebhookDeliverySchema } from './webhook-delivery.js';

/** Every table of the product. */
export const entities = [
  OrganizationSchema, UserSchema, OrganizationMemberSchema, TeamSchema, TeamMemberSchema, TeamPipelineSchema,
  SuiteSchema, ClusterSchema, ClusterQueueSchema, AgentTokenSchema, ApiTokenSchema, ApiTokenOrganizationSchema,
  PipelineSchema, PipelineFavoriteSchema, PipelineTemplateSchema, BuildSchema, BuildMetaDataSchema, StepSchema,
  JobSchema, AgentSchema, LogChunkSchema, LogUsageSchema, LogHeaderTimeSchema, EventSchema, AuditEventSchema,
  OutboxMessageSchema, IdempotencyKeySchema, ConcurrencyGroupSchema,
  WebhookDeliverySchema, WebhookDeliveryBuildSchema, PullRequestSchema, PipelineWebhookSchema, ProviderConnectionSchema, PipelineTriggerSchema,
  TriggerUsageSchema,
] as const;
