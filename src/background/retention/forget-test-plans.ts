import { sql } from 'kysely';
import { limits } from '../../domain/limits/limits.js';
import type { Services } from '../../services/services.js';
import { deleteSome } from '../deletions/delete-some.js';
import { oldBefore } from './pass/old-rows.js';

const atOnce = 100;

/** Deletes test plans that no job asks for any more. Returns the number deleted, at most a hundred. */
export function forgetTestPlans({ db, clock }: Pick<Services, 'db' | 'clock'>): Promise<number> {
  const before = oldBefore(clock.now(), limits.testPlanDays);
  return deleteSome(db, [{ table: 'test_plans', where: sql`created_at < ${before}::timestamptz` }], atOnce);
}
