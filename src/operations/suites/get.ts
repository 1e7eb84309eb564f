import { z } from 'zod';
import { defineOperation } from '../operation.js';
import { flag } from '../text.js';
import { findSuite, suiteAddress, type SuiteSubject } from './find-suite.js';
import type { ShownSuite } from './shown-suite.js';
import { shownToken } from './token.js';

/** One suite; with its upload token for those who may edit it, `forbidden` for others who ask for that (rest-facts 3.8). */
export const getSuite = defineOperation({
  name: 'suite.get',
  summary: 'Returns one test suite.',
  kind: 'query',
  scope: 'read_suites',
  access: 'member',
  refusal: 'sentence',
  input: z.object({ suite: suiteAddress, showApiToken: flag.nullish() }),
  subject: (context, { suite }) => findSuite(context, suite),
  run: async (context, { showApiToken }, subject: SuiteSubject): Promise<ShownSuite> => ({
    organization: subject.organization,
    suite: subject.suite,
    apiToken: showApiToken ? shownToken(context, subject) : null,
  }),
});
