import { connectAgent } from './agents/connect.js';
import { disconnectAgent } from './agents/disconnect.js';
import { getAgent } from './agents/get.js';
import { heartbeatAgent } from './agents/heartbeat.js';
import { heldJobs } from './agents/held-jobs.js';
import { listAgents } from './agents/list.js';
import { readAgentMetrics } from './agents/metrics.js';
import { pauseAgent } from './agents/pause.js';
import { pingAgent } from './agents/ping.js';
import { registerAgent } from './agents/register.js';
import { resumeAgent } from './agents/resume.js';
import { stopAgent } from './agents/stop.js';
import { readBadge } from './badges/read.js';
import { cancelBuild } from './builds/cancel.js';
import { createBuild } from './builds/create.js';
import { dependencySteps } from './builds/dependency-steps.js';
import { getBuild } from './builds/get.js';
import { listBuildsOfPipelines } from './builds/list-of-pipelines.js';
import { listBuilds } from './builds/list.js';
import { rebuildBuild } from './builds/rebuild.js';
import { getAgentToken } from './clusters/get-agent-token.js';
import { getCluster } from './clusters/get.js';
import { listAgentTokens } from './clusters/list-agent-tokens.js';
import { listClusters } from './clusters/list.js';
import { getEvent } from './events/get.js';
import { listEventsOfJobs } from './events/list-of-jobs.js';
import { acceptJob } from './jobs/accept.js';
import { acquireJob } from './jobs/acquire.js';
import { appendLog } from './jobs/append-log.js';
import { cancelJob } from './jobs/cancel.js';
import { deleteJobLog } from './jobs/delete-log.js';
import { readJobEnv } from './jobs/env.js';
import { finishJob } from './jobs/finish.js';
import { getJob } from './jobs/get.js';
import { recordHeaderTimes } from './jobs/header-times.js';
import { listJobsOfAgents } from './jobs/list-of-agents.js';
import { listJobsOfBuilds } from './jobs/list-of-builds.js';
import { listJobsOfPipelines } from './jobs/list-of-pipelines.js';
import { listJobs } from './jobs/list.js';
import { readJobLog } from './jobs/read-log.js';
import { readJobState } from './jobs/read-state.js';
import { retryJob } from './jobs/retry.js';
import { startJob } from './jobs/start.js';
import { unblockJob } from './jobs/unblock.js';
import { metaDataExists } from './meta-data/exists.js';
import { getMetaData } from './meta-data/get.js';
import { listMetaDataKeys } from './meta-data/keys.js';
import { setMetaDataBatch } from './meta-data/set-batch.js';
import { setMetaDataValue } from './meta-data/set.js';
import { getOrganizationMember } from './organizations/get-member.js';
import { getOrganization } from './organizations/get.js';
import { listOrganizationMembers } from './organizations/list-members.js';
import { listOrganizations } from './organizations/list.js';
import { archivePipeline } from './pipelines/archive.js';
import { createPipeline } from './pipelines/create.js';
import { createTrigger } from './pipeline-triggers/create.js';
import { deleteTrigger } from './pipeline-triggers/delete.js';
import { deliverToTrigger } from './pipeline-triggers/deliver.js';
import { getTrigger } from './pipeline-triggers/get.js';
import { listTriggers } from './pipeline-triggers/list.js';
import { updateTrigger } from './pipeline-triggers/update.js';
import { createWebhook } from './pipelines/create-webhook.js';
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
import { getQueue } from './queues/get.js';
import { listQueues } from './queues/list.js';
import { getTeamMember } from './teams/get-member.js';
import { getTeamPipeline } from './teams/get-pipeline.js';
import { getTeam } from './teams/get.js';
import { listTeamMembers } from './teams/list-members.js';
import { listTeamPipelines } from './teams/list-pipelines.js';
import { listTeams } from './teams/list.js';
import { createApiToken } from './tokens/create.js';
import { getAccessToken } from './tokens/get.js';
import { revokeAccessToken } from './tokens/revoke.js';
import { getUser } from './users/get.js';
import { getViewer } from './users/viewer.js';
import { getDelivery } from './webhook-deliveries/get.js';
import { listDeliveries } from './webhook-deliveries/list.js';
import { previewDelivery } from './webhook-deliveries/preview.js';
import { receiveDelivery } from './webhook-deliveries/receive.js';
import type { AnyOperation } from './operation.js';

/** Every operation of the product: coverage tests, documents, audit and metrics read this list. */
export const operations: readonly AnyOperation[] = [
  connectAgent,
  disconnectAgent,
  getAgent,
  heartbeatAgent,
  heldJobs,
  listAgents,
  readAgentMetrics,
  pauseAgent,
  pingAgent,
  registerAgent,
  resumeAgent,
  stopAgent,
  readBadge,
  cancelBuild,
  createBuild,
  dependencySteps,
  getBuild,
  listBuildsOfPipelines,
  listBuilds,
  rebuildBuild,
  getAgentToken,
  getCluster,
  listAgentTokens,
  listClusters,
  getEvent,
  listEventsOfJobs,
  acceptJob,
  acquireJob,
  appendLog,
  cancelJob,
  deleteJobLog,
  readJobEnv,
  finishJob,
  getJob,
  recordHeaderTimes,
  listJobsOfAgents,
  listJobsOfBuilds,
  listJobsOfPipelines,
  listJobs,
  readJobLog,
  readJobState,
  retryJob,
  startJob,
  unblockJob,
  metaDataExists,
  getMetaData,
  listMetaDataKeys,
  setMetaDataBatch,
  setMetaDataValue,
  getOrganizationMember,
  getOrganization,
  listOrganizationMembers,
  listOrganizations,
  archivePipeline,
  createPipeline,
  createWebhook,
  deletePipeline,
  deleteWebhook,
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
  createTrigger,
  deleteTrigger,
  deliverToTrigger,
  getTrigger,
  listTriggers,
  updateTrigger,
  createProviderConnection,
  deleteProviderConnection,
  getProviderConnection,
  listProviderConnections,
  applyPlan,
  getQueue,
  listQueues,
  getTeamMember,
  getTeamPipeline,
  getTeam,
  listTeamMembers,
  listTeamPipelines,
  listTeams,
  createApiToken,
  getAccessToken,
  revokeAccessToken,
  getUser,
  getViewer,
  getDelivery,
  listDeliveries,
  previewDelivery,
  receiveDelivery,
];
