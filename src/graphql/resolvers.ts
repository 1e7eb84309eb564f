import type { NonEmptyArray } from 'type-graphql';
import { AgentMutations } from './agents/agent-mutations.js';
import { AgentRelationsResolver } from './agents/agent-relations.js';
import { AgentResolver } from './agents/agent.js';
import { BuildRelationsResolver } from './builds/build-relations.js';
import { BuildSourceAPI, BuildSourceFrontend, BuildSourceTriggerJob, BuildSourceWebhook, BuildSourceSchedule } from './builds/build-source.js';
import { BuildMutations } from './builds/build-mutations.js';
import { BuildResolver } from './builds/build.js';
import { BuildMetaDataResolver } from './builds/meta-data.js';
import { ClusterQueueResolver } from './clusters/cluster-queue.js';
import { ClusterTokenResolver } from './clusters/cluster-token.js';
import { ClusterResolver } from './clusters/cluster.js';
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
import { StepResolver } from './jobs/step.js';
import { NodeQueryResolver } from './node-query.js';
import { NodeResolver } from './node.js';
import { OrganizationListsResolver } from './organizations/organization-lists.js';
import { OrganizationMemberResolver } from './organizations/organization-member.js';
import { OrganizationResolver } from './organizations/organization.js';
import { UnregisteredUserResolver } from './organizations/unregistered-user.js';
import { UserResolver } from './organizations/user.js';
import { ViewerResolver } from './organizations/viewer.js';
import { PipelineMutations } from './pipelines/pipeline-mutations.js';
import { PipelineRelationsResolver } from './pipelines/pipeline-relations.js';
import { PipelineResolver } from './pipelines/pipeline.js';
import { RepositoryResolver } from './pipelines/repository.js';
import { providerTypes, RepositoryProviderResolver } from './repository-providers/repository-provider.js';
import { RepositoryProviderGithubEnterpriseWebhook, RepositoryProviderGithubWebhook } from './repository-providers/webhook.js';
import { PipelineTriggerResolver, PipelineTriggersResolver } from './webhooks/pipeline-trigger.js';
import { PipelineWebhooksResolver } from './webhooks/pipeline-webhooks.js';
import { ProviderConnectionResolver } from './webhooks/provider-connection.js';
import { WebhookDecisionResolver, WebhookDeliveryResolver } from './webhooks/webhook-delivery.js';
import { WebhookMutations } from './webhooks/webhook-mutations.js';
import { BuildSourceWebhookResolver } from './builds/build-source-webhook.js';
import { TeamMemberResolver } from './teams/team-member.js';
import { TeamPermissionsResolver } from './teams/team-permissions.js';
import { TeamPipelineResolver } from './teams/team-pipeline.js';
import { TeamResolver } from './teams/team.js';

/** Every class with resolvers. */
export const resolvers: NonEmptyArray<new () => object> = [
  NodeQueryResolver, NodeResolver, ConnectionResolver,
  ViewerResolver, UserResolver, UnregisteredUserResolver,
  OrganizationResolver, OrganizationListsResolver, OrganizationMemberResolver,
  TeamResolver, TeamPermissionsResolver, TeamMemberResolver, TeamPipelineResolver,
  ClusterResolver, ClusterQueueResolver, ClusterTokenResolver,
  AgentResolver, AgentRelationsResolver,
  PipelineResolver, PipelineRelationsResolver, RepositoryResolver, RepositoryProviderResolver,
  BuildResolver, BuildRelationsResolver, BuildMetaDataResolver,
  JobResolver, JobInterfaceResolver, JobTypeCommandResolver, JobTypeCommandRelationsResolver, JobTypeBlockResolver, JobTypeTriggerResolver, JobTypeWaitResolver, StepResolver,
  JobEventResolver, JobEventActorResolver, JobEventAssignedResolver, JobEventChangedResolver, JobEventRetriedResolver, ...endings.map((ending) => ending.resolver),
  JobLogResolver, JobTypeCommandLogResolver,
  BuildSourceWebhookResolver, PipelineTriggerResolver, PipelineTriggersResolver, PipelineWebhooksResolver, ProviderConnectionResolver, WebhookDecisionResolver, WebhookDeliveryResolver, WebhookMutations,
  PipelineMutations, BuildMutations, JobMutations, AgentMutations,
];

/** Object types that are only reached through an interface. */
export const typesWithoutResolver = [
  BuildSourceAPI, BuildSourceFrontend, BuildSourceSchedule, BuildSourceTriggerJob, BuildSourceWebhook,
  JobEventGeneric, JobEventAssigned, JobEventChanged, JobEventRetried, ...endings.map((ending) => ending.type),
  ...providerTypes,
  RepositoryProviderGithubWebhook, RepositoryProviderGithubEnterpriseWebhook,
];
