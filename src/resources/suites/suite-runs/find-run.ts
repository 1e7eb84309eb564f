import { z } from 'zod';
import type { Context } from '../../../request/context.js';
import { idFromEither } from '../../../domain/node-id.js';
import type { SuiteRunRow } from '../../../entities/database.js';
import { findSuite, type SuiteSubject } from '../../../core/find-suite.js';

const word = z.string().max(300);

/** By its id under its suite, or by uuid or node id alone. */
export const runAddress = z.union([z.object({ organization: word, suite: word, id: word }), z.object({ id: word })]);
export type RunAddress = z.output<typeof runAddress>;

export interface RunSubject extends SuiteSubject {
  run: SuiteRunRow;
}

/** Finds a run whose suite the caller may see. */
export async function findRun(context: Context, address: RunAddress): Promise<RunSubject | null> {
  const id = idFromEither(address.id, ['Run']);
  const within =
    'suite' in address ? await findSuite(context, { organization: address.organization, slug: address.suite }) : null;
  if (id === null || ('suite' in address && !within)) return null;
  const run = await context.db.selectFrom('suite_runs').selectAll().where('id', '=', id).executeTakeFirst();
  if (!run || (within && run.suiteId !== within.suite.id)) return null;
  const parent = within ?? (await findSuite(context, { id: run.suiteId }));
  return parent && { ...parent, run };
}
