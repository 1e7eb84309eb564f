import { z } from 'zod';
import type { Context } from '../../context.js';
import type { SuiteRow } from '../../entities/database.js';
import { defineOperation } from '../../core/operation.js';
import { findSuite, suiteAddress, type SuiteSubject } from '../../core/find-suite.js';
import { recordSuite } from '../../resources/suites/record.js';
import { requireEditable } from '../../resources/suites/require-editable.js';

/** Deletes a suite with its runs, uploads, tests and executions, and returns it as it was. Its token stops working; its own events stay. */
export const deleteSuite = defineOperation({
  name: 'suite.delete',
  summary: 'Deletes a test suite with its runs.',
  kind: 'command',
  scope: 'write_suites',
  access: 'member',
  refusal: 'sentence',
  input: z.object({ suite: suiteAddress }),
  // Uploads hold the suite's row: under its lock nothing is added to it.
  subject: (context, { suite }) => findSuite(context, suite, { lock: true }),
  permit: (_context, subject) => requireEditable(subject),
  run: async (context, _input, subject: SuiteSubject): Promise<SuiteSubject> => {
    const { suite } = subject;
    const runs = await deleteRows(context, suite);
    recordSuite(context, suite, { type: 'suite.delete', data: { slug: suite.slug, name: suite.name, runs } });
    return subject;
  },
});

/** Deletes every row of the suite, children first; returns the number of its runs. */
async function deleteRows({ db }: Context, { id }: SuiteRow): Promise<number> {
  const runs = db.selectFrom('suite_runs').select('id').where('suiteId', '=', id);
  await db.deleteFrom('suite_executions').where('runId', 'in', runs).execute();
  await db.deleteFrom('suite_uploads').where('runId', 'in', runs).execute();
  await db.deleteFrom('events').where('subject', '=', 'run').where('subjectId', 'in', runs).execute();
  await db.deleteFrom('suite_tests').where('suiteId', '=', id).execute();
  const deleted = await db.deleteFrom('suite_runs').where('suiteId', '=', id).executeTakeFirst();
  await db.deleteFrom('suites').where('id', '=', id).execute();
  return Number(deleted.numDeletedRows);
}
