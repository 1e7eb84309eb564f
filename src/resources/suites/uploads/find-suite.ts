import type { Context } from '../../../request/context.js';
import type { SuiteSubject } from '../../../core/find-suite.js';

/** Finds the suite of the request's token and locks its row against deletion while results are stored. */
export async function findUploadingSuite(context: Context): Promise<SuiteSubject | null> {
  const { actor } = context;
  if (actor.kind !== 'suite') return null;
  const suite = await context.db
    .selectFrom('suites')
    .selectAll()
    .where('id', '=', actor.suiteId)
    .forKeyShare()
    .executeTakeFirst();
  const organization = suite && (await context.load.organization.load(suite.organizationId));
  return suite && organization ? { suite, organization, editable: false } : null;
}
