import { z } from 'zod';
import type { Context } from '../../../request/context.js';
import { idFromEither } from '../../../domain/node-id.js';
import type { SuiteTestRow } from '../../../entities/database.js';
import { findSuite, type SuiteSubject } from '../../../core/find-suite.js';

const word = z.string().max(300);

/** By its id under its suite, or by uuid or node id alone. */
export const testAddress = z.union([z.object({ organization: word, suite: word, id: word }), z.object({ id: word })]);
export type TestAddress = z.output<typeof testAddress>;

export interface TestSubject extends SuiteSubject {
  test: SuiteTestRow;
}

/** Finds a test whose suite the caller may see; `lock` locks its row. */
export async function findTest(
  context: Context,
  address: TestAddress,
  { lock = false }: { lock?: boolean } = {},
): Promise<TestSubject | null> {
  const id = idFromEither(address.id, ['SuiteTest']);
  const within =
    'suite' in address ? await findSuite(context, { organization: address.organization, slug: address.suite }) : null;
  if (id === null || ('suite' in address && !within)) return null;
  let query = context.db.selectFrom('suite_tests').selectAll().where('id', '=', id);
  if (lock) query = query.forUpdate();
  const test = await query.executeTakeFirst();
  if (!test || (within && test.suiteId !== within.suite.id)) return null;
  const parent = within ?? (await findSuite(context, { id: test.suiteId }));
  return parent && { ...parent, test };
}
