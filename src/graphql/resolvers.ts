import type { NonEmptyArray } from 'type-graphql';
import {
  OrganizationAPIAccessTokenResolver,
  OrganizationAPIAccessTokensResolver,
} from './organizations/api-tokens/organization-api-access-token.js';
import {
  ViewerAPIAccessTokenResolver,
  ViewerAPIAccessTokensResolver,
} from './organizations/api-tokens/viewer-api-access-token.js';
import { AgentMutations } from './agents/agent-mutations.js';
import { AgentRelationsResolver } from './agents/agent-relations.js';
import { AgentResolver } from './agents/agent.js';
import { AnnotationMutations } from './builds/annotations/annotation-mutations.js';
import { AnnotationBodyResolver, AnnotationResolver } from './builds/annotations/annotation.js';
import { BuildAnnotationsResolver, JobAnnotationsResolver } from './builds/annotations/annotations-of.js';
import { ArtifactQueries, JobTypeCommandArtifactsResolver } from './builds/artifacts/artifact-lists.js';
import { ArtifactMutations } from './builds/artifacts/artifact-mutations.js';
import { ArtifactResolver } from './builds/artifacts/artifact.js';
import {
  AuditActorResolver,
  AuditEventResolver,
  AuditSubjectResolver,
  OrganizationAuditEventsResolver,
} from './organizations/audit-events/audit-event.js';
import { BuildEventsResolver, BuildHistoryEventResolver } from './builds/build-events.js';
import { BuildMutations } from './builds/build-mutations.js';
import { buildPinResolvers } from './builds/build-pin.js';
import { BuildRelationsResolver } from './builds/build-relations.js';
import { explanationResolvers } from './builds/explanations.js';
import { criticalPathResolvers } from './builds/critical-path.js';
import { BuildSourceWebhookResolver } from './builds/build-source-webhook.js';
import {
  BuildSourceAPI,
  BuildSourceFrontend,
  BuildSourceSchedule,
  BuildSourceTriggerJob,
  BuildSourceWebhook,
} from './builds/build-source.js';
import { BuildResolver } from './builds/build.js';
import { BuildsOfPipelineResolver, BuildsOfUserResolver, BuildsOfViewerResolver } from './builds/builds-of.js';
import { BuildMetaDataResolver } from './builds/meta-data.js';
import { AgentTokenResolver, AgentTokensOfOrganizationResolver } from './agents/agent-tokens/agent-token.js';
import { DefaultClusterTokenMutations } from './agents/agent-tokens/default-cluster-token-mutations.js';
import { ClusterAgentTokenMutations } from './agents/agent-tokens/agent-token-mutations.js';
import { ClusterMaintainerResolver, MaintainersOfClusterResolver } from './agents/clusters/cluster-maintainer.js';
import { ClusterMutations } from './agents/clusters/cluster-mutations.js';
import { ClusterQueueResolver, QueuesOfClusterResolver } from './agents/queues/cluster-queue.js';
import { AgentTokensOfClusterResolver, ClusterTokenResolver } from './agents/agent-tokens/cluster-token.js';
import { ClusterResolver } from './agents/clusters/cluster.js';
import { HostedAgentsOfQueueResolver } from './agents/queues/hosted-agents.js';
import { ClusterQueueMutations } from './agents/queues/queue-mutations.js';
import { AgentsNeededOfQueueResolver } from './agents/queues/agents-needed.js';
import { MetricsOfQueueResolver } from './agents/queues/queue-metrics.js';
import { SecretMutations } from './agents/secrets/secret-mutations.js';
import { SecretResolver, SecretsOfClusterResolver } from './agents/secrets/secret.js';
import { ConnectionResolver } from './connections/connection.js';
import {
  JobEventPromisedExitStatus,
  JobEventPromisedExitStatusResolver,
  JobEventBuildStepUploadCreated,
  JobEventBuildStepUploadCreatedResolver,
  JobEventReprioritized,
  JobEventReprioritizedResolver,
  JobEventRetryFailed,
  JobEventRetryFailedResolver,
} from './builds/job-events/changing-events.js';
import { stepUploadResolvers } from './builds/step-uploads/step-upload.js';
import { NotificationsOfBuildResolver } from './builds/notifications/build-notification.js';
import { JobEventActorResolver, JobEventResolver } from './builds/job-events/job-event.js';
import {
  endings,
  JobEventAssigned,
  JobEventAssignedResolver,
  JobEventChanged,
  JobEventChangedResolver,
  JobEventGeneric,
  JobEventRetried,
  JobEventRetriedResolver,
  stackEvents,
} from './builds/job-events/job-events.js';
import { JobTypeCommandFailureResolver } from './builds/jobs/job-failure.js';
import { OrganizationLogSearchResolver } from './builds/log-search.js';
import { JobLogResolver, JobTypeCommandLogResolver } from './builds/jobs/job-log.js';
import { JobsOfBuildResolver, JobsOfPipelineResolver } from './builds/jobs/jobs-of.js';
import { JobMutations } from './builds/jobs/job-mutations.js';
import { JobTypeBlockResolver } from './builds/jobs/job-type-block.js';
import { JobTypeCommandRelationsResolver } from './builds/jobs/job-type-command-relations.js';
import { JobTypeCommandResolver } from './builds/jobs/job-type-command.js';
import { JobTypeTriggerResolver } from './builds/jobs/job-type-trigger.js';
import { JobTypeWaitResolver } from './builds/jobs/job-type-wait.js';
import { JobInterfaceResolver, JobResolver } from './builds/jobs/job.js';
import { StepCommandResolver, StepInputResolver, StepResolver } from './builds/jobs/step.js';
import { Subscriptions } from './subscriptions/subscriptions.js';
import {
  AgentUpdateResolver,
  AnnotationUpdateResolver,
  BuildUpdateResolver,
  JobUpdateResolver,
  PipelineUpdateResolver,
  StateChangeResolver,
} from './subscriptions/updates.js';
import { MetaResolver } from './meta.js';
import { NodeQueryResolver } from './nodes/node-query.js';
import { NodeResolver } from './nodes/node.js';
import { NotificationMutations } from './integrations/notifications/notification-mutations.js';
import {
  notificationServiceTypes,
  notificationServiceResolvers,
} from './integrations/notifications/notification-service.js';
import { OrganizationEmojisResolver } from './organizations/emojis.js';
import { OrganizationListsResolver } from './organizations/organization-lists.js';
import { InvitationMutations } from './organizations/invitations/invitation-mutations.js';
import {
  InvitationsOfOrganizationResolver,
  OrganizationInvitationResolver,
  OrganizationInvitationTeamAssignmentResolver,
} from './organizations/invitations/organization-invitation.js';
import { OrganizationBannersResolver } from './organizations/organization-banner.js';
import { OrganizationMemberListsResolver } from './organizations/organization-member-lists.js';
import { OrganizationMemberMutations } from './organizations/organization-member-mutations.js';
import { OrganizationMemberResolver } from './organizations/organization-member.js';
import { OrganizationResolver } from './organizations/organization.js';
import { OrganizationRateLimitsResolver } from './limits/organization-rate-limits.js';
import { OrganizationApiSettingsResolver } from './organizations/api-settings.js';
import { TwoFactorMutations } from './organizations/two-factor.js';
import { OrganizationInsightsResolver } from './organizations/organization-insights.js';
import { storageResolvers } from './organizations/organization-storage.js';
import { BuildExportMutations } from './organizations/build-exports.js';
import { DefaultClusterResolver, OrganizationPipelineSettingsResolver } from './organizations/pipeline-settings.js';
import { SessionMutations } from './organizations/sessions/session-mutations.js';
import { UserMutations } from './organizations/user-mutations.js';
import { SessionResolver, ViewerSessionsResolver } from './organizations/sessions/session.js';
import { UnregisteredUserResolver } from './organizations/unregistered-user.js';
import { UserResolver } from './organizations/user.js';
import { ViewerResolver } from './organizations/viewer.js';
import { PipelineTemplateMutations } from './pipelines/templates/pipeline-template-mutations.js';
import { PipelineTemplateResolver } from './pipelines/templates/pipeline-template.js';
import { PipelineMutations } from './pipelines/pipeline-mutations.js';
import { MetricsOfPipelineResolver } from './pipelines/pipeline-metrics.js';
import { PipelineProviderSettingsResolver } from './pipelines/provider-settings.js';
import { PipelineRelationsResolver } from './pipelines/pipeline-relations.js';
import { PipelineResolver } from './pipelines/pipeline.js';
import { RepositoryOfPipelineResolver, RepositoryResolver } from './pipelines/repository.js';
import { providerTypes, RepositoryProviderResolver } from './integrations/repository-providers/repository-provider.js';
import {
  RepositoryProviderGithubEnterpriseWebhook,
  RepositoryProviderGithubWebhook,
} from './integrations/repository-providers/webhook.js';
import { RuleMutations } from './agents/rules/rule-mutations.js';
import { OrganizationRulesResolver, RuleResolver } from './agents/rules/rule.js';
import { PipelineScheduleResolver } from './pipelines/schedules/pipeline-schedule.js';
import { BuildSourceScheduleResolver, SchedulesOfPipelineResolver } from './pipelines/schedules/pipeline-schedules.js';
import { PipelineScheduleMutations } from './pipelines/schedules/schedule-mutations.js';
import { BuildTestResolver, TestsOfBuildResolver } from './suites/tests-of-build.js';
import { ExecutionsOfRunResolver, ExecutionsOfTestResolver } from './suites/executions-of.js';
import { RunsOfSuiteResolver } from './suites/runs-of-suite.js';
import { testsOfSuiteResolvers } from './suites/tests-of-suite.js';
import { SuiteExecutionMutations } from './suites/suite-execution-mutations.js';
import { SuiteExecutionResolver } from './suites/suite-execution.js';
import { SuiteMutations } from './suites/suite-mutations.js';
import { SuiteRunResolver } from './suites/suite-run.js';
import { SuiteTeamsResolver } from './suites/suite-teams.js';
import { TestOwnershipOfSuiteResolver } from './suites/test-ownership.js';
import { culpritResolvers } from './builds/culprits/culprit-search-mutations.js';
import { testWorkflowResolvers } from './suites/test-workflow-mutations.js';
import { testPlanResolvers } from './suites/test-plan-mutations.js';
import { SuiteTestMutations } from './suites/suite-test-mutations.js';
import { SuiteTestResolver } from './suites/suite-test.js';
import { SuiteResolver } from './suites/suite.js';
import { TeamMemberMutations } from './organizations/teams/team-member-mutations.js';
import { MembersOfTeamResolver, TeamMemberResolver } from './organizations/teams/team-member.js';
import { TeamMutations } from './organizations/teams/team-mutations.js';
import { TeamPermissionsResolver } from './organizations/teams/team-permissions.js';
import { TeamPipelineMutations } from './organizations/teams/team-pipeline-mutations.js';
import { PipelinesOfTeamResolver, TeamPipelineResolver } from './organizations/teams/team-pipeline.js';
import { TeamSuiteMutations } from './organizations/teams/team-suite-mutations.js';
import { SuitesOfTeamResolver, TeamSuiteResolver } from './organizations/teams/team-suite.js';
import { TeamResolver } from './organizations/teams/team.js';
import { PipelineTriggerResolver, PipelineTriggersResolver } from './pipelines/triggers/pipeline-trigger.js';
import { PipelineWebhooksResolver } from './integrations/webhook-deliveries/pipeline-webhooks.js';
import {
  repositoryProviderResolvers,
  repositoryProviderTypes,
} from './integrations/provider-connections/organization-repository-providers.js';
import { commitStatusResolvers } from './builds/commit-statuses/commit-status.js';
import { providerConnectionResolvers } from './integrations/provider-connections/provider-connection-mutations.js';
import {
  WebhookDecisionResolver,
  WebhookDeliveryResolver,
} from './integrations/webhook-deliveries/webhook-delivery.js';
import { WebhookMutations } from './integrations/webhook-deliveries/webhook-mutations.js';

/** Every class with resolvers. */
export const resolvers: NonEmptyArray<new () => object> = [
  NodeQueryResolver,
  NodeResolver,
  ConnectionResolver,
  ViewerResolver,
  SessionResolver,
  ViewerSessionsResolver,
  SessionMutations,
  UserMutations,
  ViewerAPIAccessTokenResolver,
  ViewerAPIAccessTokensResolver,
  UserResolver,
  UnregisteredUserResolver,
  OrganizationResolver,
  OrganizationListsResolver,
  OrganizationMemberResolver,
  OrganizationBannersResolver,
  OrganizationInvitationResolver,
  OrganizationInvitationTeamAssignmentResolver,
  InvitationsOfOrganizationResolver,
  InvitationMutations,
  OrganizationMemberListsResolver,
  TeamResolver,
  TeamPermissionsResolver,
  TeamMemberResolver,
  MembersOfTeamResolver,
  TeamPipelineResolver,
  PipelinesOfTeamResolver,
  TeamSuiteResolver,
  SuitesOfTeamResolver,
  SuiteResolver,
  SuiteTeamsResolver,
  ClusterResolver,
  AgentTokenResolver,
  AgentTokensOfOrganizationResolver,
  DefaultClusterTokenMutations,
  ClusterQueueResolver,
  HostedAgentsOfQueueResolver,
  MetricsOfQueueResolver,
  AgentsNeededOfQueueResolver,
  QueuesOfClusterResolver,
  ClusterTokenResolver,
  AgentTokensOfClusterResolver,
  AgentResolver,
  AgentRelationsResolver,
  PipelineTemplateResolver,
  PipelineResolver,
  PipelineProviderSettingsResolver,
  PipelineRelationsResolver,
  MetricsOfPipelineResolver,
  RepositoryResolver,
  RepositoryOfPipelineResolver,
  RepositoryProviderResolver,
  OrganizationApiSettingsResolver,
  TwoFactorMutations,
  OrganizationRateLimitsResolver,
  OrganizationPipelineSettingsResolver,
  BuildExportMutations,
  ...storageResolvers,
  OrganizationLogSearchResolver,
  OrganizationInsightsResolver,
  DefaultClusterResolver,
  ClusterMaintainerResolver,
  MaintainersOfClusterResolver,
  SecretResolver,
  SecretsOfClusterResolver,
  SchedulesOfPipelineResolver,
  PipelineScheduleResolver,
  BuildSourceScheduleResolver,
  BuildResolver,
  BuildRelationsResolver,
  ...explanationResolvers,
  ...criticalPathResolvers,
  BuildMetaDataResolver,
  BuildsOfPipelineResolver,
  BuildsOfUserResolver,
  BuildsOfViewerResolver,
  JobResolver,
  JobInterfaceResolver,
  JobsOfBuildResolver,
  JobsOfPipelineResolver,
  JobTypeCommandResolver,
  JobTypeCommandFailureResolver,
  JobTypeCommandRelationsResolver,
  JobTypeBlockResolver,
  JobTypeTriggerResolver,
  JobTypeWaitResolver,
  StepResolver,
  StepCommandResolver,
  StepInputResolver,
  JobEventPromisedExitStatusResolver,
  JobEventBuildStepUploadCreatedResolver,
  JobEventRetryFailedResolver,
  ...stepUploadResolvers,
  NotificationsOfBuildResolver,
  JobEventReprioritizedResolver,
  JobEventResolver,
  JobEventActorResolver,
  JobEventAssignedResolver,
  JobEventChangedResolver,
  JobEventRetriedResolver,
  ...endings.map((ending) => ending.resolver),
  JobLogResolver,
  JobTypeCommandLogResolver,
  ...notificationServiceResolvers,
  NotificationMutations,
  OrganizationMemberMutations,
  TeamMutations,
  TeamMemberMutations,
  TeamPipelineMutations,
  TeamSuiteMutations,
  PipelineTemplateMutations,
  ArtifactResolver,
  JobTypeCommandArtifactsResolver,
  ArtifactQueries,
  ArtifactMutations,
  BuildSourceWebhookResolver,
  PipelineTriggerResolver,
  PipelineTriggersResolver,
  PipelineWebhooksResolver,
  ...commitStatusResolvers,
  ...providerConnectionResolvers,
  ...repositoryProviderResolvers,
  WebhookDecisionResolver,
  WebhookDeliveryResolver,
  WebhookMutations,
  PipelineMutations,
  BuildMutations,
  ...buildPinResolvers,
  JobMutations,
  AgentMutations,
  AnnotationResolver,
  AnnotationBodyResolver,
  BuildAnnotationsResolver,
  JobAnnotationsResolver,
  OrganizationEmojisResolver,
  MetaResolver,
  OrganizationAPIAccessTokenResolver,
  OrganizationAPIAccessTokensResolver,
  BuildEventsResolver,
  BuildHistoryEventResolver,
  RuleResolver,
  OrganizationRulesResolver,
  RuleMutations,
  AuditEventResolver,
  AuditActorResolver,
  AuditSubjectResolver,
  OrganizationAuditEventsResolver,
  AnnotationMutations,
  SuiteRunResolver,
  RunsOfSuiteResolver,
  SuiteTestResolver,
  BuildTestResolver,
  TestsOfBuildResolver,
  ...testsOfSuiteResolvers,
  SuiteExecutionResolver,
  ExecutionsOfRunResolver,
  ExecutionsOfTestResolver,
  SuiteMutations,
  SuiteTestMutations,
  TestOwnershipOfSuiteResolver,
  ...culpritResolvers,
  ...testWorkflowResolvers,
  ...testPlanResolvers,
  SuiteExecutionMutations,
  ClusterMutations,
  ClusterQueueMutations,
  ClusterAgentTokenMutations,
  PipelineScheduleMutations,
  SecretMutations,
  Subscriptions,
  StateChangeResolver,
  BuildUpdateResolver,
  JobUpdateResolver,
  PipelineUpdateResolver,
  AgentUpdateResolver,
  AnnotationUpdateResolver,
];

/** Object types that are only reached through an interface. */
export const typesWithoutResolver = [
  ...notificationServiceTypes,
  BuildSourceAPI,
  BuildSourceFrontend,
  BuildSourceSchedule,
  BuildSourceTriggerJob,
  BuildSourceWebhook,
  JobEventGeneric,
  JobEventAssigned,
  JobEventChanged,
  JobEventPromisedExitStatus,
  JobEventBuildStepUploadCreated,
  JobEventRetryFailed,
  JobEventReprioritized,
  JobEventRetried,
  ...endings.map((ending) => ending.type),
  ...stackEvents,
  ...providerTypes,
  ...repositoryProviderTypes,
  RepositoryProviderGithubWebhook,
  RepositoryProviderGithubEnterpriseWebhook,
];
