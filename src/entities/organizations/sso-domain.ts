import { defineEntity, p } from '@mikro-orm/core';

/** A domain whose verified email addresses may join an organization by single sign-on. */
export const SsoDomainSchema = defineEntity({
  name: 'SsoDomain',
  tableName: 'sso_domains',
  indexes: [{ properties: ['domain'] }],
  properties: {
    organizationId: p.uuid().primary(),
    /** Lower case. */
    domain: p.text().primary(),
    role: p.text().$type<'admin' | 'member'>(),
  },
});
