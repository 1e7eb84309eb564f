import { defineEntity, p } from '@mikro-orm/core';

export const ApiTokenOrganizationSchema = defineEntity({
  name: 'ApiTokenOrganization',
  tableName: 'api_token_organizations',
  properties: {
    apiTokenId: p.uuid().primary(),
    organizationId: p.uuid().primary(),
  },
});
