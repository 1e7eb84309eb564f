import { z } from 'zod';
import { defineOperation } from '../../../core/operation.js';
import { spanOf } from '../../../domain/builds/culprit/bisection.js';
import { unfinishedCulpritStates } from '../../../domain/builds/culprit/search-state.js';
import { wrongState } from '../../../domain/problem.js';
import { endSearch } from '../../../engine/culprits/end-search.js';
import { bisectionOf } from '../../../engine/culprits/advance-search.js';
import { judgeBuilds } from '../../../engine/culprits/judge-builds.js';
import {
  findSearch,
  searchAddress,
  shownSearches,
  type SearchSubject,
} from '../../../resources/builds/culprits/shown-search.js';

/** PUT cancel: ends a search with what it knows, and cancels its builds. */
export const cancelCulpritSearch = defineOperation({
  name: 'culprit-search.cancel',
  summary: 'Cancels a search for the commit that turned a branch red, with its builds.',
  kind: 'command',
  scope: 'write_builds',
  access: 'build',
  onArchived: true,
  input: z.object({ search: searchAddress }),
  subject: (context, { search }) => findSearch(context, search, { lock: true }),
  run: async (context, _input, subject: SearchSubject): Promise<SearchSubject> => {
    const { id, state } = subject.search;
    if (!unfinishedCulpritStates.includes(state)) throw wrongState('The search has ended');
    const row = await context.db
      .selectFrom('culprit_searches')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    const span = row.commits.length === 0 ? null : spanOf(bisectionOf(row, await judgeBuilds(context, row)));
    await endSearch(context, row, { state: 'canceled', span, reason: 'The search was canceled.' });
    await context.flush();
    const search = await shownSearches(context).where('s.id', '=', id).executeTakeFirstOrThrow();
    return { ...subject, search };
  },
});
