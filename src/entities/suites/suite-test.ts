import { defineEntity, p } from '@mikro-orm/core';
import type { TestState } from '../../domain/suites/results/test-state.js';
import { at, atOrNull, textList, textOrNull } from '../columns.js';

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
    {
      name: 'suite_tests_flaky_index',
      properties: ['suiteId', 'id'],
      expression:
        `create index "suite_tests_flaky_index" on "suite_tests" ("suite_id", "id") where "flaky_since" ` +
        `is not null`,
    },
    { properties: ['suiteId', 'ownersAt'] },
    {
      name: 'suite_tests_state_until_index',
      properties: ['stateUntil'],
      expression:
        `create index "suite_tests_state_until_index" on "suite_tests" ("state_until") where "state_until" ` +
        `is not null`,
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
    /** When the test is enabled again by itself; null for never. */
    stateUntil: atOrNull(),
    labels: textList(),
    /** Slugs of the teams that own it, the first before all, by the suite's TESTOWNERS file. */
    owners: textList(),
    /** The time of the file by which `owners` were found; null where nobody has looked since the test last moved. */
    ownersAt: atOrNull(),
    /** Since when it counts as flaky; null for one that does not. */
    flakySince: atOrNull(),
    /** The latest time that it had passed and failed on one commit. */
    flakyAt: atOrNull(),
    flakyResolvedAt: atOrNull(),
    /** The commit of the latest time. */
    flakyCommitSha: textOrNull(),
    /** Commits on which it has passed and failed. */
    flakyCount: p.integer().default(0),
    createdAt: at(),
  },
});
