import { defineEntity, p } from '@mikro-orm/core';
import { at, idOrNull } from '../columns.js';

/** Access of a team's members to a test suite. */
export type SuiteAccess = 'read' | 'edit';

export const TeamSuiteSchema = defineEntity({
  name: 'TeamSuite',
  tableName: 'team_suites',
  uniques: [{ properties: ['teamId', 'suiteId'] }],
  indexes: [{ properties: ['suiteId', 'id'] }, { properties: ['teamId', 'id'] }],
  properties: {
    id: p.uuid().primary(),
    organizationId: p.uuid(),
    teamId: p.uuid(),
    suiteId: p.uuid(),
    /** Each word at most once, `read` first. */
    accessLevel: p.array().columnType('text[]').$type<SuiteAccess[]>(),
    createdById: idOrNull(),
    createdAt: at(),
  },
});
