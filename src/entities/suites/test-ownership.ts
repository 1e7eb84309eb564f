import { defineEntity, p } from '@mikro-orm/core';
import { at } from '../columns.js';

/** The TESTOWNERS file of a suite: which tests belong to which teams. */
export const TestOwnershipSchema = defineEntity({
  name: 'TestOwnership',
  tableName: 'test_ownerships',
  indexes: [{ properties: ['organizationId'] }],
  properties: {
    suiteId: p.uuid().primary(),
    organizationId: p.uuid(),
    /** The file as it was sent. */
    content: p.text(),
    /** When it was sent; tests whose owners were found by another one are looked at again. */
    storedAt: at(),
  },
});
