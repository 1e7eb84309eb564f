import { z } from 'zod';
import { pipelineAddress } from '../../../core/address.js';
import { findPipeline } from '../../../core/find.js';
import { defineOperation } from '../../../core/operation.js';
import { defaultPaging, newestFirst, type Page, paginate, paging } from '../../../core/paging.js';
import type { PipelineSubject } from '../../../core/subject.js';
import { type ShownSearch, shownSearches } from '../../../resources/builds/culprits/shown-search.js';

/** Lists the searches for culprits of a pipeline, newest first. */
export const listCulpritSearches = defineOperation({
  name: 'culprit-search.list',
  summary: 'Lists the searches of a pipeline for commits that turned its branches red.',
  kind: 'query',
  scope: 'read_builds',
  access: 'visible',
  input: z.object({ pipeline: pipelineAddress, paging: paging.default(defaultPaging) }),
  subject: (context, { pipeline }) => findPipeline(context, pipeline),
  run: async (context, { paging: page }, { pipeline }: PipelineSubject): Promise<Page<ShownSearch>> =>
    paginate<ShownSearch>(
      context.db,
      shownSearches(context).where('s.pipelineId', '=', pipeline.id),
      newestFirst<ShownSearch>('s.id'),
      page,
    ),
});
