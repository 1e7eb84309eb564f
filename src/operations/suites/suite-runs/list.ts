import { z } from 'zod';
import { idFromEither } from '../../../domain/node-id.js';
import { Problem } from '../../../domain/problem.js';
import type { SuiteRunRow } from '../../../entities/database.js';
import { defineOperation } from '../../../core/operation.js';
import { defaultPaging, newestFirst, type Page, paginate, paging } from '../../../core/paging.js';
import { findSuite, suiteAddress, type SuiteSubject } from '../../../core/find-suite.js';

/** Lists the runs of a suite or of one build, newest first. */
export const listRuns = defineOperation({
  name: 'run.list',
  summary: 'Lists the runs of a test suite, newest first.',
  kind: 'query',
  mayLag: true,
  scope: 'read_suites',
  access: 'member',
  refusal: 'sentence',
  input: z.object({
    suite: suiteAddress,
    /** Uuid or node id. */
    buildId: z.string().max(300).nullish(),
    paging: paging.default(defaultPaging),
  }),
  subject: (context, { suite }) => findSuite(context, suite),
  run: async (context, { buildId, paging: page }, { suite }: SuiteSubject): Promise<Page<SuiteRunRow>> => {
    let query = context.db.selectFrom('suite_runs as r').selectAll('r').where('r.suiteId', '=', suite.id);
    if (buildId) {
      const id = idFromEither(buildId, ['Build']);
      if (id === null) throw new Problem('malformed', 'build_id must be the id of a build');
      query = query.where('r.buildId', '=', id);
    }
    return paginate(context.db, query, newestFirst<SuiteRunRow>('r.id'), page);
  },
});
