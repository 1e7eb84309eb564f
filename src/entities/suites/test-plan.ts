import { defineEntity, p } from '@mikro-orm/core';
import type { NodeReports, TestPlan } from '../../domain/suites/test-plans/test-plan.js';
import { at, json } from '../columns.js';

/** How the tests of a step are dealt out to its parallel jobs, made by the first of them that asked. */
export const TestPlanSchema = defineEntity({
  name: 'TestPlan',
  tableName: 'test_plans',
  uniques: [{ properties: ['suiteId', 'identifier'] }],
  indexes: [{ properties: ['createdAt'] }],
  properties: {
    id: p.uuid().primary(),
    organizationId: p.uuid(),
    suiteId: p.uuid(),
    /** What all jobs of the step ask with. */
    identifier: p.text(),
    branch: p.text(),
    plan: json<TestPlan>(),
    reports: json<NodeReports>().defaultRaw(`'{}'`),
    createdAt: at(),
  },
});
