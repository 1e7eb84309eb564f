import { defineEntity, p } from '@mikro-orm/core';
import type { BuildMail } from '../../domain/integrations/build-mail.js';
import { at, textOrNull } from '../columns.js';

export const UserSchema = defineEntity({
  name: 'User',
  tableName: 'users',
  indexes: [
    { name: 'users_any_email_index', expression: `create index "users_any_email_index" on "users" (lower("email"))` },
    {
      name: 'users_any_email_unique',
      expression: `create unique index "users_any_email_unique" on "users" (lower("email")) where not "shares_email"`,
    },
  ],
  properties: {
    id: p.uuid().primary(),
    /** Unique in any spelling of its letters' case. */
    email: p.text().unique(),
    /** Whether an older account has the same address in another spelling: both were made before that was refused. */
    sharesEmail: p.boolean().default(false),
    name: p.text(),
    passwordHash: textOrNull(),
    buildMail: p.text().$type<BuildMail>().default('never'),
    createdAt: at(),
  },
});
