import { defineEntity, p } from '@mikro-orm/core';
import { at } from '../columns.js';

/** An address that signs its visitor in once; the row is deleted by the visit. */
export const SignInAddressSchema = defineEntity({
  name: 'SignInAddress',
  tableName: 'sign_in_addresses',
  indexes: [{ properties: ['expiresAt'] }],
  properties: {
    tokenHash: p.text().primary(),
    userId: p.uuid(),
    expiresAt: at(),
  },
});
