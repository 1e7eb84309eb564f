import { defineEntity, p } from '@mikro-orm/core';
import type { ServiceProvider } from '../../domain/integrations/service-providers.js';
import type { JsonObject } from '../../domain/pipelines/steps/step.js';
import { at, atOrNull, idOrNull, json, textList, textOrNull } from '../columns.js';

export type ServiceScope = 'all' | 'some_projects' | 'some_teams' | 'some_clusters';
export type TokenMode = 'token' | 'signature';

/**
 * A notification service of an organization: where its events go, and how it authenticates. An outgoing webhook has
 * columns of its own; `url` and `events` of other providers say nothing, because former releases send what they name.
 */
export const NotificationServiceSchema = defineEntity({
  name: 'NotificationService',
  tableName: 'notification_services',
  indexes: [{ properties: ['organizationId', 'id'] }],
  properties: {
    id: p.uuid().primary(),
    organizationId: p.uuid(),
    description: p.text(),
    enabled: p.boolean().default(true),
    scope: p.text().$type<ServiceScope>(),
    /** Pipelines, teams or clusters, as `scope` says. */
    scopeIds: textList(),
    branchConfiguration: textOrNull(),
    url: p.text(),
    /** Sealed (auth/sealed.ts): it must be sent, or signed with. */
    sealedToken: textOrNull(),
    tokenMode: p.text().$type<TokenMode>(),
    events: textList(),
    /** Outcomes that are not notified of (domain/integrations/notified-states.ts). */
    withheldStates: textList(),
    tlsVerify: p.boolean().default(true),
    provider: p.text().$type<ServiceProvider>().default('webhook'),
    /** Settings of providers other than webhook, without secrets. */
    settings: json<JsonObject>().defaultRaw(`'{}'`),
    /** Secret settings of those, as one sealed object of JSON (auth/sealed.ts). */
    sealedSettings: textOrNull(),
    /** Deliveries that have failed for good in a row, and since when. */
    failures: p.integer().default(0),
    failingSinceAt: atOrNull(),
    /** When it was disabled because its deliveries had failed for too long; null unless it still is. */
    brokenAt: atOrNull(),
    createdById: idOrNull(),
    createdAt: at(),
    updatedAt: at(),
  },
});
