import { sql } from 'kysely';
import { z } from 'zod';
import type { BuildRow } from '../../entities/database.js';
import { visiblePipelineIds } from '../find.js';
import { defineOperation } from '../operation.js';
import { newestFirst, type Page, paginateByParent, stretchPaging } from '../paging.js';
import type { Subject } from '../subject.js';
import { filterBuilds, filters } from './list.js';

/**
 * The builds of several pipelines, a page each, in one statement: what a nested GraphQL connection needs to stay at
 * one statement a level. Pipelines the caller may not see have no entry.
 */
export const listBuildsOfPipelines = defineOperation({
  name: 'build.list-of-pipelines',
  summary: 'Lists builds of several pipelines at once.',
  kind: 'query',
  batchOf: 'build.list',
  scope: 'read_builds',
  access: 'visible',
  input: filters.extend({ pipelineIds: z.array(z.uuid()).max(500), paging: stretchPaging }),
  subject: async (): Promise<Subject> => ({ everywhere: true }),
  run: async (context, { pipelineIds, ...input }): Promise<Map<string, Page<BuildRow>>> => {
    const seen = await visiblePipelineIds(context, pipelineIds);
    const builds = context.db.selectFrom('builds as b').selectAll('b').where(sql<boolean>`b.pipeline_id = parent.id`);
    const { branch, onDefaultBranch } = splitBranches(input.branch);
    const ofDefault = sql<boolean>`b.branch = (select p.default_branch from pipelines p where p.id = parent.id)`;
    const named = onDefaultBranch && branch.length > 0 ? builds.where((eb) => eb.or([ofDefault, eb('b.branch', 'in', branch)])) : onDefaultBranch ? builds.where(ofDefault) : builds;
    const query = filterBuilds(context, named, { ...input, branch: onDefaultBranch ? null : branch });
    return paginateByParent(context.db, seen, query, newestFirst<BuildRow>('b.id'), input.paging);
  },
});

/** `%default` among the branches stands for the default branch of whichever pipeline it is (graphql-facts 4.2). */
function splitBranches(branches: readonly string[] | null | undefined): { branch: string[]; onDefaultBranch: boolean } {
  const branch = (branches ?? []).filter((name) => name !== '%default');
  return { branch, onDefaultBranch: branch.length < (branches?.length ?? 0) };
}
