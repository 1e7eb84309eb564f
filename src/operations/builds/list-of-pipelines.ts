import { sql } from 'kysely';
import { z } from 'zod';
import type { ShownBuildRow } from '../../entities/database.js';
import { initialDefaultBranch } from '../../domain/pipelines/default-branch.js';
import { pipelinesAmong } from '../../core/find.js';
import { columnNames, selectRows } from '../../core/narrow-rows.js';
import { defineOperation } from '../../core/operation.js';
import { type Page, paginateByParent, stretchPaging } from '../../core/paging.js';
import type { EverywhereSubject } from '../../core/subject.js';
import { branchFilter, byNumber, filterBuilds, filters } from './list.js';

/**
 * Lists the builds of several pipelines, a page each, in one statement, so that a nested GraphQL connection takes one
 * statement a level. Pipelines the caller may not see have no entry.
 */
export const listBuildsOfPipelines = defineOperation({
  name: 'build.list-of-pipelines',
  summary: 'Lists builds of several pipelines at once.',
  kind: 'query',
  mayLag: true,
  batchOf: 'build.list',
  scope: 'read_builds',
  access: 'visible',
  input: filters.extend({ pipelineIds: z.array(z.uuid()).max(500), paging: stretchPaging, columns: columnNames }),
  subject: async (): Promise<EverywhereSubject> => ({ everywhere: true }),
  run: async (context, { pipelineIds, columns, ...input }): Promise<Map<string, Page<ShownBuildRow>>> => {
    const builds = selectRows(context.db.selectFrom('builds as b'), { table: 'builds', alias: 'b', columns }).where(
      sql<boolean>`b.pipeline_id = parent.id`,
    );
    const { branch, onDefaultBranch } = splitBranches(input.branch);
    const ofDefault = sql<boolean>`b.branch = (select coalesce(nullif(p.default_branch, ''),
      ${initialDefaultBranch}) from pipelines p where p.id = parent.id)`;
    const named = onDefaultBranch
      ? builds.where((eb) => eb.or([ofDefault, ...(branch.length > 0 ? [branchFilter(branch)] : [])]))
      : builds;
    const query = filterBuilds(context, named, { ...input, branch: onDefaultBranch ? null : branch });
    const parents = { ids: pipelineIds, among: (ids: readonly string[]) => pipelinesAmong(context, ids) };
    return paginateByParent(context.db, parents, query, byNumber, input.paging);
  },
});

/** Replaces the branch `%default` by the default branch of each pipeline. */
function splitBranches(branches: readonly string[] | null | undefined): { branch: string[]; onDefaultBranch: boolean } {
  const branch = (branches ?? []).filter((name) => name !== '%default');
  return { branch, onDefaultBranch: branch.length < (branches?.length ?? 0) };
}
