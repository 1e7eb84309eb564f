import { defineEntity, p } from '@mikro-orm/core';
import type { JsonObject } from '../../domain/pipelines/steps/step.js';
import type { PipelineRetention } from '../../domain/retention/policy.js';
import { at, atOrNull, idOrNull, json, textList, textOrNull } from '../columns.js';

export const PipelineSchema = defineEntity({
  name: 'Pipeline',
  tableName: 'pipelines',
  uniques: [{ properties: ['organizationId', 'slug'] }, { properties: ['organizationId', 'name'] }],
  indexes: [
    { properties: ['organizationId', 'id'] },
    { properties: ['clusterId'] },
    { properties: ['pipelineTemplateId'] },
    {
      name: 'pipelines_repository_name_index',
      properties: ['organizationId', 'repository'],
      expression:
        `create index "pipelines_repository_name_index" on "pipelines" ("organization_id", ` +
        `(lower(regexp_replace(regexp_replace("repository", '(\\.git)?/*$', ''), '^.*[/:]', ''))))`,
    },
  ],
  properties: {
    id: p.uuid().primary(),
    organizationId: p.uuid(),
    slug: p.text(),
    name: p.text(),
    description: textOrNull(),
    repository: p.text(),
    clusterId: idOrNull(),
    pipelineTemplateId: idOrNull(),
    branchConfiguration: textOrNull(),
    defaultBranch: p.text(),
    /** The YAML as it was given, verbatim; null for a pipeline of visual steps. */
    configuration: textOrNull(),
    /** The visual steps as they were given; null for a YAML pipeline. */
    visualSteps: json<JsonObject[]>().nullable(),
    /** Environment given beside visual steps. */
    env: json<Record<string, string>>().nullable(),
    providerId: p.text(),
    providerSettings: json<JsonObject>().defaultRaw(`'{}'`),
    webhookTokenHash: p.text().unique(),
    /** Encrypted and not hashed, like the badge's token, because replies show the URLs again. */
    webhookTokenSealed: textOrNull(),
    badgeTokenHash: p.text().unique(),
    badgeTokenSealed: textOrNull(),
    /** Plain token, like the badge's, of pipelines from a release that stored it; empty a day after the upgrade. */
    webhookToken: textOrNull(),
    badgeToken: textOrNull(),
    skipQueuedBranchBuilds: p.boolean().default(false),
    skipQueuedBranchBuildsFilter: textOrNull(),
    cancelRunningBranchBuilds: p.boolean().default(false),
    cancelRunningBranchBuildsFilter: textOrNull(),
    allowRebuilds: p.boolean().default(true),
    defaultTimeoutInMinutes: p.integer().nullable(),
    maximumTimeoutInMinutes: p.integer().nullable(),
    cloneMirrorUrl: textOrNull(),
    color: textOrNull(),
    emoji: textOrNull(),
    visibility: p.text().$type<'private' | 'public'>().default('private'),
    tags: textList(),
    /** What of its builds goes with time; null for what the organization says. */
    retention: json<PipelineRetention>().nullable(),
    /** The number the next build gets; raised in the statement that inserts the build. */
    nextBuildNumber: p.integer().default(1),
    createdById: idOrNull(),
    archivedById: idOrNull(),
    createdAt: at(),
    archivedAt: atOrNull(),
    updatedAt: at(),
  },
});
