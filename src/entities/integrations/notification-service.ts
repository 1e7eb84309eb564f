import { defineEntity, p } from '@mikro-orm/core';
import { at, idOrNull, textList, textOrNull } from '../columns.js';

export type ServiceScope = 'all' | 'some_projects' | 'some_teams' | 'some_clusters';
export type TokenMode = 'token' | 'signature';

/** An outgoing webhook of an organization: URL, events, and how it authenticates. */
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
    createdById: idOrNull(),
    createdAt: at(),
    updatedAt: at(),
  },
});
