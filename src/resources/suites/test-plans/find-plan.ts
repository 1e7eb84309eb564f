import type { Context } from '../../../request/context.js';
import type { SuiteSubject } from '../../../core/find-suite.js';
import type { SuiteRow, TestPlanRow } from '../../../entities/database.js';

/** A suite with one of its plans. */
export interface PlanSubject extends SuiteSubject {
  plan: TestPlanRow;
}

/** The plan that jobs of a step ask for with an identifier. */
export function findPlan({ db }: Context, suite: SuiteRow, planIdentifier: string): Promise<TestPlanRow | undefined> {
  return db
    .selectFrom('test_plans')
    .selectAll()
    .where('suiteId', '=', suite.id)
    .where('identifier', '=', planIdentifier)
    .executeTakeFirst();
}
