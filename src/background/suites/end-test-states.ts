import { asSystem } from '../../core/system-transaction.js';
import { changeTestState } from '../../resources/suites/suite-tests/change-state.js';
import type { Services } from '../../services/services.js';
import { eachAlone } from '../each-alone.js';

const atOnce = 50;
/** A test that could not be enabled is tried again after this, so that it holds up no others. */
const postponedMs = 60_000;

/** Enables the tests that were muted or skipped until now, each in its own transaction. Returns how many. */
export async function endTestStates(services: Services): Promise<number> {
  const now = services.clock.now();
  const due = await services.db
    .selectFrom('suite_tests')
    .select('id')
    .where('stateUntil', '<=', now)
    .orderBy('stateUntil')
    .limit(atOnce)
    .execute();
  return eachAlone(services, 'test-states', due, endOne, async ({ id }) => {
    await services.db
      .updateTable('suite_tests')
      .set({ stateUntil: new Date(now.getTime() + postponedMs) })
      .where('id', '=', id)
      .where('stateUntil', '<=', now)
      .execute();
  });
}

/** False if somebody holds the test, or has given it another end meanwhile. */
async function endOne(services: Services, { id }: { id: string }): Promise<boolean> {
  return asSystem(services, 'test-states', async (context) => {
    const test = await context.db
      .selectFrom('suite_tests')
      .selectAll()
      .where('id', '=', id)
      .forUpdate()
      .skipLocked()
      .executeTakeFirst();
    if (!test || test.stateUntil === null || test.stateUntil > context.now) return false;
    const suite = { id: test.suiteId, organizationId: test.organizationId };
    await changeTestState(context, suite, test, { state: 'enabled', until: null });
    return true;
  });
}
