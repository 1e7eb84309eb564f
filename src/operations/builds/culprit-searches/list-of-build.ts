import { z } from 'zod';
import { buildAddress } from '../../../core/address.js';
import { findBuild } from '../../../core/find.js';
import { defineOperation } from '../../../core/operation.js';
import { defaultPaging, newestFirst, type Page, paginate, paging } from '../../../core/paging.js';
import type { BuildSubject } from '../../../core/subject.js';
import { type ShownSearch, shownSearches } from '../../../resources/builds/culprits/shown-search.js';

/** Lists the searches for the culprit of a failed build, newest first. */
export const listCulpritSearchesOfBuild = defineOperation({
  name: 'culprit-search.list-of-build',
  summary: 'Lists the searches for the commit since which a build fails.',
  kind: 'query',
  scope: 'read_builds',
  access: 'visible',
  input: z.object({ build: buildAddress, paging: paging.default(defaultPaging) }),
  subject: (context, { build }) => findBuild(context, build),
  run: async (context, { paging: page }, { build }: BuildSubject): Promise<Page<ShownSearch>> =>
    paginate<ShownSearch>(
      context.db,
      shownSearches(context).where('s.buildId', '=', build.id),
      newestFirst<ShownSearch>('s.id'),
      page,
    ),
});
