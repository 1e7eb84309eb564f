import { annotationReply } from './annotation-schemas.js';
import { artifactReply, linkReply } from './artifact-schemas.js';
import { buildAfterRetryReply, buildReply, buildSummaryReply } from './build-schemas.js';
import { agentReply, jobReply, logReply, manualJobReply, scriptJobReply, triggerJobReply, waiterJobReply } from './job-schemas.js';
import { notificationDeliveryReply, notificationDeliveryWithPayloadReply, notificationServiceReply } from './notification-schemas.js';
import { accessTokenReply, clusterReply, emojiReply, metaReply, organizationMemberReply, organizationReply, queueReply, teamMemberReply, teamPipelineReply, teamReply, teamSuiteReply, userReply } from './organization-schemas.js';
import { pipelineReply, pipelineTemplateReply, stepReply } from './pipeline-schemas.js';
import { list, mapOf, object, type Schema, text } from './schema.js';
import { executionReply, runReply, suiteReply, suiteTestReply } from './suite-schemas.js';

/** The shapes of replies by the names the OpenAPI document gives them; tests hold presenters against them. */
export const schemas = {
  AccessToken: accessTokenReply,
  Agent: agentReply,
  Annotation: annotationReply,
  Artifact: artifactReply,
  Build: buildReply,
  BuildAfterRetry: buildAfterRetryReply,
  BuildSummary: buildSummaryReply,
  Cluster: clusterReply,
  ClusterQueue: queueReply,
  Emoji: emojiReply,
  Error: object({ message: text() }),
  Fault: object({ message: text(), request_id: text() }),
  Job: jobReply,
  JobEnv: object({ env: mapOf(text()) }),
  JobLog: logReply,
  Link: linkReply,
  ManualJob: manualJobReply,
  Meta: metaReply,
  NotificationDelivery: notificationDeliveryReply,
  NotificationDeliveryWithPayload: notificationDeliveryWithPayloadReply,
  NotificationService: notificationServiceReply,
  Organization: organizationReply,
  OrganizationMember: organizationMemberReply,
  Pipeline: pipelineReply,
  PipelineTemplate: pipelineTemplateReply,
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
} as const satisfies Record<string, Schema>;

export type SchemaName = keyof typeof schemas;
