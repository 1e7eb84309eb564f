import { z } from 'zod';
import type { SuiteSubject } from '../../../core/find-suite.js';
import { defineOperation } from '../../../core/operation.js';
import { text } from '../../../domain/input-text.js';
import { limits } from '../../../domain/limits/limits.js';
import { invalidField } from '../../../domain/problem.js';
import { type OwnerRule, readOwnerRules } from '../../../domain/suites/owners/owner-rules.js';
import type { TestOwnershipRow } from '../../../entities/database.js';
import type { Context } from '../../../request/context.js';
import { findUploadingSuite } from '../../../resources/suites/uploads/find-suite.js';

export interface OwnershipSubject extends SuiteSubject {
  ownership: TestOwnershipRow;
}

/**
 * Takes the TESTOWNERS file of a suite in place of the one before. The owners of its tests are found in the background.
 * Every team that the file names has access to the suite.
 */
export const storeTestOwnership = defineOperation({
  name: 'test-ownership.store',
  summary: 'Takes the TESTOWNERS file of a suite.',
  kind: 'command',
  scope: null,
  access: 'internal',
  refusal: 'sentence',
  input: z.object({ file: text(limits.testOwnersBytes) }),
  subject: findUploadingSuite,
  run: async (context, { file: content }, subject: SuiteSubject): Promise<OwnershipSubject> => {
    const rules = readOwnerRules(content);
    if ('problem' in rules) throw invalidField('file', rules.problem);
    await requireTeams(context, subject, rules);
    const { id: suiteId, organizationId } = subject.suite;
    const change = { content, storedAt: context.now };
    const ownership = await context.db
      .insertInto('test_ownerships')
      .values({ suiteId, organizationId, ...change })
      .onConflict((conflict) => conflict.column('suiteId').doUpdateSet(change))
      .returningAll()
      .executeTakeFirstOrThrow();
    return { ...subject, ownership };
  },
});

async function requireTeams(context: Context, { suite }: SuiteSubject, rules: readonly OwnerRule[]): Promise<void> {
  const named = [...new Set(rules.flatMap(({ teams }) => teams))];
  if (named.length === 0) return;
  const rows = await context.db
    .selectFrom('team_suites as a')
    .innerJoin('teams as t', 't.id', 'a.teamId')
    .select('t.slug')
    .where('a.suiteId', '=', suite.id)
    .execute();
  const known = new Set(rows.map(({ slug }) => slug));
  const missing = named.filter((slug) => !known.has(slug));
  if (missing.length > 0)
    throw invalidField('file', `names teams without access to the suite: ${missing.slice(0, 10).join(', ')}`);
}
