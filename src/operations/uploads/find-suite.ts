import type { Context } from '../../context.js';
import type { SuiteSubject } from '../suites/find-suite.js';

/** The suite whose token the request came with. Its row is held so that it is not deleted while results go into it. */
export async function findUploadingSuite(context: Context): Promise<SuiteSubject | null> {
  const { actor } = context;
  if (actor.kind !== 'suite') return null;
  const suite = await context.db.selectFrom('suites').selectAll().where('id', '=', actor.suiteId).forKeyShare().executeTakeFirst();
  const organization = suite && (await context.load.organization.load(suite.organizationId));
  return suite && organization ? { suite, organization, editable: false } : null;
}
