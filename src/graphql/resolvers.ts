import type { NonEmptyArray } from 'type-graphql';
import { OrganizationAPIAccessTokenResolver, OrganizationAPIAccessTokensResolver } from './access-tokens/organization-api-access-token.js';
import { AgentMutations } from './agents/agent-mutations.js';
import { AgentRelationsResolver } from './agents/agent-relations.js';
import { AgentResolver } from './agents/agent.js';
import { AnnotationMutations } from './annotations/annotation-mutations.js';
import { AnnotationBodyResolver, AnnotationResolver } from './annotations/annotation.js';
import { BuildAnnotationsResolver, JobAnnotationsResolver } from './annotations/annotations-of.js';
import { ArtifactQueries, JobTypeCommandArtifactsResolver } from './artifacts/artifact-lists.js';
import { ArtifactMutations } from './artifacts/artifact-mutations.js';
import { ArtifactResolver } from './artifacts/artifact.js';
import { AuditActorResolver, AuditEventResolver, AuditSubjectResolver, OrganizationAuditEventsResolver } from './audit/audit-event.js';
import { BuildEventsResolver, BuildHistoryEventResolver } from './builds/build-events.js';
import { BuildMutations } from './builds/build-mutations.js';
import { BuildRelationsResolver } from './builds/build-relations.js';
import { BuildSourceWebhookResolver } from './builds/build-source-webhook.js';
import { BuildSourceAPI, BuildSourceFrontend, BuildSourceSchedule, BuildSourceTriggerJob, BuildSourceWebhook } from './builds/build-source.js';
import { BuildResolver } from './builds/build.js';
import { BuildMetaDataResolver } from './builds/meta-data.js';
import { ClusterAgentTokenMutations } from './clusters/agent-token-mutations.js';
import { ClusterMaintainerResolver } from './clusters/cluster-maintainer.js';
import { ClusterMutations } from './clusters/cluster-mutations.js';
import { ClusterQueueResolver } from './clusters/cluster-queue.js';
import { ClusterTokenResolver } from './clusters/cluster-token.js';
import { ClusterResolver } from './clusters/cluster.js';
import { ClusterQueueMutations } from './clusters/queue-mutations.js';
import { SecretMutations } from './clusters/secret-mutations.js';
import { SecretResolver } from './clusters/secret.js';
import { ConnectionResolver } from './connections/connection.js';
import { JobEventActorResolver, JobEventResolver } from './jobs/job-event.js';
import { endings, JobEventAssigned, JobEventAssignedResolver, JobEventChanged, JobEventChangedResolver, JobEventGeneric, JobEventRetried, JobEventRetriedResolver } from './jobs/job-events.js';
import { JobLogResolver, JobTypeCommandLogResolver } from './jobs/job-log.js';
import { JobMutations } from './jobs/job-mutations.js';
import { JobTypeBlockResolver } from './jobs/job-type-block.js';
import { JobTypeCommandRelationsResolver } from './jobs/job-type-command-relations.js';
import { JobTypeCommandResolver } from './jobs/job-type-command.js';
import { JobTypeTriggerResolver } from './jobs/job-type-trigger.js';
import { JobTypeWaitResolver } from './jobs/job-type-wait.js';
import { JobInterfaceResolver, JobResolver } from './jobs/job.js';
import { StepCommandResolver, StepResolver } from './jobs/step.js';
import { Subscriptions } from './live/subscriptions.js';
import { AgentUpdateResolver, AnnotationUpdateResolver, BuildUpdateResolver, JobUpdateResolver, PipelineUpdateResolver, StateChangeResolver } from './live/updates.js';
import { MetaResolver } from './meta.js';
import { NodeQueryResolver } from './node-query.js';
import { NodeResolver } from './node.js';
import { NotificationDeliveryResolver } from './notifications/notification-delivery.js';
import { NotificationMutations } from './notifications/notification-mutations.js';
import { NotificationServiceQueryResolver, NotificationServiceResolver, OrganizationNotificationServicesResolver } from './notifications/notification-service.js';
import { OrganizationEmojisResolver } from './organizations/emojis.js';
import { OrganizationListsResolver } from './organizations/organization-lists.js';
import { OrganizationMemberListsResolver } from './organizations/organization-member-lists.js';
import { OrganizationMemberMutations } from './organizations/organization-member-mutations.js';
import { OrganizationMemberResolver } from './organizations/organization-member.js';
import { OrganizationResolver } from './organizations/organization.js';
import { OrganizationPipelineSettingsResolver } from './organizations/pipeline-settings.js';
import { UnregisteredUserResolver } from './organizations/unregistered-user.js';
import { UserResolver } from './organizations/user.js';
import { ViewerResolver } from './organizations/viewer.js';
import { PipelineTemplateMutations } from './pipeline-templates/pipeline-template-mutations.js';
import { PipelineTemplateResolver } from './pipeline-templates/pipeline-template.js';
import { PipelineMutations } from './pipelines/pipeline-mutations.js';
import { PipelineRelationsResolver } from './pipelines/pipeline-relations.js';
import { PipelineResolver } from './pipelines/pipeline.js';
import { RepositoryResolver } from './pipelines/repository.js';
import { providerTypes, RepositoryProviderResolver } from './repository-providers/repository-provider.js';
import { RepositoryProviderGithubEnterpriseWebhook, RepositoryProviderGithubWebhook } from './repository-providers/webhook.js';
import { RuleMutations } from './rules/rule-mutations.js';
import { OrganizationRulesResolver, RuleResolver } from './rules/rule.js';
import { PipelineScheduleResolver } from './schedules/pipeline-schedule.js';
import { BuildSourceScheduleResolver, SchedulesOfPipelineResolver } from './schedules/pipeline-schedules.js';
import { PipelineScheduleMutations } from './schedules/schedule-mutations.js';
import { SuiteExecutionResolver } from './suites/suite-execution.js';
import { SuiteMutations } from './suites/suite-mutations.js';
import { SuiteRunResolver } from './suites/suite-run.js';
import { SuiteTeamsResolver } from './suites/suite-teams.js';
import { SuiteTestMutations } from './suites/suite-test-mutations.js';
import { SuiteTestResolver } from './suites/suite-test.js';
import { SuiteResolver } from './suites/suite.js';
import { TeamMemberMutations } from './teams/team-member-mutations.js';
import { TeamMemberResolver } from './teams/team-member.js';
import { TeamMutations } from './teams/team-mutations.js';
import { TeamPermissionsResolver } from './teams/team-permissions.js';
import { TeamPipelineMutations } from './teams/team-pipeline-mutations.js';
import { TeamPipelineResolver } from './teams/team-pipeline.js';
import { TeamSuiteMutations } from './teams/team-suite-mutations.js';
import { TeamSuiteResolver } from './teams/team-suite.js';
import { TeamResolver } from './teams/team.js';
import { PipelineTriggerResolver, PipelineTriggersResolver } from './webhooks/pipeline-trigger.js';
import { PipelineWebhooksResolver } from './webhooks/pipeline-webhooks.js';
import { ProviderConnectionResolver } from './webhooks/provider-connection.js';
import { WebhookDecisionResolver, WebhookDeliveryResolver } from './webhooks/webhook-delivery.js';
import { WebhookMutations } from './webhooks/webhook-mutations.js';

/** Every class with resolvers. */
export const resolvers: NonEmptyArray<new () => object> = [
  NodeQueryResolver, NodeResolver, ConnectionResolver,
  ViewerResolver, UserResolver, UnregisteredUserResolver,
  OrganizationResolver, OrganizationListsResolver, OrganizationMemberResolver, OrganizationMemberListsResolver,
  TeamResolver, TeamPermissionsResolver, TeamMemberResolver, TeamPipelineResolver, TeamSuiteResolver,
  SuiteResolver, SuiteTeamsResolver,
  ClusterResolver, ClusterQueueResolver, ClusterTokenResolver,
  AgentResolver, AgentRelationsResolver,
  PipelineTemplateResolver, PipelineResolver, PipelineRelationsResolver, RepositoryResolver, RepositoryProviderResolver,
  OrganizationResolver, OrganizationListsResolver, OrganizationMemberResolver,
  OrganizationResolver, OrganizationListsResolver, OrganizationPipelineSettingsResolver, OrganizationMemberResolver,
  TeamResolver, TeamPermissionsResolver, TeamMemberResolver, TeamPipelineResolver,
  ClusterResolver, ClusterQueueResolver, ClusterTokenResolver, ClusterMaintainerResolver, SecretResolver,
  AgentResolver, AgentRelationsResolver,
  PipelineResolver, PipelineRelationsResolver, SchedulesOfPipelineResolver, PipelineScheduleResolver, BuildSourceScheduleResolver, RepositoryResolver, RepositoryProviderResolver,
  BuildResolver, BuildRelationsResolver, BuildMetaDataResolver,
  JobResolver, JobInterfaceResolver, JobTypeCommandResolver, JobTypeCommandRelationsResolver, JobTypeBlockResolver, JobTypeTriggerResolver, JobTypeWaitResolver, StepResolver, StepCommandResolver,
  JobEventResolver, JobEventActorResolver, JobEventAssignedResolver, JobEventChangedResolver, JobEventRetriedResolver, ...endings.map((ending) => ending.resolver),
  JobLogResolver, JobTypeCommandLogResolver,
  NotificationServiceResolver, NotificationServiceQueryResolver, OrganizationNotificationServicesResolver, NotificationDeliveryResolver, NotificationMutations,
  OrganizationMemberMutations, TeamMutations, TeamMemberMutations, TeamPipelineMutations, TeamSuiteMutations, PipelineTemplateMutations,
  ArtifactResolver, JobTypeCommandArtifactsResolver, ArtifactQueries, ArtifactMutations,
  BuildSourceWebhookResolver, PipelineTriggerResolver, PipelineTriggersResolver, PipelineWebhooksResolver, ProviderConnectionResolver, WebhookDecisionResolver, WebhookDeliveryResolver, WebhookMutations,
  PipelineMutations, BuildMutations, JobMutations, AgentMutations,
  AnnotationResolver, AnnotationBodyResolver, BuildAnnotationsResolver, JobAnnotationsResolver,
  OrganizationEmojisResolver, MetaResolver,
  OrganizationAPIAccessTokenResolver, OrganizationAPIAccessTokensResolver,
  BuildEventsResolver, BuildHistoryEventResolver,
  RuleResolver, OrganizationRulesResolver, RuleMutations,
  AuditEventResolver, AuditActorResolver, AuditSubjectResolver, OrganizationAuditEventsResolver,
  PipelineMutations, BuildMutations, JobMutations, AgentMutations, AnnotationMutations,
  SuiteResolver, SuiteRunResolver, SuiteTestResolver, SuiteExecutionResolver,
  PipelineMutations, BuildMutations, JobMutations, AgentMutations, SuiteMutations, SuiteTestMutations,
  PipelineMutations, BuildMutations, JobMutations, AgentMutations, ClusterMutations, ClusterQueueMutations, ClusterAgentTokenMutations, PipelineScheduleMutations, SecretMutations,
  Subscriptions, StateChangeResolver, BuildUpdateResolver, JobUpdateResolver, PipelineUpdateResolver, AgentUpdateResolver, AnnotationUpdateResolver,
];

/** Object types that are only reached through an interface. */
export const typesWithoutResolver = [
  BuildSourceAPI, BuildSourceFrontend, BuildSourceSchedule, BuildSourceTriggerJob, BuildSourceWebhook,
  JobEventGeneric, JobEventAssigned, JobEventChanged, JobEventRetried, ...endings.map((ending) => ending.type),
  ...providerTypes,
  RepositoryProviderGithubWebhook, RepositoryProviderGithubEnterpriseWebhook,
];
