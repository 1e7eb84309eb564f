import { buildReply, buildSummaryReply } from './build-schemas.js';
import { agentReply, agentWithJobReply, jobReply, logReply, manualJobReply, scriptJobReply, triggerJobReply, waiterJobReply } from './job-schemas.js';
import { accessTokenReply, agentTokenReply, clusterReply, clusterSecretReply, maintainerReply, newAgentTokenReply, organizationReply, pipelineSettingsReply, queueReply, userReply } from './organization-schemas.js';
import { pipelineReply, pipelineScheduleReply, stepReply } from './pipeline-schemas.js';
import { list, mapOf, object, type Schema, text } from './schema.js';

/** The shapes of replies by the names the OpenAPI document gives them; tests hold presenters against them. */
export const schemas = {
  AccessToken: accessTokenReply,
  Agent: agentReply,
  AgentToken: agentTokenReply,
  AgentWithJob: agentWithJobReply,
  Build: buildReply,
  BuildSummary: buildSummaryReply,
  Cluster: clusterReply,
  ClusterMaintainer: maintainerReply,
  ClusterQueue: queueReply,
  ClusterSecret: clusterSecretReply,
  Error: object({ message: text() }),
  Fault: object({ message: text(), request_id: text() }),
  Job: jobReply,
  JobEnv: object({ env: mapOf(text()) }),
  JobLog: logReply,
  ManualJob: manualJobReply,
  NewAgentToken: newAgentTokenReply,
  Organization: organizationReply,
  Pipeline: pipelineReply,
  PipelineSchedule: pipelineScheduleReply,
  PipelineSettings: pipelineSettingsReply,
  ScriptJob: scriptJobReply,
  Step: stepReply,
  Text: text(),
  TriggerJob: triggerJobReply,
  User: userReply,
  ValidationError: object({ message: text() }, { errors: list(object({ field: text(), code: text() })) }),
  WaiterJob: waiterJobReply,
} as const satisfies Record<string, Schema>;

export type SchemaName = keyof typeof schemas;
