import { defineEntity, p } from '@mikro-orm/core';
import type { TestState } from '../../domain/suites/results/test-state.js';
import { at, textList, textOrNull } from '../columns.js';

/** A test of a suite, known by its scope and name. */
export const SuiteTestSchema = defineEntity({
  name: 'SuiteTest',
  tableName: 'suite_tests',
  uniques: [{ properties: ['suiteId', 'identity'] }],
  indexes: [
    { properties: ['suiteId', 'id'] },
    {
      name: 'suite_tests_treated_index',
      properties: ['suiteId', 'id'],
      expression:
        `create index "suite_tests_treated_index" on "suite_tests" ("suite_id", "id") where "state" ` + `<> 'enabled'`,
    },
  ],
  properties: {
    id: p.uuid().primary(),
    organizationId: p.uuid(),
    suiteId: p.uuid(),
    /** Hash of scope and name, which may be longer than an index holds. */
    identity: p.text(),
    scope: p.text(),
    name: p.text(),
    location: textOrNull(),
    fileName: textOrNull(),
    state: p.text().$type<TestState>().default('enabled'),
    labels: textList(),
    createdAt: at(),
  },
});
