import { buildReply, buildSummaryReply } from './build-schemas.js';
import { agentReply, jobReply, logReply, manualJobReply, scriptJobReply, triggerJobReply, waiterJobReply } from './job-schemas.js';
import { accessTokenReply, clusterReply, organizationReply, queueReply, userReply } from './organization-schemas.js';
import { pipelineReply, stepReply } from './pipeline-schemas.js';
import { deliveryPreviewReply, deliveryReply, pipelineTriggerReply, providerConnectionReply, webhookReply } from './webhook-schemas.js';
import { list, mapOf, object, type Schema, text } from './schema.js';

/** The shapes of replies by the names the OpenAPI document gives them; tests hold presenters against them. */
export const schemas = {
  AccessToken: accessTokenReply,
  Agent: agentReply,
  Build: buildReply,
  BuildSummary: buildSummaryReply,
  Cluster: clusterReply,
  ClusterQueue: queueReply,
  Error: object({ message: text() }),
  Fault: object({ message: text(), request_id: text() }),
  Job: jobReply,
  JobEnv: object({ env: mapOf(text()) }),
  JobLog: logReply,
  ManualJob: manualJobReply,
  Organization: organizationReply,
  Pipeline: pipelineReply,
  PipelineTrigger: pipelineTriggerReply,
  ProviderConnection: providerConnectionReply,
  ScriptJob: scriptJobReply,
  Step: stepReply,
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
