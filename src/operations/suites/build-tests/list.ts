import { z } from 'zod';
import { standing } from '../../../auth/authorize.js';
import type { Context } from '../../../request/context.js';
import { inOrganization } from '../../../core/address.js';
import { findBuild } from '../../../core/find.js';
import { defineOperation } from '../../../core/operation.js';
import { defaultPaging, type Page, paging } from '../../../core/paging.js';
import type { BuildSubject } from '../../../core/subject.js';
import { suiteIsAccessible } from '../../../core/suite-visibility.js';
import { executionFilters, testFilters } from '../../../resources/suites/measured-tests/filters.js';
import { listMeasured } from '../../../resources/suites/measured-tests/list-measured.js';
import type { MeasuredTest } from '../../../resources/suites/measured-tests/measured-test.js';

/**
 * Lists the tests that ran in a build, of every suite that the caller may read, with the metrics of their executions in
 * it. Every execution of the build's runs counts, whenever it was uploaded, unless `branch` or `tags` leave it out.
 */
export const listBuildTests = defineOperation({
  name: 'build-test.list',
  summary: 'Lists the tests that ran in a build.',
  kind: 'query',
  scope: 'read_suites',
  access: 'member',
  refusal: 'sentence',
  input: testFilters
    .extend(executionFilters.shape)
    .extend({ build: inOrganization, paging: paging.default(defaultPaging) }),
  subject: findBuildOfMember,
  run: async (context, input, { build }: BuildSubject): Promise<Page<MeasuredTest>> => {
    const executions = context.db
      .selectFrom('suite_executions as e')
      .innerJoin('suite_runs as r', 'r.id', 'e.runId')
      .innerJoin('suites as s', 's.id', 'r.suiteId')
      .where('r.buildId', '=', build.id)
      .where(suiteIsAccessible(context.actor, 'read'));
    return listMeasured(context, executions, input);
  },
});

/** Finds a build in an organization of the caller: suites are for members, even where the build is public. */
async function findBuildOfMember(
  context: Context,
  { build: address }: { build: z.output<typeof inOrganization> },
): Promise<BuildSubject | null> {
  const build = await findBuild(context, { id: address.id });
  if (!build || standing(context.actor, build.organization.id) === 'visitor') return null;
  return 'organization' in address && build.organization.slug !== address.organization ? null : build;
}
