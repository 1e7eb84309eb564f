import { buildNotificationResource } from '../present/builds/build-notification.js';
import { providerSettings } from './body-types.js';
import { agentResource } from '../present/agents/agent.js';
import { agentWithJobResource } from '../present/agents/agent-with-job.js';
import {
  agentTokenResource,
  clusterMaintainerResource,
  clusterResource,
  newAgentTokenResource,
  queueResource,
} from '../present/agents/cluster.js';
import { ruleResource } from '../present/agents/rule.js';
import { secretResource } from '../present/agents/secret.js';
import { annotationResource } from '../present/builds/annotation.js';
import { artifactResource, linkSchema } from '../present/builds/artifact.js';
import {
  buildAfterRetryResource,
  buildAuthorSchema,
  buildResource,
  buildSummarySchema,
  pullRequestSchema,
} from '../present/builds/build.js';
import { eventResource } from '../present/builds/event.js';
import {
  buildExplanationResource,
  criticalPathResource,
  jobExplanationResource,
} from '../present/builds/explanation.js';
import { jobFailureResource } from '../present/builds/failure.js';
import { agentsNeededResource } from '../present/agents/agents-needed.js';
import { insightResource } from '../present/organizations/insight.js';
import { logSearchResource } from '../present/builds/log-search.js';
import { culpritSearchResource } from '../present/builds/culprit-search.js';
import { stepUploadResource, stepUploadWithDefinitionResource } from '../present/builds/step-upload.js';
import { jobSchema, manualJobResource, triggerJobResource, waiterJobResource } from '../present/builds/job.js';
import { jobLogSchema, scriptJobResource } from '../present/builds/script-job.js';
import { emojiResource } from '../present/installation/emoji.js';
import { metaResource } from '../present/installation/meta.js';
import {
  notificationDeliveryResource,
  notificationDeliveryWithPayloadResource,
  notificationServiceResource,
} from '../present/integrations/notification-service.js';
import { commitStatusResource } from '../present/builds/commit-status.js';
import { plannedStatusResource } from '../present/builds/planned-status.js';
import { connectionCheckResource, providerConnectionResource } from '../present/integrations/provider-connection.js';
import {
  providerRepositoryResource,
  repositoryConnectionResource,
  repositoryConnectionWithHostResource,
} from '../present/integrations/repository-connection.js';
import { webhookDeliveryPreviewResource, webhookDeliveryResource } from '../present/integrations/webhook-delivery.js';
import { accessTokenResource, organizationAccessTokenResource } from '../present/organizations/access-token.js';
import { auditEventResource } from '../present/organizations/audit-event.js';
import { addressedInvitationResource, invitationResource } from '../present/organizations/invitation.js';
import { organizationMemberResource } from '../present/organizations/organization-member.js';
import {
  organizationResource,
  apiSettingsResource,
  bannerResource,
  pipelineSettingsResource,
  rateLimitResource,
} from '../present/organizations/organization.js';
import {
  pipelineTeamResource,
  teamMemberResource,
  teamPipelineResource,
  teamResource,
  teamSuiteResource,
} from '../present/organizations/team.js';
import { storageResource } from '../present/organizations/storage.js';
import { userResource } from '../present/organizations/user.js';
import { pipelineScheduleResource } from '../present/pipelines/pipeline-schedule.js';
import { pipelineTemplateResource } from '../present/pipelines/pipeline-template.js';
import { pipelineResource } from '../present/pipelines/pipeline.js';
import {
  manualStepSchema,
  scriptStepSchema,
  stepSchema,
  triggerStepSchema,
  waiterStepSchema,
} from '../present/pipelines/step.js';
import { pipelineTriggerResource, webhookResource } from '../present/pipelines/webhook.js';
import { testOwnershipResource } from '../present/suites/test-ownership.js';
import {
  testAlarmResource,
  testWorkflowDeliveryResource,
  testWorkflowEventResource,
  testWorkflowResource,
} from '../present/suites/test-workflow.js';
import { fileTimesSchema, filesToSplitResource, testPlanResource } from '../present/suites/test-plan.js';
import { suiteExecutionResource, taggedExecutionsResource } from '../present/suites/execution.js';
import { buildTestResource, flakyTestResource, suiteTestResource } from '../present/suites/suite-test.js';
import { suiteResource, suiteRunResource } from '../present/suites/suite.js';
import { arrayOf, described, enumOf, integer, mapOf, object, type Schema, text, url } from './schema.js';

const message = described(text, 'What went wrong, in a sentence.');

const faultSchema = object({
  message,
  request_id: described(text, 'ID of the request, which the log of the service names.'),
});

const rateLimitedSchema = object({
  message,
  scope: described(enumOf('rest', 'rest_user'), 'Whether the limit of the organization or of the user is reached.'),
  limit: described(integer, 'Number of requests allowed in a minute.'),
  current: described(integer, 'Number of requests in this minute.'),
  reset: described(integer, 'Seconds until the next minute begins.'),
});

const cursorLinksSchema = object(
  { self: described(url, 'URL of this page.') },
  {
    first: described(url, 'URL of the first page; absent there.'),
    prev: described(url, 'URL of the previous page; absent on the first.'),
    next: described(url, 'URL of the next page; absent on the last.'),
  },
);
const fieldErrorSchema = object({
  field: described(text, 'Name of the field.'),
  code: described(text, 'What is wrong with it, such as `missing`.'),
});

/** Schemas by the names they have in the OpenAPI document. */
export const schemas = {
  AccessToken: accessTokenResource.schema,
  Agent: agentResource.schema,
  AgentToken: agentTokenResource.schema,
  AgentWithJob: agentWithJobResource.schema,
  Annotation: annotationResource.schema,
  Artifact: artifactResource.schema,
  AuditEvent: auditEventResource.schema,
  Build: buildResource.schema,
  BuildAfterRetry: buildAfterRetryResource.schema,
  BuildAuthor: buildAuthorSchema,
  BuildCriticalPath: criticalPathResource.schema,
  BuildExplanation: buildExplanationResource.schema,
  BuildSummary: buildSummarySchema,
  Cluster: clusterResource.schema,
  ClusterMaintainer: clusterMaintainerResource.schema,
  ClusterQueue: queueResource.schema,
  ClusterSecret: secretResource.schema,
  CursorLinks: cursorLinksSchema,
  Emoji: emojiResource.schema,
  ErrorReply: object({ message }),
  Event: eventResource.schema,
  RepositoryConnection: repositoryConnectionResource.schema,
  RepositoryConnectionWithHost: repositoryConnectionWithHostResource.schema,
  BuildNotification: buildNotificationResource.schema,
  StepUpload: stepUploadResource.schema,
  StepUploadWithDefinition: stepUploadWithDefinitionResource.schema,
  Fault: faultSchema,
  Job: jobSchema,
  JobEnv: object({ env: described(mapOf(text), 'Environment variables of the job.') }),
  JobExplanation: jobExplanationResource.schema,
  JobFailure: jobFailureResource.schema,
  JobLog: jobLogSchema,
  Link: linkSchema,
  Insight: insightResource.schema,
  AgentsNeeded: agentsNeededResource.schema,
  LogSearch: logSearchResource.schema,
  ManualJob: manualJobResource.schema,
  ManualStep: manualStepSchema,
  Meta: metaResource.schema,
  CreatedAgentToken: newAgentTokenResource.schema,
  NotificationDelivery: notificationDeliveryResource.schema,
  NotificationDeliveryWithPayload: notificationDeliveryWithPayloadResource.schema,
  NotificationService: notificationServiceResource.schema,
  Organization: organizationResource.schema,
  OrganizationStorage: storageResource.schema,
  OrganizationAccessToken: organizationAccessTokenResource.schema,
  OrganizationMember: organizationMemberResource.schema,
  Pipeline: pipelineResource.schema,
  PipelineSchedule: pipelineScheduleResource.schema,
  ApiSettings: apiSettingsResource.schema,
  OrganizationBanner: bannerResource.schema,
  OrganizationInvitation: invitationResource.schema,
  AddressedOrganizationInvitation: addressedInvitationResource.schema,
  PipelineSettings: pipelineSettingsResource.schema,
  PipelineTeam: pipelineTeamResource.schema,
  PipelineTemplate: pipelineTemplateResource.schema,
  PipelineTrigger: pipelineTriggerResource.schema,
  CommitStatus: commitStatusResource.schema,
  PlannedCommitStatus: plannedStatusResource.schema,
  ProviderConnection: providerConnectionResource.schema,
  ProviderConnectionCheck: connectionCheckResource.schema,
  ProviderRepository: providerRepositoryResource.schema,
  PullRequest: pullRequestSchema,
  RateLimit: rateLimitResource.schema,
  RateLimited: rateLimitedSchema,
  Rule: ruleResource.schema,
  ProviderSettings: providerSettings,
  ScriptJob: scriptJobResource.schema,
  ScriptStep: scriptStepSchema,
  Step: stepSchema,
  BuildTest: buildTestResource.schema,
  TaggedExecutions: taggedExecutionsResource.schema,
  Suite: suiteResource.schema,
  SuiteExecution: suiteExecutionResource.schema,
  SuiteRun: suiteRunResource.schema,
  SuiteTest: suiteTestResource.schema,
  FlakyTest: flakyTestResource.schema,
  TestOwnership: testOwnershipResource.schema,
  TestPlan: testPlanResource.schema,
  TestAlarm: testAlarmResource.schema,
  CulpritSearch: culpritSearchResource.schema,
  TestWorkflow: testWorkflowResource.schema,
  TestWorkflowDelivery: testWorkflowDeliveryResource.schema,
  TestWorkflowEvent: testWorkflowEventResource.schema,
  TestFilesToSplit: filesToSplitResource.schema,
  TestFileTimes: fileTimesSchema,
  Team: teamResource.schema,
  TeamMember: teamMemberResource.schema,
  TeamPipeline: teamPipelineResource.schema,
  TeamSuite: teamSuiteResource.schema,
  Text: text,
  TriggerJob: triggerJobResource.schema,
  TriggerStep: triggerStepSchema,
  User: userResource.schema,
  ValidationError: object(
    { message },
    { errors: described(arrayOf(fieldErrorSchema), 'Fields that were refused; absent if `message` says it all.') },
  ),
  WaiterJob: waiterJobResource.schema,
  WaiterStep: waiterStepSchema,
  Webhook: webhookResource.schema,
  WebhookDelivery: webhookDeliveryResource.schema,
  WebhookDeliveryPreview: webhookDeliveryPreviewResource.schema,
} as const satisfies Record<string, Schema>;

export type SchemaName = keyof typeof schemas;
