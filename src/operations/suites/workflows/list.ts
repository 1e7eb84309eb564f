import { z } from 'zod';
import { findSuite, suiteAddress, type SuiteSubject } from '../../../core/find-suite.js';
import { defineOperation } from '../../../core/operation.js';
import { defaultPaging, newestFirst, type Page, paginate, paging } from '../../../core/paging.js';
import { type ShownWorkflow, visibleWorkflows } from '../../../resources/suites/workflows/find-workflow.js';

/** Lists the workflows of a suite, newest first. */
export const listTestWorkflows = defineOperation({
  name: 'test-workflow.list',
  summary: 'Lists the workflows of a test suite.',
  kind: 'query',
  scope: 'read_suites',
  access: 'member',
  refusal: 'sentence',
  input: z.object({ suite: suiteAddress, paging: paging.default(defaultPaging) }),
  subject: (context, { suite }) => findSuite(context, suite),
  run: async (context, { paging: page }, { suite }: SuiteSubject): Promise<Page<ShownWorkflow>> =>
    paginate<ShownWorkflow>(
      context.db,
      visibleWorkflows(context).where('w.suiteId', '=', suite.id),
      newestFirst<ShownWorkflow>('w.id'),
      page,
    ),
});
