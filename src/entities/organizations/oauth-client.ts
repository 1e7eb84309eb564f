import { defineEntity, p } from '@mikro-orm/core';
import { at, textList } from '../columns.js';

/** A program that registered itself, so that it may ask people for access. */
export const OauthClientSchema = defineEntity({
  name: 'OauthClient',
  tableName: 'oauth_clients',
  indexes: [{ properties: ['expiresAt'] }],
  properties: {
    id: p.uuid().primary(),
    name: p.text(),
    redirectUris: textList(),
    createdAt: at(),
    /** When it is forgotten; later whenever somebody lets it in. */
    expiresAt: at(),
  },
});
