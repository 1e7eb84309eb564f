import { defineEntity, p } from '@mikro-orm/core';
import { at, idOrNull } from '../columns.js';

/** What an organization tells everybody who opens the console; there is one at most. */
export const OrganizationBannerSchema = defineEntity({
  name: 'OrganizationBanner',
  tableName: 'organization_banners',
  properties: {
    id: p.uuid().primary(),
    organizationId: p.uuid().unique(),
    message: p.text(),
    createdById: idOrNull(),
    createdAt: at(),
    updatedAt: at(),
  },
});
