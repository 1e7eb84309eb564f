import { z } from 'zod';
import { findSuite, suiteAddress, type SuiteSubject } from '../../../core/find-suite.js';
import { defineOperation } from '../../../core/operation.js';
import { notFound } from '../../../domain/problem.js';
import type { OwnershipSubject } from './store.js';

/** Returns the TESTOWNERS file of a suite; throws `not_found` where none was sent. */
export const getTestOwnership = defineOperation({
  name: 'test-ownership.get',
  summary: 'Returns the TESTOWNERS file of a suite.',
  kind: 'query',
  scope: 'read_suites',
  access: 'member',
  input: z.object({ suite: suiteAddress }),
  subject: (context, { suite }) => findSuite(context, suite),
  run: async (context, _input, subject: SuiteSubject): Promise<OwnershipSubject> => {
    const ownership = await context.db
      .selectFrom('test_ownerships')
      .selectAll()
      .where('suiteId', '=', subject.suite.id)
      .executeTakeFirst();
    if (!ownership) throw notFound();
    return { ...subject, ownership };
  },
});
