import { z } from 'zod';
import { defineOperation } from '../../../core/operation.js';
import { findSearch, searchAddress, type SearchSubject } from '../../../resources/builds/culprits/shown-search.js';

/** Returns one search for a culprit. */
export const getCulpritSearch = defineOperation({
  name: 'culprit-search.get',
  summary: 'Returns one search for the commit that turned a branch red.',
  kind: 'query',
  scope: 'read_builds',
  access: 'visible',
  input: z.object({ search: searchAddress }),
  subject: (context, { search }) => findSearch(context, search),
  run: async (_context, _input, subject: SearchSubject): Promise<SearchSubject> => subject,
});
