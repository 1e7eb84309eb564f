import { annotationReply } from './annotation-schemas.js';
import { artifactReply, linkReply } from './artifact-schemas.js';
import { buildAfterRetryReply, buildReply, buildSummaryReply } from './build-schemas.js';
import { rateLimitedReply } from './error-schemas.js';
import { auditEventReply, eventReply, organizationTokenReply, ruleReply } from './history-schemas.js';
import { agentReply, agentWithJobReply, jobReply, logReply, manualJobReply, scriptJobReply, triggerJobReply, waiterJobReply } from './job-schemas.js';
import { notificationDeliveryReply, notificationDeliveryWithPayloadReply, notificationServiceReply } from './notification-schemas.js';
import { accessTokenReply, agentTokenReply, clusterReply, clusterSecretReply, emojiReply, maintainerReply, metaReply, newAgentTokenReply, organizationMemberReply, organizationReply, pipelineSettingsReply, pipelineTeamReply, queueReply, teamMemberReply, teamPipelineReply, teamReply, teamSuiteReply, userReply } from './organization-schemas.js';
import { pipelineReply, pipelineScheduleReply, pipelineTemplateReply, stepReply } from './pipeline-schemas.js';
import { list, mapOf, object, type Schema, text } from './schema.js';
import { executionReply, runReply, suiteReply, suiteTestReply } from './suite-schemas.js';
import { deliveryPreviewReply, deliveryReply, pipelineTriggerReply, providerConnectionReply, webhookReply } from './webhook-schemas.js';

/** The shapes of replies by the names the OpenAPI document gives them; tests hold presenters against them. */
export const schemas = {
  AccessToken: accessTokenReply,
  Agent: agentReply,
  AgentToken: agentTokenReply,
  AgentWithJob: agentWithJobReply,
  Annotation: annotationReply,
  Artifact: artifactReply,
  AuditEvent: auditEventReply,
  Build: buildReply,
  BuildAfterRetry: buildAfterRetryReply,
  BuildSummary: buildSummaryReply,
  Cluster: clusterReply,
  ClusterMaintainer: maintainerReply,
  ClusterQueue: queueReply,
  ClusterSecret: clusterSecretReply,
  Emoji: emojiReply,
  Error: object({ message: text() }),
  Event: eventReply,
  Fault: object({ message: text(), request_id: text() }),
  Job: jobReply,
  JobEnv: object({ env: mapOf(text()) }),
  JobLog: logReply,
  Link: linkReply,
  ManualJob: manualJobReply,
  Meta: metaReply,
  NewAgentToken: newAgentTokenReply,
  NotificationDelivery: notificationDeliveryReply,
  NotificationDeliveryWithPayload: notificationDeliveryWithPayloadReply,
  NotificationService: notificationServiceReply,
  Organization: organizationReply,
  OrganizationAccessToken: organizationTokenReply,
  OrganizationMember: organizationMemberReply,
  Pipeline: pipelineReply,
  PipelineSchedule: pipelineScheduleReply,
  PipelineSettings: pipelineSettingsReply,
  PipelineTeam: pipelineTeamReply,
  PipelineTemplate: pipelineTemplateReply,
  PipelineTrigger: pipelineTriggerReply,
  ProviderConnection: providerConnectionReply,
  RateLimited: rateLimitedReply,
  Rule: ruleReply,
  ScriptJob: scriptJobReply,
  Step: stepReply,
  Suite: suiteReply,
  SuiteExecution: executionReply,
  SuiteRun: runReply,
  SuiteTest: suiteTestReply,
  Team: teamReply,
  TeamMember: teamMemberReply,
  TeamPipeline: teamPipelineReply,
  TeamSuite: teamSuiteReply,
  Text: text(),
  TriggerJob: triggerJobReply,
  User: userReply,
  ValidationError: object({ message: text() }, { errors: list(object({ field: text(), code: text() })) }),
  WaiterJob: waiterJobReply,
  Webhook: webhookReply,
  WebhookDelivery: deliveryReply,
  WebhookDeliveryPreview: deliveryPreviewReply,
} as const satisfies Record<string, Schema>;

export type SchemaName = keyof typeof schemas;
