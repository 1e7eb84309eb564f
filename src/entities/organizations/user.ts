import { defineEntity, p } from '@mikro-orm/core';
import { at, textOrNull } from '../columns.js';

export const UserSchema = defineEntity({
  name: 'User',
  tableName: 'users',
  properties: {
    id: p.uuid().primary(),
    email: p.text().unique(),
    name: p.text(),
    passwordHash: textOrNull(),
    createdAt: at(),
  },
});
