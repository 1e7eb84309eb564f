import { getAgent } from './agents/get.js';
import { heldJobs } from './agents/held-jobs.js';
import { listAgents } from './agents/list.js';
import { agentProtocol } from './agent-protocol.js';
import { pauseAgent } from './agents/pause.js';
import { resumeAgent } from './agents/resume.js';
import { stopAgent } from './agents/stop.js';
import { createAnnotation } from './annotations/create.js';
import { deleteAnnotation } from './annotations/delete.js';
import { getAnnotation } from './annotations/get.js';
import { listAnnotations } from './annotations/list.js';
import { deleteArtifact } from './artifacts/delete.js';
import { getArtifact } from './artifacts/get.js';
import { listArtifactsOfJobs } from './artifacts/list-of-jobs.js';
import { listArtifacts } from './artifacts/list.js';
import { readArtifact } from './artifacts/read.js';
import { receiveArtifact } from './artifacts/receive.js';
import { getAuditEvent } from './audit-events/get.js';
import { listAuditEvents } from './audit-events/list.js';
import { readBadge } from './badges/read.js';
import { cancelBuild } from './builds/cancel.js';
import { createBuild } from './builds/create.js';
import { dependencySteps } from './builds/dependency-steps.js';
import { getBuild } from './builds/get.js';
import { listBuildsOfPipelines } from './builds/list-of-pipelines.js';
import { listBuilds } from './builds/list.js';
import { rebuildBuild } from './builds/rebuild.js';
import { retryFailedJobs } from './builds/retry-failed-jobs.js';
import { createAgentToken } from './clusters/create-agent-token.js';
import { createMaintainer } from './clusters/create-maintainer.js';
import { createCluster } from './clusters/create.js';
import { deleteMaintainer } from './clusters/delete-maintainer.js';
import { deleteCluster } from './clusters/delete.js';
import { getAgentToken } from './clusters/get-agent-token.js';
import { getMaintainer } from './clusters/get-maintainer.js';
import { getCluster } from './clusters/get.js';
import { listAgentTokens } from './clusters/list-agent-tokens.js';
import { listMaintainers } from './clusters/list-maintainers.js';
import { listClusters } from './clusters/list.js';
import { revokeAgentToken } from './clusters/revoke-agent-token.js';
import { updateAgentToken } from './clusters/update-agent-token.js';
import { updateCluster } from './clusters/update.js';
import { listEmojis } from './emojis/list.js';
import { getEvent } from './events/get.js';
import { listEvents } from './events/list.js';
import { listEventsOfBuilds } from './events/list-of-builds.js';
import { listEventsOfJobs } from './events/list-of-jobs.js';
import { listExecutions } from './executions/list.js';
import { cancelJob } from './jobs/cancel.js';
import { deleteJobLog } from './jobs/delete-log.js';
import { readJobEnv } from './jobs/env.js';
import { getJob } from './jobs/get.js';
import { listJobsOfAgents } from './jobs/list-of-agents.js';
import { listJobsOfBuilds } from './jobs/list-of-builds.js';
import { listJobsOfPipelines } from './jobs/list-of-pipelines.js';
import { listJobs } from './jobs/list.js';
import { readJobLog } from './jobs/read-log.js';
import { reprioritizeJob } from './jobs/reprioritize.js';
import { retryJob } from './jobs/retry.js';
import { unblockJob } from './jobs/unblock.js';
import { getMeta } from './meta/get.js';
import { getNotificationDelivery } from './notification-deliveries/get.js';
import { listNotificationDeliveries } from './notification-deliveries/list.js';
import { redeliverNotification } from './notification-deliveries/redeliver.js';
import { createNotificationService } from './notification-services/create.js';
import { deleteNotificationService } from './notification-services/delete.js';
import { disableNotificationService } from './notification-services/disable.js';
import { enableNotificationService } from './notification-services/enable.js';
import { getNotificationService } from './notification-services/get.js';
import { listNotificationServices } from './notification-services/list.js';
import { pingNotificationService } from './notification-services/ping.js';
import { updateNotificationService } from './notification-services/update.js';
import type { AnyOperation } from './operation.js';
import { deleteOrganizationMember } from './organizations/delete-member.js';
import { getOrganizationMember } from './organizations/get-member.js';
import { getPipelineSettings } from './organizations/get-pipeline-settings.js';
import { getOrganization } from './organizations/get.js';
import { listOrganizationMembers } from './organizations/list-members.js';
import { listOrganizations } from './organizations/list.js';
import { updateOrganizationMember } from './organizations/update-member.js';
import { updatePipelineSettings } from './organizations/update-pipeline-settings.js';
import { createSchedule } from './pipeline-schedules/create.js';
import { deleteSchedule } from './pipeline-schedules/delete.js';
import { getSchedule } from './pipeline-schedules/get.js';
import { listSchedules } from './pipeline-schedules/list.js';
import { updateSchedule } from './pipeline-schedules/update.js';
import { createTemplate } from './pipeline-templates/create.js';
import { deleteTemplate } from './pipeline-templates/delete.js';
import { getTemplate } from './pipeline-templates/get.js';
import { listTemplates } from './pipeline-templates/list.js';
import { updateTemplate } from './pipeline-templates/update.js';
import { createTrigger } from './pipeline-triggers/create.js';
import { deleteTrigger } from './pipeline-triggers/delete.js';
import { deliverToTrigger } from './pipeline-triggers/deliver.js';
import { getTrigger } from './pipeline-triggers/get.js';
import { listTriggers } from './pipeline-triggers/list.js';
import { updateTrigger } from './pipeline-triggers/update.js';
import { archivePipeline } from './pipelines/archive.js';
import { createWebhook } from './pipelines/create-webhook.js';
import { createPipeline } from './pipelines/create.js';
import { deleteWebhook } from './pipelines/delete-webhook.js';
import { deletePipeline } from './pipelines/delete.js';
import { favoritePipeline } from './pipelines/favorite.js';
import { pipelineFavorites } from './pipelines/favorites.js';
import { getPipeline } from './pipelines/get.js';
import { pipelineLevels } from './pipelines/levels.js';
import { listPipelineTeams } from './pipelines/list-teams.js';
import { listPipelines } from './pipelines/list.js';
import { rotateWebhookUrl } from './pipelines/rotate-webhook-url.js';
import { setWebhookSecret } from './pipelines/set-webhook-secret.js';
import { unarchivePipeline } from './pipelines/unarchive.js';
import { updatePipeline } from './pipelines/update.js';
import { createProviderConnection } from './provider-connections/create.js';
import { deleteProviderConnection } from './provider-connections/delete.js';
import { getProviderConnection } from './provider-connections/get.js';
import { listProviderConnections } from './provider-connections/list.js';
import { applyPlan } from './provisioning/apply.js';
import { createQueue } from './queues/create.js';
import { deleteQueue } from './queues/delete.js';
import { getQueue } from './queues/get.js';
import { listQueues } from './queues/list.js';
import { pauseDispatch } from './queues/pause-dispatch.js';
import { resumeDispatch } from './queues/resume-dispatch.js';
import { updateQueue } from './queues/update.js';
import { createRule } from './rules/create.js';
import { deleteRule } from './rules/delete.js';
import { getRule } from './rules/get.js';
import { listRules } from './rules/list.js';
import { updateRule } from './rules/update.js';
import { getRun } from './runs/get.js';
import { listRuns } from './runs/list.js';
import { createSecret } from './secrets/create.js';
import { deleteSecret } from './secrets/delete.js';
import { getSecret } from './secrets/get.js';
import { listSecrets } from './secrets/list.js';
import { updateSecretValue } from './secrets/update-value.js';
import { updateSecret } from './secrets/update.js';
import { findSuiteTest } from './suite-tests/find.js';
import { getSuiteTest } from './suite-tests/get.js';
import { labelSuiteTest } from './suite-tests/label.js';
import { listSuiteTests } from './suite-tests/list.js';
import { setSuiteTestState } from './suite-tests/set-state.js';
import { createSuite } from './suites/create.js';
import { deleteSuite } from './suites/delete.js';
import { getSuite } from './suites/get.js';
import { listSuites } from './suites/list.js';
import { updateSuite } from './suites/update.js';
import { createTeamSuite } from './team-suites/create.js';
import { deleteTeamSuite } from './team-suites/delete.js';
import { getTeamSuite } from './team-suites/get.js';
import { listTeamSuites } from './team-suites/list.js';
import { updateTeamSuite } from './team-suites/update.js';
import { createTeamMember } from './teams/create-member.js';
import { createTeamPipeline } from './teams/create-pipeline.js';
import { createTeam } from './teams/create.js';
import { deleteTeamMember } from './teams/delete-member.js';
import { deleteTeamPipeline } from './teams/delete-pipeline.js';
import { deleteTeam } from './teams/delete.js';
import { enableTeams } from './teams/enable.js';
import { getTeamMember } from './teams/get-member.js';
import { getTeamPipeline } from './teams/get-pipeline.js';
import { getTeam } from './teams/get.js';
import { listTeamMembers } from './teams/list-members.js';
import { listTeamPipelines } from './teams/list-pipelines.js';
import { listTeams } from './teams/list.js';
import { updateTeamMember } from './teams/update-member.js';
import { updateTeamPipeline } from './teams/update-pipeline.js';
import { updateTeam } from './teams/update.js';
import { createApiToken } from './tokens/create.js';
import { getAccessToken } from './tokens/get.js';
import { listAccessTokens } from './tokens/list.js';
import { revokeTokenAccess } from './tokens/revoke-access.js';
import { revokeAccessToken } from './tokens/revoke.js';
import { createUpload } from './uploads/create.js';
import { getUser } from './users/get.js';
import { getViewer } from './users/viewer.js';
import { getDelivery } from './webhook-deliveries/get.js';
import { listDeliveries } from './webhook-deliveries/list.js';
import { previewDelivery } from './webhook-deliveries/preview.js';
import { receiveDelivery } from './webhook-deliveries/receive.js';

/** Every operation of the product: coverage tests, documents, audit and metrics read this list. */
export const operations: readonly AnyOperation[] = [
  ...agentProtocol,
  getAgent,
  heldJobs,
  listAgents,
  pauseAgent,
  resumeAgent,
  stopAgent,
  createAnnotation,
  deleteAnnotation,
  getAnnotation,
  listAnnotations,
  deleteArtifact,
  getArtifact,
  listArtifactsOfJobs,
  listArtifacts,
  readArtifact,
  receiveArtifact,
  getAuditEvent,
  listAuditEvents,
  readBadge,
  cancelBuild,
  createBuild,
  dependencySteps,
  getBuild,
  listBuildsOfPipelines,
  listBuilds,
  rebuildBuild,
  retryFailedJobs,
  createAgentToken,
  createMaintainer,
  createCluster,
  deleteMaintainer,
  deleteCluster,
  getAgentToken,
  getMaintainer,
  getCluster,
  listAgentTokens,
  listMaintainers,
  listClusters,
  revokeAgentToken,
  updateAgentToken,
  updateCluster,
  listEmojis,
  getEvent,
  listEvents,
  listEventsOfBuilds,
  listEventsOfJobs,
  listExecutions,
  cancelJob,
  deleteJobLog,
  readJobEnv,
  getJob,
  listJobsOfAgents,
  listJobsOfBuilds,
  listJobsOfPipelines,
  listJobs,
  readJobLog,
  reprioritizeJob,
  retryJob,
  unblockJob,
  getMeta,
  getNotificationDelivery,
  listNotificationDeliveries,
  redeliverNotification,
  createNotificationService,
  deleteNotificationService,
  disableNotificationService,
  enableNotificationService,
  getNotificationService,
  listNotificationServices,
  pingNotificationService,
  updateNotificationService,
  deleteOrganizationMember,
  getOrganizationMember,
  getPipelineSettings,
  getOrganization,
  listOrganizationMembers,
  listOrganizations,
  updateOrganizationMember,
  updatePipelineSettings,
  createSchedule,
  deleteSchedule,
  getSchedule,
  listSchedules,
  updateSchedule,
  createTemplate,
  deleteTemplate,
  getTemplate,
  listTemplates,
  updateTemplate,
  createTrigger,
  deleteTrigger,
  deliverToTrigger,
  getTrigger,
  listTriggers,
  updateTrigger,
  archivePipeline,
  createWebhook,
  createPipeline,
  deleteWebhook,
  deletePipeline,
  favoritePipeline,
  pipelineFavorites,
  getPipeline,
  pipelineLevels,
  listPipelineTeams,
  listPipelines,
  rotateWebhookUrl,
  setWebhookSecret,
  unarchivePipeline,
  updatePipeline,
  createProviderConnection,
  deleteProviderConnection,
  getProviderConnection,
  listProviderConnections,
  applyPlan,
  createQueue,
  deleteQueue,
  getQueue,
  listQueues,
  pauseDispatch,
  resumeDispatch,
  updateQueue,
  createRule,
  deleteRule,
  getRule,
  listRules,
  updateRule,
  getRun,
  listRuns,
  createSecret,
  deleteSecret,
  getSecret,
  listSecrets,
  updateSecretValue,
  updateSecret,
  findSuiteTest,
  getSuiteTest,
  labelSuiteTest,
  listSuiteTests,
  setSuiteTestState,
  createSuite,
  deleteSuite,
  getSuite,
  listSuites,
  updateSuite,
  createTeamSuite,
  deleteTeamSuite,
  getTeamSuite,
  listTeamSuites,
  updateTeamSuite,
  createTeamMember,
  createTeamPipeline,
  createTeam,
  deleteTeamMember,
  deleteTeamPipeline,
  deleteTeam,
  enableTeams,
  getTeamMember,
  getTeamPipeline,
  getTeam,
  listTeamMembers,
  listTeamPipelines,
  listTeams,
  updateTeamMember,
  updateTeamPipeline,
  updateTeam,
  createApiToken,
  getAccessToken,
  listAccessTokens,
  revokeTokenAccess,
  revokeAccessToken,
  createUpload,
  getUser,
  getViewer,
  getDelivery,
  listDeliveries,
  previewDelivery,
  receiveDelivery,
];
