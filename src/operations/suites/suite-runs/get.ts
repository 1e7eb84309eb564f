import { z } from 'zod';
import { defineOperation } from '../../../core/operation.js';
import { findRun, runAddress, type RunSubject } from '../../../resources/suites/suite-runs/find-run.js';

/** Returns one run of a test suite. */
export const getRun = defineOperation({
  name: 'run.get',
  summary: 'Returns one run of a test suite.',
  kind: 'query',
  scope: 'read_suites',
  access: 'member',
  refusal: 'sentence',
  input: z.object({ run: runAddress }),
  subject: (context, { run }) => findRun(context, run),
  run: async (_context, _input, subject: RunSubject) => subject,
});
