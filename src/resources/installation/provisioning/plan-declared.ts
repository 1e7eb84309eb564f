import { z } from 'zod';
import { limits } from '../../../domain/limits/limits.js';
import { flag, filledText, text } from '../../../domain/input-text.js';
import { ruleDescription, ruleValue } from '../../agents/rules/fields.js';
import { secretFields, secretKey, secretValue } from '../../agents/secrets/fields.js';
import { connectionProviders } from '../../../domain/integrations/provider-connection.js';
import { connectionFields } from '../../integrations/provider-connections/fields.js';
import { serviceFields } from '../../integrations/notification-services/fields.js';
import {
  definitionFields,
  pipelineName,
  pipelineSlug,
  referenceFields,
  repositoryUrl,
  settingFields,
} from '../../pipelines/fields.js';
import { cronline, scheduleFields } from '../../pipelines/schedules/fields.js';
import { templateConfiguration, templateFields, templateName } from '../../pipelines/templates/fields.js';

const clusterName = text(limits.nameLength);

/** A schedule under its pipeline; the label is its identity. */
export const plannedSchedule = z.strictObject({ ...scheduleFields, label: filledText(limits.nameLength), cronline });

/** A pipeline with every field that /v2 writes; `cluster` and `template` are names. Teams are under `teams[]`. */
export const plannedPipeline = z.strictObject({
  slug: pipelineSlug,
  name: pipelineName,
  repository: repositoryUrl,
  ...definitionFields,
  ...settingFields,
  ...referenceFields,
  cluster: clusterName.optional(),
  template: templateName.optional(),
  schedules: z.array(plannedSchedule).default([]),
});

export const plannedTemplate = z.strictObject({
  name: templateName,
  configuration: templateConfiguration,
  ...templateFields,
});

/** A rule; its type and its two pipelines are its identity. */
export const plannedRule = z.strictObject({
  type: text(limits.filterLength),
  value: ruleValue,
  description: ruleDescription,
});

/** A secret of a cluster, of the default cluster if it names none. */
export const plannedSecret = z.strictObject({
  cluster: clusterName.optional(),
  key: secretKey,
  value: secretValue,
  ...secretFields,
});

/**
 * A notification service; the description is its identity. `scope_uuids` takes slugs of pipelines and teams and names
 * of clusters too. The operation checks `settings`, which are those of the provider.
 */
export const plannedService = z.strictObject({
  provider: text(limits.filterLength).default('webhook'),
  description: serviceFields.description,
  enabled: flag.optional(),
  scope: serviceFields.scope.optional(),
  scopeUuids: z.array(text(limits.nameLength)).max(limits.notificationScopeIds).optional(),
  branchConfiguration: serviceFields.branchConfiguration.optional(),
  buildStates: serviceFields.buildStates.optional(),
  settings: z.record(z.string(), z.unknown()),
});

/** A connection to a source provider; the name is its identity. */
export const plannedConnection = z.strictObject({
  name: filledText(limits.nameLength),
  provider: z.enum(connectionProviders, `must be one of ${connectionProviders.join(', ')}`),
  apiUrl: connectionFields.apiUrl,
  host: connectionFields.host,
  token: connectionFields.token,
  username: connectionFields.username,
  // YAML reads a number.
  appId: z.preprocess((value) => (typeof value === 'number' ? String(value) : value), connectionFields.appId),
  privateKey: connectionFields.privateKey,
  webhookSecret: connectionFields.webhookSecret,
});

export type PlannedConnection = z.output<typeof plannedConnection>;
export type PlannedPipeline = z.output<typeof plannedPipeline>;
export type PlannedSchedule = z.output<typeof plannedSchedule>;
export type PlannedTemplate = z.output<typeof plannedTemplate>;
export type PlannedRule = z.output<typeof plannedRule>;
export type PlannedSecret = z.output<typeof plannedSecret>;
export type PlannedService = z.output<typeof plannedService>;
