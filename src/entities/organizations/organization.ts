import { defineEntity, p } from '@mikro-orm/core';
import { jobExpiryMinutes } from '../../domain/builds/timeouts.js';
import type { BuildExport } from '../../domain/retention/build-export.js';
import type { OrganizationRetention } from '../../domain/retention/policy.js';
import { at, atOrNull, idOrNull, json, textOrNull } from '../columns.js';

export const OrganizationSchema = defineEntity({
  name: 'Organization',
  tableName: 'organizations',
  properties: {
    id: p.uuid().primary(),
    slug: p.text().unique(),
    name: p.text(),
    plan: p.text().$type<'standard' | 'enterprise'>().default('standard'),
    teamsEnabled: p.boolean().default(false),
    /** Taken when a pipeline is created without `cluster_id`, as older clients do. */
    defaultClusterId: idOrNull(),
    /** Taken when a pipeline is created without `default_branch`; null for `main`. */
    defaultBranch: textOrNull(),
    defaultTimeoutInMinutes: p.integer().nullable(),
    maximumTimeoutInMinutes: p.integer().nullable(),
    scheduledJobExpiryInMinutes: p.integer().default(jobExpiryMinutes),
    /** Whether pipelines may be made public. */
    allowsPublicPipelines: p.boolean().default(true),
    /** When, and by whom, that was last allowed; null if it was from the beginning, or is not. */
    publicPipelinesEnabledAt: atOrNull(),
    publicPipelinesEnabledById: idOrNull(),
    /** Addresses and ranges, separated by spaces, from which API tokens may be used; null for any. */
    allowedApiIpAddresses: textOrNull(),
    /** Days without a use after which API tokens lose their access; null for never. */
    revokeInactiveTokensAfterDays: p.integer().nullable(),
    /** True: only administrators may make API tokens with access to the organization. */
    restrictUserApiTokenCreation: p.boolean().default(false),
    /** What of builds, runs and audit events goes with time; null for what the environment says. */
    retention: json<OrganizationRetention>().nullable(),
    /** Where its builds are exported to before retention deletes them; null for nowhere. */
    buildExport: json<BuildExport>().nullable(),
    createdAt: at(),
  },
});
