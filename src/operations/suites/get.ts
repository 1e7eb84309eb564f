import { z } from 'zod';
import { defineOperation } from '../../core/operation.js';
import { flag } from '../../domain/input-text.js';
import { findSuite, suiteAddress, type SuiteSubject } from '../../core/find-suite.js';
import type { ShownSuite } from '../../resources/suites/shown-suite.js';
import { shownToken } from '../../resources/suites/token.js';

/** Returns one suite, on request with its upload token; throws `forbidden` where the caller may not edit the suite. */
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
